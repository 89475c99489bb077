/**
 * The evaluation of one request: computes the leaves of expressions on demand, and verifies each configuration's token
 * at most once.
 */

import type { Comparison, Leaf } from "../expression/ast.ts";
import {
  clearWords,
  compileComparison,
  type LeafBits,
  setLeafValue,
  setSlot,
} from "../expression/compiler.ts";
import { printExpression } from "../expression/printer.ts";
import { compileFunctionTest } from "../expression/value.ts";
import type { TokenCheck } from "../model.ts";
import { type FoundToken, findToken } from "./find-token.ts";
import { compileReader, type RequestReader } from "./request.ts";
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
  | { readonly kind: "function"; readonly test: (request: RequestReader) => boolean | undefined }
  | {
      readonly kind: "comparison";
      readonly read: (request: RequestReader) => string | undefined;
      readonly test: (value: string) => boolean;
    };

/** The leaves of all expressions of a zone, each once. */
export interface LeafTable {
  readonly leaves: CompiledLeaf[];
  /** Slots by the canonical spelling of the leaf. */
  readonly slots: Map<string, number>;
  readonly configs: ReadonlyMap<string, CompiledConfig>;
}

/** The state of one evaluation. */
export interface Evaluation extends LeafBits {
  readonly leaves: readonly CompiledLeaf[];
  readonly request: RequestReader;
  readonly nowMs: number;
  /** In the order in which expressions asked for them. */
  readonly results: Map<CompiledConfig, ConfigResult>;
  /** The bits of leaves that are false because the request has no value to compare; absent while there are none. */
  missing: number[] | undefined;
  /** The latest result, reused for the next configuration with the same sources. */
  last: ConfigResult | undefined;
  /** A check that has not finished: leaf values computed since it started do not count. */
  pending: Promise<void> | undefined;
}

const missing: TokenCheck = Object.freeze({ reason: "missing" });

/** Creates an empty table for the leaves of a zone's expressions. */
export function createLeafTable(configs: readonly CompiledConfig[]): LeafTable {
  return { leaves: [], slots: new Map(), configs: new Map(configs.map((config) => [config.id, config])) };
}

/** The slot of a leaf; equal leaves share one. */
export function leafSlot(table: LeafTable, leaf: Leaf): number {
  const key = printExpression(leaf);
  const existing = table.slots.get(key);
  if (existing !== undefined) return existing;
  const slot = table.leaves.push(compileLeaf(table, leaf)) - 1;
  table.slots.set(key, slot);
  return slot;
}

/** Starts the evaluation of a request. */
export function startEvaluation(
  leaves: readonly CompiledLeaf[],
  request: RequestReader,
  nowMs: number,
): Evaluation {
  return {
    known: clearWords(leaves.length),
    values: clearWords(leaves.length),
    resolve: resolveLeaf,
    leaves,
    request,
    nowMs,
    results: new Map(),
    missing: undefined,
    last: undefined,
    pending: undefined,
  };
}

function compileLeaf(table: LeafTable, leaf: Leaf): CompiledLeaf {
  if (leaf.kind === "comparison") return compileComparisonLeaf(leaf);
  if (leaf.kind === "function") return { kind: "function", test: compileFunctionTest(leaf) };
  const config = table.configs.get(leaf.configId);
  if (config === undefined) throw new RangeError(`There is no token configuration ${leaf.configId}.`);
  return { kind: leaf.test === "is_jwt_valid" ? "valid" : "present", config };
}

function compileComparisonLeaf(comparison: Comparison): CompiledLeaf {
  return { kind: "comparison", read: compileReader(comparison.field), test: compileComparison(comparison) };
}

function resolveLeaf(evaluation: Evaluation, slot: number): boolean {
  if (evaluation.pending !== undefined) return false;
  const value = computeLeaf(evaluation, evaluation.leaves[slot] as CompiledLeaf);
  if (evaluation.pending === undefined) setLeafValue(evaluation, slot, value === true);
  if (value === undefined) markMissing(evaluation, slot);
  return value === true;
}

function markMissing(evaluation: Evaluation, slot: number): void {
  evaluation.missing ??= clearWords(evaluation.leaves.length);
  setSlot(evaluation.missing, slot);
}

/** The value of a leaf; undefined, which counts as false, when the request has no value to compare. */
function computeLeaf(evaluation: Evaluation, leaf: CompiledLeaf): boolean | undefined {
  if (leaf.kind === "comparison") {
    const value = leaf.read(evaluation.request);
    return value === undefined ? undefined : leaf.test(value);
  }
  if (leaf.kind === "function") return leaf.test(evaluation.request);
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
  const found = last?.config.sources === config.sources ? last.found : findToken(request, config.sources);
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
