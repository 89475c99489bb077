/** Colours of words that matter, for terminals that show them. */
import type { Output } from "../command.ts";

/** SGR codes (ECMA-48, 8.3.117). */
const codes = { red: 31, green: 32, yellow: 33, blue: 34 } as const;

type Colour = keyof typeof codes;

/** On a terminal, unless the environment says no (no-color.org) or the terminal is one that shows nothing. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** The words that have a colour of their own. */
const words: Readonly<Record<string, Colour>> = {
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
function paint(colour: Colour, text: string): string {
  return `\u001b[${codes[colour]}m${text}\u001b[0m`;
}

/**
 * The text with a word of each line in its colour, where colours are wanted: the first one, or the one behind a place
 * in a file.
 */
export function paintLines(output: Output, text: string): string {
  if (!output.hasColour) return text;
  return text.replace(/^(\S*:\d+:\d+: )?(\w+)/gm, (whole, place: string | undefined, word: string) => {
    const colour = Object.hasOwn(words, word) ? words[word] : undefined;
    return colour ? (place ?? "") + paint(colour, word) : whole;
  });
}
