/** Evaluates comparisons with functions: `lower(...)`, `len(...)`, `any(...)` and the like (`observed`). */

import { type RequestReader, readAllValues, readField, readQuery } from "../zone/request.ts";
import type { FunctionTest, ValueField, ValueFunction } from "./ast.ts";
import { compileComparison } from "./compiler.ts";
import { compilePattern } from "./regular-expression.ts";

/**
 * Compiles a comparison with functions to a test of a request. It returns undefined, which counts as false, when the
 * request has no value to compare; `all` of no values is true.
 */
export function compileFunctionTest(test: FunctionTest): (request: RequestReader) => boolean | undefined {
  const holds = compileValueTest(test);
  const { field, quantifier } = test;
  if (quantifier === undefined) {
    return (request) => {
      const value = readValue(request, field);
      return value === undefined ? undefined : holds(value);
    };
  }
  const read = (request: RequestReader) => ("key" in field ? readAllValues(request, field) : []);
  if (quantifier === "all") return (request) => read(request).every(holds);
  return (request) => {
    const values = read(request);
    return values.length === 0 ? undefined : values.some(holds);
  };
}

/** Whether a value, before its functions, has the result that the comparison asks for. */
export function compileValueTest({
  functions,
  operator,
  operand,
  ...test
}: FunctionTest): (value: string) => boolean {
  const [outer, ...inner] = functions;
  if (typeof operand === "number") {
    const compare = integerTests[operator as keyof typeof integerTests];
    const apply = compileFunctions(outer === "len" ? inner : functions);
    return (value) => compare(byteLength(apply(value)), operand);
  }
  const apply = compileFunctions(functions);
  const holds = compileStringTest({ ...test, functions, operator, operand });
  return (value) => holds(apply(value));
}

function compileStringTest({ field, operator, operand, span }: FunctionTest): (value: string) => boolean {
  if (typeof operand === "number") return () => false;
  if (typeof operand !== "string") {
    const values = new Set(operand);
    return (value) => values.has(value);
  }
  switch (operator) {
    case "starts_with":
      return (value) => value.startsWith(operand);
    case "ends_with":
      return (value) => value.endsWith(operand);
    case "matches":
      return compilePattern(operand);
    case "eq":
    case "ne":
    case "contains":
    case "wildcard":
    case "strict wildcard": {
      const plain = "key" in field ? { ...field, index: 0 } : ({ name: "http.host" } as const);
      return compileComparison({ kind: "comparison", field: plain, operator, value: operand, span });
    }
    default:
      return () => false;
  }
}

/** The comparisons of integers. */
export const integerTests = {
  eq: (a: number, b: number) => a === b,
  ne: (a: number, b: number) => a !== b,
  lt: (a: number, b: number) => a < b,
  le: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  ge: (a: number, b: number) => a >= b,
} as const;

function compileFunctions(functions: readonly ValueFunction[]): (value: string) => string {
  const [outer] = functions;
  // Of nested changes of case the outer one counts.
  if (outer === "lower") return (value) => value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (outer === "upper") return (value) => value.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  return (value) => value;
}

function readValue(request: RequestReader, field: ValueField): string | undefined {
  if ("key" in field)
    return field.index === "*" ? undefined : readField(request, { ...field, index: field.index });
  switch (field.name) {
    case "http.request.uri": {
      const query = readQuery(request);
      return query === undefined ? request.path : `${request.path}?${query}`;
    }
    case "http.request.uri.query":
      return readQuery(request) ?? "";
    default:
      return readField(request, { name: field.name });
  }
}

/** The length of a string in UTF-8. */
export function byteLength(value: string): number {
  let length = 0;
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
