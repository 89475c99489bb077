/**
 * The messages of workers. A scanned picture is a line of JSON (version, accounts, facts, length and hash of the picture),
 * then the bytes of the picture, or nothing when the line names a blob. A part of a lookback is only a line.
 */

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { isJsonObject, parseJson } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { problem, quote } from "../../../errors.ts";
import {
  type LookbackHeader,
  messageVersion,
  type PictureHeader,
  type WorkHeader,
  workHeader,
} from "../../../schemas/work-messages.ts";
import { genericCodes } from "../../context.ts";
import { schemaProblems } from "../../schema-problems.ts";
import { reject } from "../invalid-input.ts";
import type { LookbackRange } from "../lookback/lookback-runner.ts";

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

/** Maximum size of the facts of a picture as JSON, in bytes (`chosen`): with them, the header of a message is small. */
const maxFactBytes = 16_384;

const lineEnd = 10;

/** A message of any kind. */
export type WorkMessage =
  | ({ readonly type: "picture" } & PictureMessage)
  | { readonly type: "lookback"; readonly range: LookbackRange };

/** The body of a message with a picture. `decodeWorkMessage` is the inverse. */
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

/** The body of a message with a part of a lookback. `decodeWorkMessage` is the inverse. */
export function encodeLookbackMessage({ part, account, queryId, from, to }: LookbackRange): Uint8Array {
  const header: LookbackHeader = {
    edgeproof: messageVersion,
    type: "lookback",
    account,
    ...(part === "domains" && { part }),
    query: queryId,
    from,
    to,
  };
  return Buffer.from(`${JSON.stringify(header)}\n`);
}

/** Reads the body of a message, which may come from anybody. The accounts, facts and picture are not validated. */
export function decodeWorkMessage(body: Uint8Array): Result<WorkMessage> {
  const header = readHeader(body);
  if (!header.ok) return header;
  const rest = body.subarray(body.indexOf(lineEnd) + 1);
  return header.value.type === "picture" ? readPicture(header.value, rest) : readLookback(header.value, rest);
}

function readLookback(
  { part, account, query, from, to }: LookbackHeader,
  rest: Uint8Array,
): Result<WorkMessage> {
  if (from >= to) return reject(`\`to\` must be larger than \`from\`; found ${from} and ${to}.`);
  if (rest.length > 0)
    return reject(`Nothing may follow the header of a lookback; found ${rest.length} bytes.`);
  return success({ type: "lookback", range: { ...(part && { part }), account, queryId: query, from, to } });
}

function readPicture({ accounts, facts, picture }: PictureHeader, rest: Uint8Array): Result<WorkMessage> {
  const { blob, bytes, sha256 } = picture;
  const tooLarge = factsProblem(facts);
  if (tooLarge !== undefined) return reject(tooLarge);
  if (blob !== undefined) {
    if (rest.length > 0)
      return reject(`Nothing may follow a header with \`blob\`; found ${rest.length} bytes.`);
    return success({ type: "picture", accounts, facts, picture: { blob, bytes, sha256 } });
  }
  const mismatch = pictureMismatch(rest, picture);
  if (mismatch !== undefined) return reject(mismatch);
  return success({ type: "picture", accounts, facts, picture: rest });
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

/** Why the facts of a picture are too large; undefined when they are not. */
export function factsProblem(facts: Readonly<Record<string, unknown>>): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(facts));
  if (bytes <= maxFactBytes) return undefined;
  return `The facts must be at most ${maxFactBytes} bytes of JSON; found ${bytes}.`;
}

/** The SHA-256 hash of bytes, in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readHeader(body: Uint8Array): Result<WorkHeader> {
  const end = body.subarray(0, maxHeaderBytes + 1).indexOf(lineEnd);
  if (end < 0)
    return reject(`The message must begin with a line of JSON of at most ${maxHeaderBytes} bytes.`);
  const line = body.subarray(0, end);
  const value = isUtf8(line) ? parseJson(Buffer.from(line).toString()) : undefined;
  if (!isJsonObject(value)) return reject("The first line of the message must be a JSON object in UTF-8.");
  if (value["edgeproof"] !== messageVersion)
    return reject(`The version \`edgeproof\` must be ${messageVersion}; found ${quote(value["edgeproof"])}.`);
  const parsed = workHeader.safeParse(value, { reportInput: true });
  if (parsed.success) {
    const { data } = parsed;
    // As they were sent: the schema leaves a member `__proto__` out.
    return success(data.type === "picture" ? { ...data, facts: value["facts"] as typeof data.facts } : data);
  }
  const [first] = parsed.error.issues.flatMap((issue) =>
    schemaProblems(issue, { area: "brand", at: "", root: "the header" }),
  );
  return failure(first ?? problem(genericCodes.brand.invalid, parsed.error.message));
}
