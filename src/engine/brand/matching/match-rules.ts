/** The rules by which a matcher compares, from its options. */
import { anyValue, optionsOf, requireArgument } from "../../../core/arguments.ts";
import { quote } from "../../../errors.ts";
import { type MatchOptions, type MatchRule, matchModes } from "../model.ts";
import { type IsOwnName, readOwnNames } from "../names/own-names.ts";
import { maxEditDistance } from "../query.ts";

/** Options with their defaults. */
export interface MatchSettings {
  /** Each with its `separators`. */
  readonly rules: readonly MatchRule[];
  readonly transpositions: boolean;
  readonly confusables: boolean;
  readonly isOwn: IsOwnName;
}

/** Maximum number of rules in a list: each one searches every name (`chosen`). */
export const maxRules = 10;

/**
 * The rules of mode `recommended`: the pattern itself anywhere, also split by hyphens and dots; more edits for longer
 * patterns, in whole parts of a name before they are allowed anywhere; and 2 edits where a public suffix is embedded
 * (`chosen`; docs/brand.md has the measurements).
 *
 * @example
 * ```ts
 * recommendedRules.filter(({ mode }) => mode === "token").map((rule) => [rule.minLength, rule.maxEdits]);
 * // => [[5, 1], [7, 2], [11, 3]]
 * ```
 */
export const recommendedRules: readonly MatchRule[] = Object.freeze([
  Object.freeze({ mode: "contains", maxEdits: 0, separators: true }),
  Object.freeze({ mode: "token", maxEdits: 1, minLength: 5 }),
  Object.freeze({ mode: "token", maxEdits: 2, minLength: 7 }),
  Object.freeze({ mode: "token", maxEdits: 3, minLength: 11 }),
  Object.freeze({ mode: "contains", maxEdits: 1, minLength: 8 }),
  Object.freeze({ mode: "contains", maxEdits: 2, minLength: 12 }),
  Object.freeze({ mode: "contains", maxEdits: 2, minLength: 6, onlyWithEmbeddedSuffix: true }),
]);

const flags = ["transpositions", "confusables", "separators"] as const;
const singleModes = [...matchModes, "recommended"] as const;

const matchOptions = optionsOf<MatchOptions>("compileQueries", {
  mode: anyValue,
  transpositions: anyValue,
  confusables: anyValue,
  separators: anyValue,
  own: anyValue,
});

/** Applies the defaults. @throws {TypeError} for an option that does not exist or has a wrong value */
export function readMatchOptions(options: MatchOptions): MatchSettings {
  requireArgument("options", options, matchOptions);
  if (options.mode !== undefined) checkMode(options.mode);
  for (const flag of flags) {
    const value: unknown = options[flag];
    if (value !== undefined && typeof value !== "boolean") throw wrongOption(flag, value);
  }
  const { mode = "contains", separators = false, own = [] } = options;
  if (!Array.isArray(own))
    throw new TypeError(`\`own\` must be a list of domains such as ["example.com"]; found ${quote(own)}.`);
  const isRecommended = mode === "recommended";
  const { transpositions = isRecommended, confusables = isRecommended } = options;
  // Copies, so that a caller who changes a list later changes no matcher.
  const rules = rulesOf(mode).map((rule) => ({ ...rule, separators: rule.separators ?? separators }));
  return { rules, transpositions, confusables, isOwn: readOwnNames(own) };
}

function rulesOf(mode: NonNullable<MatchOptions["mode"]>): readonly MatchRule[] {
  if (mode === "recommended") return recommendedRules;
  return typeof mode === "string" ? [{ mode }] : mode;
}

function wrongOption(key: string, value: unknown): TypeError {
  const names = flags.map((flag) => `\`${flag}\``).join(", ");
  return new TypeError(
    `\`${key}\` cannot be ${quote(value)}; ${modeRange}, and ${names} must be true or false.`,
  );
}

const modeRange = `\`mode\` must be ${singleModes.map(quote).join(", ")} or a list of 1 to ${maxRules} rules`;

function checkMode(mode: unknown): void {
  if (!Array.isArray(mode)) {
    if (!singleModes.some((known) => known === mode)) throw wrongOption("mode", mode);
    return;
  }
  if (mode.length < 1 || mode.length > maxRules)
    throw new TypeError(`${modeRange}; found ${mode.length} rules.`);
  // A hole is a missing rule.
  Array.from(mode).forEach(checkRule);
}

/** The members of a rule: a test, and the allowed values. */
const members: Readonly<Record<keyof MatchRule, readonly [(value: unknown) => boolean, string]>> = {
  mode: [(value) => matchModes.some((mode) => mode === value), matchModes.map(quote).join(", ")],
  maxEdits: [
    (value) => isInteger(value) && value <= maxEditDistance,
    `an integer from 0 to ${maxEditDistance}`,
  ],
  minLength: [isInteger, "an integer from 0"],
  onlyWithEmbeddedSuffix: [isBoolean, "true or false"],
  separators: [isBoolean, "true or false"],
};

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function checkRule(rule: unknown, i: number): void {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule))
    throw new TypeError(`\`mode[${i}]\` must be a rule such as { mode: "token" }; found ${quote(rule)}.`);
  for (const [name, value] of Object.entries({ mode: undefined, ...rule })) {
    const known = Object.hasOwn(members, name) ? members[name as keyof MatchRule] : undefined;
    if (!known) {
      const names = Object.keys(members).map((each) => `\`${each}\``);
      throw new TypeError(`\`mode[${i}]\` can have only ${names.join(", ")}; found ${quote(name)}.`);
    }
    const [accepts, range] = known;
    const isMissing = value === undefined && name !== "mode";
    if (!isMissing && !accepts(value))
      throw new TypeError(`\`mode[${i}].${name}\` must be ${range}; found ${quote(value)}.`);
  }
}
