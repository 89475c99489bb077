/** Streams long output to standard output or atomically to a file. */
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type AtomicFile, openAtomicFile } from "../../core/files/write-file.ts";
import type { Io } from "../command.ts";
import { standardInput } from "../standard-input.ts";

/** The file name that means standard output, the same as for standard input. */
const standardOutput = standardInput;

/** Writes a chunk; resolves when the next one may be written. */
export type WriteChunk = (chunk: string) => Promise<void>;

/**
 * Runs a function that writes output. A file is written atomically, readable for its owner only, and compressed when
 * its name ends with `.gz`.
 *
 * @throws {FileWriteError}
 */
export async function writeOutput<T>(
  path: string,
  io: Io,
  work: (write: WriteChunk) => Promise<T>,
): Promise<T> {
  if (path !== standardOutput) return writeOutputFile(path, work);
  return work(async (chunk) => {
    io.stdout.write(chunk);
    await io.stdout.drained?.();
  });
}

async function writeOutputFile<T>(path: string, work: (write: WriteChunk) => Promise<T>): Promise<T> {
  const atomic = await openAtomicFile(path, { isPrivate: true });
  const source = new PassThrough();
  const append = appendTo(atomic);
  const written = path.endsWith(".gz") ? pipeline(source, createGzip(), append) : pipeline(source, append);
  try {
    const result = await Promise.race([work(writeTo(source, written)), failureOf(written)]);
    source.end();
    await written;
    await atomic.commit();
    return result;
  } catch (error) {
    source.destroy();
    await written.catch(() => {});
    throw error;
  } finally {
    await atomic.discard();
  }
}

function appendTo(file: AtomicFile): (chunks: AsyncIterable<Uint8Array>) => Promise<void> {
  return async (chunks) => {
    for await (const chunk of chunks) await file.write(chunk);
  };
}

function writeTo(source: PassThrough, written: Promise<void>): WriteChunk {
  return async (chunk) => {
    if (source.write(chunk)) return;
    const drained = new Promise<void>((resolve) => source.once("drain", resolve));
    await Promise.race([drained, written]);
  };
}

/** A promise that never resolves and rejects when the given one does. */
function failureOf(promise: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => promise.catch(reject));
}
