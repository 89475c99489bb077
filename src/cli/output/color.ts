/** Colors of verdicts and severities on terminals. */
import type { Output } from "../command.ts";

/** SGR codes (ECMA-48, 8.3.117). */
const codes = { red: 31, green: 32, yellow: 33, blue: 34 } as const;

type Color = keyof typeof codes;

/** Whether to color output: on terminals, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`. */
export function wantsColor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** The words that are colored. */
const words: Readonly<Record<string, Color>> = {
  allow: "green",
  log: "yellow",
  block: "red",
  ALLOW: "green",
  LOG: "yellow",
  BLOCK: "red",
  ok: "green",
  FAIL: "red",
  error: "red",
  warning: "yellow",
  note: "blue",
};

function colorize(color: Color, word: string): string {
  return `\u001b[${codes[color]}m${word}\u001b[0m`;
}

/**
 * Colors a word of each line when the output is colored: the first word, or the one after a file location
 * (`file:line:column: `).
 */
export function colorLines(output: Output, text: string): string {
  if (!output.hasColor) return text;
  return text.replace(/^(\S*:\d+:\d+: )?(\w+)/gm, (whole, location: string | undefined, word: string) => {
    const color = Object.hasOwn(words, word) ? words[word] : undefined;
    return color ? (location ?? "") + colorize(color, word) : whole;
  });
}
