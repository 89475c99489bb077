/** The rules before a rule, by operation; operations with the same earlier rules share one list. */

import { printTree } from "../../expression/printer.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadRule } from "../../zone/zone-input.ts";
import type { CoveredOperation } from "./rule-coverage.ts";

/** A linked list of rules that may keep later ones from deciding; of equal expressions only the first is in it. */
export interface EarlierRules {
  /** Equal for equal lists. */
  readonly id: number;
  /** The last rule of the list; undefined when the list is empty. */
  readonly rule: ReadRule | undefined;
  /** The list without its last rule. */
  readonly previous: EarlierRules | undefined;
  /** The expression of the last rule in printed form, or its id where the first rule decides. */
  readonly condition: string | undefined;
}

/** Tracks the rules of a zone, which are added in order. */
export interface EarlierRulesTracker {
  before(covered: CoveredOperation): EarlierRules;
  /** Appends an enabled rule to the lists of the operations that it covers. */
  add(rule: ReadRule, covered: readonly CoveredOperation[]): void;
}

/** With `first` the first rule keeps all others from deciding; with `all` every rule with the action `block` does. */
export function trackEarlierRules(precedence: Precedence): EarlierRulesTracker {
  const empty: EarlierRules = { id: 0, rule: undefined, previous: undefined, condition: undefined };
  const current = new Map<CoveredOperation, EarlierRules>();
  const longer = new Map<EarlierRules, Map<string, EarlierRules>>();
  let lists = 0;

  function append(previous: EarlierRules, rule: ReadRule, condition: string): EarlierRules {
    if (precedence === "first" && previous !== empty) return previous;
    if (hasCondition(previous, condition)) return previous;
    const known = longer.get(previous) ?? new Map<string, EarlierRules>();
    longer.set(previous, known);
    const appended = known.get(condition) ?? { id: ++lists, rule, previous, condition };
    known.set(condition, appended);
    return appended;
  }

  return {
    before: (covered) => current.get(covered) ?? empty,
    add: (rule, covered) => {
      if (precedence === "all" && rule.rule.action !== "block") return;
      const condition = precedence === "first" ? rule.rule.id : printTree(rule.expression);
      const appended = new Map<EarlierRules, EarlierRules>();
      for (const operation of covered) {
        const previous = current.get(operation) ?? empty;
        const list = appended.get(previous) ?? append(previous, rule, condition);
        appended.set(previous, list);
        current.set(operation, list);
      }
    },
  };
}

function hasCondition(list: EarlierRules, condition: string): boolean {
  for (let current: EarlierRules | undefined = list; current; current = current.previous)
    if (current.condition === condition) return true;
  return false;
}

/** The rules of a list, in order. */
export function rulesOf(earlier: EarlierRules): ReadRule[] {
  const rules: ReadRule[] = [];
  for (let current: EarlierRules | undefined = earlier; current?.rule; current = current.previous)
    rules.push(current.rule);
  return rules.reverse();
}
