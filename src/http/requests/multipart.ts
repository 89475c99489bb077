/**
 * Reads `multipart/form-data` (RFC 7578) as a stream. The limits are checked while reading, so that memory stays within
 * them.
 */

import type { BusboyInstance } from "@fastify/busboy";
import { messageOf } from "../../core/message-of.ts";
import { requirePackage } from "../../core/platform/require-package.ts";
import { ApiError, type Code, problem, quote } from "../../errors.ts";
import { boundaryOf, createPartScanner } from "./form-parts.ts";
import { bodyChunks } from "./json-body.ts";

/** Maximum size of a form besides its files, and of a text field, in bytes (`chosen`). */
export const overheadBytes = 65_536;
/** Maximum size of the headers of a part, in bytes. */
const maxHeaderBytes = 16_384;

/** Maximum length of a boundary (RFC 2046, 5.1.1). */
const maxBoundaryLength = 70;

/** A part as it was sent. */
export interface FormPart {
  readonly name: string;
  readonly chunks: readonly Uint8Array[];
  readonly filename: string | undefined;
  /** Its headers. */
  readonly head: string;
}

/** The name of a part and the number of those before it with the same name. */
export type PartName = Pick<FormPart, "name"> & { readonly index: number };

/** Limits of a form. */
export interface FormRules {
  /** Codes of the errors: another content type, too large, anything else. */
  readonly codes: { readonly type: Code; readonly size: Code; readonly other: Code };
  /** Maximum size of the request, in bytes. */
  readonly maxBytes: number;
  /** Maximum size of the largest part, in bytes. */
  readonly maxPartBytes: number;
  /** The error of a part that the form must not have. */
  check(part: PartName): ApiError | undefined;
  /** The error of a part that is larger than it may be; `size` is the number of its bytes so far. */
  checkSize(name: string, size: number): ApiError | undefined;
}

/**
 * The parts of a form, in order.
 *
 * @throws {ApiError} with one of the codes of the rules
 */
export async function readParts(request: Request, rules: FormRules): Promise<readonly FormPart[]> {
  const { maxBytes, codes } = rules;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(rules);
  const parsing = await startParser(request.headers.get("content-type"), rules);
  try {
    let size = 0;
    for await (const chunk of bodyChunks(request, codes.other)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw bodyTooLarge(rules);
      await parsing.write(chunk);
    }
    return await parsing.end();
  } finally {
    parsing.stop();
  }
}

interface Parsing {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<readonly FormPart[]>;
  stop(): void;
}

async function startParser(type: string | null, rules: FormRules): Promise<Parsing> {
  const boundary = readBoundary(type, rules.codes);
  const parser = createParser(boundary, rules);
  const scanner = createPartScanner(boundary);
  const parts = collect(parser, rules);
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
      if (read.length === heads.length) return read.map((part, i) => ({ ...part, head: heads[i] ?? "" }));
      // The parser skips parts that it cannot read.
      throw malformed(rules.codes, "a part does not begin with headers that name `form-data` and a field");
    },
    stop: () => {
      // Errors after the form was rejected are irrelevant.
      parser.on("error", () => {});
    },
  };
}

function readBoundary(type: string | null, codes: FormRules["codes"]): string {
  if (type === null || !/^multipart\/form-data\s*(;|$)/i.test(type)) {
    const found = type === null ? "it is missing" : `found ${quote(type)}`;
    const message = `The content type must be \`multipart/form-data\`; ${found}.`;
    throw new ApiError(problem(codes.type, message));
  }
  const boundary = boundaryOf(type);
  if (boundary === undefined) throw malformed(codes, `the content type ${quote(type)} has no valid boundary`);
  if (boundary.length > maxBoundaryLength)
    throw malformed(
      codes,
      `the boundary must have at most ${maxBoundaryLength} characters; it has ${boundary.length}`,
    );
  return boundary;
}

/** Loads the parser of forms; else the first form does. @throws {DependencyUnavailableError} when it cannot be loaded */
export function loadFormParser(): typeof import("@fastify/busboy") {
  return requirePackage("@fastify/busboy");
}

function createParser(boundary: string, { maxPartBytes }: FormRules): BusboyInstance {
  const { Busboy } = loadFormParser();
  return new Busboy({
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    // The bytes of every part, since the parser neither knows all charsets nor reports an unknown one.
    isPartAFile: () => true,
    limits: { fileSize: maxPartBytes + 1, headerSize: maxHeaderBytes },
  });
}

interface Collected {
  readonly finished: Promise<readonly Omit<FormPart, "head">[]>;
  /** Rejects as soon as an error is found. */
  readonly failed: Promise<never>;
}

function collect(parser: BusboyInstance, rules: FormRules): Collected {
  const parts: Omit<FormPart, "head">[] = [];
  const counts = new Map<string, number>();
  let reject: (error: ApiError) => void = () => {};
  const failed = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  const fail = (error: ApiError | undefined) => {
    if (error) reject(error);
  };
  // It may reject before anything awaits it.
  failed.catch(() => {});

  parser.on("file", (name: string | undefined, stream, filename) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    if (name === undefined) fail(malformed(rules.codes, "a part has no name"));
    else {
      const index = counts.get(name) ?? 0;
      counts.set(name, index + 1);
      fail(rules.check({ name, index }));
    }
    parts.push({ name: name ?? "", chunks, filename });
    stream.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength;
      const error = rules.checkSize(name ?? "", size);
      if (error) fail(error);
      else chunks.push(chunk);
    });
    stream.on("error", () => fail(malformed(rules.codes, "it ends within a part")));
  });
  parser.on("error", (error) => fail(malformed(rules.codes, reasonOf(error))));
  const finished = new Promise<readonly Omit<FormPart, "head">[]>((resolve) => {
    parser.on("finish", () => resolve(parts));
  });
  return { finished, failed };
}

function reasonOf(error: unknown): string {
  return messageOf(error).replace(/\.$/, "");
}

/** The error of a body that is not a form. */
export function malformed({ other }: FormRules["codes"], reason: string): ApiError {
  return new ApiError(problem(other, `The body is not a \`multipart/form-data\` form: ${reason}.`));
}

function bodyTooLarge({ codes, maxBytes }: FormRules): ApiError {
  const message = `The request must be at most ${maxBytes} bytes; it is larger.`;
  return new ApiError(problem(codes.size, message));
}
