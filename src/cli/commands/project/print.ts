/** `edgeproof config print`: the values of the configuration file, and where each comes from. */

import type { Location } from "../../../core/diagnostic.ts";
import { runCommand } from "../../../core/text/run-command.ts";
import { maskText } from "../../../core/text/secrets.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import type { configPrint } from "../../declarations/first-steps/project.ts";
import type { Command, InvocationOf, Option } from "../../declare.ts";
import { findCommand } from "../../find-command.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { type Configured, readWords, type SortedWords, sortWords } from "../../parse.ts";
import { type ConfigFile, readConfigFile } from "../../project/config-file.ts";
import { configurable, isSwitch } from "../../project/members.ts";
import type { Setting } from "../../project/project.ts";
import { settingsOf } from "../../project/settings.ts";

/** A value and its origin. */
interface Value {
  readonly name: string;
  readonly words: readonly string[];
  readonly from: "command line" | "file" | "default";
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

interface CommandValues {
  readonly command: string;
  readonly arguments: readonly Value[];
  readonly options: readonly Value[];
}

export async function run({
  options,
  words,
  io,
  commands,
}: InvocationOf<typeof configPrint>): Promise<number> {
  const path = io.project?.file;
  const file = path === undefined ? undefined : await readConfigFile(path, commands, io);
  const known = configurable(commands);
  const printed = {
    ...(path !== undefined && { file: path }),
    worlds: [...(file?.project.worlds ?? [])].map(([name, { paths, at }]) =>
      ofFile(name, { words: paths, at }),
    ),
    suites: file?.project.suites ? [ofFile("suites", file.project.suites)] : [],
    commands:
      words.length > 0
        ? [ofLine(words, known, file)]
        : known.flatMap((command) => (file ? ofCommand(command, file, known) : [])),
  };
  if (options.json) io.stdout.write(formatJson(printed));
  else printText(printed, io);
  return path === undefined && words.length === 0 ? 1 : 0;
}

function ofFile(name: string, { words, at }: Setting): Value {
  return { name, words: words.filter((word) => word !== ""), from: "file", ...placeOf(at) };
}

function placeOf({ file, start: { line, column } }: Location): Pick<Value, "file" | "line" | "column"> {
  return { file, line, column };
}

/** The options of the file for one command; nothing when it says nothing. */
function ofCommand(
  command: Command,
  file: ConfigFile,
  commands: readonly Command[],
): readonly CommandValues[] {
  const own = file.commands.get(command.name) ?? new Map<string, Setting>();
  const configured = settingsOf(command, file, commands);
  const values = [...own].map(([name, setting]) => ofFile(name, setting));
  const given = file.arguments.get(command.name);
  const shared = [...file.shared]
    .filter(([name]) => !own.has(name) && configured.options.has(name))
    .map(([name, setting]) => ofFile(name, setting));
  if (values.length + shared.length === 0 && !given) return [];
  return [
    {
      command: command.name,
      arguments: given ? [ofFile("arguments", given)] : [],
      options: [...values, ...shared],
    },
  ];
}

/** Every value with which a command line would run. @throws {UsageError} for one that cannot run */
function ofLine(
  words: readonly string[],
  commands: readonly Command[],
  file: ConfigFile | undefined,
): CommandValues {
  const found = findCommand(commands, words);
  if ("group" in found) throw new UsageError(`\`${found.group}\` needs a command; name one of its commands`);
  const { command, rest } = found;
  const sorted = sortWords(command, rest);
  const configured = file ? settingsOf(command, file, commands) : { options: new Map<string, Setting>() };
  const read = readWords(command, sorted, configured);
  const isGiven = sorted.others.length > 0;
  const setting = isGiven ? undefined : configured.arguments;
  return {
    command: command.name,
    arguments: isGiven
      ? [{ name: "arguments", words: sorted.others, from: "command line" }]
      : setting && read.words.length > 0
        ? [ofFile("arguments", setting)]
        : [],
    options: Object.entries(command.options).flatMap(([name, option]) =>
      valueOfOption(name, option, sorted, configured),
    ),
  };
}

function valueOfOption(
  name: string,
  option: Option<unknown>,
  { given, unset }: SortedWords,
  { options }: Configured,
): readonly Value[] {
  const words = given.get(name);
  if (words) return [{ name, words: isSwitch(option) ? [] : words, from: "command line" }];
  const setting = unset.has(name) ? undefined : options.get(name);
  if (setting) return setting.words.length > 0 ? [ofFile(name, setting)] : [];
  const usual = option.read([], `--${name}`);
  if (usual === undefined || usual === false || (Array.isArray(usual) && usual.length === 0)) return [];
  return [
    {
      name,
      words: [option.usualWord ?? (typeof usual === "object" ? JSON.stringify(usual) : `${usual}`)],
      from: "default",
    },
  ];
}

interface Printed {
  readonly file?: string;
  readonly worlds: readonly Value[];
  readonly suites: readonly Value[];
  readonly commands: readonly CommandValues[];
}

function printText({ file, worlds, suites, commands }: Printed, io: Io): void {
  const lines = [
    file ?? `no configuration file: \`${runCommand} init\` writes one`,
    ...worlds.map((text) => line("world ", text)),
    ...suites.map((text) => line("", text)),
    ...commands.flatMap(({ command, arguments: given, options }) => [
      command,
      ...given.map((text) => line("  ", text)),
      ...options.map((text) => line("  --", text)),
    ]),
  ];
  io.stdout.write(escapeLines(`${lines.map(maskText).join("\n")}\n`));
}

function line(start: string, { name, words, from, file, line: row, column }: Value): string {
  const origin = file === undefined ? from : `${file}:${row}:${column}`;
  return `${start}${[name, ...words].join(" ")}  (${origin})`;
}
