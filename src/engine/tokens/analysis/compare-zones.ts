/**
 * Whether two zones do the same with every request; exact, with requests that show where they do not. What counts is
 * the verdict's action.
 *
 * Requests are taken apart by the operations that they match in the two zones; within such a part host and method are
 * known, and what is left is a question about expressions.
 */

import { InvalidInputError } from "../../../errors.ts";
import { references } from "../expression/references.ts";
import type { Verdict, VerdictAction } from "../verdict/verdict.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import {
  type ReadingOptions,
  type ReadRule,
  type ReadZone,
  readZone,
  type ZoneInput,
} from "../zone/zone-input.ts";
import { type BoundConfigs, bindConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeters, type Meter, withinBudget } from "./budget.ts";
import { type PlainRequest, type TokenState, tokenStateOf } from "./requests/concretize.ts";
import { type Diagram, never } from "./requests/decision-diagram.ts";
import { type Part, partsOf } from "./requests/partition.ts";
import type { StandIn } from "./requests/placeholder-token.ts";
import { compileStandIn, type StandInEngine } from "./requests/reference-engine.ts";
import { findRequest } from "./requests/search.ts";
import { createSpace, type Space } from "./requests/variables.ts";

/** How zones are compared. */
export interface ZoneComparisonOptions extends AnalysisOptions, ReadingOptions {
  /** Which of several covering rules count; `all` by default. */
  readonly precedence?: Precedence;
  /** Most differences that are told, at most one for each operation. Default 20. */
  readonly maxDifferences?: number;
}

/** Most differences when no number is given. */
const defaultMaxDifferences = 20;

/** What one zone does with a request. */
export interface SideOfDifference {
  readonly action: VerdictAction;
  /** The id of the rule that decided. */
  readonly rule?: string;
  readonly operationId?: string;
  /** What each configuration that is asked about this operation makes of the request. */
  readonly tokens: Readonly<Record<string, TokenState>>;
}

/** A request with which two zones do different things; the real engine has confirmed it. */
export interface ZoneDifference {
  readonly request: PlainRequest;
  /** Texts in the request's headers to be exchanged for valid tokens. */
  readonly standIns: readonly StandIn[];
  readonly left: SideOfDifference;
  readonly right: SideOfDifference;
}

/** How two zones compare. */
export type ZoneComparison =
  | { readonly result: "equivalent" }
  | { readonly result: "different"; readonly differences: readonly [ZoneDifference, ...ZoneDifference[]] }
  | { readonly result: "undecided"; readonly reason: string };

interface Side {
  readonly read: ReadZone;
  readonly configs: BoundConfigs;
  /** What each rule does: the same for rules that certainly do the same. */
  readonly meanings: ReadonlyMap<ReadRule, string>;
  readonly engine: StandInEngine;
}

/**
 * Compares two zones over all requests there can be.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const rule = { id: "r1", action: "block", enabled: true, selector } as const;
 * const zoneOf = (expression: string) => ({ configs: [], rules: [{ ...rule, expression }] });
 * const compared = compareZones(
 *   zoneOf('http.request.method in {"GET" "POST"}'),
 *   zoneOf('http.request.method eq "GET" or http.request.method eq "PUT"'),
 * );
 * if (compared.result === "different") compared.differences[0].request.method; // => "POST"
 * ```
 * @throws InvalidInputError when a zone cannot be read, with every problem
 */
export function compareZones(
  left: ZoneInput,
  right: ZoneInput,
  options: ZoneComparisonOptions = {},
): ZoneComparison {
  const { precedence = "all", maxDifferences = defaultMaxDifferences } = options;
  const numbers = new Map<string, string>();
  const sides = [
    readSide(left, "first", options, numbers),
    readSide(right, "second", options, numbers),
  ] as const;
  const takeMeter = createMeters(options);
  const differences: ZoneDifference[] = [];
  const equal = new Set<string>();
  let undecided: string | undefined;
  for (const part of partsOf(sides[0].read, sides[1].read)) {
    const acting = [
      actingRules(part.left, sides[0].meanings, precedence),
      actingRules(part.right, sides[1].meanings, precedence),
    ] as const;
    // The order of rules is nothing to the strongest action of those that act.
    const keys = acting.map((rules) => [...rules.keys()].sort().join());
    const key = part.group && JSON.stringify([part.group, ...keys]);
    if (keys[0] === keys[1] || (key !== undefined && equal.has(key))) continue;
    const compared = comparePart(
      part,
      [[...acting[0].values()], [...acting[1].values()]],
      sides,
      takeMeter(),
    );
    if (typeof compared === "string") undecided = compared;
    else if (compared !== undefined) differences.push(compared);
    else if (key !== undefined) equal.add(key);
    if (differences.length >= maxDifferences) break;
  }
  const [first, ...others] = differences;
  if (first !== undefined) return { result: "different", differences: [first, ...others] };
  return undecided === undefined ? { result: "equivalent" } : { result: "undecided", reason: undecided };
}

