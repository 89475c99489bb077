/** Command lines of edgeproof in messages, as POSIX shells read them. */
import { runCommand } from "../../core/text/run-command.ts";
import { maskText } from "../../core/text/secrets.ts";
import { shellWord } from "../../core/text/shell-word.ts";

/** A command to copy, with the words after `edgeproof`; secrets in them are masked. */
export function printCommandLine(words: readonly string[]): string {
  return [runCommand, ...words.map(maskText).map(shellWord)].join(" ");
}
