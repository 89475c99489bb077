/** Reads the multipart form of observed pictures: `picture` parts, each with an optional `facts` part before it. */
import { isUtf8 } from "node:buffer";
import { isJsonObject, parseJson } from "../../core/json-value.ts";
import { ApiError, problem, quote } from "../../errors.ts";
import type { UnreadablePicture } from "../../service/brand/ingest/ingest.ts";
import type { ScanRecord } from "../../service/brand/logos/scan-record.ts";
import type { Limits } from "../../service/limits.ts";
import { type FormPart, type FormRules, overheadBytes, readParts } from "./multipart.ts";

const codes = { type: 9207, size: 10413, other: 7001 } as const;

/** Names of the parts: the file of a picture, and JSON with its domain, registrar, scan id and time. */
const parts = { picture: "picture", facts: "facts" } as const;

/**
 * The pictures of a form, in order.
 *
 * @throws {ApiError} 9207 another content type, 10413 too large, 7001 malformed, another part, facts without a picture
 */
export async function readPictures(
  request: Request,
  limits: Limits,
): Promise<readonly (ScanRecord | UnreadablePicture)[]> {
  const records: (ScanRecord | UnreadablePicture)[] = [];
  let facts: FormPart | undefined;
  for (const part of await readParts(request, rulesOf(limits))) {
    if (part.name === parts.picture) {
      records.push(toRecord(part, facts));
      facts = undefined;
    } else if (facts) throw strayFacts();
    else facts = part;
  }
  if (facts) throw strayFacts();
  if (records.length === 0) throw rejected("The form must have at least one part `picture`.");
  return records;
}

function rulesOf({ imageUploadBytes, observationPictures }: Limits): FormRules {
  return {
    codes,
    maxBytes: imageUploadBytes + overheadBytes,
    maxPartBytes: Math.max(imageUploadBytes, overheadBytes),
    check: ({ name, index }) => {
      if (name !== parts.picture && name !== parts.facts)
        return rejected(`The parts must be \`picture\` and \`facts\`; found ${quote(name)}.`);
      if (index < observationPictures) return undefined;
      return tooLarge(`The form must have at most ${observationPictures} pictures; it has more.`);
    },
    checkSize: (name, size) => {
      const maxBytes = name === parts.picture ? imageUploadBytes : overheadBytes;
      return size > maxBytes
        ? tooLarge(`The part ${quote(name)} must be at most ${maxBytes} bytes; it is larger.`)
        : undefined;
    },
  };
}

function toRecord(picture: FormPart, facts: FormPart | undefined): ScanRecord | UnreadablePicture {
  const image = Buffer.concat(picture.chunks);
  if (!facts) return { image };
  const bytes = Buffer.concat(facts.chunks);
  if (!isUtf8(bytes)) return { message: "The facts are not UTF-8." };
  const value = parseJson(bytes.toString());
  if (value === undefined) return { message: "The facts are not JSON." };
  if (isJsonObject(value)) return { ...value, image };
  return { message: `The facts must be an object; found ${quote(value)}.` };
}

function strayFacts(): ApiError {
  return rejected("Each part `facts` must be directly before the part `picture` that it describes.");
}

function rejected(message: string): ApiError {
  return new ApiError(problem(codes.other, message));
}

function tooLarge(message: string): ApiError {
  return new ApiError(problem(codes.size, message));
}
