/** The options that a configuration file can have: those of each command, and those that commands share. */
import type { Command, Option } from "../declare.ts";

/** An option that several commands have with one meaning. */
export interface SharedOption {
  readonly option: Option<unknown>;
  /** The names of the commands. */
  readonly commands: readonly string[];
}

/** The meaning of an option's name in each command. */
interface Meaning extends SharedOption {
  readonly commands: string[];
}

/** Every meaning of every name, from the table of commands. Two options mean the same when they read words alike. */
export function meaningsOf(commands: readonly Command[]): ReadonlyMap<string, readonly SharedOption[]> {
  const meanings = new Map<string, Meaning[]>();
  for (const command of commands) {
    for (const [name, option] of Object.entries(command.options)) {
      const known = meanings.get(name) ?? [];
      const same = known.find((meaning) => meaning.option.read === option.read);
      if (same) same.commands.push(command.name);
      else meanings.set(name, [...known, { option, commands: [command.name] }]);
    }
  }
  return meanings;
}

/** The options that stand at `options`: with one meaning that several commands share. */
export function sharedOptions(commands: readonly Command[]): ReadonlyMap<string, SharedOption> {
  const shared = [...meaningsOf(commands)].flatMap(([name, all]) => {
    if (all.some(({ option }) => option.from)) return [];
    const [only, ...more] = all.filter(
      (option) => option.commands.length > 1 && option.option.notInFile === undefined,
    );
    return only && more.length === 0 ? [[name, only] as const] : [];
  });
  return new Map(shared);
}

/** The commands that can have a configuration file. */
export function configurable(commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ ignoresProject }) => !ignoresProject);
}

/** Whether an option is a switch. */
export function isSwitch({ value }: Option<unknown>): boolean {
  return value === undefined;
}

/** The words of a value of a configuration file; undefined when the option has no such value. */
export function wordsOf(option: Option<unknown>, value: unknown): readonly string[] | undefined {
  if (typeof value === "boolean") {
    if (isSwitch(option)) return value ? [""] : [];
    if (option.implied !== undefined) return value ? [option.implied] : [];
    return undefined;
  }
  if (isSwitch(option)) return undefined;
  const list: readonly unknown[] = option.isList && Array.isArray(value) ? value : [value];
  const words = list.flatMap((element) =>
    typeof element === "string" || typeof element === "number" ? [`${element}`] : [],
  );
  return words.length === list.length ? words : undefined;
}

/** The values that an option has in a configuration file, in words. */
export function valuesInWords(option: Option<unknown>): string {
  if (isSwitch(option)) return "`true` or `false`";
  const allowed =
    option.implied === undefined ? "a string or a number" : "a string, a number, `true` or `false`";
  return option.isList ? `${allowed}, or a list of them` : allowed;
}
