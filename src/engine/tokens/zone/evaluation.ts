/**
 * One evaluation of one request: computes the leaves of expressions when they are asked for, and verifies each
 * configuration's token at most once.
 */

import type { Comparison, Field, Leaf } from "../expression/ast.ts";
import { clearWords, compileComparison, type LeafBits, recordLeaf } from "../expression/compiler.ts";
import { printExpression } from "../expression/printer.ts";
import type { TokenCheck } from "../model.ts";
import { type FoundToken, findToken } from "./find-token.ts";
import { type RequestReader, readField } from "./request.ts";
import type { TokenSource } from "./token-source.ts";

/** What verifies tokens for one configuration. */
export interface TokenChecker {
  check(token: string, nowMs: number): TokenCheck | Promise<TokenCheck>;
}

/** A configuration, ready to check tokens. */
export interface CompiledConfig {
  readonly id: string;
  /** One list for all configurations with equal sources, so that a token is looked for once. */
  readonly sources: readonly TokenSource[];
  readonly checker: TokenChecker;
}

/** What a configuration's checks gave in one evaluation. */
export interface ConfigResult {
  readonly config: CompiledConfig;
  readonly found: FoundToken | undefined;
  /** Absent until an expression asks whether the token is valid. */
  check: TokenCheck | undefined;
}

/** A leaf of expressions, ready to be computed. */
export type CompiledLeaf =
  | { readonly kind: "valid" | "present"; readonly config: CompiledConfig }
  | { readonly kind: "comparison"; readonly field: Field; readonly test: (value: string) => boolean };

/** The leaves of all expressions of a zone, each once. */
export interface LeafTable {
  readonly leaves: CompiledLeaf[];
  readonly slots: Map<string, number>;
  readonly configs: ReadonlyMap<string, CompiledConfig>;
}

/** The state of one evaluation. */
export interface Run extends LeafBits {
  readonly leaves: readonly CompiledLeaf[];
  readonly request: RequestReader;
  readonly nowMs: number;
  /** In the order in which they were asked for. */
  readonly results: Map<CompiledConfig, ConfigResult>;
  /** What was looked for last, for the next configuration with the same sources. */
  last: ConfigResult | undefined;
  /** A check that is still under way: the answers since then do not count. */
  pending: Promise<void> | undefined;
}

const missing: TokenCheck = Object.freeze({ reason: "missing" });

/** Starts a table for the leaves of a zone's expressions. */
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
export function startRun(leaves: readonly CompiledLeaf[], request: RequestReader, nowMs: number): Run {
  return {
    known: clearWords(leaves.length),
    held: clearWords(leaves.length),
    resolve: resolveLeaf,
    leaves,
    request,
    nowMs,
    results: new Map(),
    last: undefined,
    pending: undefined,
  };
}

function compileLeaf(table: LeafTable, leaf: Leaf): CompiledLeaf {
  if (leaf.kind === "comparison") return compileComparisonLeaf(leaf);
  const config = table.configs.get(leaf.configId);
  if (config === undefined) throw new RangeError(`There is no token configuration ${leaf.configId}.`);
  return { kind: leaf.test === "is_jwt_valid" ? "valid" : "present", config };
}

function compileComparisonLeaf(comparison: Comparison): CompiledLeaf {
  return { kind: "comparison", field: comparison.field, test: compileComparison(comparison) };
}

function resolveLeaf(run: Run, slot: number): boolean {
  if (run.pending !== undefined) return false;
  const holds = computeLeaf(run, run.leaves[slot] as CompiledLeaf);
  if (run.pending === undefined) recordLeaf(run, slot, holds);
  return holds;
}

function computeLeaf(run: Run, leaf: CompiledLeaf): boolean {
  if (leaf.kind === "comparison") {
    const value = readField(run.request, leaf.field);
    return value !== undefined && leaf.test(value);
  }
  const result = locate(run, leaf.config);
  if (leaf.kind === "present") return result.found !== undefined;
  result.check ??= verify(run, result);
  return result.check?.reason === "valid";
}

function locate(run: Run, config: CompiledConfig): ConfigResult {
  const existing = run.results.get(config);
  if (existing !== undefined) return existing;
  const { last } = run;
  const found = last?.config.sources === config.sources ? last.found : findToken(run.request, config.sources);
  const result = { config, found, check: undefined };
  run.results.set(config, result);
  run.last = result;
  return result;
}

/** Checks a token, or starts to and leaves that pending; then no other leaf is computed until it is settled. */
function verify(run: Run, result: ConfigResult): TokenCheck | undefined {
  if (result.found === undefined) return missing;
  const check = result.config.checker.check(result.found.token, run.nowMs);
  if (!(check instanceof Promise)) return check;
  run.pending = check.then((settled) => {
    result.check = settled;
    run.pending = undefined;
  });
  return undefined;
}
