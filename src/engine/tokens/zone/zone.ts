/** A zone: configurations, rules and operations compiled once, requests evaluated often. */

import { optionsOf, requireArgument } from "../../../core/arguments.ts";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { type CodedDiagnostic, InvalidInputError } from "../../../errors.ts";
import { checkLimits } from "../expression/grammar.ts";
import { compileExpression } from "../expression/leaf-bits.ts";
import type { RequestValues } from "../expression/values/request-values.ts";
import { type VerifierOptions, verifierOf } from "../jwt/verifier.ts";
import {
  type CustomEvaluation,
  customRulesEnd,
  evaluateRulesets,
  type StepValues,
} from "../rulesets/evaluate-rulesets.ts";
import {
  type CompiledCustomRules,
  checkTokens,
  compileCustomRules,
  customRuleIds,
  evaluateCustomRules,
  startCustomRules,
} from "../rulesets/zone-rules.ts";
import { createVerdict, type ZoneIds } from "../verdict/lazy-verdict.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { bindOperations, listByHost, type RoutedOperation, rulesByHost } from "./bind-rules.ts";
import {
  type BoundOperation,
  type CompiledRule,
  decidingRule,
  evaluateRules,
  type Precedence,
  type RuleEvaluation,
  startRuleEvaluation,
} from "./evaluate-rules.ts";
import {
  type CompiledConfig,
  createLeafTable,
  type Evaluation,
  type LeafTable,
  leafSlot,
  startEvaluation,
} from "./evaluation.ts";
import { type MatchingRules, noMatchingRules } from "./matching-rules.ts";
import { copyHeaders, type EvaluationRequest, type RequestReader, readRequest } from "./request.ts";
import { createRouter, findRoute, type Router } from "./router.ts";
import {
  type ReadConfig,
  type ReadingOptions,
  type ReadRule,
  type ReadZone,
  readingMembers,
  readZone,
  type ZoneInput,
} from "./zone-input.ts";

/** Options of a zone. The limits of tokens and of cached tokens apply to each configuration. */
export interface ZoneOptions extends ReadingOptions, VerifierOptions {
  /** Returns the time of an evaluation, in milliseconds since 1970. */
  readonly clock: () => number;
  /** Which of several rules that match an operation count; `all` by default. */
  readonly precedence?: Precedence;
}

/** A compiled zone. */
export interface Zone {
  /** Remarks on the input that was accepted, such as values that the provider would reject. */
  readonly notes: readonly Diagnostic[];
  /**
   * Evaluates a request.
   *
   * @throws InvalidInputError (as a rejection) when the request has no method or no absolute http or https address
   */
  evaluate(request: EvaluationRequest): Promise<Verdict>;
  /**
   * Evaluates a request synchronously.
   *
   * @throws InvalidInputError when the request has no method or no absolute http or https address
   * @throws TypeError when the zone verifies with `jose`, which is asynchronous
   */
  evaluateSync(request: EvaluationRequest): Verdict;
}

interface CompiledZone {
  readonly table: LeafTable;
  readonly ids: ZoneIds;
  readonly read: ReadZone;
  /** Absent when each request is its own operation. */
  readonly router: Router<RoutedOperation> | undefined;
  readonly hosts: ReadonlyMap<string, MatchingRules<CompiledRule>>;
  readonly precedence: Precedence;
  readonly clock: () => number;
  /** Undefined when the zone and its account have none. */
  readonly custom: CompiledCustomRules | undefined;
}

const precedences: readonly unknown[] = ["all", "first"];

const checkOptions = optionsOf<ReadingOptions>("checkZone", readingMembers);

/**
 * All problems of a zone's configurations, rules and operations; empty when the zone can be compiled.
 *
 * @example
 * ```ts
 * const operations = [{ operation_id: "a", method: "GET", host: "h", endpoint: "x" }];
 * const [problem] = checkZone({ configs: [], rules: [], operations });
 * problem?.pointer; // => "/operations/0/endpoint"
 * problem?.message; // => "`endpoint` must be a path that starts with `/`; found the string `x`."
 * ```
 */
