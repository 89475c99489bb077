/** The expressions of rules in phases that are not evaluated: they are checked with the words of their phase. */

import { isJsonObject } from "../../../../core/json-value.ts";
import { pointer, quote } from "../../../../errors.ts";
import {
  type CheckedPhase,
  checkedPhases,
  type RuleKind,
  ruleKinds,
} from "../../expression/language/rule-kinds.ts";
import { customPhase } from "../model.ts";

/** An expression of a rule in such a phase. */
export interface OtherExpression {
  readonly kind: RuleKind;
  /** The expression as given, of any type. */
  readonly text: unknown;
  /** RFC 6901 pointer of the expression. */
  readonly at: string;
}

/** Whether the expressions of a phase are checked. */
export function isCheckedPhase(phase: unknown): phase is CheckedPhase {
  return typeof phase === "string" && Object.hasOwn(checkedPhases, phase);
}

/** The expressions of rules, without those that an import could not read; undefined for a phase whose expressions are not known. */
export function otherExpressions(
  phase: unknown,
  rules: readonly unknown[],
  at: string,
): readonly OtherExpression[] | undefined {
  if (!isCheckedPhase(phase)) return undefined;
  const parts = Object.entries<string>(checkedPhases[phase]);
  return rules.flatMap((rule, i) => {
    if (!isJsonObject(rule) || rule["undecided"] !== undefined) return [];
    const here = at + pointer(i);
    return [
      { kind: phase, text: rule["expression"], at: `${here}/expression` },
      ...parts.flatMap(([path, part]) => {
        const kind = `${part} of ${phase}` as RuleKind;
        return [...valuesAt(rule, path.split("/"), here)].map((found) => ({ kind, ...found }));
      }),
    ];
  });
}

/** The values at a path, in which `*` is any name or position, without those that say nothing; of a list, those of its elements. */
function* valuesAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  at: string,
): Generator<{ readonly text: unknown; readonly at: string }> {
  if (name === undefined) {
    if (value !== undefined && value !== null && value !== "") yield { text: value, at };
  } else if (isJsonObject(value)) {
    const found = Object.entries(value).filter(([own]) => name === "*" || own === name);
    for (const [own, part] of found) yield* valuesAt(part, rest, at + pointer(own));
  } else if (Array.isArray(value)) {
    const path = name === "*" ? rest : [name, ...rest];
    for (const [i, part] of value.entries()) yield* valuesAt(part, path, at + pointer(i));
  }
}

/** The kind of the expression at the names of members within a rule; undefined for another value. */
export function kindAt(phase: string | undefined, names: readonly string[]): RuleKind | undefined {
  const part = names.at(-1) === "counting_expression" ? "counting expressions" : "values";
  const kind = names.join() === "expression" ? phase : `${part} of ${phase}`;
  return kind === customPhase ? "custom" : ruleKinds.find((known) => known === kind);
}

/** The sentence about the rules of a phase: whether their expressions are checked, and how many. */
export function describePhase(phase: string, expressions: readonly unknown[] | undefined): string {
  const count = expressions?.length;
  const checked = count === undefined ? "" : "checked, ";
  const counted = count === undefined ? "" : ` (${count} ${count === 1 ? "expression" : "expressions"})`;
  return `The rules of the phase ${quote(phase)} are ${checked}not evaluated${counted}.`;
}
