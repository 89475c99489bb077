/** Reads input files and reports failures as usage errors. */
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Placed } from "../../core/diagnostic.ts";
import { parseJsonOrLines } from "../../core/json/json-lines.ts";
import type { JsonSource } from "../../core/json-source.ts";
import { failure, type Result } from "../../core/result.ts";
import { unicodeEncodingOf } from "../../core/text-decoding.ts";
import { type Io, UsageError } from "../command.ts";
import { printPlace } from "../output/places.ts";
import { standardInput } from "../standard-input.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "the file does not exist",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
};

/** The bytes of a file, or of standard input for `-`. @throws {UsageError} when the file cannot be read */
export async function readInput(path: string, io: Io): Promise<Uint8Array> {
  if (path === standardInput) return readAll(io.stdin);
  io.onInputFile?.(path);
  try {
    return await readFile(path);
  } catch (error) {
    throw cannotReadError(path, error);
  }
}

/** Checks a file before anything is printed. @throws {UsageError} when it does not exist or is a folder */
export async function assertFileExists(path: string): Promise<void> {
  if (path === standardInput) return;
  const found = await stat(path).catch((error: unknown) => {
    throw cannotReadError(path, error);
  });
  if (found.isDirectory()) throw new UsageError(`cannot read ${path}: ${reasons["EISDIR"]}`);
}

/** The usage error for a file that cannot be read. */
export function cannotReadError(path: string, error: unknown): UsageError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot read ${path}: ${reasons[code] ?? message}`);
}

/** The text of a file, or of standard input for `-`. @throws {UsageError} when it is neither UTF-8 nor UTF-16 */
export async function readTextInput(path: string, io: Io): Promise<string> {
  return (
    io.openText?.(path) ??
    decodeText(await readInput(path, io), path === standardInput ? "standard input" : path)
  );
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The value of a JSON or YAML file with the positions of its members. @throws {UsageError} with line and column */
export async function readJsonSource(path: string, io: Io): Promise<JsonSource> {
  return parseJsonText(path, await readTextInput(path, io));
}

/** The value of the text of a file; one named `.jsonc` may have comments, and lines of JSON are an array. @throws {UsageError} with line and column */
export async function parseJsonText(path: string, text: string): Promise<JsonSource> {
  const read = await readJsonText(path, text);
  if (read.ok) return read.value;
  const [{ at, message }] = read.problems;
  throw new UsageError(`${printPlace(at)}: ${message}`);
}

/** The same, with the syntax error as a value. */
export async function readJsonText(
  path: string,
  text: string,
): Promise<Result<JsonSource, Placed<"syntax">>> {
  const isYaml = isYamlText(path, text);
  const isJsonc = extname(path).toLowerCase() === ".jsonc";
  const parse = isYaml ? await yamlParser() : isJsonc ? await jsoncParser() : parseJsonOrLines;
  const read = parse(text, path === standardInput ? "standard input" : path);
  if (read.ok) return read;
  const [found] = read.problems;
  return failure({ ...found, message: `the text is not ${isYaml ? "YAML" : "JSON"}: ${found.message}` });
}

/** By the extension; standard input and other files without one are YAML when they do not begin like JSON. */
export function isYamlText(path: string, text: string): boolean {
  const extension = extname(path).toLowerCase();
  if (extension === "") return /^\s*[^\s{["]/.test(text);
  return extension === ".yaml" || extension === ".yml";
}

/** The YAML parser is loaded only now. */
async function yamlParser(): Promise<typeof parseJsonOrLines> {
  return (await import("../../core/yaml/source.ts")).parseYamlSource;
}

/** The scanner is loaded only now. */
async function jsoncParser(): Promise<typeof parseJsonOrLines> {
  return (await import("../../core/json/comments.ts")).parseJsoncSource;
}

/** The value of a JSON or YAML file. @throws {UsageError} with line and column */
export async function readJsonInput(path: string, io: Io): Promise<unknown> {
  return (await readJsonSource(path, io)).value;
}

function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = unicodeEncodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const found = encoding === "utf-8" ? "UTF-8" : "UTF-16";
    throw new UsageError(`${name} is not valid ${found}${describeBinary(bytes, name)}`);
  }
}

/** Advice for a file that is recognized by its first bytes. */
function describeBinary([first, second]: Uint8Array, name: string): string {
  if (first === 0x50 && second === 0x4b)
    return `; for a saved plan of Terraform, run \`terraform show -json ${name} > plan.json\`, and give plan.json`;
  return first === 0x1f && second === 0x8b ? "; it is compressed with gzip; unpack it first" : "";
}
