/**
 * The last step of everything that a command prints: control characters of untrusted input never reach a terminal or a
 * log, whichever printer forgot them. Their escapes are those of JSON, so that printed JSON keeps its values.
 */
import type { Io, Output } from "../../command.ts";
import { escapeCharacter } from "../escape-control-characters.ts";
import { maskSecrets } from "./mask-secrets.ts";

/** Control characters and marks that change the direction of text, except tabs and line ends (`\r\n` in CSV). */
const unsafe = /(?![\t\n]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The same on a terminal, except the progress line, colors and the clearing of the screen. */
const unsafeOnTerminal = new RegExp(`(?!\\r|\\u001b\\[[0-9;]*[mJH])${unsafe.source}`, "gu");

/** The streams of a command, which escape what they are given; credentials on standard error are masked. */
export function safeStreams(io: Io): Io {
  return {
    ...io,
    stdout: safeOutput(io.stdout, escapeUnsafe),
    stderr: safeOutput(io.stderr, (chunk, isTerminal) => maskSecrets(escapeUnsafe(chunk, isTerminal))),
  };
}

function safeOutput(output: Output, clean: (chunk: string, isTerminal: boolean) => string): Output {
  // The other members are read again each time: a terminal can be resized.
  return Object.create(output, {
    write: { value: (chunk: string) => output.write(clean(chunk, output.isTerminal)) },
  }) as Output;
}

function escapeUnsafe(chunk: string, isTerminal: boolean): string {
  return chunk.replace(isTerminal ? unsafeOnTerminal : unsafe, escapeCharacter);
}
