/**
 * Reads `multipart/form-data` (RFC 7578) as it comes: a form of text fields and at most one file, held to its
 * limits while it is read, so that no more than they allow is ever in memory.
 */
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { ApiError, type Code, type Problem, pointer, quote } from "../../errors.ts";
import type { UploadForm } from "../../service/images/uploads/form.ts";
import { boundaryOf, createPartCounter } from "./form-parts.ts";
import { bodyChunks } from "./json-body.ts";

/** What the whole request may have beside the file, in bytes (`chosen`). */
const overheadBytes = 65_536;
/** Most text fields; metadata as members has one for each. */
const maxFields = 256;
/** Longest header of a part, in bytes. */
const maxHeaderBytes = 16_384;

/** The name of the part that holds the image; every other part is text, whatever it says of itself. */
const filePart = "file";

export interface FormLimits {
  /** Bytes of the file. */
  readonly fileBytes: number;
}

/**
 * The form. A request without a body and without a content type is an empty one.
 *
 * @throws {ApiError} 5415 another content type, 5413 too large, 5400 malformed, broken off or too many fields
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
      // The parser passes over what it does not know.
      throw malformed("a part does not begin with its headers, or they do not say `form-data` and a name");
    },
    stop: () => {
      // What the parser still says of a form that nobody waits for is of no interest.
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
  if (boundary === undefined) throw malformed(`the content type ${quote(type)} names no boundary`);
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
  /** Rejects as soon as the form is refused. */
  readonly failed: Promise<never>;
}

function collect(parser: BusboyInstance, { fileBytes }: FormLimits): Collected {
  const fields: [string, string][] = [];
  const files: { chunks: Uint8Array[]; filename: string | undefined }[] = [];
  let refuse: (error: ApiError) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  // It may fail when nobody waits.
  failed.catch(() => {});

  parser.on("field", (name: string | undefined, value, _nameCut, valueCut) => {
    if (name === undefined) refuse(malformed("a part has no name"));
    else if (valueCut) refuse(bad(5413, name, `The field ${quote(name)} is too long.`));
    else fields.push([name, value]);
  });
  parser.on("fieldsLimit", () => refuse(malformed(`it has more than ${maxFields} fields`)));
  parser.on("file", (name, stream, filename) => {
    const chunks: Uint8Array[] = [];
    if (files.length > 0) refuse(bad(5400, name, `The field ${quote(name)} is given more than once.`));
    files.push({ chunks, filename });
    stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    stream.on("limit", () => refuse(bad(5413, name, `The file has more than ${fileBytes} bytes.`)));
    stream.on("error", () => refuse(malformed("it ends within a part")));
  });
  parser.on("error", (error) => refuse(malformed(reasonOf(error))));
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

function bad(code: Code, name: string, message: string): ApiError {
  const problem: Problem = { code, pointer: pointer(name), message };
  return new ApiError(problem);
}

function malformed(reason: string): ApiError {
  return new ApiError({ code: 5400, message: `The body is not a \`multipart/form-data\` form: ${reason}.` });
}

function bodyTooLarge(maxBytes: number): ApiError {
  const message = `The request is larger than the ${maxBytes} bytes that are allowed.`;
  return new ApiError({ code: 5413, message });
}