export function checkZone(input: unknown, options: ReadingOptions = {}): readonly CodedDiagnostic[] {
  requireArgument("options", options, checkOptions);
  const read = readZone(input, { ...options, sharedSecrets: options.sharedSecrets ?? "reject" });
  return read.ok ? [] : read.problems;
}

/**
 * Compiles a zone.
 *
 * @throws InvalidInputError (as a rejection) with every problem that {@link checkZone} finds
 */
export async function compileZone(input: ZoneInput, options: ZoneOptions): Promise<Zone> {
  checkZoneOptions(options);
  const read = readZone(input, options);
  if (!read.ok) throw new InvalidInputError("The zone cannot be compiled", read.problems);
  const compiled = compile(read.value, options, ({ keys }) => verifierOf(keys, options));
  const isSync = options.verifier !== "jose";
  return Object.freeze({
    notes: Object.freeze(read.value.notes),
    evaluate: async (request: EvaluationRequest) =>
      isSync ? evaluateNow(compiled, request) : evaluateLater(compiled, request),
    evaluateSync: (request: EvaluationRequest) => {
      if (isSync) return evaluateNow(compiled, request);
      throw new TypeError(
        'A zone with verifier "jose" is asynchronous: await zone.evaluate(request) instead.',
      );
    },
  });
}

function checkZoneOptions({ precedence = "all", verifier = "node", clock, limits = {} }: ZoneOptions): void {
  checkLimits(limits);
  if (!precedences.includes(precedence)) throw new RangeError('`precedence` must be "all" or "first".');
  if (verifier !== "node" && verifier !== "jose")
    throw new RangeError('`verifier` must be "node" or "jose".');
  if (typeof clock !== "function")
    throw new TypeError("`clock` must be a function that returns milliseconds since 1970.");
}

/**
 * Compiles a zone that was read without problems, for synchronous evaluation. `createChecker` replaces the
 * verification of tokens and must be synchronous.
 */
export function compileWith(
  read: ReadZone,
  options: Pick<ZoneOptions, "precedence" | "clock">,
  createChecker: CreateChecker,
): (request: EvaluationRequest) => Verdict {
  const compiled = compile(read, options, createChecker);
  return (request) => evaluateNow(compiled, request);
}

/** An evaluation of a zone, which can be repeated with other values of the expressions of custom rules. */
export interface RepeatableEvaluation {
  /** A value that custom rules read; undefined in a zone without any. */
  read<T>(read: (values: RequestValues) => T): T | undefined;
  /** The verdict, when some steps of custom rules have other values. */
  verdict(others?: StepValues): Verdict;
}

/**
 * The same as {@link compileWith} for evaluations that are repeated. `prepare` is called before tokens of a request may be
 * checked.
 */
export function compileRepeatable(
  read: ReadZone,
  options: Pick<ZoneOptions, "precedence" | "clock">,
  createChecker: CreateChecker,
): (request: EvaluationRequest, prepare?: () => void) => RepeatableEvaluation {
  const compiled = compile(read, options, createChecker);
  return (request, prepare) => {
    const reader = readRequest(request, read.normalization);
    const nowMs = options.clock();
    const { custom } = compiled;
    const input =
      custom && startCustomRules(custom, request, startEvaluation(compiled.table, reader, request, nowMs));
    return {
      read: (read) => {
        prepare?.();
        return input && read(input.values);
      },
      verdict: (others) => {
        prepare?.();
        const state = start({ ...compiled, clock: () => nowMs }, reader, request);
        const evaluated = custom && input && evaluateRulesets(custom.rulesets, input, others);
        if (evaluated === undefined || !customRulesEnd(evaluated)) evaluateRules(state);
        return finish(compiled, state, evaluated);
      },
    };
  };
}

/** Creates the token checker of a configuration. */
type CreateChecker = (config: ReadConfig) => CompiledConfig["checker"];

