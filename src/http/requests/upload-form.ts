/** Reads the multipart form of an upload: text fields and at most one file. */
import { decodeText, encodingOf } from "../../core/text-decoding.ts";
import { ApiError, type Code, pointer, problem, quote } from "../../errors.ts";
import type { UploadForm } from "../../service/images/uploads/form.ts";
import { parameterOf } from "./content-type.ts";
import { type FormPart, type FormRules, malformed, overheadBytes, readParts } from "./multipart.ts";

/** Maximum number of text fields; metadata can have one for each member. */
const maxFields = 256;

/** Name of the part with the image; every other part is text, whatever its headers declare. */
const filePart = "file";

const codes = { type: 5415, size: 5413, other: 5400 } as const;

export interface FormLimits {
  /** Maximum size of the file, in bytes. */
  readonly fileBytes: number;
}

/**
 * The form; empty for a request without a body and a content type.
 *
 * @throws {ApiError} 5415 another content type, 5413 too large, 5400 malformed, incomplete, too many fields or an
 *   unknown charset
 */
export async function readForm(request: Request, limits: FormLimits): Promise<UploadForm> {
  if (request.headers.get("content-type") === null && !request.body) return { fields: [] };
  return toForm(await readParts(request, rulesOf(limits)));
}

function rulesOf({ fileBytes }: FormLimits): FormRules {
  let fields = 0;
  return {
    codes,
    maxBytes: fileBytes + overheadBytes,
    maxPartBytes: Math.max(fileBytes, overheadBytes),
    check: ({ name, index }) => {
      if (name !== filePart)
        return ++fields > maxFields ? malformed(codes, `it has more than ${maxFields} fields`) : undefined;
      if (index === 0) return undefined;
      return fieldError(codes.other, name, `The field ${quote(name)} is given more than once.`);
    },
    checkSize: (name, size) => {
      const maxBytes = name === filePart ? fileBytes : overheadBytes;
      return size > maxBytes ? partTooLarge(name, maxBytes) : undefined;
    },
  };
}

function partTooLarge(name: string, maxBytes: number): ApiError {
  const message =
    name === filePart
      ? `The file must be at most ${maxBytes} bytes; it is larger.`
      : `The field ${quote(name)} must be at most ${maxBytes} bytes; it is longer.`;
  return fieldError(codes.size, name, message);
}

/** The form of the parts; the headers of each part name its charset. */
function toForm(parts: readonly FormPart[]): UploadForm {
  const fields = parts.flatMap((part): [string, string][] =>
    part.name === filePart ? [] : [[part.name, decode(part)]],
  );
  const file = parts.find(({ name }) => name === filePart);
  return { fields, ...(file && { file: toFile(file) }) };
}

function toFile({ chunks, filename }: FormPart) {
  const bytes = Buffer.concat(chunks);
  return { bytes, ...(filename !== undefined && filename !== "" && { filename }) };
}

/** @throws {ApiError} 5400 for an unknown charset */
function decode({ name, chunks, head }: FormPart): string {
  const [, type = ""] = /^content-type:(.*(?:\r\n[ \t].*)*)/im.exec(head) ?? [];
  const charset = parameterOf(type, "charset") ?? "utf-8";
  if (encodingOf(charset) !== undefined) return decodeText(Buffer.concat(chunks), charset);
  const message = `The charset of the field ${quote(name)} is ${quote(charset)}; it must be a label of the Encoding Standard, such as \`utf-8\`.`;
  throw fieldError(codes.other, name, message);
}

function fieldError(code: Code, name: string, message: string): ApiError {
  return new ApiError(problem(code, message, pointer(name)));
}
