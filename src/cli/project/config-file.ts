/** Reads the configuration file of a project: data only. Every value of it is checked, also those of other commands. */

import type { Location } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { didYouMean } from "../../core/suggest.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { maskText } from "../../core/text/secrets.ts";
import { pointer, quote } from "../../errors.ts";
import { maxReported } from "../../service/context.ts";
import { type Io, UsageError } from "../command.ts";
import type { Command, Option } from "../declare.ts";
import { parseJsonText, readTextInput } from "../input/files.ts";
import { printFaults } from "../output/places.ts";
import { namesOf } from "../parse.ts";
import { readAccepted } from "./accepted.ts";
import { pathMapper } from "./file-paths.ts";
import {
  configurable,
  meaningsOf,
  type SharedOption,
  sharedOptions,
  valuesInWords,
  wordsOf,
} from "./members.ts";
import type { Project, ProjectWorld, Setting } from "./project.ts";
import type { Reading } from "./reading.ts";

/** The settings of options by name. */
export type Settings = ReadonlyMap<string, Setting>;

/** A configuration file: the project, and what it says about options. */
export interface ConfigFile {
  readonly project: Project;
  /** Settings for every command that shares the option. */
  readonly shared: Settings;
  /** Settings by command. */
  readonly commands: ReadonlyMap<string, Settings>;
  /** Arguments by command. */
  readonly arguments: Settings;
}

/** The members of the file. */
export const members = ["$schema", "worlds", "suites", "options", "commands", "accepted"] as const;

/** The member of a command that has its arguments. */
export const argumentsMember = "arguments";

/** The name of a world; it has no dot and no slash, so that it is no path. */
export const worldName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** @throws {UsageError} with every problem of the file, and its place */
export async function readConfigFile(
  file: string,
  commands: readonly Command[],
  io: Io,
): Promise<ConfigFile> {
  const { value, range } = await parseJsonText(file, await readTextInput(file, io));
  const faults: { at: Location; message: string }[] = [];
  const place = (at: string) => ({ file, pointer: at, ...range(at) });
  const fault = (at: string, message: string) => void faults.push({ at: place(at), message });
  const names = isJsonObject(value) && isJsonObject(value["worlds"]) ? Object.keys(value["worlds"]) : [];
  const reading: Reading = {
    place,
    fault,
    commands: configurable(commands),
    mapPath: pathMapper(file, new Set(names)),
  };
  const read = readMembers(value, file, reading);
  if (faults.length === 0) return read;
  const more = faults.length > maxReported ? `\n  and ${faults.length - maxReported} more` : "";
  throw new UsageError(
    `${file} is not a valid configuration file:\n${printFaults(faults.slice(0, maxReported))}${more}`,
  );
}

function readMembers(value: unknown, file: string, reading: Reading): ConfigFile {
  const root = objectAt(value, "", reading) ?? {};
  const shared = sharedOptions(reading.commands);
  for (const name of Object.keys(root)) {
    if (members.some((member) => member === name)) continue;
    // The option `--world` has its value from `worlds`.
    const hint =
      didYouMean(name, members) ||
      (meaningsOf(reading.commands).has(name)
        ? "; options are in `options`, or in `commands` under the command"
        : `; the members are ${members.map((member) => `\`${member}\``).join(", ")}`);
    reading.fault(pointer(name), `${quote(name)} is not a member${hint}`);
  }
  const { $schema } = root;
  if ($schema !== undefined && typeof $schema !== "string")
    reading.fault("/$schema", "it must be the path or address of a schema");
  const suites = pathsAt(root["suites"], "/suites", reading);
  const own = readCommands(root["commands"], reading);
  return {
    project: {
      file,
      worlds: readWorlds(root["worlds"], reading),
      accepted: readAccepted(root["accepted"], reading),
      ...(suites && { suites }),
    },
    shared: readOptions(root["options"], "/options", shared, reading, (name) =>
      notShared(name, shared, reading),
    ),
    ...own,
  };
}

function objectAt(
  value: unknown,
  at: string,
  { fault }: Reading,
  members = "",
): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return {};
  return isJsonObject(value) ? value : fault(at, `it must be an object${members}`);
}

function readWorlds(value: unknown, reading: Reading): ReadonlyMap<string, ProjectWorld> {
  const worlds = new Map<string, ProjectWorld>();
  const named = objectAt(
    value,
    "/worlds",
    reading,
    " with the files of each world, such as `main: plan.json`",
  );
  for (const [name, paths] of Object.entries(named ?? {})) {
    const at = pointer("worlds", name);
    if (!worldName.test(name))
      reading.fault(
        at,
        "the name of a world has 1 to 64 letters, digits, `_` and `-`, and begins with a letter or digit",
      );
    const setting = pathsAt(paths, at, reading);
    if (setting) worlds.set(name, { paths: setting.words, at: setting.at });
  }
  return worlds;
}

/** Paths and patterns: a string, or a list of them. */
function pathsAt(value: unknown, at: string, { fault, place, mapPath }: Reading): Setting | undefined {
  if (value === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const paths = list.filter(
    (element) => typeof element === "string" && element !== "" && element !== "-",
  ) as readonly string[];
  if (list.length === 0 || paths.length < list.length)
    return fault(at, "it must be the path of a file or folder, a pattern, or a list of them");
  return { words: paths.map((path) => mapPath(path, "read")), at: place(at) };
}

function readCommands(value: unknown, reading: Reading): Pick<ConfigFile, "commands" | "arguments"> {
  const commands = new Map<string, Settings>();
  const given = new Map<string, Setting>();
  const names = reading.commands.map(({ name }) => name);
  for (const [name, content] of Object.entries(objectAt(value, "/commands", reading) ?? {})) {
    const at = pointer("commands", name);
    const command = reading.commands.find((candidate) => candidate.name === name);
    if (!command) {
      const hint = didYouMean(name, names) || `; \`${runCommand} --help\` lists the commands`;
      reading.fault(at, `${quote(name)} is not a command with options in this file${hint}`);
      continue;
    }
    const { [argumentsMember]: words, ...options } = objectAt(content, at, reading) ?? {};
    commands.set(
      name,
      readOptions(options, at, namesOf(command.options), reading, (option) => notOfCommand(option, command)),
    );
    const setting = readArguments(words, command, at, reading);
    if (setting) given.set(name, setting);
  }
  return { commands, arguments: given };
}

