/** Coverage of a zone by the requests of a test run: rules, parts of expressions, and reasons. */

import {
  aBoolean,
  aNumber,
  arrayOf,
  aString,
  objectWith,
  optional,
  optionsOf,
  recordOf,
  requireArgument,
} from "../../../core/arguments.ts";
import { InvalidInputError, quote } from "../../../errors.ts";
import { printedTree } from "../expression/printer.ts";
import type { Expression } from "../expression/tree.ts";
import { leavesOf, tokenTestOf } from "../expression/tree-queries.ts";
import { type Reason, reasons } from "../model.ts";
import { nameWithTitle } from "../name-with-title.ts";
import { createProgram } from "../rulesets/program.ts";
import { type StepResult, stepResults } from "../rulesets/run.ts";
import {
  type ReadConfig,
  type ReadCustomRules,
  type ReadingOptions,
  type ReadRule,
  type ReadZone,
  readingMembers,
  readZone,
  type ZoneInput,
} from "../zone/zone-input.ts";
import { customTraces } from "./lazy-verdict.ts";
import type { TracedExpression } from "./trace-tree.ts";
import { type PlainVerdict, type RuleOutcome, ruleOutcomes } from "./verdict.ts";

/** How often a part of an expression decided, by value. */
export interface AtomCoverage {
  /** In canonical spelling. */
  readonly text: string;
  /** Number of decisions in which it was true. */
  readonly true: number;
  /** Number of decisions in which it was false. */
  readonly false: number;
}

/** The results of a rule: the number of verdicts for each. */
export interface RuleCoverage extends Readonly<Record<RuleOutcome, number>> {
  /** Id of the rule. */
  readonly id: string;
  /** For people. */
  readonly title?: string;
  /** Whether the rule is evaluated at all. */
  readonly enabled: boolean;
  /** The parts of its expression, each once; `any` and `all` are one part. */
  readonly atoms: readonly AtomCoverage[];
}

/** The results of a custom rule: the number of verdicts for each. */
export interface CustomRuleCoverage extends Readonly<Record<StepResult, number>> {
  /** Id of the ruleset. */
  readonly ruleset: string;
  /** Id of the rule. */
  readonly id: string;
  /** For people. */
  readonly description?: string;
  /** Whether the rule is evaluated at all. */
  readonly enabled: boolean;
  /** The parts of its expression, each once; `any` and `all` are one part. */
  readonly atoms: readonly AtomCoverage[];
}

/** The results of a configuration's token checks. */
export interface ConfigCoverage {
  /** Id of the configuration. */
  readonly id: string;
  /** For people. */
  readonly title?: string;
  /** Whether an enabled rule tests that its tokens are valid. */
  readonly isChecked: boolean;
  /** Number of checks by reason. */
  readonly reasons: Readonly<Record<Reason, number>>;
}

/** The number of verdicts on an operation. */
export interface OperationCoverage {
  /** Id of the operation. */
  readonly id: string;
  /** Number of verdicts. */
  readonly verdicts: number;
}

/** The coverage of a zone by a list of verdicts. */
export interface CoverageCounts {
  /** Number of verdicts. */
  readonly verdicts: number;
  /** One entry per rule, in the order of the zone. */
  readonly rules: readonly RuleCoverage[];
  /** One entry per custom rule that can be evaluated, in the order of evaluation. */
  readonly custom: readonly CustomRuleCoverage[];
  /** One entry per configuration, in the order of the zone. */
  readonly configs: readonly ConfigCoverage[];
  /** Empty when the zone lists no operations. */
  readonly operations: readonly OperationCoverage[];
  /** Everything that was never exercised, a sentence each, in the order of the zone. */
  readonly missing: readonly string[];
}

/** Collects verdicts. */
export interface Coverage {
  /** Adds a verdict and returns it, so that a call can be wrapped. */
  add<V extends PlainVerdict>(verdict: V): V;
  /** The coverage so far. */
  report(): CoverageCounts;
  /** The report for people. */
  print(): string;
}

interface Counts {
  verdicts: number;
  /** For each subject, whose key {@link keyOf} creates, how often each of its results or values was seen. */
  readonly seen: Map<string, Map<string, number>>;
}

const aDecider = objectWith({ text: aString, value: aBoolean });

const traced = objectWith({
  operation: optional(objectWith({ operation_id: aString })),
  rules: arrayOf(objectWith({ id: aString, result: aString })),
  trace: objectWith({
    expressions: arrayOf(objectWith({ ruleId: aString, decidedBy: arrayOf(aDecider) })),
    tokens: arrayOf(objectWith({ configId: aString, reason: optional(aString) })),
  }),
  custom: optional(
    objectWith({
      rules: arrayOf(objectWith({ ruleset: aString, rule: aString, result: aString })),
      expressions: arrayOf(objectWith({ ruleset: aString, rule: aString, decidedBy: arrayOf(aDecider) })),
    }),
  ),
});

const coverageOptions = optionsOf<ReadingOptions>("createCoverage", readingMembers);

