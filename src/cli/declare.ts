/** Declarations of commands: options and arguments with types, from which input, help and completion derive. */

import { didYouMean } from "../core/suggest.ts";
import { runCommand } from "../core/text/run-command.ts";
import { parseTimestamp } from "../service/time.ts";
import { type Io, UsageError } from "./command.ts";

/** An option of a command line whose value is a `T`. */
export interface Option<T> {
  readonly help: string;
  /** The value as help shows it; absent for switches. */
  readonly value?: string;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** The value of the option when none of the allowed values follows it. */
  readonly implied?: string;
  /** Another option, and its value, that this switch is short for. */
  readonly shortFor?: readonly [option: string, value: string];
  /** The word that it means when it is missing, where its value does not show it. */
  readonly usualWord?: string;
  /** The letter that means it after one dash. */
  readonly letter?: string;
  /** Other names on the command line, which other programs have for it, each with its letter or an empty string. */
  readonly otherNames?: Readonly<Record<string, string>>;
  /** Its name in earlier versions, which works until 0.3, with a note on standard error. */
  readonly earlierName?: string;
  /** Whether it can be repeated. */
  readonly isList?: true;
  /** A word in which each path is replaced, for words that have paths. */
  readonly mapPaths?: (word: string, map: MapPath) => string;
  /** Whether a configuration file gives its value by `worlds` or `suites`. */
  readonly from?: "worlds" | "suites";
  /** Why a configuration file cannot have it, after its name: "is a secret". */
  readonly notInFile?: string;
  /** The value of the given words, in their order; a switch that is set has an empty word. @throws {UsageError} */
  read(words: readonly string[], name: string): T;
}

/** The use of a path: reading, writing a file, or writing to folders that the command creates. */
export type PathUse = "read" | "write" | "write-folder";

/** Replaces a path. */
export type MapPath = (path: string, use: PathUse) => string;

/** The options of a command by their names on the command line. */
export type Options = Readonly<Record<string, Option<unknown>>>;

type CamelCase<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : S;

/** The values of options, by their names in camel case. */
export type ValuesOf<O extends Options> = {
  readonly [K in keyof O & string as CamelCase<K>]: O[K] extends Option<infer T> ? T : never;
};

/** Reads one word. @throws {UsageError} whose message begins with the name of the option */
type ParseWord<T> = (word: string, name: string) => T;

/** A switch. */
export function flag(help: string): Option<boolean> {
  return { help, read: (words) => words.length > 0 };
}

/** A switch that is short for a value of another option. */
export function shortFor(option: string, value: string): Option<undefined> {
  return { help: `The same as --${option} ${value}.`, shortFor: [option, value], read: () => undefined };
}

/** An option with one value; of several the last. */
export function single<T>(value: string, help: string, parse: ParseWord<T>): Option<T | undefined> {
  return {
    help,
    value,
    read: (words, name) => {
      const word = words.at(-1);
      return word === undefined ? undefined : parse(word, name);
    },
  };
}

/** An option that can be repeated. */
export function list<T = string>(
  value: string,
  help: string,
  parse: ParseWord<T> = (word) => word as T,
): Option<readonly T[]> {
  return { help, value, isList: true, read: (words, name) => words.map((word) => parse(word, name)) };
}

/** The same option with the value that it has when it is missing. */
export function usual<T, D extends T>(option: Option<T | undefined>, value: D): Option<T> {
  return { ...option, read: (words, name) => option.read(words, name) ?? value };
}

/** The same option, whose value `worlds` or `suites` of a configuration file can give. */
export function given<T>(option: Option<T>, from: "worlds" | "suites"): Option<T> {
  return { ...option, from };
}

/** The same option, which only the command line can have. @param reason such as "is a secret" */
export function notInFile<T>(option: Option<T>, reason: string): Option<T> {
  return { ...option, notInFile: reason };
}

/** The same option, also by a letter after one dash. */
export function letter<T>(option: Option<T>, of: string): Option<T> {
  return { ...option, letter: of };
}

