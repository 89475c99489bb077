/** The files in the folder of a project that has no configuration file yet, by kind. */

import { createReadStream } from "node:fs";
import { dirname, extname, join } from "node:path";
import { isUrl } from "../../core/idna/url.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { detectionLength, trafficFormats } from "../../import/traffic/format.ts";
import { startsAsHar } from "../../import/traffic/har-start.ts";
import { hasWorldLists } from "../../service/world/world-lists.ts";
import type { Io } from "../command.ts";
import {
  findSourcePaths,
  type GivenFile,
  outerFolders,
  readFoundFile,
  readMarkedValue,
  sourcesFormat,
} from "../input/imports/given-files.ts";
import { isPattern } from "../input/paths/pattern.ts";
import { walkFiles } from "../input/paths/walk.ts";

/** The kinds of files, with what they are called. */
export const fileKinds = {
  terraform: "Terraform",
  sources: sourcesFormat,
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
  /** Its path; a pattern for the sources in a folder. */
  readonly file: string;
  readonly kind: FileKind;
  /** The name of its format. */
  readonly format: string;
}

const extensions = new Set([".json", ".jsonc", ".yaml", ".yml", ".tfstate", ".ndjson", ".jsonl", ".har"]);

/** The files of a folder and those in it that are of a known kind, nearest first. */
export async function findFiles(folder: string, io: Io): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const file of await walkFiles(folder, (name) => extensions.has(extname(name).toLowerCase()))) {
    const kind = await kindOf(file, io);
    if (kind) found.push({ file: withSlashes(file), ...kind });
  }
  return [...found, ...(await findSources(folder, io))];
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/**
 * The folders whose Terraform sources have resources of a world, each as a pattern of its files. Those inside of another one
 * are its modules.
 */
async function findSources(folder: string, io: Io): Promise<readonly FoundFile[]> {
  const folders = new Set<string>();
  for (const path of await findSourcePaths(folder)) {
    const parent = dirname(path);
    if (folders.has(parent) || isPattern(parent)) continue;
    const read = await readFoundFile(path, io);
    const { hasResources } = await import("../../import/terraform/terraform-sources.ts");
    if (read && hasResources({ name: path, text: read.text })) folders.add(parent);
  }
  return [...outerFolders(folders)].map((parent) => {
    return { file: withSlashes(join(parent, "*.tf")), kind: "sources", format: fileKinds.sources };
  });
}

async function kindOf(file: string, io: Io): Promise<Omit<FoundFile, "file"> | undefined> {
  if (startsAsHar(await startOf(file))) return { kind: "traffic", format: trafficFormats.har };
  const read = await readFoundFile(file, io);
  return read && kindOfRead(read);
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

async function kindOfRead(read: GivenFile): Promise<Omit<FoundFile, "file"> | undefined> {
  const kind = read.format === undefined ? undefined : kindOfFormat(read.format);
  if (kind) return { kind, format: read.format ?? "" };
  const value = await readMarkedValue(read, /["'\s](?:zones|accounts|url)["']?\s*:/);
  if (hasWorldLists(value)) return { kind: "world", format: fileKinds.world };
  return isSuite(value) ? { kind: "suite", format: fileKinds.suite } : undefined;
}

function kindOfFormat(format: string): FileKind | undefined {
  if (format.startsWith("Terraform")) return "terraform";
  if (format.startsWith("saved responses")) return "responses";
  return format.startsWith("OpenAPI") ? "openapi" : undefined;
}

function isSuite(value: unknown): boolean {
  const isRequest = (element: unknown) =>
    isJsonObject(element) && typeof element["url"] === "string" && isUrl(element["url"]);
  return Array.isArray(value) && value.length > 0 && value.every(isRequest);
}
