/** The options that say how names are compared. */
import type { MatchOptions } from "../../engine/brand/model.ts";
import { type CommandInput, choice, flag, text } from "../command.ts";

const switches = {
  transpositions: "A swap of two neighbours counts as one edit.",
  confusables: "Also compare what names look like (homoglyphs).",
  separators: "Also compare without `-` and `.`.",
} as const;

type Switch = keyof typeof switches;

const names = Object.keys(switches) as Switch[];

/** For a command that is about brands alone: `--label`, `--transpositions`, ... */
export const matchOptions = {
  label: { type: "boolean", help: "A pattern is a whole registrable label, not a part of a name." },
  ...switchesAs((name) => name),
} as const;

export function readMatchOptions(input: CommandInput): MatchOptions {
  return { ...(flag(input, "label") && { mode: "label" }), ...readSwitches(input, (name) => name) };
}

/** For a command that serves everything: `--brand-mode`, `--brand-transpositions`, ... */
export const brandOptions = {
  "brand-mode": {
    type: "string",
    value: "contains|label",
    help: "How domain patterns are sought: inside of names (the default) or as a whole label.",
  },
  ...switchesAs((name) => `brand-${name}`),
} as const;

export function readBrandOptions(input: CommandInput): MatchOptions {
  const mode =
    text(input, "brand-mode") === undefined
      ? {}
      : { mode: choice(input, "brand-mode", ["contains", "label"], "contains") };
  return { ...mode, ...readSwitches(input, (name) => `brand-${name}`) };
}

function switchesAs<T extends string>(naming: (name: Switch) => T) {
  return Object.fromEntries(
    names.map((name) => [naming(name), { type: "boolean", help: switches[name] }]),
  ) as Record<T, { readonly type: "boolean"; readonly help: string }>;
}

function readSwitches(input: CommandInput, naming: (name: Switch) => string): MatchOptions {
  return Object.fromEntries(names.filter((name) => flag(input, naming(name))).map((name) => [name, true]));
}
