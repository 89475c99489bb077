/** Parses the words of a command line into the values of a declaration. */

import { parseArgs } from "node:util";
import { addTo } from "../core/groups.ts";
import { didYouMean } from "../core/suggest.ts";
import { runCommand } from "../core/text/run-command.ts";
import { UsageError } from "./command.ts";
import type { Declaration, Invocation, Option, Options, ValuesOf } from "./declare.ts";
import type { Setting } from "./project/project.ts";

/** The input of a command. */
export type Parsed<O extends Options = Options> = Pick<Invocation<O>, "options" | "words">;

/** The options and arguments that the configuration file of a project gives a command. */
export interface Configured {
  /** By option; a switch that is off has no word. */
  readonly options: ReadonlyMap<string, Setting>;
  /** Used when the command line has none. */
  readonly arguments?: Setting;
  /** The clause that is added to the message about a missing option. */
  readonly missing?: ReadonlyMap<string, string>;
}

const nothing: Configured = { options: new Map() };

/** The words of a command line by option, and its arguments. */
export interface SortedWords {
  readonly given: Given;
  /** The options that `--no-<option>` leaves out, although the configuration file has them. */
  readonly unset: ReadonlySet<string>;
  readonly others: readonly string[];
  /** The options that were given by the names of earlier versions. */
  readonly earlier: ReadonlySet<string>;
}

/** @throws {UsageError} for options and arguments that the command does not accept */
export function parseWords<O extends Options>(
  command: Declaration<O>,
  words: readonly string[],
  configured = nothing,
): Parsed<O> {
  return readWords(command, sortWords(command, words), configured);
}

/** @throws {UsageError} for options that the command does not have, and values that are missing or too many */
export function sortWords(command: Declaration, words: readonly string[]): SortedWords {
  const { given, ...rest } = sortTokens(command.options, words, seeHelp(command));
  return { given: withShortForms(command.options, given), ...rest };
}

/** The values of the options: the command line has precedence. @throws {UsageError} */
export function readWords<O extends Options>(
  command: Declaration<O>,
  sorted: SortedWords,
  configured = nothing,
): Parsed<O> {
  const words = argumentsOf(command, sorted, configured);
  assertAccepted(command, words, seeHelp(command));
  const replaced = sorted.others.length > 0 ? (command.arguments?.insteadOf ?? []) : [];
  const unset = new Set([...sorted.unset, ...replaced]);
  const values = readValues(command.options, { ...sorted, unset }, configured) as ValuesOf<O>;
  const conflict = command.conflict?.(values, words);
  if (conflict) throw new UsageError(`${conflict}${describeConfigured(conflict, sorted, configured)}`);
  return { options: values, words };
}

/** The arguments of the command line, else those of the file unless an option takes their place. */
function argumentsOf(
  { arguments: accepted }: Declaration,
  { others, given }: SortedWords,
  configured: Configured,
): readonly string[] {
  if (others.length > 0 || accepted?.unless?.some((name) => given.has(name))) return others;
  return configured.arguments?.words ?? [];
}

function seeHelp({ name }: Declaration): string {
  return `\`${runCommand} ${name} --help\` shows its options`;
}

