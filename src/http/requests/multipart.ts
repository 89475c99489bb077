/**
 * Reads `multipart/form-data` (RFC 7578) as a stream: a form of text fields and at most one file. The limits are
 * checked while reading, so that memory stays within them.
 */
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { ApiError, type Code, type Problem, pointer, quote } from "../../errors.ts";
import type { UploadForm } from "../../service/images/uploads/form.ts";
import { boundaryOf, createPartCounter } from "./form-parts.ts";
import { bodyChunks } from "./json-body.ts";

/** Maximum size of the request besides the file, in bytes (`chosen`). */
const overheadBytes = 65_536;
/** Maximum number of text fields; metadata can have one for each member. */
const maxFields = 256;
/** Maximum size of the headers of a part, in bytes. */
const maxHeaderBytes = 16_384;

/** Name of the part with the image; every other part is text, whatever its headers declare. */
const filePart = "file";

export interface FormLimits {
  /** Maximum size of the file, in bytes. */
  readonly fileBytes: number;
}

/**
 * The form; empty for a request without a body and a content type.
 *
 * @throws {ApiError} 5415 another content type, 5413 too large, 5400 malformed, incomplete or too many fields
 */
export async function readForm(request: Request, limits: FormLimits): Promise<UploadForm> {
  const type = request.headers.get("content-type");
  if (type === null && !request.body) return { fields: [] };
  const maxBytes = limits.fileBytes + overheadBytes;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const parsing = startParser(type, limits);
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

function startParser(type: string | null, limits: FormLimits): Parsing {
  const boundary = readBoundary(type);
  const parser = createParser(boundary, limits);
  const counter = createPartCounter(boundary);
  const form = collect(parser, limits);
  const failed = form.failed;
  return {
    write: (chunk) => {
      counter.write(chunk);
      const written = new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
      return Promise.race([written, failed]);
    },
    end: async () => {
      parser.end();
      const { parts, ...read } = await Promise.race([form.finished, failed]);
      if (parts === counter.count()) return read;
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
    const message = `The content type is ${type === null ? "missing" : quote(type)}; it must be \`multipart/form-data\`.`;
    throw new ApiError({ code: 5415, message });
  }
  const boundary = boundaryOf(type);
  if (boundary === undefined) throw malformed(`the content type ${quote(type)} has no valid boundary`);
  return boundary;
}

function createParser(boundary: string, { fileBytes }: FormLimits): BusboyInstance {
  return new Busboy({
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    isPartAFile: (name) => name === filePart,
    limits: {
      fileSize: fileBytes,
      fieldSize: overheadBytes,
      fields: maxFields,
      headerSize: maxHeaderBytes,
    },
  });
}

interface Collected {
  readonly finished: Promise<UploadForm & { readonly parts: number }>;
  /** Rejects as soon as an error is found. */
  readonly failed: Promise<never>;
}

function collect(parser: BusboyInstance, { fileBytes }: FormLimits): Collected {
  const fields: [string, string][] = [];
  const files: { chunks: Uint8Array[]; filename: string | undefined }[] = [];
  let fail: (error: ApiError) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // It may reject before anything awaits it.
  failed.catch(() => {});

  parser.on("field", (name: string | undefined, value, _nameCut, valueCut) => {
    if (name === undefined) fail(malformed("a part has no name"));
    else if (valueCut)
      fail(
        fieldError(
          5413,
          name,
          `The field ${quote(name)} must be at most ${overheadBytes} bytes; it is longer.`,
        ),
      );
    else fields.push([name, value]);
  });
  parser.on("fieldsLimit", () => fail(malformed(`it has more than ${maxFields} fields`)));
  parser.on("file", (name, stream, filename) => {
    const chunks: Uint8Array[] = [];
    if (files.length > 0) fail(fieldError(5400, name, `The field ${quote(name)} is given more than once.`));
    files.push({ chunks, filename });
    stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    stream.on("limit", () =>
      fail(fieldError(5413, name, `The file must be at most ${fileBytes} bytes; it is larger.`)),
    );
    stream.on("error", () => fail(malformed("it ends within a part")));
  });
  parser.on("error", (error) => fail(malformed(reasonOf(error))));
  const finished = new Promise<UploadForm & { readonly parts: number }>((resolve) => {
    parser.on("finish", () => {
      const [file] = files;
      resolve({
        parts: fields.length + files.length,
        fields,
        ...(file && { file: toFile(file.chunks, file.filename) }),
      });
    });
  });
  return { finished, failed };
}

function toFile(chunks: readonly Uint8Array[], filename: string | undefined) {
  const bytes = Buffer.concat(chunks);
  return { bytes, ...(filename !== undefined && filename !== "" && { filename }) };
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
