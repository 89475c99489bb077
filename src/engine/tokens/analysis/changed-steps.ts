/** The steps of custom rules in which two zones differ. */

import type { CompiledCustom } from "../expression/compile.ts";
import { configReferences, testsOf } from "../expression/tree-queries.ts";
import { createProgram, type Program, type Step } from "../rulesets/program.ts";
import { mapPair, type Pair } from "./pair.ts";
import type { BoundZone } from "./rulesets/ruleset-part.ts";

/** The steps between those that both programs start and end with. */
export interface ChangedSteps {
  /** Whether a step of the first or the second program is one of them, or executes the ruleset of one. */
  readonly isChanged: (side: 0 | 1, at: number) => boolean;
  /** The positions, when the programs differ in nothing but expressions. */
  readonly expressions: readonly number[] | undefined;
}

/** The maximum number of steps that are looked at apart from the others (`chosen`). */
const maxSteps = 12;

/** The changed steps; undefined when there are many. */
export function changedSteps(zones: Pair<BoundZone>): ChangedSteps | undefined {
  const programs = mapPair(zones, ({ read }) =>
    createProgram(read.custom?.rulesets ?? { entries: {}, executable: new Map<string, never>() }),
  );
  const [left, right] = mapPair(programs, ({ steps }, i) =>
    steps.map((step) => describeStep(step, zones[i], i)),
  );
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start++;
  let end = 0;
  const shorter = Math.min(left.length, right.length) - start;
  while (end < shorter && left.at(-1 - end) === right.at(-1 - end)) end++;
  const ends = mapPair([left.length, right.length], (length) => length - end);
  if (ends.some((position) => position - start > maxSteps)) return undefined;
  const executes = mapPair(programs, ({ steps }, i) =>
    steps.map(({ rule, after }, at) => rule.action === "execute" && at < ends[i] && after > start),
  );
  return {
    isChanged: (side, at) => (at >= start && at < ends[side]) || executes[side][at] === true,
    expressions: changedExpressions(programs, [start, ends[0]]),
  };
}

/** All that a step does, except where the steps are that it leads to. Rules without an expression are never the same. */
function describeStep(
  { level, ruleset, rule, expression }: Step<CompiledCustom>,
  zone: BoundZone,
  side: number,
): string {
  const print = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
  const known = expression === undefined ? describeUnknown(rule, side) : describeReferences(expression, zone);
  return JSON.stringify([level, ruleset.id, rule, known], print);
}

function describeUnknown({ expression = "" }: { readonly expression?: string }, side: number): unknown {
  return expression === "" ? side : expression;
}

/** The lists and configurations that an expression refers to. */
function describeReferences({ tree, allConfigs }: CompiledCustom, { read, configs }: BoundZone): unknown {
  const lists = testsOf(tree).flatMap((test) =>
    test.kind === "comparison" && test.right.kind === "list" ? [test.right.name] : [],
  );
  const ids = allConfigs ? [...configs.keys()] : configReferences(tree).map(({ id }) => id);
  return [
    lists.map((name) => read.custom?.program.lists.get(name)?.items ?? null),
    ids.map((id) => configs.get(id) ?? null),
  ];
}

/** The changed positions, when steps with the same positions differ in their expressions alone. */
function changedExpressions(
  [left, right]: Pair<Program<CompiledCustom>>,
  [start, end]: readonly [number, number],
): readonly number[] | undefined {
  if (left.steps.length !== right.steps.length) return undefined;
  const withoutExpression = ({ level, ruleset, rule, expression }: Step<CompiledCustom>) =>
    JSON.stringify([level, ruleset.id, { ...rule, expression: "" }, expression !== undefined]);
  const positions = Array.from({ length: end - start }, (_, i) => start + i);
  const isSame = positions.every((at) => {
    const [leftStep, other] = [left.steps[at], right.steps[at]];
    return (
      leftStep !== undefined &&
      other !== undefined &&
      withoutExpression(leftStep) === withoutExpression(other)
    );
  });
  return isSame ? positions : undefined;
}
