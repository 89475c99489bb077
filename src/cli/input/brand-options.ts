/** Command line options for the comparison of names. */
import { type MatchOptions, matchModes } from "../../engine/brand/model.ts";
import { booleanOption, type CommandInput, choiceOption, stringOption, UsageError } from "../command.ts";

const switches = {
  transpositions: "Count a swap of two neighbors as one edit.",
  confusables: "Also compare Unicode skeletons (homoglyphs).",
  separators: "Also compare without `-` and `.`.",
} as const;

type Switch = keyof typeof switches;

const modes = [...matchModes, "recommended"] as const;

const names = Object.keys(switches) as Switch[];

/** For a command of brand protection: `--mode`, `--transpositions`, ... */
export const matchOptions = {
  mode: {
    type: "string",
    value: modes.join("|"),
    help: "Part of a name that is compared: any (the default), the registrable label, a part between `.` and `-`; or the recommended rules, which set the edits themselves.",
  },
  label: {
    type: "boolean",
    help: "The same as --mode label.",
  },
  token: {
    type: "boolean",
    help: "The same as --mode token.",
  },
  ...switchesAs((name) => name),
} as const;

export function readMatchOptions(input: CommandInput): MatchOptions {
  return { ...readMode(input), ...readSwitches(input, (name) => name) };
}

function readMode(input: CommandInput): Pick<MatchOptions, "mode"> {
  const short = (["label", "token"] as const).filter((mode) => booleanOption(input, mode));
  const isNamed = stringOption(input, "mode") !== undefined;
  if (short.length + (isNamed ? 1 : 0) > 1)
    throw new UsageError("use only one of --mode, --label and --token");
  if (isNamed) return { mode: choiceOption(input, "mode", modes, "contains") };
  return short[0] === undefined ? {} : { mode: short[0] };
}

/** For a command of all areas: `--brand-mode`, `--brand-transpositions`, ... */
export const brandOptions = {
  "brand-mode": {
    type: "string",
    value: modes.join("|"),
    help: "Part of a name that domain patterns are compared with: any (the default), the registrable label, a part between `.` and `-`; or the recommended rules.",
  },
  ...switchesAs((name) => `brand-${name}`),
} as const;

export function readBrandOptions(input: CommandInput): MatchOptions {
  const mode =
    stringOption(input, "brand-mode") === undefined
      ? {}
      : { mode: choiceOption(input, "brand-mode", modes, "contains") };
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
