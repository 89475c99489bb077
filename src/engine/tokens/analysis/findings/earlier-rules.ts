/** Which rules stand before a rule, operation by operation; operations with the same ones share one list. */

import { printExpression } from "../../expression/printer.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadRule } from "../../zone/zone-input.ts";
import type { Covered } from "./rule-coverage.ts";

/** Rules that may keep later ones from deciding; expressions that are the same count once. */
export interface Ahead {
  readonly number: number;
  readonly rule: ReadRule | undefined;
  /** Those before this one; undefined at the beginning. */
  readonly previous: Ahead | undefined;
}

/** Follows the rules in order. */
export interface AheadTracker {
  ofOperation(covered: Covered): Ahead;
  /** Puts an enabled rule behind those so far, wherever it covers something. */
  pass(rule: ReadRule, covered: readonly Covered[]): void;
}

/** With `first` the first rule keeps all others from deciding, with `all` every block does. */
export function trackAhead(precedence: Precedence): AheadTracker {
  const none: Ahead = { number: 0, rule: undefined, previous: undefined };
  const current = new Map<Covered, { ahead: Ahead; texts: Set<string> }>();
  const interned = new Map<string, Ahead>();

  function append(previous: Ahead, rule: ReadRule, text: string): Ahead {
    const key = `${previous.number} ${text}`;
    const existing = interned.get(key);
    if (existing !== undefined) return existing;
    const ahead = { number: interned.size + 1, rule, previous };
    interned.set(key, ahead);
    return ahead;
  }

  function passOne(rule: ReadRule, text: string, covered: Covered): void {
    const state = current.get(covered) ?? { ahead: none, texts: new Set<string>() };
    current.set(covered, state);
    if (state.texts.has(text) || (precedence === "first" && state.ahead !== none)) return;
    state.texts.add(text);
    state.ahead = append(state.ahead, rule, text);
  }

  return {
    ofOperation: (covered) => current.get(covered)?.ahead ?? none,
    pass: (rule, covered) => {
      if (precedence === "all" && rule.rule.action !== "block") return;
      const text = precedence === "first" ? rule.rule.id : printExpression(rule.expression);
      for (const one of covered) passOne(rule, text, one);
    },
  };
}

/** The rules themselves, in order. */
export function rulesOf(ahead: Ahead): ReadRule[] {
  const rules: ReadRule[] = [];
  for (let at: Ahead | undefined = ahead; at?.rule !== undefined; at = at.previous) rules.push(at.rule);
  return rules.reverse();
}
