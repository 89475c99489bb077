/** The rules by which a matcher compares, from its options. */
import { quote } from "../../../errors.ts";
import { type MatchOptions, type MatchRule, matchModes } from "../model.ts";
import { maxEditDistance } from "../query.ts";

/** Options with their defaults. */
export interface MatchSettings {
  readonly rules: readonly MatchRule[];
  readonly transpositions: boolean;
  readonly confusables: boolean;
  readonly separators: boolean;
}

/** Maximum number of rules in a list: each one searches every name (`chosen`). */
export const maxRules = 10;

/**
 * The rules of mode `recommended`: the pattern itself anywhere; a whole part of a name within 2 edits; and anything within
 * 2 edits where a public suffix is embedded. Edits count for patterns of 6 letters or more (`chosen`; docs/brand.md has
 * the measurements).
 *
 * @example
 * ```ts
 * recommendedRules.map((rule) => [rule.mode, rule.maxEdits]); // => [["contains", 0], ["token", 2], ["contains", 2]]
 * ```
 */
export const recommendedRules: readonly MatchRule[] = Object.freeze([
  Object.freeze({ mode: "contains", maxEdits: 0 }),
  Object.freeze({ mode: "token", maxEdits: 2, minLength: 6 }),
  Object.freeze({ mode: "contains", maxEdits: 2, minLength: 6, onlyWithEmbeddedSuffix: true }),
]);

const flags = ["transpositions", "confusables", "separators"] as const;
const singleModes = [...matchModes, "recommended"] as const;

/** Applies the defaults. @throws {TypeError} for an option that does not exist or has a wrong value */
export function readMatchOptions(options: MatchOptions): MatchSettings {
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (key === "mode") checkMode(value);
    else if (!flags.some((flag) => flag === key) || typeof value !== "boolean")
      throw unknownOption(key, value);
  }
  const { mode = "contains", transpositions = false, separators = false } = options;
  return {
    rules: rulesOf(mode),
    transpositions,
    confusables: options.confusables ?? mode === "recommended",
    separators,
  };
}

function rulesOf(mode: NonNullable<MatchOptions["mode"]>): readonly MatchRule[] {
  if (mode === "recommended") return recommendedRules;
  // A copy, so that a caller who changes the list later changes no matcher.
  return typeof mode === "string" ? [{ mode }] : mode.map((rule) => ({ ...rule }));
}

function unknownOption(key: string, value: unknown): TypeError {
  const names = flags.map((flag) => `\`${flag}\``).join(", ");
  return new TypeError(
    `\`${key}\` cannot be ${quote(value)}; ${modeRange}, and ${names} must be true or false.`,
  );
}

const modeRange = `\`mode\` must be ${singleModes.map(quote).join(", ")} or a list of 1 to ${maxRules} rules`;

function checkMode(mode: unknown): void {
  if (!Array.isArray(mode)) {
    if (!singleModes.some((known) => known === mode)) throw unknownOption("mode", mode);
    return;
  }
  if (mode.length < 1 || mode.length > maxRules)
    throw new TypeError(`${modeRange}; found ${mode.length} rules.`);
  mode.forEach(checkRule);
}

/** The members of a rule: a test, and the allowed values. */
const members: Readonly<Record<keyof MatchRule, readonly [(value: unknown) => boolean, string]>> = {
  mode: [(value) => matchModes.some((mode) => mode === value), matchModes.map(quote).join(", ")],
  maxEdits: [
    (value) => isInteger(value) && value <= maxEditDistance,
    `an integer from 0 to ${maxEditDistance}`,
  ],
  minLength: [isInteger, "an integer from 0"],
  onlyWithEmbeddedSuffix: [(value) => typeof value === "boolean", "true or false"],
};

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
