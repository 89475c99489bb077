/** Comparisons of strings in custom rules as comparisons of token rules, which have the same results for every text. */

import type { FunctionTest, ValueField } from "../../expression/ast.ts";
import type { CustomComparison } from "../../expression/custom/tree.ts";
import { toText } from "../../expression/custom/values/bytes.ts";
import type { CompiledList } from "../../expression/custom/values/lists.ts";
import type { ValueFunction } from "../../expression/language/functions.ts";
import { isDecided } from "../strings/comparison-dfas.ts";
import { isSameForBytes } from "./byte-patterns.ts";
import { type Formula, negate, never, some } from "./formula.ts";

/** A value that is a string, with functions, the outermost first. */
export interface TextSubject {
  readonly functions: readonly ValueFunction[];
  /** A comparison of the string after functions; undefined when the analysis does not look into it. */
  readonly leaf: (functions: readonly ValueFunction[], test: TextTest) => Formula | undefined;
  /** Whether every value is ASCII. */
  readonly isAscii: boolean;
}

/** The operator and the operand of a comparison. */
export type TextTest = Pick<FunctionTest, "operator" | "operand">;

/** Spans do not matter to an analysis. */
const span = { start: 0, end: 0 };

/** A comparison as the node of a token rule. */
export function toLeaf(
  field: ValueField,
  functions: readonly ValueFunction[],
  test: TextTest,
  quantifier?: FunctionTest["quantifier"],
): FunctionTest {
  return { kind: "function", functions, field, ...test, span, ...(quantifier && { quantifier }) };
}

/** Not a character of an operand: in values it replaces what is not well-formed. */
const replacement = "\ufffd";

/** The text of an operand; undefined when comparing texts is not the same as comparing bytes. */
export function operandText(bytes: string): string | undefined {
  const text = toText(bytes);
  return text?.includes(replacement) ? undefined : text;
}

/** A comparison of a string, or of its length; undefined when no analysis looks into it. */
export function compareText(
  subject: TextSubject,
  operator: CustomComparison["operator"],
  right: CustomComparison["right"],
  list: CompiledList | undefined,
): Formula | undefined {
  if (subject.functions[0] === "len") return compareLength(subject, operator, right);
  switch (right.kind) {
    case "literal":
    case "wildcard":
    case "regex": {
      const operand = typeof right.value === "string" ? operandText(right.value) : undefined;
      if (operand === undefined) return undefined;
      return isTextOperator(operator) ? decided(subject, { operator, operand }) : undefined;
    }
    case "set": {
      const texts = right.items.map((item) => (item.type === "String" ? operandText(item.value) : undefined));
      const known = texts.filter((text) => text !== undefined);
      return known.length < texts.length ? undefined : decided(subject, { operator: "in", operand: known });
    }
    case "list":
      return list === undefined ? undefined : inHosts(subject, list.items as readonly string[]);
    default:
      return undefined;
  }
}

const textOperators = ["eq", "ne", "contains", "wildcard", "strict wildcard", "matches"] as const;

function isTextOperator(operator: string): operator is (typeof textOperators)[number] {
  return (textOperators as readonly string[]).includes(operator);
}

/** The comparison, when the analysis of token rules decides it, and characters are as good as bytes. */
export function decided(subject: TextSubject, test: TextTest): Formula | undefined {
  const leaf = toLeaf({ name: "http.request.uri" }, subject.functions, test);
  if (!isDecided(leaf)) return undefined;
  const isRegex = test.operator === "matches" && !subject.isAscii;
  return isRegex && !isSameForBytes(String(test.operand)) ? undefined : subject.leaf(subject.functions, test);
}

/** A list of host names; `*.` matches any subdomain. */
function inHosts(subject: TextSubject, hosts: readonly string[]): Formula | undefined {
  const texts = hosts.map(operandText).filter((text) => text !== undefined);
  if (texts.length < hosts.length) return undefined;
  const whole = texts.filter((text) => !text.startsWith("*."));
  const all = [
    decided(subject, { operator: "in", operand: whole }),
    ...texts.flatMap((text) =>
      text.startsWith("*.") ? [decided(subject, { operator: "ends_with", operand: text.slice(1) })] : [],
    ),
  ];
  const known = all.filter((one) => one !== undefined);
  return known.length < all.length ? undefined : some(known);
}

const lengthOperators = ["eq", "ne", "lt", "le", "gt", "ge"] as const;

function compareLength(
  subject: TextSubject,
  operator: CustomComparison["operator"],
  right: CustomComparison["right"],
): Formula | undefined {
  if (right.kind === "literal") {
    const known = lengthOperators.find((one) => one === operator);
    if (known === undefined || typeof right.value !== "number" || right.value < 0) return undefined;
    return decided(subject, { operator: known, operand: right.value });
  }
  if (right.kind !== "set") return undefined;
  const ranges = right.items.map((item) => lengthRange(subject, item));
  const known = ranges.filter((one) => one !== undefined);
  return known.length < ranges.length ? undefined : some(known);
}

function lengthRange(
  subject: TextSubject,
  item: Extract<CustomComparison["right"], { kind: "set" }>["items"][number],
): Formula | undefined {
  if (item.type !== "Int" || typeof item.first !== "number" || typeof item.last !== "number")
    return undefined;
  if (item.last < 0) return never;
  const from = decided(subject, { operator: "ge", operand: Math.max(0, item.first) });
  const after = decided(subject, { operator: "gt", operand: item.last });
  if (from === undefined || after === undefined) return undefined;
  return { kind: "combination", operator: "and", operands: [from, negate(after)] };
}
