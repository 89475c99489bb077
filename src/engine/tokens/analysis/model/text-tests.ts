/** Comparisons of strings, which have the same results for texts as for their bytes. */

import type { Comparison } from "../../expression/tree.ts";
import { toText } from "../../expression/values/bytes.ts";
import type { CompiledList } from "../../expression/values/lists.ts";
import { isDecided } from "../strings/comparison-dfas.ts";
import type { TextFunction } from "../strings/function-dfas.ts";
import type { TextComparison } from "../strings/string-test.ts";
import { type StringOperator, stringOperators } from "../strings/text-operators.ts";
import { type Formula, negate, never, some } from "./formula.ts";

/** A value that is a string, with functions, the outermost first. */
export interface TextSubject {
  readonly functions: readonly TextFunction[];
  /** A comparison of the string after functions; undefined when the analysis does not look into it. */
  readonly leaf: (functions: readonly TextFunction[], test: TextTest) => Formula | undefined;
}

/** The operator and the operand of a comparison, and the part of the string that it is of. */
export type TextTest = Pick<TextComparison, "operator" | "operand" | "run">;

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
  operator: Comparison["operator"],
  right: Comparison["right"],
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

function isTextOperator(operator: string): operator is StringOperator {
  return Object.hasOwn(stringOperators, operator);
}

/** The comparison, when the analysis decides it. */
export function decided(subject: TextSubject, test: TextTest): Formula | undefined {
  const { functions } = subject;
  return isDecided({ functions, ...test }) ? subject.leaf(functions, test) : undefined;
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
  const known = all.filter((formula) => formula !== undefined);
  return known.length < all.length ? undefined : some(known);
}

const lengthOperators = ["eq", "ne", "lt", "le", "gt", "ge"] as const;

function compareLength(
  subject: TextSubject,
  operator: Comparison["operator"],
  right: Comparison["right"],
): Formula | undefined {
  if (right.kind === "literal") {
    const known = lengthOperators.find((allowed) => allowed === operator);
    if (known === undefined || typeof right.value !== "number" || right.value < 0) return undefined;
    return decided(subject, { operator: known, operand: right.value });
  }
  if (right.kind !== "set") return undefined;
  const ranges = right.items.map((item) => lengthRange(subject, item));
  const known = ranges.filter((formula) => formula !== undefined);
  return known.length < ranges.length ? undefined : some(known);
}

function lengthRange(
  subject: TextSubject,
  item: Extract<Comparison["right"], { kind: "set" }>["items"][number],
): Formula | undefined {
  if (item.type !== "Int" || typeof item.first !== "number" || typeof item.last !== "number")
    return undefined;
  if (item.last < 0) return never;
  const from = decided(subject, { operator: "ge", operand: Math.max(0, item.first) });
  const after = decided(subject, { operator: "gt", operand: item.last });
  if (from === undefined || after === undefined) return undefined;
  return { kind: "combination", operator: "and", operands: [from, negate(after)] };
}
