/** The files in the folder of a project that has no configuration file yet, by kind. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { isUrl } from "../../core/idna/url.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { detectionLength, trafficFormats } from "../../import/traffic/format.ts";
import { type Io, UsageError } from "../command.ts";
import { parseJsonText, readTextInput } from "../input/files.ts";
import { importFormat } from "../input/imports/given-files.ts";
import { walkFiles } from "../input/paths/walk.ts";

/** The kinds of files, with what they are called. */
export const fileKinds = {
  terraform: "Terraform",
  responses: "saved responses",
  world: "world file",
  openapi: "OpenAPI document",
  traffic: "recorded traffic",
  suite: "requests",
} as const;

/** A kind of file. */
export type FileKind = keyof typeof fileKinds;

/** A file that a configuration file can name. */
export interface FoundFile {
  readonly file: string;
  readonly kind: FileKind;
  /** The name of its format. */
  readonly format: string;
}

const extensions = new Set([".json", ".jsonc", ".yaml", ".yml", ".tfstate", ".ndjson", ".jsonl", ".har"]);

/** Maximum size in bytes of a file that is read whole. `chosen` */
const maxBytes = 33_554_432;

/** The files of a folder and those in it that are of a known kind, nearest first. */
export async function findFiles(folder: string, io: Io): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const file of await walkFiles(folder, (name) => extensions.has(extname(name).toLowerCase()))) {
    const kind = await kindOf(file, io);
    if (kind) found.push({ file: file.replaceAll("\\", "/"), ...kind });
  }
  return found;
}

async function kindOf(file: string, io: Io): Promise<Omit<FoundFile, "file"> | undefined> {
  if (/^\ufeff?\s*\{\s*"log"\s*:/.test(await startOf(file)))
    return { kind: "traffic", format: trafficFormats.har };
  const size = await stat(file).then(
    ({ size }) => size,
    () => Number.POSITIVE_INFINITY,
  );
  if (size > maxBytes) return undefined;
  try {
    return await kindOfText(file, await readTextInput(file, io));
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** The first characters; empty when the file cannot be read. */
async function startOf(file: string): Promise<string> {
  let start = "";
  try {
    for await (const chunk of createReadStream(file, { encoding: "utf8", end: detectionLength - 1 }))
      start += chunk;
    return start;
  } catch {
    return "";
  }
}

async function kindOfText(file: string, text: string): Promise<Omit<FoundFile, "file"> | undefined> {
  const format = await importFormat(file, text);
  const kind = format === undefined ? undefined : kindOfFormat(format);
  if (kind) return { kind, format: format ?? "" };
  if (!/["'\s](?:zones|accounts|url)["']?\s*:/.test(`\n${text}`)) return undefined;
  const { value } = await parseJsonText(file, text);
  if (isWorld(value)) return { kind: "world", format: fileKinds.world };
  return isSuite(value) ? { kind: "suite", format: fileKinds.suite } : undefined;
}

function kindOfFormat(format: string): FileKind | undefined {
  if (format.startsWith("Terraform")) return "terraform";
  if (format.startsWith("saved responses")) return "responses";
  return format.startsWith("OpenAPI") ? "openapi" : undefined;
}

function isWorld(value: unknown): boolean {
  return isJsonObject(value) && ["zones", "accounts"].some((name) => Array.isArray(value[name]));
}

function isSuite(value: unknown): boolean {
  const isRequest = (element: unknown) =>
    isJsonObject(element) && typeof element["url"] === "string" && isUrl(element["url"]);
  return Array.isArray(value) && value.length > 0 && value.every(isRequest);
}
