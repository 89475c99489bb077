/** The input and output of commands, and their errors and exit codes. */
import { maskValue } from "../core/text/secrets.ts";
import type { Project } from "./project/project.ts";

/** The streams and the stop signal of a command. They are parameters so that tests can replace them. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Environment variables. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user stops the command. */
  readonly signal: AbortSignal;
  /** Processors that worker threads can use, by which servers choose their number. Default: no threads. */
  readonly processors?: number;
  /**
   * Makes the first SIGHUP, SIGINT or SIGTERM abort `signal`, for commands that then finish by themselves. Without it, the
   * second time, and when the command needs longer than the maximum (by default 2,000 ms), the process ends at once.
   */
  handleSignals?(maxMs?: number): void;
  /** The configuration file of the project; absent without one. */
  readonly project?: Project;
  /** The words of the command line from the name of the command on, which advice repeats; absent with a secret among them. */
  readonly commandLine?: readonly string[];
  /** Called with every file and folder before a command reads it; `--watch` waits for a change of one of them. */
  onInputFile?(path: string): void;
  /** The text of a file that an editor has open; it is read instead of the file. */
  openText?(path: string): string | undefined;
  /** Called with every pattern and folder before its files are listed; `--watch` waits for another list. */
  onInputList?(name: string, list: ListFiles): void;
}

/** Lists the paths of the files that a pattern matches, or that a folder has. */
export type ListFiles = () => Promise<readonly string[]>;

export interface Output {
  /** @param hasCommands whether the chunk has workflow commands of edgeproof, which the log must keep; by default false */
  write(chunk: string, hasCommands?: boolean): void;
  /** Resolves when the buffer has room again. Commands with much output wait for it. */
  drained?(): Promise<void>;
  /** Whether the stream is a terminal. Progress lines are printed only then. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters; undefined when the stream is not a terminal. */
  readonly columns?: number | undefined;
  /** Whether output is colored. Default false. */
  readonly hasColor?: boolean;
}

/** Invalid usage or input. The process prints the message without a stack trace. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** 1 for input with a part that the service would reject, else 2. */
  readonly exitCode: 1 | 2;

  constructor(
    message: string,
    { exitCode = 2, ...options }: ErrorOptions & { readonly exitCode?: 1 | 2 } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The exit code of a command that was stopped after it printed a part of its results (128 + SIGINT, as in shells). */
export const stoppedExitCode = 130;

/** The result of a command as `--json` prints it: indented JSON without secrets, and a line end. */
export function formatJson(value: unknown): string {
  return formatDocument(maskValue(value));
}

/** A document that a command makes, such as a world, keys or a signed address: with the secrets that it is for. */
export function formatDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
