/** Command line options for the comparison of names. */
import { type MatchOptions, matchModes } from "../../engine/brand/model.ts";
import { booleanOption, type CommandInput, choiceOption, stringOption } from "../command.ts";

const switches = {
  transpositions: "Count a swap of two neighbors as one edit.",
  confusables: "Also compare Unicode skeletons (homoglyphs).",
  separators: "Also compare without `-` and `.`.",
} as const;

type Switch = keyof typeof switches;

const names = Object.keys(switches) as Switch[];

/** For a command of brand protection: `--label`, `--transpositions`, ... */
export const matchOptions = {
  label: {
    type: "boolean",
    help: "Compare patterns with the whole registrable label, not with a part of a name.",
  },
  ...switchesAs((name) => name),
} as const;

export function readMatchOptions(input: CommandInput): MatchOptions {
  return { ...(booleanOption(input, "label") && { mode: "label" }), ...readSwitches(input, (name) => name) };
}

/** For a command of all areas: `--brand-mode`, `--brand-transpositions`, ... */
export const brandOptions = {
  "brand-mode": {
    type: "string",
    value: matchModes.join("|"),
    help: "Compare domain patterns with a part of a name (the default) or with the whole label.",
  },
  ...switchesAs((name) => `brand-${name}`),
} as const;

export function readBrandOptions(input: CommandInput): MatchOptions {
  const mode =
    stringOption(input, "brand-mode") === undefined
      ? {}
      : { mode: choiceOption(input, "brand-mode", matchModes, "contains") };
  return { ...mode, ...readSwitches(input, (name) => `brand-${name}`) };
}

function switchesAs<T extends string>(naming: (name: Switch) => T) {
  return Object.fromEntries(
    names.map((name) => [naming(name), { type: "boolean", help: switches[name] }]),
  ) as Record<T, { readonly type: "boolean"; readonly help: string }>;
}

function readSwitches(input: CommandInput, naming: (name: Switch) => string): MatchOptions {
  return Object.fromEntries(
    names.filter((name) => booleanOption(input, naming(name))).map((name) => [name, true]),
  );
}
