/** The interface of a command, its input and output, and the functions that read its options. */
import type { ParseArgsConfig } from "node:util";
import { didYouMean } from "../core/suggest.ts";

/** The streams and the stop signal of a command. They are parameters so that tests can replace them. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Environment variables. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user stops the command. */
  readonly signal: AbortSignal;
  /**
   * Makes the first SIGINT or SIGTERM abort `signal`, for commands that then finish by themselves. Without it, the
   * second time, and when the command needs longer than the maximum (by default 2,000 ms), the process ends at once.
   */
  handleSignals?(maxMs?: number): void;
  /** Called with every file and folder before a command reads it; `--watch` waits for a change of one of them. */
  onInputFile?(path: string): void;
}

export interface Output {
  write(chunk: string): void;
  /** Resolves when the buffer has room again. Commands with much output wait for it. */
  drained?(): Promise<void>;
  /** Whether the stream is a terminal. Progress lines are printed only then. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters; undefined when the stream is not a terminal. */
  readonly columns?: number | undefined;
  /** Whether output is colored. Default false. */
  readonly hasColor?: boolean;
}

/** The options of node's `parseArgs`, each with its help and the name of its value. */
export type CommandOptions = Readonly<
  Record<
    string,
    NonNullable<ParseArgsConfig["options"]>[string] & {
      readonly help: string;
      /** Name of the value, or the allowed values, separated by `|`. */
      readonly value?: string;
      /** The value of the option when none of the allowed values follows it. */
      readonly implied?: string;
    }
  >
>;

export interface CommandInput {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

/** The groups of commands and their titles, in the order of `--help`. */
export const groups = {
  start: "Getting started",
  configuration: "Your own configuration",
  rules: "Token rules",
  brand: "Brand protection",
  images: "Image hosting",
  proxy: "Proxy applications",
  service: "HTTP server and stores",
} as const;

/** A command as the list of `--help` shows it. */
export interface CommandEntry {
  readonly name: string;
  readonly group: keyof typeof groups;
  readonly summary: string;
}

/** What the file of a command defines: everything but its entry in the list. */
export interface CommandDefinition {
  /** The description for new users, one string a paragraph. */
  readonly about: readonly string[];
  /** The positional arguments as help shows them, such as `<file...>`. Empty when none are accepted. */
  readonly positionals: string;
  readonly options: CommandOptions;
  /** The meaning of each exit code of this command. 2 is always invalid usage or input. */
  readonly exits: Readonly<Record<number, string>>;
  /** Command lines to copy. */
  readonly examples: readonly string[];
  /** @returns the exit code @throws {UsageError} for invalid usage or input */
  readonly run: (input: CommandInput, io: Io) => Promise<number>;
}

/** A command: its entry in the list and its definition. */
export interface Command extends CommandEntry, CommandDefinition {}

/** Invalid usage or input. The process prints the message without a stack trace and ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The exit code of a command that was stopped after it printed a part of its results (128 + SIGINT, as in shells). */
export const stoppedExitCode = 130;

/** The value of a string option, undefined when the option is missing. */
export function stringOption({ values }: CommandInput, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Whether a boolean option is set. */
export function booleanOption({ values }: CommandInput, name: string): boolean {
  return values[name] === true;
}

/** The `--json` option of every command. */
export const jsonOption = {
  json: { type: "boolean", help: "Print the result as JSON, for programs." },
} as const;

/** A value as `--json` prints it: indented JSON and a line end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** All values of a repeatable option. */
export function stringOptions({ values }: CommandInput, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((v) => typeof v === "string") : [];
}

/** An option whose value is one of a list. @throws {UsageError} for another value */
export function choiceOption<T extends string>(
  input: CommandInput,
  name: string,
  allowed: readonly T[],
  defaultValue: T,
): T {
  const value = stringOption(input, name) ?? defaultValue;
  const choice = allowed.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new UsageError(
    `--${name} must be ${quotedList(allowed)}; found \`${value}\`${didYouMean(value, allowed)}`,
  );
}

/** Words as a list in a sentence: `a`, `b` or `c`. */
function quotedList(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  return [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].filter(Boolean).join(" or ");
}
