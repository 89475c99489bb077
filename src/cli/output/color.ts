/** Colours of words that matter, for terminals that show them. */
import type { Output } from "../command.ts";

/** SGR codes (ECMA-48, 8.3.117). */
const codes = { red: 31, green: 32, yellow: 33, blue: 34 } as const;

type Color = keyof typeof codes;

/** On a terminal, unless the environment says no (no-color.org) or the terminal is one that shows nothing. */
export function wantsColor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** The words that have a colour of their own. */
const words: Readonly<Record<string, Color>> = {
  allow: "green",
  log: "yellow",
  block: "red",
  ALLOW: "green",
  LOG: "yellow",
  BLOCK: "red",
  error: "red",
  warning: "yellow",
  note: "blue",
};

/** A text in a colour. */
function colorize(colour: Color, text: string): string {
  return `\u001b[${codes[colour]}m${text}\u001b[0m`;
}

/**
 * The text with a word of each line in its colour, where colours are wanted: the first one, or the one behind a place
 * in a file.
 */
export function colorLines(output: Output, text: string): string {
  if (!output.hasColor) return text;
  return text.replace(/^(\S*:\d+:\d+: )?(\w+)/gm, (whole, place: string | undefined, word: string) => {
    const colour = Object.hasOwn(words, word) ? words[word] : undefined;
    return colour ? (place ?? "") + colorize(colour, word) : whole;
  });
}
