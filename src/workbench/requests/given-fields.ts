/** The fields of custom rules whose values only the test can say: the page has an input for each. */

import { type FieldSource, knownFields } from "../../engine/tokens/expression/language/fields.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { valuesOf } from "../../engine/tokens/expression/tree-queries.ts";
import type { GivenFieldView, RulesetView } from "../messages.ts";

/** `ip` and `body` are members of a request; these are in its `fields`. */
const sources: readonly FieldSource[] = ["ip", "body", "zone", "url", "given", "constant"];

/** The fields that the rules read, each once, in alphabetical order. */
export function readGivenFields(rulesets: readonly RulesetView[]): readonly GivenFieldView[] {
  const names = new Set(
    rulesets.flatMap(({ rules }) => rules.flatMap(({ expression }) => fieldsOf(expression))),
  );
  return [...names].sort().flatMap((name): GivenFieldView[] => {
    const { type = "", source, help = "" } = knownFields.get(name) ?? {};
    return source !== undefined && sources.includes(source) ? [{ name, type, help }] : [];
  });
}

/** The fields of an expression by the names that a request uses. */
function fieldsOf(expression: string): readonly string[] {
  const parsed = parseExpression(expression, { rules: "custom" });
  if (!parsed.ok) return [];
  return valuesOf(parsed.value).flatMap((value) =>
    value.kind === "field" ? (knownFields.get(value.name)?.base ?? []) : [],
  );
}