/**
 * Starts to collect the verdicts on a zone.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method eq "GET"';
 * const input = { configs: [], rules: [{ id: "r1", action: "block", enabled: true, expression, selector } as const] };
 * const coverage = createCoverage(input);
 * const zone = await compileZone(input);
 * coverage.add(await zone.evaluate({ method: "GET", url: "https://api.example.com/" }));
 * coverage.report().missing;
 * // => ["rule `r1` never fired", 'rule `r1`: http.request.method eq "GET" was never decisive as false']
 * ```
 * @throws InvalidInputError when the zone cannot be read, with every problem
 */
export function createCoverage(input: ZoneInput, options: ReadingOptions = {}): Coverage {
  requireArgument("options", options, coverageOptions);
  const read = readZone(input, options);
  if (!read.ok) throw new InvalidInputError("The zone cannot be read", read.problems);
  const zone = read.value;
  const counts: Counts = { verdicts: 0, seen: new Map() };
  const report = () => createReport(zone, counts);
  return {
    add: (verdict) => {
      requireArgument("verdict", verdict, traced);
      count(counts, verdict);
      return verdict;
    },
    report,
    print: () => printCoverage(report()),
  };
}

/** A count for each name. */
const countKinds = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, optional(aNumber)]));

const aCoverage = objectWith({
  verdicts: aNumber,
  rules: arrayOf(objectWith({ id: aString, title: optional(aString), ...countKinds(ruleOutcomes) })),
  custom: arrayOf(
    objectWith({
      ruleset: aString,
      id: aString,
      description: optional(aString),
      ...countKinds(stepResults),
    }),
  ),
  configs: arrayOf(objectWith({ id: aString, title: optional(aString), reasons: recordOf(aNumber) })),
  operations: arrayOf(objectWith({ verdicts: aNumber })),
  missing: arrayOf(aString),
});

/**
 * The report for people: a line for each rule and configuration, then what is missing.
 *
 * @example
 * ```ts
 * printCoverage({ verdicts: 0, rules: [], custom: [], configs: [], operations: [], missing: [] });
 * // => "0 verdicts, everything exercised\n"
 * ```
 */
export function printCoverage(coverage: CoverageCounts): string {
  requireArgument("coverage", coverage, aCoverage);
  const { verdicts, rules, custom, configs, operations, missing } = coverage;
  const ruleLines = rules.map((rule) => `  rule ${nameWithTitle(rule)}: ${printCounts(rule, ruleOutcomes)}`);
  const customLines = custom.map((rule) => `  ${nameOfCustom(rule)}: ${printCounts(rule, stepResults)}`);
  const configLines = configs.map(
    (config) => `  configuration ${nameWithTitle(config)}: ${printCounts(config.reasons, reasons)}`,
  );
  const seen = operations.filter((operation) => operation.verdicts > 0).length;
  const operationLines =
    operations.length === 0 ? [] : [`  operations: ${seen} of ${operations.length} had requests`];
  const summary = missing.length === 0 ? "everything exercised" : `${missing.length} not exercised`;
  const missingLines = missing.map((sentence) => `  - ${sentence}`);
  return `${[`${verdicts} verdicts, ${summary}`, ...ruleLines, ...customLines, ...configLines, ...operationLines, ...missingLines].join("\n")}\n`;
}

/** The counts that are not zero. */
function printCounts<N extends string>(counts: Readonly<Record<N, number>>, names: readonly N[]): string {
  const seen = names.filter((name) => counts[name] > 0);
  return seen.map((name) => `${name} ${counts[name]}`).join(", ") || "nothing";
}

function nameOfCustom({ ruleset, id, description }: CustomRuleCoverage): string {
  return `custom rule ${nameWithTitle({ id, title: description })} of ruleset ${quote(ruleset)}`;
}

