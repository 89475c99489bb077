/** The inputs of `observe`: files of names, and pictures with their facts. */

import { readFile } from "node:fs/promises";
import { parseJsonObject } from "../../core/json-value.ts";
import { runCommand } from "../../core/text/run-command.ts";
import type { UnreadablePicture } from "../../service/brand/ingest/ingest.ts";
import type { ScanRecord } from "../../service/brand/logos/scan-record.ts";
import { type Io, UsageError } from "../command.ts";
import { standardInput } from "../standard-input.ts";
import { byteStream } from "./byte-stream.ts";
import { cannotReadError } from "./files.ts";
import { textLines } from "./names/text-lines.ts";
import { pictureExtensions, pictureFiles, readPictureFile } from "./picture-files.ts";

/** A file of names; it can be read several times, except for standard input. */
export interface ObservedNames {
  readonly file: string;
  readonly lines: () => AsyncIterable<readonly string[]>;
}

/** A picture file; reading it again reads the file again. */
export interface ObservedPicture {
  readonly file: string;
  readonly read: () => Promise<ScanRecord | UnreadablePicture>;
}

/**
 * The inputs at the paths: a folder has pictures, a file is a picture by its extension, any other file has names.
 *
 * @throws {UsageError} for a path that does not exist
 */
export async function observedInputs(
  paths: readonly string[],
  io: Io,
): Promise<readonly (ObservedNames | ObservedPicture)[]> {
  const inputs: (ObservedNames | ObservedPicture)[] = [];
  for (const path of paths) {
    const files = path === standardInput ? [path] : await pictureFiles([path], io.signal);
    for (const file of files) inputs.push(pictureExtensions.test(file) ? picture(file) : names(file, io));
  }
  return inputs;
}

/** The pictures at the paths, by name. @throws {UsageError} for a path that does not exist, or a file of another kind */
export async function observedPictures(
  paths: readonly string[],
  io: Io,
): Promise<readonly ObservedPicture[]> {
  const files = await pictureFiles(paths, io.signal);
  const other = files.find((file) => !pictureExtensions.test(file));
  if (other !== undefined)
    throw new UsageError(
      `${other} is not a picture file; names are stored by \`${runCommand} store observe\``,
    );
  return files.map(picture);
}

function names(file: string, io: Io): ObservedNames {
  return { file, lines: () => textLines(byteStream(file, io)) };
}

function picture(file: string): ObservedPicture {
  return { file, read: () => readPicture(file) };
}

async function readPicture(file: string): Promise<ScanRecord | UnreadablePicture> {
  try {
    const image = await readPictureFile(file);
    return { ...(await readFacts(`${file}.json`)), image };
  } catch (error) {
    if (error instanceof UsageError) return { message: `${error.message}.`.replace(/\.\.$/, ".") };
    throw error;
  }
}

/** The facts in the file beside a picture; none without one. @throws {UsageError} for a file without an object */
async function readFacts(path: string): Promise<Omit<ScanRecord, "image">> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw cannotReadError(path, error);
  });
  if (text === undefined) return {};
  const value = parseJsonObject(text);
  if (value !== undefined) return value;
  throw new UsageError(`${path} must be a JSON object`);
}
