/** Changes of a comparison: its operator, or one of its strings. */

import type { Comparison } from "../../expression/ast.ts";
import type { MutantKind } from "./mutant.ts";

/** A changed comparison. */
export interface PartChange {
  readonly kind: MutantKind;
  readonly changed: Comparison;
}

/** The operator that takes the place of another one. */
const otherOperators: Readonly<Record<string, "eq" | "ne" | "contains" | "wildcard" | "strict wildcard">> = {
  eq: "ne",
  ne: "eq",
  contains: "eq",
  wildcard: "strict wildcard",
  "strict wildcard": "wildcard",
};

/** Every change of a comparison; operators that are not listed have none. */
export function comparisonChanges(comparison: Comparison, hosts: readonly string[]): readonly PartChange[] {
  const kind = kindOf(comparison);
  const values = otherValues(comparison, hosts).map((changed) => ({ kind, changed }));
  return [...operatorChanges(comparison), ...values];
}

function operatorChanges(comparison: Comparison): readonly PartChange[] {
  if (!("value" in comparison)) return [];
  const operator = otherOperators[comparison.operator];
  if (operator === undefined) return [];
  return [{ kind: "operator", changed: { ...comparison, operator } as Comparison }];
}

function kindOf({ field }: Comparison): MutantKind {
  if (field.name === "http.request.method") return "method";
  return field.name === "http.host" ? "host" : "value";
}

/** The comparison with one string changed; a set also with one string less. */
function otherValues(comparison: Comparison, hosts: readonly string[]): readonly Comparison[] {
  const { name } = comparison.field;
  if (comparison.operator === "in") {
    const { values } = comparison;
    const fewer = values.length === 1 ? [] : values.map((_, i) => values.toSpliced(i, 1));
    const changed = values.flatMap((value, i) =>
      otherStrings(name, value, hosts, values).map((other) => values.with(i, other)),
    );
    return [...fewer, ...changed].map((list) => ({ ...comparison, values: list }));
  }
  if (!("value" in comparison) || typeof comparison.value !== "string") return [];
  const { operator, value } = comparison;
  const others = operator.endsWith("wildcard")
    ? otherPattern(value)
    : otherStrings(name, value, hosts, [value]);
  return others.map((other) => ({ ...comparison, value: other }) as Comparison);
}

/** A string that is not among those used: the next method or host, else the string with one more letter. */
function otherStrings(
  field: string,
  value: string,
  hosts: readonly string[],
  used: readonly string[],
): readonly string[] {
  const known = field === "http.request.method" ? methods : field === "http.host" ? hosts : [];
  return [known.find((other) => !used.includes(other)) ?? `${value}x`];
}

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

/** The pattern without its last star, or with one. */
function otherPattern(pattern: string): readonly string[] {
  if (!/(?<!\\)(?:\\\\)*\*$/.test(pattern)) return [`${pattern}*`];
  return pattern === "*" ? [] : [pattern.slice(0, -1)];
}
