/** Composable readers that turn unchecked JSON values into typed ones, or list everything that is wrong with them. */

import type { ParseFault } from "../../../core/address/parse-fault.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { type Failure, failure, type Result, success } from "../../../core/result.ts";
import { type CodedDiagnostic, pointer, problem } from "../../../errors.ts";
import { describeValue, memberPath } from "./describe-input.ts";

/** Reads a value; `at` is its RFC 6901 pointer. */
export type Reader<T> = (value: unknown, at: string) => Result<T>;

function unexpected(at: string, value: unknown, expected: string): Failure {
  const subject = at === "" ? "The value" : memberPath(at);
  return failure(problem(10400, `${subject} must be ${expected}; found ${describeValue(value)}.`, at));
}

function readType<T>(expected: string, is: (value: unknown) => value is T): Reader<T> {
  return (value, at) => (is(value) ? success(value) : unexpected(at, value, expected));
}

/** Reads a string. */
export const readString = readType("a string", (value) => typeof value === "string");

/** Reads a boolean. */
export const readBoolean = readType("true or false", (value): value is boolean => typeof value === "boolean");

/** Reads an integer of 0 or more. */
export const readCount = readType(
  "an integer of at least 0",
  (value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
);

/** Reads a function, whose signature only the compiler can check. */
export function readFunction<T>(): Reader<T> {
  return readType("a function", (value): value is T => typeof value === "function");
}

/** Reads one of a few strings. */
export function readOneOf<T extends string>(values: readonly T[]): Reader<T> {
  const expected = values.map((value) => `\`${value}\``).join(" or ");
  return readType(expected, (value): value is T => values.some((allowed) => allowed === value));
}

/** Reads a string of a grammar; `name` is the name of the grammar with its article. */
export function readParsed<T>(name: string, parse: (text: string) => Result<T, ParseFault>): Reader<T> {
  return (value, at) => {
    const text = readString(value, at);
    if (!text.ok) return text;
    const result = parse(text.value);
    if (result.ok) return result;
    const [{ offset, message }] = result.problems;
    return unexpected(at, value, `${name} (at offset ${offset} ${message})`);
  };
}

/** Reads an array. */
export function readList<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return unexpected(at, value, "an array");
    const items: T[] = [];
    const problems: CodedDiagnostic[] = [];
    for (const [i, item] of value.entries()) {
      const result = read(item, `${at}/${i}`);
      if (result.ok) items.push(result.value);
      else problems.push(...result.problems);
    }
    return resultOf(items, problems);
  };
}

function resultOf<T>(value: T, [first, ...rest]: readonly CodedDiagnostic[]): Result<T> {
  return first ? failure(first, ...rest) : success(value);
}

type MemberReaders = Readonly<Record<string, Reader<unknown>>>;
type OptionalMembers<M extends MemberReaders> = {
  readonly [K in keyof M]?: M[K] extends Reader<infer T> ? T : never;
};
type WithRequired<M extends MemberReaders, R extends keyof M> = OptionalMembers<M> & {
  readonly [K in R]-?: NonNullable<OptionalMembers<M>[K]>;
};

/** Reads an object of known members. Unknown members are problems, since a mistyped fact would be a missing fact. */
export function readRecord<M extends MemberReaders, R extends keyof M & string = never>(
  members: M,
  required: readonly R[] = [],
): Reader<WithRequired<M, R>> {
  return (value, at) => {
    if (!isJsonObject(value)) return unexpected(at, value, "an object");
    const record: Record<string, unknown> = {};
    const problems: CodedDiagnostic[] = [];
    for (const [name, member] of Object.entries(value)) {
      const memberAt = at + pointer(name);
      const read = Object.hasOwn(members, name) ? members[name] : undefined;
      if (!read) problems.push(unknownMember(memberAt, Object.keys(members)));
      else if (member !== undefined) {
        const result = read(member, memberAt);
        if (result.ok) record[name] = result.value;
        else problems.push(...result.problems);
      }
    }
    for (const name of required) {
      const memberAt = at + pointer(name);
      if (value[name] === undefined)
        problems.push(problem(10400, `${memberPath(memberAt)} is missing; it is required.`, memberAt));
    }
    return resultOf(record as WithRequired<M, R>, problems);
  };
}

function unknownMember(at: string, known: readonly string[]): CodedDiagnostic {
  return problem(10400, `${memberPath(at)} is not a known member; the members are ${known.join(", ")}.`, at);
}
