/** Where a long text goes: to standard output, or to a file that appears when it is whole. */
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Io } from "../command.ts";
import { standardInput } from "../input/files.ts";
import { cannotWriteError, openAtomicFile } from "./atomic-write.ts";

/** Standard output goes by the same name as standard input. */
const standardOutput = standardInput;

/** Takes a piece of text; the next one comes when it resolves. */
export type WriteChunk = (text: string) => Promise<void>;

/**
 * Runs work that writes a text. A file is written beside its place and takes it at the end, readable for its owner
 * alone; compressed when its name ends with `.gz`.
 *
 * @throws {UsageError} when the file cannot be written
 */
export async function writeOutput<T>(
  path: string,
  io: Io,
  work: (write: WriteChunk) => Promise<T>,
): Promise<T> {
  if (path !== standardOutput) return writeFile(path, work);
  return work(async (text) => {
    io.stdout.write(text);
    await io.stdout.drained?.();
  });
}

async function writeFile<T>(path: string, work: (write: WriteChunk) => Promise<T>): Promise<T> {
  const beside = await openAtomicFile(path);
  const source = new PassThrough();
  const file = beside.handle.createWriteStream({ flush: true });
  const stages = path.endsWith(".gz") ? [source, createGzip(), file] : [source, file];
  const written = pipeline(stages).catch((error: unknown) => {
    throw cannotWriteError(path, error);
  });
  try {
    const result = await Promise.race([work(writeTo(source, written)), failureOf(written)]);
    source.end();
    await written;
    await beside.keep();
    return result;
  } catch (error) {
    source.destroy();
    await written.catch(() => {});
    throw error;
  } finally {
    await beside.discard();
  }
}

function writeTo(source: PassThrough, written: Promise<void>): WriteChunk {
  return async (text) => {
    if (source.write(text)) return;
    const drained = new Promise<void>((resolve) => source.once("drain", resolve));
    await Promise.race([drained, written]);
  };
}

/** Never resolves, and rejects when the promise does. */
function failureOf(promise: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => promise.catch(reject));
}
