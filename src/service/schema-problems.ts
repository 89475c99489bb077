/** Turns the issues that zod finds into problems of the catalogue: one sentence each, with the member's name. */

import type { z } from "zod";
import { didYouMean } from "../core/suggest.ts";
import { sentence } from "../core/text/sentence.ts";
import {
  type Area,
  alternatives,
  type CodedDiagnostic,
  pointer,
  problem,
  quote,
  withArticle,
} from "../errors.ts";
import { genericCodes } from "./context.ts";

type Issue = z.core.$ZodIssue;

/** Where a value comes from. */
export interface InputLocation {
  readonly area: Area;
  /** RFC 6901 pointer of the value itself; empty for a whole body. */
  readonly at: string;
  /** Name of the whole input in messages. Default `the body`. */
  readonly root?: string;
  /** The names of the members that an object can have; messages about unknown members then list them. */
  readonly membersAt?: (path: readonly PropertyKey[]) => readonly string[];
}

/**
 * The problems of one issue: one, except where several members are unknown or one alternative was nearly matched.
 *
 * Messages given to `regex` and `refine` must complete the sentence "it must be ...".
 */
export function schemaProblems(issue: Issue, location: InputLocation): CodedDiagnostic[] {
  const { area, at, root = "the body", membersAt } = location;
  const code = genericCodes[area].invalid;
  const path = issue.path.map(String);
  const where = `${at}${pointer(...path)}`;
  const name = path.length > 0 ? quote(path.join(".")) : at === "" ? root : quote(at);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) =>
      problem(
        code,
        `${quote(key)} is not a member of ${name}${allowedNames(key, membersAt?.(issue.path) ?? [])}.`,
        `${where}${pointer(key)}`,
      ),
    );
  }
  const nested = issue.code === "invalid_union" ? nearlyMatched(issue) : undefined;
  if (nested) {
    return nested.flatMap((inner) =>
      schemaProblems({ ...inner, path: [...issue.path, ...inner.path] }, location),
    );
  }
  return [problem(code, sentence(`${name} ${predicate(issue)}`), where)];
}

/** The nearest name and all allowed ones, as the end of a sentence. */
function allowedNames(key: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const near = didYouMean(key, names);
  const list = names.map(quote).join(", ");
  return near === "" ? `; its members are ${list}` : `${near} Its members are ${list}`;
}

/** The issues of the only alternative whose type is that of the value. */
function nearlyMatched({ errors }: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  const sameType = errors.filter(
    (issues) => !issues.some((issue) => issue.path.length === 0 && isOtherType(issue)),
  );
  return sameType.length === 1 ? sameType[0] : undefined;
}

/** Whether the value has another type than the schema; the values of an enumeration are never objects. */
function isOtherType({ code, input }: Issue): boolean {
  return code === "invalid_type" || (code === "invalid_value" && typeof input === "object");
}

/** The expectation and the value found. */
function predicate(issue: Issue): string {
  const { input } = issue;
  const expected = expectation(issue);
  if (input === undefined)
    return expected === "given" ? "is missing; it is required" : `is missing; it must be ${expected}`;
  if ((issue.code === "too_small" || issue.code === "too_big") && sizeOf(input) !== undefined) {
    return `must ${Array.isArray(input) ? "have" : "be"} ${expected}; found ${sizeOf(input)}`;
  }
  return `must be ${expected}; found ${found(input)}`;
}

/** Completes the sentence "it must be ...". */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "nonoptional"
        ? "given"
        : withArticle(jsonTypes[issue.expected] ?? issue.expected);
    case "invalid_value":
      return alternatives(issue.values.map((value) => quote(String(value))));
    case "too_small":
      return bound(issue.origin, issue.inclusive === false ? "more than" : "at least", Number(issue.minimum));
    case "too_big":
      return bound(issue.origin, issue.inclusive === false ? "less than" : "at most", Number(issue.maximum));
    case "invalid_union":
      return unionTypes(issue);
    default:
      return issue.message;
  }
}

function unionTypes({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const types = errors.flatMap((issues) => issues.slice(0, 1).map(expectation));
  return alternatives([...new Set(types)]);
}

const units: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  string: ["character", "characters"],
  array: ["element", "elements"],
  object: ["member", "members"],
};

function bound(origin: string, comparison: string, value: number): string {
  const [singular, plural] = units[origin] ?? ["", ""];
  return `${comparison} ${value} ${value === 1 ? singular : plural}`.trimEnd();
}

/** Characters of a string that is not empty, elements of an array. */
function sizeOf(value: unknown): number | undefined {
  return (typeof value === "string" && value !== "") || Array.isArray(value) ? value.length : undefined;
}

/** Types of the schema library that have another name in JSON. */
const jsonTypes: Readonly<Record<string, string>> = { int: "integer", record: "object" };

/** Longest string that a message repeats, in characters. */
const maxRepeated = 40;

function found(value: unknown): string {
  if (value === "") return "an empty string";
  if (typeof value !== "string") return quote(value);
  return value.length > maxRepeated ? `a string of ${value.length} characters` : `the string ${quote(value)}`;
}
