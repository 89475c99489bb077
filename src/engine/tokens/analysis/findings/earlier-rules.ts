/** The rules before a rule, by operation; operations with the same earlier rules share one list. */

import { printExpression } from "../../expression/printer.ts";
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
}

/** Tracks the rules of a zone, which are added in order. */
export interface EarlierRulesTracker {
  before(covered: CoveredOperation): EarlierRules;
  /** Appends an enabled rule to the lists of the operations that it covers. */
  add(rule: ReadRule, covered: readonly CoveredOperation[]): void;
}

/** With `first` the first rule keeps all others from deciding; with `all` every rule with the action `block` does. */
export function trackEarlierRules(precedence: Precedence): EarlierRulesTracker {
  const empty: EarlierRules = { id: 0, rule: undefined, previous: undefined };
  const current = new Map<CoveredOperation, { earlier: EarlierRules; conditions: Set<string> }>();
  const interned = new Map<string, EarlierRules>();

  function append(previous: EarlierRules, rule: ReadRule, condition: string): EarlierRules {
    const key = `${previous.id} ${condition}`;
    const existing = interned.get(key);
    if (existing !== undefined) return existing;
    const appended = { id: interned.size + 1, rule, previous };
    interned.set(key, appended);
    return appended;
  }

  function addToOperation(rule: ReadRule, condition: string, covered: CoveredOperation): void {
    const state = current.get(covered) ?? { earlier: empty, conditions: new Set<string>() };
    current.set(covered, state);
    if (state.conditions.has(condition) || (precedence === "first" && state.earlier !== empty)) return;
    state.conditions.add(condition);
    state.earlier = append(state.earlier, rule, condition);
  }

  return {
    before: (covered) => current.get(covered)?.earlier ?? empty,
    add: (rule, covered) => {
      if (precedence === "all" && rule.rule.action !== "block") return;
      const condition = precedence === "first" ? rule.rule.id : printExpression(rule.expression);
      for (const operation of covered) addToOperation(rule, condition, operation);
    },
  };
}

/** The rules of a list, in order. */
export function rulesOf(earlier: EarlierRules): ReadRule[] {
  const rules: ReadRule[] = [];
  for (let current: EarlierRules | undefined = earlier; current?.rule; current = current.previous)
    rules.push(current.rule);
  return rules.reverse();
}
