/** The files with the resources of a source of Terraform: `check` reads plans and states, and reports blocks of sources. */
import { dirname, extname, join, resolve } from "node:path";
import { type Io, UsageError } from "../../command.ts";
import { readTextInput } from "../../input/files.ts";
import { type CheckedFile, readCheckedFiles } from "../../input/imports/checked-files.ts";
import { importFormat } from "../../input/imports/given-files.ts";
import { pathsOfWorld } from "../../input/paths/expand.ts";
import { entriesOf } from "../../input/paths/walk.ts";
import { isInside } from "../../project/file-paths.ts";
import { shownPath } from "./file-access.ts";
import type { CheckSettings, DocumentPlace } from "./project-settings.ts";

/**
 * The worlds of Terraform for a source: those of the configuration file around its folder, else that of the nearest folder
 * with a plan or state.
 *
 * @throws {UsageError} when a file of them cannot be read
 */
export async function terraformFiles(
  place: DocumentPlace,
  { options }: CheckSettings,
  io: Io,
): Promise<readonly CheckedFile[]> {
  const named = await worldsAround(place, options.source, io);
  const folder = named.length > 0 ? undefined : await folderWithPlan(place, io);
  const words = folder === undefined ? named : [shownPath(folder)];
  const files = words.length === 0 ? [] : await readCheckedFiles(words, options, io, false);
  return files.filter(({ source }) => source.isImported);
}

/** The worlds of the configuration file that have a path in a folder around the source. */
async function worldsAround(
  { path }: DocumentPlace,
  source: string | undefined,
  io: Io,
): Promise<readonly string[]> {
  const folder = dirname(path);
  const names: string[] = [];
  for (const name of io.project?.worlds.keys() ?? []) {
    const paths = await pathsOfWorld(name, io);
    const folders = paths.flatMap((given) => [resolve(given), dirname(resolve(given))]);
    if ((source === undefined ? folders : [resolve(source)]).some((directory) => isInside(directory, folder)))
      names.push(name);
  }
  return names;
}

const extensions = new Set([".json", ".tfstate", ".ndjson", ".jsonl"]);

async function folderWithPlan({ path, root }: DocumentPlace, io: Io): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    io.onInputList?.(folder, async () => []);
    for (const entry of await entriesOf(folder)) {
      const isCandidate = entry.isFile() && extensions.has(extname(entry.name).toLowerCase());
      if (isCandidate && (await isOfTerraform(join(folder, entry.name), io))) return folder;
    }
    if (folder === root || dirname(folder) === folder) return undefined;
  }
}

async function isOfTerraform(file: string, io: Io): Promise<boolean> {
  try {
    const format = await importFormat(file, await readTextInput(file, io));
    return format?.startsWith("Terraform") ?? false;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}
