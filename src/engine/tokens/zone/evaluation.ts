/**
 * The evaluation of one request: computes the leaves of expressions on demand, and verifies each configuration's token
 * at most once.
 */

import { compileLeafTest, type Evaluate } from "../expression/compile.ts";
import { createPlainProgram, type Program } from "../expression/compile-value.ts";
import { clearWords, type LeafBits, setLeafValue } from "../expression/leaf-bits.ts";
import { printTree } from "../expression/printer.ts";
import type { Test } from "../expression/tree.ts";
import { tokenTestOf } from "../expression/tree-queries.ts";
import { type RequestValues, startValues } from "../expression/values/request-values.ts";
import type { TokenCheck } from "../model.ts";
import { type FoundToken, findTokenIn } from "./find-token.ts";
import type { EvaluationRequest, RequestReader } from "./request.ts";
import type { TokenSource } from "./token-source.ts";

/** Verifies tokens for one configuration. */
export interface TokenChecker {
  check(token: string, nowMs: number): TokenCheck | Promise<TokenCheck>;
}

/** A configuration, ready to check tokens. */
export interface CompiledConfig {
  readonly id: string;
  /** For people. */
  readonly title?: string | undefined;
  /** Configurations with equal sources share one list, so that the token is searched for once. */
  readonly sources: readonly TokenSource[];
  readonly checker: TokenChecker;
}

/** The token of a configuration in one evaluation, and its check. */
export interface ConfigResult {
  readonly config: CompiledConfig;
  readonly found: FoundToken | undefined;
  /** Absent until an expression asks whether the token is valid. */
  check: TokenCheck | undefined;
}

/** A leaf of expressions, ready to be computed. */
export type CompiledLeaf =
  | { readonly kind: "valid" | "present"; readonly config: CompiledConfig }
  | { readonly kind: "comparison"; readonly test: Evaluate };

/** The leaves of all expressions of a zone, each once. */
export interface LeafTable {
  readonly leaves: CompiledLeaf[];
  /** Slots by the canonical spelling of the leaf. */
  readonly slots: Map<string, number>;
  readonly configs: ReadonlyMap<string, CompiledConfig>;
  /** The values that the leaves compare, each once. */
  readonly program: Program;
}

/** The state of one evaluation. */
export interface Evaluation extends LeafBits {
  readonly leaves: readonly CompiledLeaf[];
  readonly request: RequestReader;
  /** The values of the request that leaves compare. */
  readonly compared: RequestValues;
  readonly nowMs: number;
  /** In the order in which expressions asked for them. */
  readonly results: Map<CompiledConfig, ConfigResult>;
  /** The latest result, reused for the next configuration with the same sources. */
  last: ConfigResult | undefined;
  /** A check that has not finished: leaf values computed since it started do not count. */
  pending: Promise<void> | undefined;
}

const missing: TokenCheck = Object.freeze({ reason: "missing" });

/** Creates an empty table for the leaves of a zone's expressions. */
export function createLeafTable(configs: readonly CompiledConfig[]): LeafTable {
  const program = createPlainProgram();
  return {
    leaves: [],
    slots: new Map(),
    configs: new Map(configs.map((config) => [config.id, config])),
    program,
  };
}

/** The slot of a leaf; equal leaves share one. */
export function leafSlot(table: LeafTable, test: Test): number {
  const key = printTree(test);
  const existing = table.slots.get(key);
  if (existing !== undefined) return existing;
  const slot = table.leaves.push(compileLeaf(table, test)) - 1;
  table.slots.set(key, slot);
  return slot;
}

/** Starts the evaluation of a request. */
export function startEvaluation(
  { leaves, program }: LeafTable,
  reader: RequestReader,
  request: EvaluationRequest,
  nowMs: number,
): Evaluation {
  return {
    known: clearWords(leaves.length),
    values: clearWords(leaves.length),
    resolve: resolveLeaf,
    leaves,
    request: reader,
    compared: startValues(program, reader, request, nowMs, noClaims),
    nowMs,
    results: new Map(),
    last: undefined,
    pending: undefined,
  };
}

/** Token rules read no claims. */
const noClaims = { ids: [], valid: () => undefined } as const;

function compileLeaf({ program, configs }: LeafTable, leaf: Test): CompiledLeaf {
  const token = tokenTestOf(leaf);
  if (token === undefined) return { kind: "comparison", test: compileLeafTest(program, leaf) };
  const config = configs.get(token.configId);
  if (config === undefined) throw new RangeError(`There is no token configuration ${token.configId}.`);
  return { kind: token.test === "is_jwt_valid" ? "valid" : "present", config };
}

function resolveLeaf(evaluation: Evaluation, slot: number): boolean {
  if (evaluation.pending !== undefined) return false;
  const value = computeLeaf(evaluation, evaluation.leaves[slot] as CompiledLeaf);
  if (evaluation.pending === undefined) setLeafValue(evaluation, slot, value);
  return value;
}

function computeLeaf(evaluation: Evaluation, leaf: CompiledLeaf): boolean {
  if (leaf.kind === "comparison") return leaf.test(evaluation.compared) === true;
  const result = findConfigToken(evaluation, leaf.config);
  if (leaf.kind === "present") return result.found !== undefined;
  result.check ??= checkToken(evaluation, result);
  return result.check?.reason === "valid";
}

/** The token of a configuration, found and checked at most once; without a check while it is pending. */
export function checkConfig(evaluation: Evaluation, config: CompiledConfig): ConfigResult {
  const result = findConfigToken(evaluation, config);
  result.check ??= checkToken(evaluation, result);
  return result;
}

function findConfigToken(evaluation: Evaluation, config: CompiledConfig): ConfigResult {
  const existing = evaluation.results.get(config);
  if (existing !== undefined) return existing;
  const { last, request } = evaluation;
  const found = last?.config.sources === config.sources ? last.found : findTokenIn(request, config.sources);
  const result = { config, found, check: undefined };
  evaluation.results.set(config, result);
  evaluation.last = result;
  return result;
}

/**
 * Checks a token. Returns undefined when the check is asynchronous: it is then pending, and no other leaf is computed
 * until it has finished.
 */
function checkToken(evaluation: Evaluation, result: ConfigResult): TokenCheck | undefined {
  if (result.found === undefined) return missing;
  const check = result.config.checker.check(result.found.token, evaluation.nowMs);
  if (!(check instanceof Promise)) return check;
  evaluation.pending = check.then((finished) => {
    result.check = finished;
    evaluation.pending = undefined;
  });
  return undefined;
}