function readArguments(
  value: unknown,
  command: Command,
  base: string,
  reading: Reading,
): Setting | undefined {
  const at = `${base}/${argumentsMember}`;
  if (value === undefined || command.arguments?.areFiles) return pathsAt(value, at, reading);
  return reading.fault(at, `\`${command.name}\` has no files as arguments`);
}

function notShared(name: string, shared: ReadonlyMap<string, SharedOption>, { commands }: Reading): string {
  const meanings = meaningsOf(commands).get(name) ?? [];
  const owners = meanings.flatMap(({ commands }) => commands);
  const put = "put it in `commands`, under the command";
  if (owners.length === 1) return `it is an option of \`${owners[0]}\` only; ${put}`;
  if (owners.length > 1)
    return `it differs between ${owners.map((owner) => `\`${owner}\``).join(", ")}; ${put}`;
  return `it is not an option of a command${didYouMean(name, [...shared.keys()])}`;
}

function notOfCommand(name: string, { name: command, options }: Command): string {
  return `it is not an option of \`${command}\`${didYouMean(name, Object.keys(options)) || `; \`${runCommand} ${command} --help\` lists them`}`;
}

function readOptions(
  value: unknown,
  at: string,
  known: ReadonlyMap<string, Pick<SharedOption, "option"> & { readonly name?: string }>,
  reading: Reading,
  unknown: (name: string) => string,
): Settings {
  const settings = new Map<string, Setting>();
  for (const [name, content] of Object.entries(objectAt(value, at, reading) ?? {})) {
    const here = at + pointer(name);
    const option = known.get(name)?.option;
    const reason = option
      ? option.notInFile && `it ${option.notInFile}, and cannot be in a file`
      : unknown(name);
    if (!option || reason !== undefined) reading.fault(here, reason ?? "");
    else addOption(settings, { name: known.get(name)?.name ?? name, option, content, at: here }, reading);
  }
  return settings;
}

interface GivenOption {
  readonly name: string;
  readonly option: Option<unknown>;
  readonly content: unknown;
  readonly at: string;
}

/** Adds a setting, of a short form that of the option that it is short for. */
function addOption(settings: Map<string, Setting>, given: GivenOption, reading: Reading): void {
  const { name, option, at } = given;
  const setting = readSetting(given, reading);
  if (!setting) return;
  const [longName = name, word] = option.shortFor ?? [];
  if (word !== undefined && setting.words.length === 0) return;
  const words = word === undefined ? setting.words : [word];
  const other = settings.get(longName);
  if (other && other.words.join("\n") !== words.join("\n"))
    reading.fault(at, `\`${name}\` and \`${longName}\` exclude each other; remove one of them`);
  settings.set(longName, { ...setting, words });
}

function readSetting({ name, option, content, at }: GivenOption, reading: Reading): Setting | undefined {
  const { fault, place, mapPath } = reading;
  const words = wordsOf(option, content);
  if (!words) return fault(at, `it must be ${valuesInWords(option)}`);
  if (words.some((word) => maskText(word) !== word))
    return fault(at, "it has a password, key or token, which cannot be in a file");
  try {
    const mapped = words.map((word) => option.mapPaths?.(word, mapPath) ?? word);
    if (mapped.length > 0) option.read(mapped, `\`${name}\``);
    return { words: mapped, at: place(at) };
  } catch (error) {
    if (error instanceof UsageError) return fault(at, error.message);
    throw error;
  }
}
