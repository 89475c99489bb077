/**
 * A scanned picture as a message: a line of JSON (version, accounts, facts, length and hash of the picture), then the
 * bytes of the picture, or nothing when the header names a blob.
 */

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, problem, type Result, success } from "../../../core/result.ts";
import { quote } from "../../../errors.ts";
import { messageVersion, type PictureHeader, pictureHeader } from "../../../schemas/work-messages.ts";
import { genericCodes } from "../../context.ts";
import { schemaProblems } from "../../schema-problems.ts";

/** A picture for accounts, as a message has it. */
export interface PictureMessage {
  readonly accounts: readonly string[];
  /** A `ScanRecord` without its picture; not validated. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The bytes of the picture, or its key in the blob store. */
  readonly picture: Uint8Array | PictureReference;
}

/** A picture in the blob store. */
export interface PictureReference {
  readonly blob: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Hash of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** Maximum length of the header, in bytes (`chosen`). */
const maxHeaderBytes = 32_768;

const lineEnd = 10;

/** The body of a message. `decodePictureMessage` is the inverse. */
export function encodePictureMessage({ accounts, facts, picture }: PictureMessage): Uint8Array {
  const isInline = picture instanceof Uint8Array;
  const description = isInline ? { bytes: picture.length, sha256: sha256Of(picture) } : picture;
  const header: PictureHeader = {
    edgeproof: messageVersion,
    type: "picture",
    accounts: [...accounts],
    facts,
    picture: description,
  };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  return isInline ? Buffer.concat([line, picture]) : line;
}

/** Reads the body of a message, which may come from anybody. The accounts, facts and picture are not validated. */
export function decodePictureMessage(body: Uint8Array): Result<PictureMessage> {
  const header = readHeader(body);
  if (!header.ok) return header;
  const { accounts, facts, picture } = header.value;
  const rest = body.subarray(body.indexOf(lineEnd) + 1);
  const { blob, bytes, sha256 } = picture;
  if (blob !== undefined) {
    if (rest.length > 0)
      return reject(`Nothing may follow a header with \`blob\`; found ${rest.length} bytes.`);
    return success({ accounts, facts, picture: { blob, bytes, sha256 } });
  }
  const mismatch = pictureMismatch(rest, picture);
  return mismatch === undefined ? success({ accounts, facts, picture: rest }) : reject(mismatch);
}

/** The difference between a picture and its description; undefined when there is none. */
export function pictureMismatch(
  found: Uint8Array,
  { bytes, sha256 }: Omit<PictureReference, "blob">,
): string | undefined {
  if (found.length !== bytes) return `The picture must have ${bytes} bytes; found ${found.length}.`;
  const hash = sha256Of(found);
  return hash === sha256 ? undefined : `The SHA-256 hash of the picture must be ${sha256}; found ${hash}.`;
}

/** The SHA-256 hash of bytes, in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readHeader(body: Uint8Array): Result<PictureHeader> {
  const end = body.subarray(0, maxHeaderBytes + 1).indexOf(lineEnd);
  if (end < 0)
    return reject(`The message must begin with a line of JSON of at most ${maxHeaderBytes} bytes.`);
  const line = body.subarray(0, end);
  const value = isUtf8(line) ? parseJson(Buffer.from(line).toString()) : undefined;
  if (!isJsonObject(value)) return reject("The first line of the message must be a JSON object in UTF-8.");
  if (value["edgeproof"] !== messageVersion)
    return reject(`The version \`edgeproof\` must be ${messageVersion}; found ${quote(value["edgeproof"])}.`);
  const parsed = pictureHeader.safeParse(value, { reportInput: true });
  if (parsed.success) return success(parsed.data);
  const [first] = parsed.error.issues.flatMap((issue) =>
    schemaProblems(issue, { area: "brand", at: "", root: "the header" }),
  );
  return failure(first ?? problem(genericCodes.brand.invalid, parsed.error.message));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reject(message: string): Result<never> {
  return failure(problem(genericCodes.brand.invalid, message));
}
