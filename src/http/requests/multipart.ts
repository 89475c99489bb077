/**
 * Reads `multipart/form-data` (RFC 7578) as a stream: a form of text fields and at most one file. The limits are
 * checked while reading, so that memory stays within them.
 */
import type { BusboyInstance } from "@fastify/busboy";
import { decodeText, encodingOf } from "../../core/text-decoding.ts";
import { ApiError, type Code, type Problem, pointer, quote } from "../../errors.ts";
import type { UploadForm } from "../../service/images/uploads/form.ts";
import { parameterOf } from "./content-type.ts";
import { boundaryOf, createPartScanner } from "./form-parts.ts";
import { bodyChunks } from "./json-body.ts";

/** Maximum size of the request besides the file, in bytes (`chosen`). */
const overheadBytes = 65_536;
/** Maximum number of text fields; metadata can have one for each member. */
const maxFields = 256;
/** Maximum size of the headers of a part, in bytes. */
const maxHeaderBytes = 16_384;

/** Maximum length of a boundary (RFC 2046, 5.1.1). */
const maxBoundaryLength = 70;

/** Name of the part with the image; every other part is text, whatever its headers declare. */
const filePart = "file";

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
  const type = request.headers.get("content-type");
  if (type === null && !request.body) return { fields: [] };
  const maxBytes = limits.fileBytes + overheadBytes;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const parsing = await startParser(type, limits);
  try {
    let size = 0;
    for await (const chunk of bodyChunks(request, 5400)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      await parsing.write(chunk);
    }
    return await parsing.end();
  } finally {
    parsing.stop();
  }
}

interface Parsing {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<UploadForm>;
  stop(): void;
}

async function startParser(type: string | null, limits: FormLimits): Promise<Parsing> {
  const boundary = readBoundary(type);
  const parser = await createParser(boundary, limits);
  const scanner = createPartScanner(boundary);
  const parts = collect(parser, limits);
  const failed = parts.failed;
  return {
    write: (chunk) => {
      scanner.write(chunk);
      const written = new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
      return Promise.race([written, failed]);
    },
    end: async () => {
      parser.end();
      const read = await Promise.race([parts.finished, failed]);
      const heads = scanner.heads();
      if (read.length === heads.length) return toForm(read, heads);
      // The parser skips parts that it cannot read.
      throw malformed("a part does not begin with headers that name `form-data` and a field");
    },
    stop: () => {
      // Errors after the form was rejected are irrelevant.
      parser.on("error", () => {});
    },
  };
}

function readBoundary(type: string | null): string {
  if (type === null || !/^multipart\/form-data\s*(;|$)/i.test(type)) {
    const found = type === null ? "it is missing" : `found ${quote(type)}`;
    const message = `The content type must be \`multipart/form-data\`; ${found}.`;
    throw new ApiError({ code: 5415, message });
  }
  const boundary = boundaryOf(type);
  if (boundary === undefined) throw malformed(`the content type ${quote(type)} has no valid boundary`);
  if (boundary.length > maxBoundaryLength)
    throw malformed(
      `the boundary must have at most ${maxBoundaryLength} characters; it has ${boundary.length}`,
    );
  return boundary;
}

/** The parser is loaded with the first form. */
async function createParser(boundary: string, { fileBytes }: FormLimits): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  return new Busboy({
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    // The bytes of every part, since the parser neither knows all charsets nor reports an unknown one.
    isPartAFile: () => true,
    limits: { fileSize: Math.max(fileBytes, overheadBytes) + 1, headerSize: maxHeaderBytes },
  });
}

/** A part as it was sent. */
interface Part {
  readonly name: string;
  readonly chunks: Uint8Array[];
  readonly filename: string | undefined;
}

interface Collected {
  readonly finished: Promise<readonly Part[]>;
  /** Rejects as soon as an error is found. */
  readonly failed: Promise<never>;
}

function collect(parser: BusboyInstance, { fileBytes }: FormLimits): Collected {
  const parts: Part[] = [];
  let fail: (error: ApiError) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // It may reject before anything awaits it.
  failed.catch(() => {});

  parser.on("file", (name: string | undefined, stream, filename) => {
    const isFile = name === filePart;
    const chunks: Uint8Array[] = [];
    const maxBytes = isFile ? fileBytes : overheadBytes;
    let size = 0;
    if (name === undefined) fail(malformed("a part has no name"));
    else if (isFile && parts.some((part) => part.name === filePart))
      fail(fieldError(5400, name, `The field ${quote(name)} is given more than once.`));
    else if (parts.filter((part) => part.name !== filePart).length >= maxFields && !isFile)
      fail(malformed(`it has more than ${maxFields} fields`));
    parts.push({ name: name ?? "", chunks, filename });
    stream.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size > maxBytes) fail(partTooLarge(name ?? "", maxBytes));
      else chunks.push(chunk);
    });
    stream.on("error", () => fail(malformed("it ends within a part")));
  });
  parser.on("error", (error) => fail(malformed(reasonOf(error))));
  const finished = new Promise<readonly Part[]>((resolve) => {
    parser.on("finish", () => resolve(parts));
  });
  return { finished, failed };
}

function partTooLarge(name: string, maxBytes: number): ApiError {
  const message =
    name === filePart
      ? `The file must be at most ${maxBytes} bytes; it is larger.`
      : `The field ${quote(name)} must be at most ${maxBytes} bytes; it is longer.`;
  return fieldError(5413, name, message);
}

/** The form of the parts; the headers of each part name its charset. */
function toForm(parts: readonly Part[], heads: readonly string[]): UploadForm {
  const fields = parts.flatMap((part, i): [string, string][] =>
    part.name === filePart ? [] : [[part.name, decode(part, heads[i] ?? "")]],
  );
  const file = parts.find(({ name }) => name === filePart);
  return { fields, ...(file && { file: toFile(file.chunks, file.filename) }) };
}

function toFile(chunks: readonly Uint8Array[], filename: string | undefined) {
  const bytes = Buffer.concat(chunks);
  return { bytes, ...(filename !== undefined && filename !== "" && { filename }) };
}

/** @throws {ApiError} 5400 for an unknown charset */
function decode({ name, chunks }: Part, head: string): string {
  const [, type = ""] = /^content-type:(.*(?:\r\n[ \t].*)*)/im.exec(head) ?? [];
  const charset = parameterOf(type, "charset") ?? "utf-8";
  if (encodingOf(charset) !== undefined) return decodeText(Buffer.concat(chunks), charset);
  const message = `The charset of the field ${quote(name)} is ${quote(charset)}; it must be a label of the Encoding Standard, such as \`utf-8\`.`;
  throw fieldError(5400, name, message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

function fieldError(code: Code, name: string, message: string): ApiError {
  const problem: Problem = { code, pointer: pointer(name), message };
  return new ApiError(problem);
}

function malformed(reason: string): ApiError {
  return new ApiError({ code: 5400, message: `The body is not a \`multipart/form-data\` form: ${reason}.` });
}

function bodyTooLarge(maxBytes: number): ApiError {
  const message = `The request must be at most ${maxBytes} bytes; it is larger.`;
  return new ApiError({ code: 5413, message });
}