/** `numbers` gives what rules do short names, the same on both sides. */
function readSide(
  input: ZoneInput,
  which: string,
  options: ZoneComparisonOptions,
  numbers: Map<string, string>,
): Side {
  const read = readZone(input, options);
  if (read.problems.length > 0)
    throw new InvalidInputError(`The ${which} zone cannot be read`, read.problems);
  const configs = bindConfigs(read.configs);
  const meanings = new Map(
    read.rules.map((rule) => {
      const meaning = meaningOf(rule, configs);
      const number = numbers.get(meaning) ?? String(numbers.size);
      numbers.set(meaning, number);
      return [rule, number] as const;
    }),
  );
  return { read, configs, meanings, engine: compileStandIn(read, configs, options.precedence ?? "all") };
}

/** A difference, or why it is not known whether there is one. */
function comparePart(
  part: Part,
  rules: readonly [readonly ReadRule[], readonly ReadRule[]],
  sides: readonly [Side, Side],
  meter: Meter,
): ZoneDifference | string | undefined {
  return withinBudget(
    () => {
      const bound = rules.flatMap((list, i) =>
        list.map(({ expression }) => ({ expression, configs: sides[i]!.configs })),
      );
      const space = createSpace(bound, part.frame, meter);
      const [a, b] = rules.map((list, i) => actionsOf(space, list, sides[i]!.configs)) as [Actions, Actions];
      const { diagrams } = space;
      const differs = diagrams.combine(
        "or",
        diagrams.combine("xor", a.block, b.block),
        diagrams.combine("xor", a.log, b.log),
      );
      return showDifference(space, differs, sides);
    },
    (reason) => reason,
  );
}

/** The rules that are evaluated at all, by what they do: those that do the same count once. */
function actingRules(
  rules: readonly ReadRule[],
  meanings: ReadonlyMap<ReadRule, string>,
  precedence: Precedence,
): ReadonlyMap<string, ReadRule> {
  const enabled = rules.filter(({ rule }) => rule.enabled);
  const acting = precedence === "first" ? enabled.slice(0, 1) : enabled;
  return new Map(acting.map((rule) => [meanings.get(rule)!, rule]));
}

function meaningOf({ rule, expression }: ReadRule, configs: BoundConfigs): string {
  const ids = [...new Set(references(expression).map(({ id }) => id))];
  return JSON.stringify([rule.action, rule.expression, ids.map((id) => configs.get(id))]);
}

/** Where which action is taken. */
interface Actions {
  readonly block: Diagram;
  readonly log: Diagram;
}

/** A failing block counts whatever was logged before. */
function actionsOf({ diagrams, truth }: Space, rules: readonly ReadRule[], configs: BoundConfigs): Actions {
  const failing = (action: string) =>
    rules
      .filter(({ rule }) => rule.action === action)
      .map(({ expression }) => diagrams.not(truth(expression, configs)))
      .reduce((a, b) => diagrams.combine("or", a, b), never);
  const block = failing("block");
  return { block, log: diagrams.combine("and", failing("log"), diagrams.not(block)) };
}

function showDifference(
  space: Space,
  differs: Diagram,
  sides: readonly [Side, Side],
): ZoneDifference | string | undefined {
  const searched = findRequest(space, differs, ({ request }, tokens) => {
    const verdicts = sides.map(({ engine }) => engine(request, tokens)) as [Verdict, Verdict];
    return verdicts[0].action === verdicts[1].action ? undefined : verdicts;
  });
  if (searched.kind === "none") return undefined;
  if (searched.kind === "undecided") return searched.reason;
  const { realised, shown } = searched;
  const side = (i: 0 | 1): SideOfDifference => {
    const { action, rule, operation } = shown[i];
    const asked = space.configs.filter((config) => sides[i].configs.get(config.id) === config);
    return {
      action,
      ...(rule && { rule: rule.id }),
      ...(operation && { operationId: operation.operation_id }),
      tokens: Object.fromEntries(asked.map((config) => [config.id, tokenStateOf(config, realised)])),
    };
  };
  return { request: realised.request, standIns: realised.standIns, left: side(0), right: side(1) };
}
