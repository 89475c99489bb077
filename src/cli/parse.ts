/** Parses the words of a command line into the values of a declaration. */
import { parseArgs } from "node:util";
import { didYouMean } from "../core/suggest.ts";
import { UsageError } from "./command.ts";
import type { Declaration, Invocation, Option, Options, ValuesOf } from "./declare.ts";

/** The input of a command. */
export type Parsed<O extends Options = Options> = Pick<Invocation<O>, "options" | "words">;

/** @throws {UsageError} for options and arguments that the command does not accept */
export function parseWords<O extends Options>(command: Declaration<O>, words: readonly string[]): Parsed<O> {
  const see = `\`edgeproof ${command.name} --help\` shows its options`;
  const { given, others } = sortTokens(command.options, words, see);
  assertAccepted(command, others, see);
  const values = readValues(command.options, withShortForms(command.options, given)) as ValuesOf<O>;
  const conflict = command.conflict?.(values, others);
  if (conflict) throw new UsageError(conflict);
  return { options: values, words: others };
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

/** The words of each option that was given. */
type Given = Map<string, readonly string[]>;

function sortTokens(options: Options, words: readonly string[], see: string) {
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => [name, { type: typeOf(option) }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Given = new Map();
  const others: string[] = [];
  const ends: readonly (Token | undefined)[] = [...tokens.slice(1), undefined];
  let used: Token | undefined;
  for (const [i, token] of tokens.entries()) {
    if (token.kind === "positional" && token !== used) others.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw unknownOption(token.rawName, options, see);
    const next = ends[i];
    if (next?.kind === "positional" && option.implied !== undefined && option.choices?.includes(next.value))
      used = next;
    const word = used === next && next?.kind === "positional" ? next.value : wordOf(option, token, see);
    given.set(token.name, [...(given.get(token.name) ?? []), word]);
  }
  return { given, others };
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
  // A word like an option is a value only after `=`, or when it is a negative number.
  if (word === undefined || (!inlineValue && /^-[^\d]/.test(word)))
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
function withShortForms(options: Options, given: Given): Given {
  const all = new Map(given);
  for (const [short, { shortFor }] of Object.entries(options)) {
    if (!shortFor || !given.has(short)) continue;
    const [name, value] = shortFor;
    const other = all.get(name)?.find((word) => word !== value);
    if (other !== undefined)
      throw new UsageError(`--${short} means --${name} ${value}; found --${name} ${other} too`);
    all.set(name, [value]);
  }
  return all;
}

function readValues(options: Options, given: Given): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      return [camelCase(name), option.read(given.get(name) ?? [], `--${name}`)];
    }),
  );
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