/** The same option, also by other names, each with its letter or an empty string. */
export function alsoNamed<T>(option: Option<T>, otherNames: Readonly<Record<string, string>>): Option<T> {
  return { ...option, otherNames };
}

/** The same option, which had another name in an earlier version. */
export function renamed<T>(option: Option<T>, earlierName: string): Option<T> {
  return { ...option, earlierName };
}

/** The same option, whose words are paths, or with a scheme URLs. */
export function paths<T>(option: Option<T>, use: PathUse = "read"): Option<T> {
  return { ...option, mapPaths: (word, map) => (/^[a-z][\w+.-]+:\/\//i.test(word) ? word : map(word, use)) };
}

/** The same option, which must be given and not be empty. @param meaning such as "it must name a world file" */
export function required<T>(option: Option<T | undefined>, meaning: string): Option<T> {
  return {
    ...option,
    read: (words, name) => {
      const value = words.at(-1) === "" ? undefined : option.read(words, name);
      if (value !== undefined) return value;
      throw new UsageError(`${name} is missing; ${meaning}`);
    },
  };
}

/** The same list, which must have a value. @param meaning such as "it must name a file" */
export function requiredList<T>(option: Option<readonly T[]>, meaning: string): Option<readonly T[]> {
  return {
    ...option,
    read: (words, name) => {
      if (words.length > 0 && !words.includes("")) return option.read(words, name);
      throw new UsageError(`${name} is missing; ${meaning}`);
    },
  };
}

export const text = (value: string, help: string): Option<string | undefined> =>
  single(value, help, (word) => word);

/** A file that is read. */
export const file = (help: string): Option<string | undefined> => paths(text("file", help));

/** A file that is written. */
export const outFile = (help: string): Option<string | undefined> => paths(text("file", help), "write");

export const folder = (help: string): Option<string | undefined> => paths(text("folder", help));

/** A folder that is written to. */
export const outFolder = (help: string): Option<string | undefined> =>
  paths(text("folder", help), "write-folder");

/** One of several words. */
export function choice<const C extends string>(
  choices: readonly C[],
  help: string,
  value: string = choices.join("|"),
): Option<C | undefined> {
  return { ...single(value, help, readChoice(choices)), choices };
}

/** Several of a list of words. */
export function choices<const C extends string>(
  words: readonly C[],
  value: string,
  help: string,
): Option<readonly C[]> {
  return { ...list(value, help, readChoice(words)), choices: words };
}

/** One of several words, with the one that is meant when none of them follows. */
export function impliedChoice<const C extends string>(
  words: readonly C[],
  implied: C,
  help: string,
): Option<C | undefined> {
  return { ...choice(words, help), implied };
}

function readChoice<C extends string>(choices: readonly C[]): ParseWord<C> {
  return (word, name) => {
    const found = choices.find((allowed) => allowed === word);
    if (found !== undefined) return found;
    throw new UsageError(
      `${name} must be ${quotedList(choices)}; found \`${word}\`${didYouMean(word, choices)}`,
    );
  };
}

/** Words as a list in a sentence: `a`, `b` or `c`. */
function quotedList(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  return [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].filter(Boolean).join(" or ");
}

/** An integer from `min` to `max`. */
export function integer(
  value: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
  help: string,
): Option<number | undefined> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return single(value, help, (word, name) => {
    const number = /^-?\d{1,16}$/.test(word) ? Number(word) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new UsageError(`${name} must be an integer ${range}; found \`${word}\``);
  });
}

/** A port, of which 0 selects a free one. */
export const port = (help: string): Option<number | undefined> =>
  integer("number", { min: 0, max: 65_535 }, help);

/** A time in milliseconds since 1970. */
export function time(help: string): Option<number | undefined> {
  return single("time", help, (word, name) => {
    const ms = parseTimestamp(word);
    if (ms !== undefined) return ms;
    throw new UsageError(`${name} must be an RFC 3339 time such as 2026-01-31T12:00:00Z; found \`${word}\``);
  });
}

/** The positional arguments of a command. */
export interface Arguments {
  /** As help shows them, such as `<file...>`. */
  readonly usage: string;
  readonly min: number;
  readonly max?: number;
  /** In words, such as "at least 1 file". */
  readonly expected: string;
  /** Whether all of them are files or folders that are read; a configuration file can then have them. */
  readonly areFiles?: true;
  /** Whether they are the worlds of a configuration file, or the only one, when none is given. */
  readonly from?: "all worlds" | "only world";
  /** Options that take their place. */
  readonly unless?: readonly string[];
  /** Options whose values in a configuration file they take the place of. */
  readonly insteadOf?: readonly string[];
  /** The words that a shell offers; without it, it offers files. */
  words?(): Promise<readonly string[]>;
}

/** The options and arguments with which a command runs. */
export interface Invocation<O extends Options = Options> {
  readonly options: ValuesOf<O>;
  readonly words: readonly string[];
  readonly io: Io;
  /** All commands, for one that is about them. */
  readonly commands: readonly Command[];
}

/** A command without its implementation. */
export interface Declaration<O extends Options = Options> {
  /** One or more words: `eval`, `brand match`. */
  readonly name: string;
  readonly summary: string;
  /** The description for new users, one string a paragraph. */
  readonly about: readonly string[];
  /** Absent when none are accepted. */
  readonly arguments?: Arguments;
  readonly options: O;
  /** The meaning of each exit code of this command. 2 is always invalid usage or input, 3 an internal error. */
  readonly exits: Readonly<Record<number, string>>;
  /** Command lines to copy. */
  readonly examples: readonly string[];
  /** Name of the schema of the output of `--json`. */
  readonly schema?: string;
  /** Whether it runs without the configuration file of a project. */
  readonly ignoresProject?: true;
  /** The message for options and arguments that exclude each other. */
  conflict?(options: ValuesOf<NoInfer<O>>, words: readonly string[]): string | false | undefined;
}

const internalError =
  "An internal error, or a package that cannot be loaded: nothing was decided; standard error says why.";

const invalidInput = "A file or an option is invalid; standard error says why.";

/** A declaration, with the types of its options inferred. */
export const declare = <const O extends Options>(declaration: Declaration<O>): Declaration<O> => {
  const examples = declaration.examples.map((line) =>
    line.replaceAll(/(?<![\w/.-])edgeproof (?=[a-z])/g, `${runCommand} `),
  );
  return { ...declaration, examples, exits: { 2: invalidInput, 3: internalError, ...declaration.exits } };
};

/** The module of an implementation. */
interface Implementation<O extends Options> {
  /** @returns the exit code @throws {UsageError} for invalid usage or input */
  readonly run: (invocation: Invocation<O>) => Promise<number>;
}

/** The values of the options of a declaration. */
export type OptionsOf<D extends { readonly options: Options }> = ValuesOf<D["options"]>;

/** The input of the implementation of a declaration. */
export type InvocationOf<D extends { readonly options: Options }> = Invocation<D["options"]>;

/** A declaration with its implementation, which is loaded when it runs. */
export interface Command extends Declaration {
  load(): Promise<Implementation<Options>>;
}

/** The option of every command that has a configuration file. */
const projectOption = {
  "config-file": notInFile(
    file(
      "Configuration file of the project. Default: edgeproof.config.json or edgeproof.config.yaml, here or above in the repository; --no-config-file: none.",
    ),
    "names the file itself",
  ),
};

/** Connects a declaration and its implementation, whose types must agree. */
export function connect<O extends Options>(
  declaration: Declaration<O>,
  load: () => Promise<Implementation<O>>,
): Command {
  const options = { ...declaration.options, ...(!declaration.ignoresProject && projectOption) };
  return { ...declaration, options, load } as unknown as Command;
}
