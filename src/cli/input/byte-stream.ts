/** Streams the bytes of a file or of standard input, decompressed when they are gzip. */
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Io, UsageError } from "../command.ts";
import { standardInput } from "../standard-input.ts";
import { cannotReadError } from "./files.ts";

type ByteChunks = AsyncIterable<Uint8Array>;

/** @throws {UsageError} during iteration, when the file cannot be read or its gzip data is corrupt */
export async function* byteStream(path: string, io: Io): AsyncGenerator<Uint8Array, void, undefined> {
  if (path !== standardInput) io.onInputFile?.(path);
  const raw = path === standardInput ? io.stdin : fileBytes(path);
  const { first, all } = await peek(raw[Symbol.asyncIterator]());
  if (isGzip(first)) yield* gunzip(all, path === standardInput ? "standard input" : path);
  else yield* all;
}

async function* fileBytes(path: string): ByteChunks {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw cannotReadError(path, error);
  }
}

/** The magic number of gzip (RFC 1952, section 2.3.1). */
function isGzip(first: Uint8Array): boolean {
  return first[0] === 0x1f && first[1] === 0x8b;
}

/** The first bytes (at least two unless the stream is shorter), and the whole stream including them. */
async function peek(source: AsyncIterator<Uint8Array>): Promise<{ first: Uint8Array; all: ByteChunks }> {
  let first: Uint8Array = new Uint8Array();
  let next = await source.next();
  while (!next.done && first.length < 2) {
    first = Buffer.concat([first, next.value]);
    if (first.length < 2) next = await source.next();
  }
  return { first, all: prepend(first, source) };
}

async function* prepend(first: Uint8Array, source: AsyncIterator<Uint8Array>): ByteChunks {
  if (first.length > 0) yield first;
  yield* { [Symbol.asyncIterator]: () => source };
}

async function* gunzip(compressed: ByteChunks, name: string): ByteChunks {
  let failed: unknown;
  const source = Readable.from(compressed);
  source.on("error", (error) => {
    failed = error;
  });
  const plain = createGunzip();
  pipeline(source, plain, () => {});
  try {
    yield* plain as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (failed instanceof UsageError) throw failed;
    const partial = "results of what was read before are partial";
    throw new UsageError(`cannot decompress ${name}: ${(error as Error).message}; ${partial}`);
  }
}
