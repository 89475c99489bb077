/** Coverage of a zone by the requests of a test run: rules, parts of expressions, and reasons. */

import { InvalidInputError } from "../../../errors.ts";
import { printExpression } from "../expression/printer.ts";
import { leaves } from "../expression/references.ts";
import { type Reason, reasons } from "../model.ts";
import {
  type ReadingOptions,
  type ReadRule,
  type ReadZone,
  readZone,
  type ZoneInput,
} from "../zone/zone-input.ts";
import {
  type AtomCoverage,
  type CustomCounts,
  type CustomRuleCoverage,
  createCustomCounts,
  describeCustom,
  missingOfAtoms,
  missingOfCustom,
  printCounts,
} from "./custom-coverage.ts";
import type { PlainVerdict, RuleOutcome } from "./verdict.ts";

/** The results of a rule: the number of verdicts for each. */
export interface RuleCoverage extends Readonly<Record<RuleOutcome, number>> {
  /** Id of the rule. */
  readonly id: string;
  /** For people. */
  readonly title?: string;
  /** Whether the rule is evaluated at all. */
  readonly enabled: boolean;
  /** The parts of its expression, each once. */
  readonly atoms: readonly AtomCoverage[];
}

/** The results of a configuration's token checks. */
export interface ConfigCoverage {
  /** Id of the configuration. */
  readonly id: string;
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
  /** Keys are created by {@link keyOf}. */
  readonly seen: Map<string, number>;
  readonly custom: CustomCounts;
}

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
 * // => ["rule r1 never fired", 'rule r1: http.request.method eq "GET" was never decisive as false']
 * ```
 * @throws InvalidInputError when the zone cannot be read, with every problem
 */
export function createCoverage(input: ZoneInput, options: ReadingOptions = {}): Coverage {
  const read = readZone(input, options);
  if (!read.ok) throw new InvalidInputError("The zone cannot be read", read.problems);
  const zone = read.value;
  const counts: Counts = { verdicts: 0, seen: new Map(), custom: createCustomCounts(zone.custom) };
  const report = () => createReport(zone, counts);
  return {
    add: (verdict) => {
      count(counts, verdict);
      return verdict;
    },
    report,
    print: () => printCoverage(report()),
  };
}

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
  const { verdicts, rules, custom, configs, operations, missing } = coverage;
  const ruleLines = rules.map(({ id, title, fired, passed, shadowed, disabled }) => {
    const named = title === undefined ? id : `${id} (${title})`;
    return `  rule ${named}: ${printCounts({ fired, passed, shadowed, disabled })}`;
  });
  const customLines = custom.map((rule) => `  ${describeCustom(rule)}`);
  const configLines = configs.map(({ id, reasons }) => `  configuration ${id}: ${printCounts(reasons)}`);
  const seen = operations.filter((operation) => operation.verdicts > 0).length;
  const operationLines =
    operations.length === 0 ? [] : [`  operations: ${seen} of ${operations.length} had requests`];
  const summary = missing.length === 0 ? "everything exercised" : `${missing.length} not exercised`;
  const missingLines = missing.map((sentence) => `  - ${sentence}`);
  return `${[`${verdicts} verdicts, ${summary}`, ...ruleLines, ...customLines, ...configLines, ...operationLines, ...missingLines].join("\n")}\n`;
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function count(counts: Counts, verdict: PlainVerdict): void {
  const { operation, rules, trace } = verdict;
  const add = (...parts: readonly string[]) => {
    const key = keyOf(...parts);
    counts.seen.set(key, (counts.seen.get(key) ?? 0) + 1);
  };
  counts.verdicts++;
  counts.custom.add(verdict);
  if (operation) add("operation", operation.operation_id);
  for (const { id, result } of rules) add("rule", id, result);
  for (const { ruleId, decidedBy } of trace.expressions) {
    for (const { text, value } of decidedBy) add("atom", ruleId, text, String(value));
  }
  for (const { configId, reason } of trace.tokens) if (reason) add("reason", configId, reason);
}

type Times = (...parts: readonly string[]) => number;

function createReport(zone: ReadZone, { verdicts, seen, custom: customCounts }: Counts): CoverageCounts {
  const times: Times = (...parts) => seen.get(keyOf(...parts)) ?? 0;
  const rules = zone.rules.map((rule) => ruleCoverage(rule, times));
  const custom = customCounts.report();
  const checked = new Set(zone.rules.flatMap(checkedConfigs));
  const configs = zone.configs.map(({ id }) => configCoverage(id, checked.has(id), times));
  const operations = (zone.operations ?? []).map(({ operation: { operation_id: id } }) => {
    return { id, verdicts: times("operation", id) };
  });
  const missing = [
    ...rules.filter(({ enabled }) => enabled).flatMap(missingOfRule),
    ...custom.filter(({ enabled }) => enabled).flatMap(missingOfCustom),
    ...configs.filter(({ isChecked }) => isChecked).flatMap(missingOfConfig),
    ...operations.filter((one) => one.verdicts === 0).map(({ id }) => `operation ${id} had no request`),
  ];
  return { verdicts, rules, custom, configs, operations, missing };
}

function ruleCoverage({ rule: { id, title, enabled }, expression }: ReadRule, times: Times): RuleCoverage {
  const atoms = [...new Set(leaves(expression).map(printExpression))].map((text) => {
    return { text, true: times("atom", id, text, "true"), false: times("atom", id, text, "false") };
  });
  const [fired, passed] = [times("rule", id, "fired"), times("rule", id, "passed")];
  const [shadowed, disabled] = [times("rule", id, "shadowed"), times("rule", id, "disabled")];
  const not_reached = times("rule", id, "not_reached");
  const named = title === undefined ? {} : { title };
  return { id, ...named, enabled, fired, passed, shadowed, disabled, not_reached, atoms };
}

function configCoverage(id: string, isChecked: boolean, times: Times): ConfigCoverage {
  const counts = reasons.map((reason) => [reason, times("reason", id, reason)] as const);
  return { id, isChecked, reasons: Object.fromEntries(counts) as Record<Reason, number> };
}

/** The configurations whose tokens a rule checks, if it is enabled. */
function checkedConfigs({ rule, expression }: ReadRule): string[] {
  if (!rule.enabled) return [];
  return leaves(expression).flatMap((leaf) =>
    leaf.kind === "token" && leaf.test === "is_jwt_valid" ? [leaf.configId] : [],
  );
}

function missingOfRule({ id, fired, passed, atoms }: RuleCoverage): string[] {
  if (fired + passed === 0) return [`rule ${id} was never evaluated`];
  return [
    ...(fired > 0 ? [] : [`rule ${id} never fired`]),
    ...(passed > 0 ? [] : [`rule ${id} never passed`]),
    ...missingOfAtoms(`rule ${id}`, atoms),
  ];
}

/** Reasons that a test suite of a rule should exercise; the others belong to tests of the verifier (`chosen`). */
export const expectedReasons: readonly Reason[] = ["missing", "bad_signature", "expired", "valid"];

function missingOfConfig({ id, reasons: counts }: ConfigCoverage): string[] {
  return expectedReasons
    .filter((reason) => counts[reason] === 0)
    .map((reason) => `configuration ${id}: no token was ${reason}`);
}