/** How to leave out what the file gives of the options that a message names. */
function describeConfigured(message: string, { given, unset }: SortedWords, { options }: Configured): string {
  const named = new Set(message.match(/(?<=--)[a-z][\w-]*/g));
  const names = [...options.keys()].filter((name) => named.has(name) && !given.has(name) && !unset.has(name));
  const [first] = names;
  const file = first === undefined ? undefined : options.get(first)?.at.file;
  if (file === undefined) return "";
  return `; ${file} gives ${names.map((name) => `--${name}`).join(", ")}: --no-${first} leaves out the first`;
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

/** The words of each option that was given. */
type Given = ReadonlyMap<string, readonly string[]>;

function sortTokens(options: Options, words: readonly string[], see: string) {
  const names = namesOf(options);
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      [...names].map(([name, { option }]) => [
        name,
        { type: typeOf(option), ...(option.letter !== undefined && { short: option.letter }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const unset = new Set<string>();
  const earlier = new Set<string>();
  const others: string[] = [];
  const ends: readonly (Token | undefined)[] = [...tokens.slice(1), undefined];
  let used: Token | undefined;
  for (const [i, token] of tokens.entries()) {
    if (token.kind === "positional" && token !== used) others.push(token.value);
    if (token.kind !== "option") continue;
    const { name = "", option } = names.get(token.name) ?? {};
    const positive = token.name.replace(/^no-/, "");
    const unsetName = positive === token.name ? undefined : names.get(positive)?.name;
    if (!option && unsetName !== undefined && !token.inlineValue) {
      unset.add(unsetName);
      continue;
    }
    if (!option) throw unknownOption(token.rawName, options, see);
    const next = ends[i];
    if (next?.kind === "positional" && option.implied !== undefined && option.choices?.includes(next.value))
      used = next;
    const word = used === next && next?.kind === "positional" ? next.value : wordOf(option, token, see);
    if (token.name === option.earlierName) earlier.add(name);
    addTo(given, name, word);
  }
  return { given, unset, others, earlier };
}

/** An option by one of its names. */
interface NamedOption {
  readonly name: string;
  readonly option: Option<unknown>;
}

/** The options by their names, and by others and those of earlier versions that no option has now. */
export function namesOf(options: Options): ReadonlyMap<string, NamedOption> {
  const own = Object.entries(options).map(([name, option]) => [name, { name, option }] as const);
  const others = own.flatMap(([, { name, option: named }]) => {
    const { letter: _, ...option } = named;
    const { earlierName, otherNames = {} } = named;
    return [
      ...(earlierName === undefined ? [] : [[earlierName, { name, option }] as const]),
      ...Object.entries(otherNames).map(
        ([other, letter]) =>
          [other, { name, option: letter === "" ? option : { ...option, letter } }] as const,
      ),
    ];
  });
  return new Map([...others, ...own]);
}

/** An option that may have no value is a switch for `parseArgs`. */
function typeOf({ value, implied }: Option<unknown>): "boolean" | "string" {
  return value === undefined || implied !== undefined ? "boolean" : "string";
}

function unknownOption(rawName: string, options: Options, see: string): UsageError {
  const names = Object.keys(options).map((name) => `--${name}`);
  return new UsageError(`unknown option \`${rawName}\`${didYouMean(rawName, names) || ";"} ${see}`);
}

/** The value of an option, the implied one, or an empty word for a switch. */
function wordOf(option: Option<unknown>, { rawName, value, inlineValue }: OptionToken, see: string): string {
  if (option.value === undefined && value !== undefined)
    throw new UsageError(`${rawName} does not accept a value; ${see}`);
  const word = value ?? (option.value === undefined ? "" : option.implied);
  // A word like an option is a value only after `=`, or when it is a negative number or the boundary of a form.
  if (word === undefined || (!inlineValue && /^-(?!\d|--|$)/.test(word)))
    throw new UsageError(`${rawName} needs a value; ${see}`);
  return word;
}

/** @throws {UsageError} for too few or too many arguments */
function assertAccepted(command: Declaration, words: readonly string[], see: string): void {
  const { arguments: accepted, examples } = command;
  if (accepted === undefined && words.length > 0)
    throw new UsageError(`unexpected argument \`${words[0]}\`; ${see}`);
  const { min, max = Number.POSITIVE_INFINITY, expected } = accepted ?? { min: 0, expected: "" };
  if (words.length >= min && words.length <= max) return;
  throw new UsageError(`expected ${expected}; found ${words.length}: \`${examples[0]}\``);
}

/** Replaces switches by the values of options that they are short for. @throws {UsageError} when another one is given */
export function withShortForms(options: Options, given: Given): Given {
  const all = new Map(given);
  for (const [short, { shortFor }] of Object.entries(options)) {
    if (!shortFor || !given.has(short)) continue;
    const [name, value] = shortFor;
    // A word such as `sarif=out.sarif` is about a file, and excludes nothing.
    const files = all.get(name)?.filter((word) => word.includes("=")) ?? [];
    const other = all.get(name)?.find((word) => word !== value && !files.includes(word));
    if (other !== undefined)
      throw new UsageError(`--${short} means --${name} ${value}; found --${name} ${other} too`);
    all.set(name, [...files, value]);
    all.delete(short);
  }
  return all;
}

function readValues(options: Options, sorted: SortedWords, configured: Configured): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const setting = settingOf(name, sorted, configured);
      const place = setting ? placeOf(setting) : `--${name}`;
      const words = wordsOf(name, sorted, configured);
      return [camelCase(name), readValue(option, words, place, configured.missing?.get(name))];
    }),
  );
}

/** The words of an option: the command line has precedence. */
export function wordsOf(name: string, sorted: SortedWords, configured = nothing): readonly string[] {
  return sorted.given.get(name) ?? settingOf(name, sorted, configured)?.words ?? [];
}

/** The setting of the configuration file, unless the command line has the option or leaves it out. */
function settingOf(
  name: string,
  { given, unset }: SortedWords,
  { options }: Configured,
): Setting | undefined {
  return given.has(name) || unset.has(name) ? undefined : options.get(name);
}

function placeOf({ at: { file, start } }: Setting): string {
  return `${file}:${start.line}:${start.column}`;
}

/** @param missing what is added to the message when there is no word */
function readValue(
  option: Option<unknown>,
  words: readonly string[],
  place: string,
  missing: string | undefined,
): unknown {
  try {
    return option.read(words, place);
  } catch (error) {
    if (!(error instanceof UsageError) || missing === undefined || words.length > 0) throw error;
    throw new UsageError(`${error.message}; ${missing}`);
  }
}

export function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
