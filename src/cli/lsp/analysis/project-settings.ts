/** The options of `check` for a document: those of the nearest configuration file, which is data and never executed. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Io } from "../../command.ts";
import { type CheckValues, check } from "../../declarations/check.ts";
import type { Command } from "../../declare.ts";
import { readWords, sortWords } from "../../parse.ts";
import type { ConfigFile } from "../../project/config-file.ts";
import { findFrom } from "../../project/find-file.ts";
import type { Project } from "../../project/project.ts";
import { shownPath } from "./file-access.ts";

/** The part of a configuration file about the check of a document. */
export interface CheckSettings {
  readonly options: CheckValues;
  /** Absent without a configuration file. */
  readonly project?: Project;
}

/** The path of a document, and the folder up to which its configuration file is searched. */
export interface DocumentPlace {
  readonly path: string;
  readonly root: string;
}

/** The settings without a configuration file. */
export function defaultSettings(): CheckSettings {
  return { options: readOnly(readWords(check, sortWords(check, ["--", "file"])).options) };
}

/** @throws {UsageError} for a configuration file that is not valid */
export async function readSettings(
  { path, root }: DocumentPlace,
  io: Io,
  loadCommands: () => Promise<readonly Command[]>,
): Promise<CheckSettings> {
  const folder = dirname(path);
  const found = findFrom(folder, root);
  if (found === undefined) return defaultSettings();
  const file = shownPath(join(folder, found));
  const commands = await loadCommands();
  const read = await readUnchanged(file, commands, io);
  const { settingsOf } = await import("../../project/settings.ts");
  const words = sortWords(check, ["--", path]);
  const { options } = readWords(check, words, settingsOf(check as unknown as Command, read, commands));
  return { options: readOnly(options), project: read.project };
}

/** An analysis writes nothing and opens no connection. */
function readOnly(options: CheckValues): CheckValues {
  return { ...options, fix: false, writeBaseline: undefined, html: undefined, issuer: undefined };
}

let known: { readonly key: string; readonly read: ConfigFile } | undefined;

/** Reads the file again after it was changed, by its time and size. */
async function readUnchanged(file: string, commands: readonly Command[], io: Io): Promise<ConfigFile> {
  io.onInputFile?.(file);
  const { mtimeMs, size } = statSync(file);
  const key = `${mtimeMs} ${size} ${file}`;
  if (known?.key === key) return known.read;
  const { readConfigFile } = await import("../../project/config-file.ts");
  // The saved file counts, as for `check`.
  const { openText: _, ...saved } = io;
  const read = await readConfigFile(file, commands, saved);
  known = { key, read };
  return read;
}
