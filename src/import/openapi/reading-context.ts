/** Findings while a document is read: invalid members, parts that are left out, and remarks. */

import { type Diagnostic, diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { inputProblem, invalidValue } from "../../engine/tokens/input-problem.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import { importRules } from "../import-rules.ts";

/** Collects what is found, in the order of the document. */
export interface ReadingContext {
  readonly root: JsonObject;
  readonly problems: CodedDiagnostic[];
  /** Parts that are left out, because they cannot be read. */
  readonly dropped: Diagnostic[];
  /** Parts that are left out, because the caller ignores their extension. */
  readonly ignored: Diagnostic[];
  /** Values that the document does not contain as they are. */
  readonly derived: Diagnostic[];
  /** Parts without a host. */
  readonly withoutHost: Diagnostic[];
}

/** Creates the context of a document. */
export function createContext(root: JsonObject): ReadingContext {
  return { root, problems: [], dropped: [], ignored: [], derived: [], withoutHost: [] };
}

/** The rule of the diagnostics of each list. */
const ruleOf = {
  dropped: "left-out",
  ignored: "left-out",
  derived: "derived",
  withoutHost: "undecided",
} as const;

/** Adds a diagnostic to a list. */
export function remark(
  context: ReadingContext,
  list: keyof typeof ruleOf,
  pointer: string,
  message: string,
): void {
  context[list].push(diagnostic(importRules, ruleOf[list], message, { pointer }));
}

/** A value at its place in the document. */
export interface Placed<T = unknown> {
  readonly value: T;
  /** RFC 6901 pointer of the value. */
  readonly at: string;
}

/** The object of a member; reports another value. */
export function objectMember(
  context: ReadingContext,
  subject: string,
  { value, at }: Placed,
): JsonObject | undefined {
  if (value === undefined || isJsonObject(value)) return value;
  reject(context, invalidValue(at, subject, "an object", value));
  return undefined;
}

/** The elements of a member; reports another value. */
export function arrayMember(
  context: ReadingContext,
  subject: string,
  { value, at }: Placed,
): readonly unknown[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  reject(context, invalidValue(at, subject, "an array", value));
  return undefined;
}

/** The maximum number of problems that are kept: a file of another kind can have one in each of its lines. */
const maxProblems = 100;

/** Adds a problem. */
export function reject({ problems }: ReadingContext, found: CodedDiagnostic): void {
  if (problems.length < maxProblems) problems.push(found);
  else if (problems.length === maxProblems)
    problems.push(inputProblem(found.pointer ?? "", "There are more problems"));
}
