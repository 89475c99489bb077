/** The words that the last word of a command line can become: commands, options and values. */
import type { Command, Option } from "./declare.ts";
import { findCommand, namesAfter } from "./find-command.ts";

/** @returns no words where the shell completes files, and where a value can be anything */
export async function completeWords(
  commands: readonly Command[],
  words: readonly string[],
): Promise<readonly string[]> {
  // Bash passes `--format=json` as three words, other shells as one.
  const given = words.filter((word) => word !== "=").flatMap(splitOption);
  const prefix = /^--[a-z-]+=/.exec(words.at(-1) ?? "")?.[0] ?? "";
  // Earlier versions of PowerShell drop an empty word; the script passes a space instead.
  const last = (given.at(-1) ?? "").trim();
  const found = await candidates(commands, given.slice(0, -1), last);
  return found.filter((word) => word.startsWith(last)).map((word) => prefix + word);
}

async function candidates(
  commands: readonly Command[],
  before: readonly string[],
  last: string,
): Promise<readonly string[]> {
  const command = commandOf(commands, before);
  if (!command)
    return [...namesAfter(commands, before.join(" ")), ...(last.startsWith("-") ? ["--help"] : [])];
  const option = optionOf(command, before.at(-1));
  if (option?.choices && !last.startsWith("-")) return option.choices;
  if (option?.value !== undefined && option.implied === undefined) return [];
  if (last.startsWith("-")) return [...Object.keys(command.options).map((name) => `--${name}`), "--help"];
  return (await command.arguments?.words?.()) ?? [];
}

/** The command of the words; undefined while they are a part of its name. */
function commandOf(commands: readonly Command[], words: readonly string[]): Command | undefined {
  try {
    const found = findCommand(commands, words);
    return "command" in found ? found.command : undefined;
  } catch {
    return undefined;
  }
}

function optionOf({ options }: Command, word = ""): Option<unknown> | undefined {
  const name = word.replace(/^--/, "");
  return word.startsWith("--") && Object.hasOwn(options, name) ? options[name] : undefined;
}

/** An option and its value as two words. */
function splitOption(word: string): readonly string[] {
  const [option] = /^--[a-z-]+(?==)/.exec(word) ?? [];
  return option === undefined ? [word] : [option, word.slice(option.length + 1)];
}
