/** Runs the command of a tool in this process, and answers with what it printed. */
import { type Io, type Output, UsageError } from "../../command.ts";
import type { Command } from "../../declare.ts";
import { safeStreams } from "../../output/safe-output.ts";
import { internalErrorCode, reportErrors, runCommand } from "../../run-command.ts";
import { pageOf } from "./answer.ts";
import type { ToolCall } from "./tools.ts";
import type { CheckPath } from "./working-folder.ts";

/** The answer of a tool. */
export interface ToolAnswer {
  readonly text: string;
  /** Whether the call was invalid, so that nothing was evaluated. */
  readonly isError: boolean;
}

/** The place of a tool call. */
export interface ToolContext {
  readonly commands: readonly Command[];
  readonly checkPath: CheckPath;
  readonly signal: AbortSignal;
}

function collect(): Output & { readonly text: () => string } {
  const chunks: string[] = [];
  return { write: (chunk) => void chunks.push(chunk), isTerminal: false, text: () => chunks.join("") };
}

async function* bytesOf(input = ""): AsyncGenerator<Uint8Array> {
  yield Buffer.from(input);
}

/** A pattern such as `rules/*.json`, whose files are checked when they are read. */
const isPattern = (path: string) => /[*?[{]/.test(path);

/** The last output, so that its further lines are of the same run. */
export interface LastOutput {
  key?: string;
  output?: ToolAnswer;
}

/** Runs a call, or continues the last one; the first line of an output is the exit code of the command with its meaning. */
export async function runTool(
  call: ToolCall,
  firstLine: number,
  context: ToolContext,
  last: LastOutput,
): Promise<ToolAnswer> {
  const key = JSON.stringify(call);
  const isContinued = firstLine > 1 && last.key === key;
  const output = (isContinued && last.output) || (await outputOf(call, context));
  Object.assign(last, { key, output });
  return { ...output, text: pageOf(output.text, firstLine) };
}

async function outputOf(
  { command: name, words, files, input }: ToolCall,
  { commands, checkPath, signal }: ToolContext,
): Promise<ToolAnswer> {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new RangeError(`there is no command \`${name}\``);
  const stdout = collect();
  const stderr = collect();
  const io: Io = safeStreams({ stdin: bytesOf(input), stdout, stderr, signal, onInputFile: checkPath });
  const exitCode = await reportErrors(io, () => {
    for (const file of files) {
      if (isPattern(file) && file.split(/[\\/]/).includes(".."))
        throw new UsageError(`${file} leads out of the working folder`);
      if (!isPattern(file)) checkPath(file);
    }
    // A project's configuration could have options that write files or open connections.
    const rest = command.ignoresProject ? words : ["--no-config-file", ...words];
    return runCommand(command, rest, commands, io);
  });
  const meaning = (command.exits as Readonly<Record<number, string>>)[exitCode];
  const text = `exit code ${exitCode}: ${meaning}\n${stdout.text()}${stderr.text()}`;
  return { text, isError: exitCode === 2 || exitCode === internalErrorCode };
}
