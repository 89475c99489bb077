/** Evaluates comparisons with functions: `lower(...)`, `len(...)`, `any(...)` and the like (`observed`). */

import { compileReader, type RequestReader, readAllValues } from "../zone/request.ts";
import type { FunctionTest } from "./ast.ts";
import { compileFunctions, resultType } from "./language/functions.ts";
import { operatorOf } from "./language/operators.ts";

/**
 * Compiles a comparison with functions to a test of a request. It returns undefined, which counts as false, when the
 * request has no value to compare; `all` of no values is true.
 */
export function compileFunctionTest(test: FunctionTest): (request: RequestReader) => boolean | undefined {
  const holds = compileValueTest(test);
  const { field, quantifier } = test;
  if (quantifier === undefined || !("key" in field)) {
    const read = compileReader(field);
    return (request) => {
      const value = read(request);
      return value === undefined ? undefined : holds(value);
    };
  }
  const read = (request: RequestReader) => readAllValues(request, field);
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
}: Pick<FunctionTest, "functions" | "operator" | "operand">): (value: string) => boolean {
  const holds = operatorOf(resultType(functions), operator).compile(operand);
  if (functions.length === 0) return holds;
  const apply = compileFunctions(functions);
  return (value) => holds(apply(value));
}
