/** A plain model of the language: walks the tree, knows no slots, and matches wildcards by recursion. */

import type { Field } from "../../../src/engine/tokens/expression/field.ts";
import type { Expression } from "../../../src/engine/tokens/expression/tree.ts";
import { type FieldComparison, type Leaf, leafOf } from "./leaves.ts";

/** The facts of a request in the model. */
export interface ModelFacts {
  valid(configId: string): boolean;
  present(configId: string): boolean;
  value(field: Field): string | undefined;
}

export function modelTruth(expression: Expression, facts: ModelFacts): boolean {
  switch (expression.kind) {
    case "not":
      return !modelTruth(expression.operand, facts);
    case "combination": {
      const values = expression.operands.map((operand) => modelTruth(operand, facts));
      if (expression.operator === "or") return values.includes(true);
      if (expression.operator === "and") return !values.includes(false);
      return values.reduce((left, right) => left !== right);
    }
    default:
      return modelLeaf(leafOf(expression), facts);
  }
}

function modelLeaf(leaf: Leaf, facts: ModelFacts): boolean {
  if (leaf.kind === "other") throw new Error("the model knows no other tests");
  if (leaf.kind === "comparison") return modelFunction(leaf, facts);
  return leaf.test === "is_jwt_valid" ? facts.valid(leaf.configId) : facts.present(leaf.configId);
}

function modelFunction(test: FieldComparison, facts: ModelFacts): boolean {
  const { field, quantifier, functions, operator, operand } = test;
  const truth = (given: string): boolean => {
    let value: string | number = given;
    for (const name of [...functions].reverse()) {
      if (name === "len") value = new TextEncoder().encode(value as string).length;
      else value = [...(value as string)].map((unit) => changeCase(unit, name)).join("");
    }
    if (typeof operand === "number") {
      const difference = Number(value) - operand;
      return {
        eq: difference === 0,
        ne: difference !== 0,
        lt: difference < 0,
        le: difference <= 0,
        gt: difference > 0,
        ge: difference >= 0,
      }[operator as "eq"];
    }
    const text = value as string;
    if (typeof operand !== "string") return operand.some((item) => item === text);
    if (operator === "starts_with") return text.slice(0, operand.length) === operand;
    if (operator === "ends_with") return text.slice(Math.max(0, text.length - operand.length)) === operand;
    if (operator === "matches") return new RegExp(operand).test(text);
    return modelCompare({ operator, operand }, text);
  };
  if (quantifier === undefined) {
    const value = facts.value(field as Field);
    return value !== undefined && truth(value);
  }
  const values: string[] = [];
  for (let index = 0; ; index++) {
    const value = facts.value({ ...field, index } as Field);
    if (value === undefined) break;
    values.push(value);
  }
  return quantifier === "any"
    ? values.filter(truth).length > 0
    : values.filter(truth).length === values.length;
}

function changeCase(unit: string, name: "lower" | "upper"): string {
  if (!/[A-Za-z]/.test(unit)) return unit;
  return name === "lower" ? unit.toLowerCase() : unit.toUpperCase();
}

export function modelCompare(
  comparison: Pick<FieldComparison, "operator" | "operand">,
  value: string,
): boolean {
  const operand = String(comparison.operand);
  switch (comparison.operator) {
    case "in":
      return (comparison.operand as readonly string[]).some((item) => item === value);
    case "eq":
      return value === operand;
    case "ne":
      return !(value === operand);
    case "contains":
      return value.indexOf(operand) >= 0;
    case "wildcard":
      return modelWildcard(operand.split(""), value.split(""), lowerAscii);
    case "strict wildcard":
      return modelWildcard(operand.split(""), value.split(""), (unit) => unit);
    default:
      throw new Error(comparison.operator);
  }
}

function lowerAscii(unit: string): string {
  return unit >= "A" && unit <= "Z" ? unit.toLowerCase() : unit;
}

function modelWildcard(pattern: string[], text: string[], fold: (unit: string) => string): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === "*") {
    return (
      modelWildcard(rest, text, fold) || (text.length > 0 && modelWildcard(pattern, text.slice(1), fold))
    );
  }
  const [literal, after] = first === "\\" ? [rest[0] as string, rest.slice(1)] : [first, rest];
  const [unit] = text;
  return unit !== undefined && fold(unit) === fold(literal) && modelWildcard(after, text.slice(1), fold);
}

/** The values of a field, read from pairs of headers in the plainest way. */
export function modelField(
  request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
  },
  field: Field,
): string | undefined {
  const url = new URL(request.url);
  switch (field.name) {
    case "http.request.method":
      return request.method.toUpperCase();
    case "http.host":
      return url.hostname;
    case "http.request.uri.path":
      return url.pathname;
    case "http.request.uri" as never:
      return url.pathname + url.search;
    case "http.request.uri.query" as never:
      return url.search.slice(1);
    case "http.request.headers":
      return request.headers.filter(([name]) => name.toLowerCase() === field.key.toLowerCase())[
        field.index
      ]?.[1];
    case "http.request.cookies":
      return modelCookies(request.headers).filter(([name]) => name === field.key)[field.index]?.[1];
  }
}

function modelCookies(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers
    .filter(([name]) => name.toLowerCase() === "cookie")
    .flatMap(([, value]) => value.split(";"))
    .filter((part) => part.includes("="))
    .map((part) => {
      const [name, ...value] = part.split("=");
      return [decode((name as string).trim()), value.join("=").trim()];
    });
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
