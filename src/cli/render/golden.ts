/** `--check`: compares rendered files with approved ones, and `--update` writes those. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { comparePictures } from "../../engine/images/compare/compare-pictures.ts";
import { cannotReadError } from "../input/files.ts";
import { cannotWriteError } from "../output/atomic-write.ts";

/** How a rendered file compares. */
export interface GoldenOutcome {
  readonly status: "same" | "different" | "missing" | "updated";
  readonly reason: string;
}

/** The folder of approved pictures. */
export interface GoldenFolder {
  readonly folder: string;
  /** Whether different and missing files are written. */
  readonly update: boolean;
}

/** @throws {UsageError} when the approved file can be neither read nor written */
export async function checkGolden(
  { folder, update }: GoldenFolder,
  name: string,
  bytes: Uint8Array,
): Promise<GoldenOutcome> {
  const path = join(folder, name);
  const golden = await readGolden(path);
  const { isSame, reason } = golden
    ? await comparePictures(bytes, golden)
    : { isSame: false, reason: "the approved picture does not exist; write it with --update" };
  if (isSame) return { status: "same", reason };
  if (!update) return { status: golden ? "different" : "missing", reason };
  await writeInto(path, bytes);
  return { status: "updated", reason: golden ? reason : "it is new" };
}

/** @throws {UsageError} for a file that exists and cannot be read */
export async function readGolden(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw cannotReadError(path, error);
  });
}

/** Writes a file and the folders above it. @throws {UsageError} */
export async function writeInto(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  } catch (error) {
    throw cannotWriteError(path, error);
  }
}
