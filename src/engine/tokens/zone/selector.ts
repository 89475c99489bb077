/**
 * Selectors: a rule covers an operation when its host is included and its id is not excluded. A missing or empty
 * include covers nothing (`chosen`). Hosts are compared without case, and without port.
 */

import { type Problem, pointer, quote } from "../../../errors.ts";
import type { Operation, Selector } from "../model.ts";
import { normalizeHost } from "./target.ts";

/** What a selector does to an operation: `ignored` is one whose host is not included. */
export type OperationState = "included" | "excluded" | "ignored";

/** An operation with what a selector does to it. */
export interface PreviewedOperation extends Operation {
  readonly state: OperationState;
}

/** What a selector selects. */
export interface SelectorPreview {
  /** Every operation, in the order given. */
  readonly operations: readonly PreviewedOperation[];
  readonly counts: Readonly<Record<OperationState, number>>;
  /** The hosts that the selector includes, without repetition. */
  readonly selectedHosts: readonly string[];
  /** The hosts of all operations, without repetition. */
  readonly availableHosts: readonly string[];
}

/** The hosts that a selector includes, in normal form, without repetition. */
export function includedHosts(selector: Selector): string[] {
  return unique((selector.include ?? []).flatMap((entry) => entry.host ?? []).map(normalizeHost));
}

/** The operation ids that a selector excludes, without repetition. */
export function excludedIds(selector: Selector): string[] {
  return unique((selector.exclude ?? []).flatMap((entry) => entry.operation_ids ?? []));
}

/**
 * Shows what a selector selects (`observed`: an endpoint of the real service does).
 *
 * @example
 * ```ts
 * const login = { operation_id: "op1", method: "POST", host: "api.example.com", endpoint: "/login" };
 * selectorPreview({ include: [{ host: ["API.example.com"] }] }, [login]).counts;
 * // => { included: 1, excluded: 0, ignored: 0 }
 * ```
 */
export function selectorPreview(selector: Selector, operations: readonly Operation[]): SelectorPreview {
  const hosts = new Set(includedHosts(selector));
  const excluded = new Set(excludedIds(selector));
  const counts = { included: 0, excluded: 0, ignored: 0 };
  const previewed = operations.map((operation) => {
    const state = stateOf(operation, hosts, excluded);
    counts[state]++;
    return { ...operation, state };
  });
  const availableHosts = unique(operations.map((operation) => normalizeHost(operation.host)));
  return { operations: previewed, counts, selectedHosts: [...hosts], availableHosts };
}

/** Checks the shape of a selector; `at` is its pointer. */
export function checkSelector(selector: unknown, at = ""): Problem[] {
  if (!isObject(selector)) return [problem(at, "selector is an object", selector)];
  return [
    ...checkEntries(selector["include"], "include", "host", at),
    ...checkEntries(selector["exclude"], "exclude", "operation_ids", at),
  ];
}

function stateOf(
  operation: Operation,
  hosts: ReadonlySet<string>,
  excluded: ReadonlySet<string>,
): OperationState {
  if (!hosts.has(normalizeHost(operation.host))) return "ignored";
  return excluded.has(operation.operation_id) ? "excluded" : "included";
}

function checkEntries(entries: unknown, member: string, list: string, at: string): Problem[] {
  if (entries === undefined) return [];
  const here = at + pointer(member);
  if (!Array.isArray(entries)) return [problem(here, `${member} is an array of objects`, entries)];
  return entries.flatMap((entry: unknown, i) => {
    const place = here + pointer(i);
    if (!isObject(entry)) return [problem(place, `An entry of ${member} is an object with ${list}`, entry)];
    return checkStrings(entry[list], list, place + pointer(list));
  });
}

function checkStrings(strings: unknown, list: string, at: string): Problem[] {
  if (strings === undefined) return [];
  if (!Array.isArray(strings)) return [problem(at, `${list} is an array of strings`, strings)];
  return strings.flatMap((value: unknown, i) =>
    typeof value === "string" && value !== ""
      ? []
      : [problem(at + pointer(i), `${list} holds non-empty strings`, value)],
  );
}

function problem(at: string, rule: string, found: unknown): Problem {
  return { code: 10400, pointer: at, message: `${rule}, but here is ${quote(found)}.` };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
