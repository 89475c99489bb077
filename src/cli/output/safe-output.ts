/**
 * The last step of everything that a command prints: control characters of untrusted input never reach a terminal or a
 * log, nor do workflow commands reach the log of a workflow, whichever printer forgot them. Their escapes are those of JSON,
 * so that printed JSON keeps its values.
 */
import { maskText } from "../../core/text/secrets.ts";
import type { Io, Output } from "../command.ts";
import { escapeCharacter } from "./escape-control-characters.ts";
import { escapeWorkflowCommands } from "./workflow-commands.ts";

/** Control characters and marks that change the direction of text, except tabs and line ends (`\r\n` in CSV). */
const unsafe = /(?![\t\n]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The same on a terminal, except the progress line, colors and the clearing of the screen. */
const unsafeOnTerminal = new RegExp(`(?!\\r|\\u001b\\[[0-9;]*[mJH])${unsafe.source}`, "gu");

/** The streams of a command, which escape what they are given; secrets on standard error, whose texts are for people, are masked. */
export function safeStreams(io: Io): Io {
  const isWorkflow = io.env?.["GITHUB_ACTIONS"] === "true";
  return {
    ...io,
    stdout: safeOutput(io.stdout, isWorkflow, escapeUnsafe),
    stderr: safeOutput(io.stderr, isWorkflow, (chunk, isTerminal) =>
      maskText(escapeUnsafe(chunk, isTerminal)),
    ),
  };
}

function safeOutput(
  output: Output,
  isWorkflow: boolean,
  clean: (chunk: string, isTerminal: boolean) => string,
): Output {
  const write: Output["write"] = (chunk, hasCommands = false) => {
    const cleaned = clean(chunk, output.isTerminal);
    output.write(isWorkflow && !hasCommands ? escapeWorkflowCommands(cleaned) : cleaned);
  };
  // The other members are read again each time: a terminal can be resized.
  return Object.create(output, { write: { value: write } }) as Output;
}

function escapeUnsafe(chunk: string, isTerminal: boolean): string {
  return chunk.replace(isTerminal ? unsafeOnTerminal : unsafe, escapeCharacter);
}
