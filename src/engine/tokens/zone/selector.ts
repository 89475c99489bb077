/**
 * Selectors: a rule matches an operation when its host is included and its id is not excluded. A missing or empty
 * include matches nothing (`chosen`). Hosts are compared without case, and without port.
 *
 * The host of an operation can have variables (`{hostVar1}.example.com`): a selector with the same template includes
 * the operation, and a selector with a host that the template matches includes it for requests to that host.
 */

import {
  arrayOf,
  aString,
  objectWith,
  optional,
  requireArgument,
  requireArguments,
} from "../../../core/arguments.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { unique } from "../../../core/lists.ts";
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
import { invalidValue } from "../input-problem.ts";
import type { Operation, Selector } from "../model.ts";
import { isHostTemplate, matchesHost, normalizeHostTemplate } from "./host-template.ts";

/** The effect of a selector on an operation; `ignored`: its host is not included. */
export type OperationState = "included" | "excluded" | "ignored";

/** An operation with the effect of a selector on it. */
export interface PreviewedOperation extends Operation {
  /** The effect of the selector. */
  readonly state: OperationState;
  /**
   * The hosts whose requests match, for an operation whose host has variables, when the selector includes only some of
   * the hosts that it matches.
   */
  readonly hosts?: readonly string[];
}

/** The effect of a selector on a list of operations. */
export interface SelectorPreview {
  /** Every operation, in the order given. */
  readonly operations: readonly PreviewedOperation[];
  /** Number of operations by state. */
  readonly counts: Readonly<Record<OperationState, number>>;
  /** The hosts that the selector includes, without repetition; a variable is `{}`. */
  readonly selectedHosts: readonly string[];
  /** The hosts of all operations, without repetition; a variable is `{}`. */
  readonly availableHosts: readonly string[];
}

/** The hosts that a selector includes, in normal form, without repetition. */
export function includedHosts(selector: Selector): string[] {
  return unique((selector.include ?? []).flatMap((entry) => entry.host ?? []).map(normalizeHostTemplate));
}

/** The operation ids that a selector excludes, without repetition. */
export function excludedIds(selector: Selector): string[] {
  return unique((selector.exclude ?? []).flatMap((entry) => entry.operation_ids ?? []));
}

const aSelector = objectWith({
  include: optional(arrayOf(objectWith({ host: optional(arrayOf(aString)) }))),
  exclude: optional(arrayOf(objectWith({ operation_ids: optional(arrayOf(aString)) }))),
});
const anOperation = objectWith({ operation_id: aString, method: aString, host: aString, endpoint: aString });

/**
 * Previews a selector (`observed`: the real service has an endpoint for it).
 *
 * @example
 * ```ts
 * const login = { operation_id: "op1", method: "POST", host: "api.example.com", endpoint: "/login" };
 * selectorPreview({ include: [{ host: ["API.example.com"] }] }, [login]).counts;
 * // => { included: 1, excluded: 0, ignored: 0 }
 * ```
 */
export function selectorPreview(selector: Selector, operations: readonly Operation[]): SelectorPreview {
  requireArguments({ selector: [selector, aSelector], operations: [operations, arrayOf(anOperation)] });
  const hosts = new Set(includedHosts(selector));
  const excluded = new Set(excludedIds(selector));
  const counts = { included: 0, excluded: 0, ignored: 0 };
  const selected = new Map<string, readonly string[] | "all">();
  const previewed = operations.map((operation) => {
    const host = normalizeHostTemplate(operation.host);
    // Many operations have the same host, and templates are compared with every host of the selector.
    const of = selected.get(host) ?? selectedOf(host, hosts);
    selected.set(host, of);
    const preview = previewOperation(operation, of, excluded);
    counts[preview.state]++;
    return preview;
  });
  const availableHosts = unique(operations.map((operation) => normalizeHostTemplate(operation.host)));
  return { operations: previewed, counts, selectedHosts: [...hosts], availableHosts };
}

/** Checks the types of a selector's members; `at` is its pointer. Empty when there is no problem. */
export function checkSelector(selector: unknown, at = ""): CodedDiagnostic[] {
  requireArgument("at", at, aString);
  if (!isJsonObject(selector)) return [invalidValue(at, "`selector`", "an object", selector)];
  return [
    ...checkEntries(selector["include"], "include", "host", at),
    ...checkEntries(selector["exclude"], "exclude", "operation_ids", at),
  ];
}

function previewOperation(
  operation: Operation,
  hosts: readonly string[] | "all",
  excluded: ReadonlySet<string>,
): PreviewedOperation {
  if (hosts.length === 0) return { ...operation, state: "ignored" };
  if (excluded.has(operation.operation_id)) return { ...operation, state: "excluded" };
  return { ...operation, state: "included", ...(hosts !== "all" && { hosts }) };
}

/** The hosts of a selector that a host of operations matches; `all` when it is one of them. */
function selectedOf(host: string, hosts: ReadonlySet<string>): readonly string[] | "all" {
  if (hosts.has(host)) return "all";
  return isHostTemplate(host) ? [...hosts].filter((candidate) => isSelected(host, candidate)) : [];
}

/** Whether a host of a selector is one of those that a template matches. */
function isSelected(template: string, host: string): boolean {
  return !isHostTemplate(host) && matchesHost(template, host);
}

function checkEntries(entries: unknown, member: string, list: string, at: string): CodedDiagnostic[] {
  // The provider accepts null as absent (`observed`).
  if (entries === undefined || entries === null) return [];
  const here = at + pointer(member);
  if (!Array.isArray(entries)) return [invalidValue(here, `\`${member}\``, "an array of objects", entries)];
  return entries.flatMap((entry: unknown, i) => {
    const element = here + pointer(i);
    return isJsonObject(entry)
      ? checkStrings(entry[list], list, element + pointer(list))
      : [invalidValue(element, `an element of \`${member}\``, `an object with \`${list}\``, entry)];
  });
}

function checkStrings(strings: unknown, list: string, at: string): CodedDiagnostic[] {
  if (strings === undefined) return [];
  if (!Array.isArray(strings)) return [invalidValue(at, `\`${list}\``, "an array of strings", strings)];
  // An empty host is a host that cannot match, which is noted or rejected with the others (`spec`).
  const isValid = (value: unknown) => typeof value === "string" && (value !== "" || list === "host");
  const expected = list === "host" ? "a string" : "a non-empty string";
  // A hole is a missing string.
  return Array.from(strings).flatMap((value: unknown, i) =>
    isValid(value) ? [] : [invalidValue(at + pointer(i), `an element of \`${list}\``, expected, value)],
  );
}
