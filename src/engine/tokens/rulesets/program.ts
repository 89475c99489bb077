/** The rules of both entry points as one list of steps, with the rules of executed rulesets in place. */

import { customActions } from "./actions.ts";
import { type Level, levels, type ReadRuleset, type ReadRulesets } from "./input/read-rulesets.ts";
import type { CustomRule, Ruleset } from "./model.ts";

/** One rule at one place of the evaluation. */
export interface Step<E> {
  readonly ruleset: Ruleset;
  readonly rule: CustomRule;
  /** RFC 6901 pointer of the rule. */
  readonly at: string;
  readonly level: Level;
  readonly enabled: boolean;
  /** Undefined when an import states that it cannot be evaluated. */
  readonly expression: E | undefined;
  /** Whether the action ends the evaluation. */
  readonly ends: "block" | "challenge" | undefined;
  /** The step after the ruleset that an `execute` runs; of other actions, the next step. */
  readonly after: number;
  /** The step after the ruleset. */
  readonly rulesetEnd: number;
  /** The step after the level. */
  readonly levelEnd: number;
}

/** The steps, in the order of evaluation. */
export interface Program<E> {
  readonly steps: readonly Step<E>[];
  /** The places of rules, by the ids of their ruleset and their own. */
  readonly places: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
  /** The ids of the rulesets of the phase, also of those that no step is of. */
  readonly rulesets: ReadonlySet<string>;
}

/** Creates the program of rulesets. */
export function createProgram<E>({
  entries,
  executable,
}: Pick<ReadRulesets<E>, "entries" | "executable">): Program<E> {
  const steps: Step<E>[] = [];
  for (const level of Object.keys(levels) as Level[]) {
    const entry = entries[level];
    if (entry !== undefined) addLevel(steps, level, entry, executable);
  }
  const ids = Object.values(entries).map(({ ruleset }) => ruleset.id);
  return { steps, places: placesOf(steps), rulesets: new Set([...ids, ...executable.keys()]) };
}

function addLevel<E>(
  steps: Step<E>[],
  level: Level,
  entry: ReadRuleset<E>,
  executable: ReadonlyMap<string, ReadRuleset<E>>,
): void {
  const executedBy = (rule: CustomRule) =>
    rule.action === "execute" ? executable.get(rule.action_parameters?.id ?? "") : undefined;
  const sizes = entry.rules.map(({ rule }) => 1 + (executedBy(rule)?.rules.length ?? 0));
  const levelEnd = steps.length + sizes.reduce((sum, size) => sum + size, 0);
  for (const [i, read] of entry.rules.entries()) {
    const after = steps.length + (sizes[i] ?? 1);
    const executed = executedBy(read.rule);
    steps.push(stepOf(entry, read, level, { after, rulesetEnd: levelEnd, levelEnd }));
    for (const inner of executed?.rules ?? [])
      steps.push(
        stepOf(executed ?? entry, inner, level, { after: steps.length + 1, rulesetEnd: after, levelEnd }),
      );
  }
}

function stepOf<E>(
  { ruleset }: ReadRuleset<E>,
  { rule, expression, at }: ReadRuleset<E>["rules"][number],
  level: Level,
  places: Pick<Step<E>, "after" | "rulesetEnd" | "levelEnd">,
): Step<E> {
  const { ends } = customActions[rule.action];
  return { ruleset, rule, at, level, enabled: rule.enabled !== false, expression, ends, ...places };
}

function placesOf(steps: readonly Step<unknown>[]): Map<string, Map<string, number[]>> {
  const places = new Map<string, Map<string, number[]>>();
  for (const [i, { ruleset, rule }] of steps.entries()) {
    const ofRuleset = places.get(ruleset.id) ?? new Map<string, number[]>();
    const ofRule = ofRuleset.get(rule.id) ?? [];
    ofRule.push(i);
    places.set(ruleset.id, ofRuleset.set(rule.id, ofRule));
  }
  return places;
}
