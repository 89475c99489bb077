/** Reads the user's files, with a clear word for each way in which that can fail. */
import { readFile, stat } from "node:fs/promises";
import { type JsonSource, parseJsonSource } from "../../core/json-source.ts";
import { type Io, UsageError } from "../command.ts";

/** Standard input goes by this name. */
export const standardInput = "-";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
};

/** A file's bytes, or those of standard input for `-`. @throws {UsageError} */
export async function readInput(path: string, io: Io): Promise<Uint8Array> {
  if (path === standardInput) return readAll(io.stdin);
  try {
    return await readFile(path);
  } catch (error) {
    throw cannotReadError(path, error);
  }
}

/** Says that a file is not there, or is a folder, before anything is printed. @throws {UsageError} */
export async function assertFileExists(path: string): Promise<void> {
  if (path === standardInput) return;
  const found = await stat(path).catch((error: unknown) => {
    throw cannotReadError(path, error);
  });
  if (found.isDirectory()) throw new UsageError(`cannot read ${path}: ${reasons["EISDIR"]}`);
}

/** What to say of a file that cannot be read. */
export function cannotReadError(path: string, error: unknown): UsageError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot read ${path}: ${reasons[code] ?? message}`);
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A JSON file's value, and where its members stand. @throws {UsageError} that says where it is malformed */
export async function readJsonSource(path: string, io: Io): Promise<JsonSource> {
  const bytes = await readInput(path, io);
  const name = path === standardInput ? "standard input" : path;
  const read = parseJsonSource(decodeText(bytes, name));
  if (read.ok) return read.value;
  const [{ line, column, message }] = read.problems;
  throw new UsageError(`${name} is not JSON: line ${line}, column ${column}: ${message}`);
}

/** A JSON file's value. @throws {UsageError} that says where it is malformed */
export async function readJsonInput(path: string, io: Io): Promise<unknown> {
  return (await readJsonSource(path, io)).value;
}

function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not UTF-8 text`);
  }
}
