/** Runs a command line in this process. */
import type { Io, Output } from "../../src/cli/command.ts";
import { runCommandLine } from "../../src/cli/run.ts";

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions {
  readonly signal?: AbortSignal;
  readonly onOut?: (text: string) => void;
  readonly onErr?: (text: string) => void;
  readonly isTerminal?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export async function edgeproof(
  words: readonly string[],
  input: string | Uint8Array = "",
  {
    signal = new AbortController().signal,
    onOut,
    onErr,
    isTerminal = false,
    columns,
    env = {},
  }: CliOptions = {},
): Promise<CliResult> {
  const texts = { out: "", err: "" };
  const output = (name: "out" | "err") => ({
    isTerminal,
    columns,
    write: (text: string) => {
      texts[name] += text;
      (name === "out" ? onOut : onErr)?.(text);
    },
  });
  const io: Io = { stdin: chunks(input), stdout: output("out"), stderr: output("err"), env, signal };
  const code = await runCommandLine(words, io);
  return { code, ...texts };
}

async function* chunks(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (input.length > 0) yield Buffer.from(input);
}

/** An output that is a terminal of a width, or none. */
export function outputOf(columns?: number): Output {
  return { write: () => {}, isTerminal: columns !== undefined, columns };
}
