/** Reads JSON values into typed ones, collecting what is wrong with them: a handful of readers that compose. */
import { type Problem, pointer, quote } from "../../../errors.ts";
import type { Parsed } from "../grammar/parsed.ts";
import { isObject } from "./decode.ts";

/** Reads a value at a pointer; undefined when it is absent or a problem was added. */
export type Read<T> = (value: unknown, at: string, problems: Problem[]) => T | undefined;

/** Adds the problem that a value is not what it has to be. */
export function complain(problems: Problem[], at: string, value: unknown, expected: string): undefined {
  problems.push({ code: 10400, pointer: at, message: `${quote(value)} was given; ${expected} is expected.` });
  return undefined;
}

function kind<T>(expected: string, is: (value: unknown) => value is T): Read<T> {
  return (value, at, problems) => (is(value) ? value : complain(problems, at, value, expected));
}

export const readText = kind("a text", (value): value is string => typeof value === "string");
export const readFlag = kind("true or false", (value): value is boolean => typeof value === "boolean");
export const readCount = kind(
  "an integer from 0",
  (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0,
);

/** Reads a function of the user's, whose type only the compiler can check. */
export function readFunction<T>(): Read<T> {
  return kind("a function", (value): value is T => typeof value === "function");
}

/** Reads one of a few texts. */
export function readOneOf<T extends string>(values: readonly T[]): Read<T> {
  const expected = values.map((value) => `\`${value}\``).join(" or ");
  return kind(expected, (value): value is T => (values as readonly unknown[]).includes(value));
}

/** Reads a text of a grammar. */
export function readParsed<T>(what: string, parse: (text: string) => Parsed<T>): Read<T> {
  return (value, at, problems) => {
    const text = readText(value, at, problems);
    if (text === undefined) return undefined;
    const result = parse(text);
    if (result.ok) return result.value;
    return complain(problems, at, value, `${what} (at offset ${result.fault.at} ${result.fault.message})`);
  };
}

/** Reads a list; its bad elements are left out and complained about. */
export function readList<T>(read: Read<T>): Read<readonly T[]> {
  return (value, at, problems) => {
    if (!Array.isArray(value)) return complain(problems, at, value, "a list");
    const items = Array.from(value as unknown[], (item, i) => read(item, `${at}/${i}`, problems));
    return items.filter((item) => item !== undefined) as T[];
  };
}

type Shape = Readonly<Record<string, Read<unknown>>>;
type Output<S extends Shape> = { readonly [K in keyof S]?: S[K] extends Read<infer T> ? T : never };
type Required<S extends Shape, R extends keyof S> = Output<S> & {
  readonly [K in R]-?: NonNullable<Output<S>[K]>;
};

/** Reads an object of known members; unknown ones are problems, since a mistyped fact would be a missing one. */
export function readRecord<S extends Shape, R extends keyof S & string = never>(
  shape: S,
  required: readonly R[] = [],
): Read<Required<S, R>> {
  return (value, at, problems) => {
    if (!isObject(value)) return complain(problems, at, value, "an object");
    const before = problems.length;
    const out: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const read = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (!read) complain(problems, at + pointer(name), name, `one of ${Object.keys(shape).join(", ")}`);
      else if (value[name] !== undefined) out[name] = read(value[name], at + pointer(name), problems);
    }
    for (const name of required) {
      if (value[name] === undefined) complain(problems, at + pointer(name), undefined, "a value");
    }
    return problems.length === before || required.length === 0 ? (out as Required<S, R>) : undefined;
  };
}
