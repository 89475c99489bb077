/** `--check`: compares rendered files with approved ones, and `--update` writes or renames those. */
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { orCannotWrite } from "../../core/files/file-write-error.ts";
import { createFolder } from "../../core/files/folders.ts";
import { moveFile, replaceFile } from "../../core/files/write-file.ts";
import { comparePictures } from "../../engine/images/compare/compare-pictures.ts";
import { cannotReadError } from "../input/files.ts";

/** How a rendered file compares. */
export interface GoldenOutcome {
  readonly status: "same" | "different" | "missing" | "updated";
  readonly reason: string;
  /** The name that the approved picture had or has, of an earlier version. */
  readonly earlier?: string;
}

/** The folder of approved pictures. */
export interface GoldenFolder {
  readonly folder: string;
  /** Whether different and missing files are written. */
  readonly update: boolean;
  /** Whether approved pictures without a rendered one are removed. */
  readonly prune: boolean;
  /** Factor of the maximum differences. */
  readonly tolerance: number | undefined;
}

/** Names of a rendered file, relative to the folder. */
interface GoldenNames {
  readonly name: string;
  /** That of earlier versions; the same, or one that no rendered file has. */
  readonly earlier: string;
}

/** @throws {UsageError | FileWriteError} when the approved file cannot be read, or not be written */
export async function checkGolden(
  { folder, update, tolerance }: GoldenFolder,
  { name, earlier }: GoldenNames,
  bytes: Uint8Array,
): Promise<GoldenOutcome> {
  const path = join(folder, name);
  const golden = await readGolden(path);
  if (!golden && earlier !== name) {
    const renamed = await readGolden(join(folder, earlier));
    if (renamed) return checkEarlier({ folder, update, tolerance }, { name, earlier }, bytes, renamed);
  }
  const { isSame, reason } = golden
    ? await comparePictures(bytes, golden, { tolerance })
    : { isSame: false, reason: "the approved picture does not exist; write it with --update" };
  if (isSame) return { status: "same", reason };
  if (!update) return { status: golden ? "different" : "missing", reason };
  await writeInto(path, bytes);
  return { status: "updated", reason: golden ? reason : "it is new" };
}

/** The approved picture has the name of an earlier version: `--update` renames it, and writes it when it differs. */
async function checkEarlier(
  { folder, update, tolerance }: Omit<GoldenFolder, "prune">,
  { name, earlier }: GoldenNames,
  bytes: Uint8Array,
  golden: Uint8Array,
): Promise<GoldenOutcome> {
  if (!update) {
    const reason = `the approved picture has its earlier name ${earlier}; rename it to ${name} with --update`;
    return { status: "missing", reason, earlier };
  }
  const { isSame, reason } = await comparePictures(bytes, golden, { tolerance });
  const path = join(folder, name);
  await moveFile(join(folder, earlier), path);
  if (!isSame) await writeInto(path, bytes);
  return { status: "updated", reason: `renamed from ${earlier}${isSame ? "" : `; ${reason}`}`, earlier };
}

/** @throws {UsageError} for a file that exists and cannot be read */
export async function readGolden(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw cannotReadError(path, error);
  });
}

/** Writes a file and the folders above it. @throws {FileWriteError} */
export async function writeInto(path: string, bytes: Uint8Array): Promise<void> {
  await createFolder(dirname(path));
  await replaceFile(path, bytes);
}

/** Removes an approved picture. @throws {FileWriteError} */
export function removeGolden(path: string): Promise<void> {
  return orCannotWrite(path, rm(path));
}