function compile(
  read: ReadZone,
  options: Pick<ZoneOptions, "precedence" | "clock">,
  createChecker: CreateChecker,
): CompiledZone {
  const table = createLeafTable(compileConfigs(read.configs, createChecker));
  const rules = compileRules(read.rules, table);
  const lists = listByHost(read.rules, rules);
  const { precedence = "all", clock } = options;
  return {
    table,
    ids: idsOf(read),
    read,
    router: read.operations && createRouter(bindOperations(read.operations, read.rules, lists)),
    hosts: rulesByHost(lists),
    precedence,
    clock,
    custom: read.custom && compileCustomRules(read.custom, table.configs),
  };
}

function idsOf({ rules, configs, operations, custom }: ReadZone): ZoneIds {
  return {
    rule: [...rules.map(({ rule }) => rule.id), ...(custom === undefined ? [] : customRuleIds(custom))],
    config: configs.map(({ id }) => id),
    operation: operations?.map(({ operation }) => operation.operation_id),
  };
}

/** Configurations with equal sources share one list. */
function compileConfigs(configs: readonly ReadConfig[], createChecker: CreateChecker): CompiledConfig[] {
  const lists = new Map<string, CompiledConfig["sources"]>();
  return configs.map((config) => {
    const { id, title, sources } = config;
    const key = JSON.stringify(sources.map((source) => source.text));
    const shared = lists.get(key) ?? sources;
    lists.set(key, shared);
    return { id, title, sources: shared, checker: createChecker(config) };
  });
}

/** Rules with equal expressions share one compiled expression. */
function compileRules(rules: readonly ReadRule[], table: LeafTable): CompiledRule[] {
  const tests = new Map<string, CompiledRule["test"]>();
  return rules.map(({ rule, expression }) => {
    const test =
      tests.get(rule.expression) ??
      compileExpression<Evaluation>(expression, (test) => leafSlot(table, test));
    tests.set(rule.expression, test);
    return { rule, enabled: rule.enabled, blocks: rule.action === "block", expression, test };
  });
}

function evaluateNow(zone: CompiledZone, request: EvaluationRequest): Verdict {
  const state = start(zone, readRequest(request, zone.read.normalization), request);
  if (zone.custom === undefined) {
    evaluateRules(state);
    return finish(zone, state, undefined);
  }
  const custom = evaluateCustomRules(zone.custom, request, state.evaluation);
  if (!customRulesEnd(custom)) evaluateRules(state);
  return finish(zone, state, custom);
}

async function evaluateLater(zone: CompiledZone, request: EvaluationRequest): Promise<Verdict> {
  const state = start(zone, copyHeaders(readRequest(request, zone.read.normalization)), request);
  if (zone.custom !== undefined) await checkTokens(zone.custom, state.evaluation);
  const custom = zone.custom && evaluateCustomRules(zone.custom, request, state.evaluation);
  if (custom !== undefined && customRulesEnd(custom)) return finish(zone, state, custom);
  while (!evaluateRules(state)) await state.evaluation.pending;
  return finish(zone, state, custom);
}

function start(zone: CompiledZone, reader: RequestReader, request: EvaluationRequest): RuleEvaluation {
  const bound = findOperation(zone, reader);
  const evaluation = startEvaluation(zone.table, reader, request, zone.clock());
  return startRuleEvaluation(bound, evaluation, zone.precedence);
}

/** A request that matches no operation has no rules. */
const noOperation: RoutedOperation = { operation: undefined, matching: noMatchingRules };

function findOperation(
  { router, hosts }: CompiledZone,
  { host, method, path }: RequestReader,
): BoundOperation {
  if (router !== undefined) {
    const found = findRoute(router, host, method, path) ?? noOperation;
    return found.forHost === undefined ? found : found.forHost(host);
  }
  const operation = Object.freeze({ operation_id: `${method} ${host}${path}`, method, host, endpoint: path });
  return { operation, matching: hosts.get(host) ?? noMatchingRules };
}

function finish(zone: CompiledZone, state: RuleEvaluation, custom: CustomEvaluation | undefined): Verdict {
  return createVerdict({ state, decider: decidingRule(state, zone.precedence), zone, custom });
}
