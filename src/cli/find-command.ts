/** Finds the command that the words of a command line name. */

import { didYouMean } from "../core/suggest.ts";
import { runCommand } from "../core/text/run-command.ts";
import { UsageError } from "./command.ts";
import type { Command } from "./declare.ts";
import { earlierNames, groups } from "./names.ts";

/** A command or a name with subcommands, and the words after its name. */
export type Found =
  | { readonly command: Command; readonly rest: readonly string[]; readonly earlierName?: string }
  | { readonly group: string };

/** @throws {UsageError} for words that name no command */
export function findCommand(commands: readonly Command[], words: readonly string[]): Found {
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const name = words.slice(0, length).join(" ");
    const command = named(commands, name);
    if (command) return { command, rest: words.slice(length) };
    const next = words[length] ?? "--help";
    if (!Object.hasOwn(groups, name)) continue;
    if (next === "--help" || next === "-h") return { group: name };
    if (!Object.hasOwn(earlierNames, name) && next.startsWith("-"))
      throw new UsageError(`\`${name}\` needs a command; \`${runCommand} ${name} --help\` lists them`);
    // A word with a dot, a slash or dashes is no subcommand, but a file or an option of the earlier command.
    if (!Object.hasOwn(earlierNames, name) || /^[\w]+$/.test(next))
      throw unknownCommand(commands, name, next);
    break;
  }
  return byEarlierName(commands, words);
}

function named(commands: readonly Command[], name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

function byEarlierName(commands: readonly Command[], words: readonly string[]): Found {
  const length = Object.hasOwn(earlierNames, words.slice(0, 2).join(" ")) ? 2 : 1;
  const earlierName = words.slice(0, length).join(" ");
  const line = Object.hasOwn(earlierNames, earlierName) ? earlierNames[earlierName] : undefined;
  const [name = "", ...options] = line?.split(/ (?=--)/) ?? [];
  const command = named(commands, name);
  if (!command) throw unknownCommand(commands, "", earlierName);
  const rest = [...options.flatMap((option) => option.split(" ")), ...words.slice(length)];
  return { command, rest, earlierName };
}

/** The names after another one: subcommands, or with an empty name the commands. */
export function namesAfter(commands: readonly Command[], name: string): readonly string[] {
  const start = name === "" ? "" : `${name} `;
  const own = commands.filter((command) => command.name.startsWith(start));
  return [...new Set(own.map((command) => command.name.slice(start.length).split(" ")[0] ?? ""))];
}

function unknownCommand(commands: readonly Command[], group: string, word: string): UsageError {
  const known = namesAfter(commands, group);
  const words =
    group === "" ? [...known, ...Object.keys(earlierNames), "help", "--help", "--version"] : known;
  const full = [group, word].filter(Boolean).join(" ");
  const list = [runCommand, group, "--help"].filter(Boolean).join(" ");
  return new UsageError(
    `unknown command \`${full}\`${didYouMean(word, words) || ";"} \`${list}\` lists the commands`,
  );
}
