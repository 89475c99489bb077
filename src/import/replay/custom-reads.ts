/** The fields of a recorded request that custom rules read. */

import { knownFields } from "../../engine/tokens/expression/language/fields.ts";
import type { Expression, FieldValue, IndexValue, Value } from "../../engine/tokens/expression/tree.ts";
import { configsOf, valuesOf } from "../../engine/tokens/expression/tree-queries.ts";
import type { CustomVerdict } from "../../engine/tokens/rulesets/ruleset-verdict.ts";
import type { ReadCustomRules, ReadZone } from "../../engine/tokens/zone/zone-input.ts";
import { type RuleField, ruleField } from "./rule-fields.ts";

/** The values that the expression of a rule reads. */
export interface CustomReads {
  readonly fields: readonly RuleField[];
  /** The configurations whose tokens it reads; undefined for all. */
  readonly configs: readonly string[] | undefined;
}

/** The name of a custom rule in a map. */
export function customRuleKey(ruleset: string, rule: string): string {
  return JSON.stringify([ruleset, rule]);
}

/** The values that each rule reads, by its key. */
export function customReads({
  rulesets: { entries, executable },
}: ReadCustomRules): Map<string, CustomReads> {
  const all = [entries.account, entries.zone, ...executable.values()];
  return new Map(
    all.flatMap((ruleset) =>
      (ruleset?.rules ?? []).flatMap(({ rule, expression }) =>
        ruleset === undefined || expression === undefined
          ? []
          : [[customRuleKey(ruleset.ruleset.id, rule.id), readsOf(expression.tree)] as const],
      ),
    ),
  );
}

/** Every field that the custom rules of a zone can read. */
export function customFieldsOf({ custom }: ReadZone): readonly RuleField[] {
  return custom === undefined ? [] : [...customReads(custom).values()].flatMap(({ fields }) => fields);
}

/** The results of rules whose expression may have been evaluated. */
const evaluated: ReadonlySet<string> = new Set(["matched", "not_matched", "undecided"]);

/** The keys of the rules of a verdict that may have been evaluated. */
export function evaluatedKeys({ rules }: CustomVerdict): readonly string[] {
  return rules.flatMap(({ ruleset, rule, result }) =>
    evaluated.has(result) ? [customRuleKey(ruleset, rule)] : [],
  );
}

function readsOf(tree: Expression): CustomReads {
  const { configs, allConfigs } = configsOf(tree);
  const values = valuesOf(tree);
  const named = values.filter(isNamed);
  // The map around a name is no field of its own.
  const maps = new Set<Value>(named.map(({ of }) => of));
  const fields = [
    ...named.flatMap((value) => fieldsOfName(value, values)),
    ...values.flatMap((value) => (maps.has(value) ? [] : fieldsOf(value))),
  ];
  return { fields, configs: allConfigs ? undefined : configs };
}

/** The parts of a recording that fields without a name of their own read. */
const wholeFields: ReadonlyMap<string, readonly RuleField[]> = new Map([
  ["http.request.uri", [ruleField("query", "")]],
  ["http.request.uri.query", [ruleField("query", "")]],
  ["http.request.uri.args", [ruleField("query", "")]],
  ["http.request.full_uri", [ruleField("query", "")]],
  ["raw.http.request.uri", [ruleField("query", "")]],
  ["raw.http.request.full_uri", [ruleField("query", "")]],
  ["http.cookie", [ruleField("cookie", "")]],
  ["http.request.cookies", [ruleField("cookie", "")]],
  ["http.request.headers", [ruleField("header", "")]],
  ["http.user_agent", [ruleField("header", "user-agent")]],
  ["http.referer", [ruleField("header", "referer")]],
  ["http.x_forwarded_for", [ruleField("header", "x-forwarded-for")]],
]);

/** Values by name of a map that recordings have in parts. */
type NamedValue = IndexValue & { readonly key: string; readonly of: FieldValue };

const parts: ReadonlyMap<string, "header" | "cookie"> = new Map([
  ["http.request.headers", "header"],
  ["http.request.cookies", "cookie"],
]);

function isNamed(value: Value): value is NamedValue {
  return (
    value.kind === "index" &&
    typeof value.key === "string" &&
    value.of.kind === "field" &&
    parts.has(value.of.name)
  );
}

/** One of the values, or all: the first, which every recorder has, and those that some leave out. */
function fieldsOfName(value: NamedValue, all: readonly Value[]): readonly RuleField[] {
  const part = parts.get(value.of.name) ?? "header";
  const index = all.find((other): other is IndexValue => other.kind === "index" && other.of === value);
  const indexes = typeof index?.key === "number" ? [index.key] : [0, 1];
  return indexes.map((at) => ruleField(part, value.key, at));
}

function fieldsOf(value: Value): readonly RuleField[] {
  const base = value.kind === "field" ? knownFields.get(value.name)?.base : undefined;
  return wholeFields.get(base ?? "") ?? [];
}