function keyOf(parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function count(counts: Counts, verdict: PlainVerdict): void {
  const { operation, rules, trace, custom } = verdict;
  const { seen } = counts;
  const add = (subject: readonly string[], ...found: readonly string[]) => {
    const key = keyOf(subject);
    const times = seen.get(key) ?? new Map<string, number>();
    seen.set(key, times);
    for (const result of found) times.set(result, (times.get(result) ?? 0) + 1);
  };
  // A part that a rule has twice decides once.
  const addParts = (rule: readonly string[], decidedBy: TracedExpression["decidedBy"]) =>
    add(rule, ...new Set(decidedBy.map(({ text, value }) => `${value} ${text}`)));
  counts.verdicts++;
  if (operation) add(["operation"], operation.operation_id);
  for (const { id, result } of rules) add(["rule", id], result);
  for (const { ruleId, decidedBy } of trace.expressions) addParts(["rule", ruleId], decidedBy);
  for (const { ruleset, rule, result } of custom?.rules ?? []) add(["rule", ruleset, rule], result);
  for (const { ruleset, rule, decidedBy } of customTraces(verdict))
    addParts(["rule", ruleset, rule], decidedBy);
  for (const { configId, reason } of trace.tokens) if (reason) add(["reason", configId], reason);
}

/** How often something was seen of a subject. */
type Times = (subject: readonly string[], found: string) => number;

function createReport(zone: ReadZone, { verdicts, seen }: Counts): CoverageCounts {
  const times: Times = (subject, found) => seen.get(keyOf(subject))?.get(found) ?? 0;
  const rules = zone.rules.map(({ rule: { id, title, enabled }, expression }) => {
    const named = title === undefined ? {} : { title };
    return { id, ...named, enabled, ...countsOf(["rule", id], expression, ruleOutcomes, times) };
  });
  const custom = zone.custom === undefined ? [] : customRules(zone.custom, times);
  const checked = new Set(zone.rules.flatMap(checkedConfigs));
  const configs = zone.configs.map((config) => configCoverage(config, checked.has(config.id), times));
  const operations = (zone.operations ?? []).map(({ operation: { operation_id: id } }) => {
    return { id, verdicts: times(["operation"], id) };
  });
  const missing = [
    ...rules.flatMap((rule) => missingOfRule(`rule ${nameWithTitle(rule)}`, rule)),
    ...custom.flatMap((rule) => missingOfRule(nameOfCustom(rule), rule)),
    ...configs.filter(({ isChecked }) => isChecked).flatMap(missingOfConfig),
    ...operations
      .filter(({ verdicts }) => verdicts === 0)
      .map(({ id }) => `operation ${quote(id)} had no request`),
  ];
  return { verdicts, rules, custom, configs, operations, missing };
}

/** The custom rules in the order of evaluation; a ruleset that several rules execute has its rules once. */
function customRules({ rulesets }: ReadCustomRules, times: Times): CustomRuleCoverage[] {
  const { steps } = createProgram(rulesets);
  const distinct = new Map(steps.map((step) => [keyOf([step.ruleset.id, step.rule.id]), step]));
  return Array.from(distinct.values(), ({ ruleset, rule: { id, description }, enabled, expression }) => {
    const named = description === undefined ? {} : { description };
    const counts = countsOf(["rule", ruleset.id, id], expression?.tree, stepResults, times);
    return { ruleset: ruleset.id, id, ...named, enabled, ...counts };
  });
}

/** The results of a rule of either kind, and the values with which its parts decided. */
function countsOf<R extends string>(
  rule: readonly string[],
  expression: Expression | undefined,
  results: readonly R[],
  times: Times,
): Record<R, number> & { readonly atoms: readonly AtomCoverage[] } {
  const counts = results.map((result) => [result, times(rule, result)] as const);
  // A constant cannot have another value.
  const leaves =
    expression === undefined ? [] : leavesOf(expression).filter(({ kind }) => kind !== "constant");
  const atoms = Array.from(new Set(leaves.map(printedTree)), (text) => {
    return { text, true: times(rule, `true ${text}`), false: times(rule, `false ${text}`) };
  });
  return { ...(Object.fromEntries(counts) as Record<R, number>), atoms };
}

function configCoverage({ id, title }: ReadConfig, isChecked: boolean, times: Times): ConfigCoverage {
  const counts = reasons.map((reason) => [reason, times(["reason", id], reason)] as const);
  const named = title === undefined ? {} : { title };
  return { id, ...named, isChecked, reasons: Object.fromEntries(counts) as Record<Reason, number> };
}

/** The configurations whose tokens a rule checks, if it is enabled. */
function checkedConfigs({ rule, expression }: ReadRule): string[] {
  if (!rule.enabled) return [];
  return leavesOf(expression).flatMap((leaf) => {
    const { test, configId = [] } = tokenTestOf(leaf) ?? {};
    return test === "is_jwt_valid" ? configId : [];
  });
}

/** The results of a rule of either kind that some request should have, with what is reported without one. */
const expectedResults = {
  fired: "never fired",
  passed: "never passed",
  matched: "never matched",
  not_matched: "matched every request",
} as const;

/** The values and results of an enabled rule that no request exercised, a sentence each. */
function missingOfRule(name: string, rule: RuleCoverage | CustomRuleCoverage): string[] {
  if (!rule.enabled) return [];
  const counts: Partial<Record<keyof typeof expectedResults | "undecided", number>> = { ...rule };
  const expected = Object.entries(expectedResults) as [keyof typeof expectedResults, string][];
  if (expected.every(([result]) => !counts[result]))
    return [`${name} was ${counts.undecided ? "only undecided" : "never evaluated"}`];
  return [
    ...expected.flatMap(([result, sentence]) => (counts[result] === 0 ? [`${name} ${sentence}`] : [])),
    ...rule.atoms.flatMap((atom) =>
      ([true, false] as const).flatMap((value) =>
        atom[`${value}`] > 0 ? [] : [`${name}: ${atom.text} was never decisive as ${value}`],
      ),
    ),
  ];
}

/** Reasons that a test suite of a rule should exercise; the others belong to tests of the verifier (`chosen`). */
export const expectedReasons: readonly Reason[] = ["missing", "bad_signature", "expired", "valid"];

function missingOfConfig({ reasons: counts, ...config }: ConfigCoverage): string[] {
  return expectedReasons
    .filter((reason) => counts[reason] === 0)
    .map((reason) => `configuration ${nameWithTitle(config)}: no token was ${reason}`);
}
