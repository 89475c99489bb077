/** Streams long output to standard output or atomically to a file. */
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Io } from "../command.ts";
import { standardInput } from "../input/files.ts";
import { cannotWriteError, openAtomicFile } from "./atomic-write.ts";

/** The file name that means standard output, the same as for standard input. */
const standardOutput = standardInput;

/** Writes a chunk; resolves when the next one may be written. */
export type WriteChunk = (chunk: string) => Promise<void>;

/**
 * Runs a function that writes output. A file is written atomically, readable for its owner only, and compressed when
 * its name ends with `.gz`.
 *
 * @throws {UsageError} when the file cannot be written
 */
export async function writeOutput<T>(
  path: string,
  io: Io,
  work: (write: WriteChunk) => Promise<T>,
): Promise<T> {
  if (path !== standardOutput) return writeFile(path, work);
  return work(async (chunk) => {
    io.stdout.write(chunk);
    await io.stdout.drained?.();
  });
}

async function writeFile<T>(path: string, work: (write: WriteChunk) => Promise<T>): Promise<T> {
  const atomic = await openAtomicFile(path);
  const source = new PassThrough();
  const file = atomic.handle.createWriteStream({ flush: atomic.canFlush });
  const stages = path.endsWith(".gz") ? [source, createGzip(), file] : [source, file];
  const written = pipeline(stages).catch((error: unknown) => {
    throw cannotWriteError(path, error);
  });
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
