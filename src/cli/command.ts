/** What a command of the command line is, and what it has to do with the outside. */
import type { ParseArgsConfig } from "node:util";
import { suggest } from "./suggest.ts";

/** The outside of a command: passed in, so that tests can look at it. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Fires when the user wants it to stop. */
  readonly signal: AbortSignal;
}

export interface Output {
  write(chunk: string): void;
  /** Resolves when there is room for more: for those who write so much that it would pile up. */
  drained?(): Promise<void>;
  /** Whether a person is likely to look at it: progress only then. */
  readonly isTerminal: boolean;
  /** Whether colours are wanted; they are not by default. */
  readonly hasColor?: boolean;
}

/** Options as node's `parseArgs` takes them, each with a line of help. */
export type CommandOptions = Readonly<
  Record<
    string,
    NonNullable<ParseArgsConfig["options"]>[string] & { readonly help: string; readonly value?: string }
  >
>;

export interface CommandInput {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

/** What commands are about, in the order in which they are listed. */
export const groups = {
  start: "A look at everything",
  rules: "Token rules",
  brand: "Brand protection",
  images: "Image hosting",
  proxy: "Proxy applications",
  service: "The whole interface",
} as const;

export interface Command {
  readonly name: string;
  readonly group: keyof typeof groups;
  readonly summary: string;
  /** What somebody who sees it for the first time should know, a paragraph each. */
  readonly about: readonly string[];
  /** What stands behind the name, such as `<file...>`. Empty: nothing may. */
  readonly positionals: string;
  readonly options: CommandOptions;
  /** What each exit code means here; 2 is always an input that cannot be used. */
  readonly exits: Readonly<Record<number, string>>;
  /** Command lines that a newcomer can copy. */
  readonly examples: readonly string[];
  /** @returns the exit code @throws {UsageError} for input that cannot be used */
  readonly run: (input: CommandInput, io: Io) => Promise<number>;
}

/** Input that a command cannot work with: exit code 2 and the message, no stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Exit code after the user stopped a command that prints as it goes, as shells have it for SIGINT. */
export const stoppedExitCode = 130;

/** The value of a text option. */
export function stringOption({ values }: CommandInput, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Whether a switch is on. */
export function booleanOption({ values }: CommandInput, name: string): boolean {
  return values[name] === true;
}

/** The switch that every command has. */
export const jsonOption = {
  json: { type: "boolean", help: "Print the result as JSON, for programs." },
} as const;

/** A value as the text that `--json` prints. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** All values of an option that can be repeated. */
export function stringOptions({ values }: CommandInput, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((v) => typeof v === "string") : [];
}

/** One of a few words. @throws {UsageError} */
export function choiceOption<T extends string>(
  input: CommandInput,
  name: string,
  allowed: readonly T[],
  absent: T,
): T {
  const value = stringOption(input, name) ?? absent;
  if ((allowed as readonly string[]).includes(value)) return value as T;
  const meant = suggest(value, allowed);
  const list = allowed.map((a) => `\`${a}\``).join(" or ");
  throw new UsageError(
    `--${name} is \`${value}\`${meant ? `; did you mean \`${meant}\`?` : ";"} it must be ${list}`,
  );
}
