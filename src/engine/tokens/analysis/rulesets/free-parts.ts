/** The parts of custom rules that the analysis does not look into, for people; and whether two zones have the same rules. */

import { quote } from "../../../../errors.ts";
import { levels } from "../../rulesets/input/read-rulesets.ts";
import { mapPair, type Pair } from "../pair.ts";
import type { BoundZone, FreePart } from "./ruleset-part.ts";

/** The maximum number of parts in a message. */
const maxListed = 3;

/** A clause about the parts that a question depends on; empty without any. */
export function describeFreeParts(parts: readonly FreePart[]): string {
  if (parts.length === 0) return "";
  // Both zones of a comparison can have the same part.
  const all = new Set(
    parts.map(({ text, why, ruleset, rule }) => {
      const part = text === "" ? "" : `${quote(text)} of `;
      return `${part}the rule ${quote(rule)} of the ruleset ${quote(ruleset)} (${why})`;
    }),
  );
  const listed = [...all].slice(0, maxListed);
  const more = all.size - listed.length;
  return `; it depends on ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Whether both zones have the same custom rules, lists and configurations, as far as their members show. */
export function isSameCustomPart(zones: Pair<BoundZone>): boolean {
  const [left, right] = mapPair(zones, describe);
  return left === right;
}

/** The rules that can be evaluated, in order, and all that they can refer to. Rules without an expression are never the same. */
function describe({ read, configs }: BoundZone, side: number): string {
  const { rulesets, program } = read.custom ?? {};
  const executed = [...(rulesets?.executable.values() ?? [])];
  const all = [
    ...Object.keys(levels).map((level) => rulesets?.entries[level as keyof typeof levels]),
    ...executed,
  ];
  const rules = all.map(
    (ruleset) => ruleset && [ruleset.ruleset.id, ruleset.rules.map(({ rule }) => describeRule(rule, side))],
  );
  const lists = [...(program?.lists ?? [])].map(([name, { type, items }]) => [name, type, items]);
  const print = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
  return JSON.stringify([rules, lists, [...configs]], print);
}

function describeRule(
  rule: { readonly expression: string; readonly undecided?: string },
  side: number,
): unknown {
  const isUnknown = rule.undecided !== undefined && (rule.expression ?? "") === "";
  return isUnknown ? [side, rule] : rule;
}
