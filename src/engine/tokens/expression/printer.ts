/** Prints an expression with as few parentheses as possible: `parse(print(e))` equals `e` but for positions. */

import { requireArgument } from "../../../core/arguments.ts";
import { type Address, missing, partType, unknown, type ValueType } from "./language/types.ts";
import { printString } from "./literal.ts";
import { printPattern } from "./patterns/pattern-literal.ts";
import type { Expression, Literal, Operand, SetItem, Value } from "./tree.ts";
import { combinators } from "./tree.ts";
import { anExpression } from "./tree-kind.ts";
import { printAddress } from "./values/address.ts";
import { toText } from "./values/bytes.ts";

/**
 * Prints an expression in its canonical spelling, with as few parentheses as possible.
 *
 * @example
 * ```ts
 * const parsed = parseExpression('!(is_jwt_valid("a")) || (http.host == "x" && is_jwt_present("b"))');
 * if (parsed.ok) printExpression(parsed.value);
 * // => 'not is_jwt_valid("a") or http.host eq "x" and is_jwt_present("b")'
 * ```
 * @throws {TypeError} for a value that is not a tree
 */
export function printExpression(expression: Expression): string {
  requireArgument("expression", expression, anExpression);
  return printTree(expression);
}

/** The same for a tree of our own. */
export function printTree(expression: Expression): string {
  switch (expression.kind) {
    case "combination": {
      const level = combinators.indexOf(expression.operator);
      return expression.operands.map((operand) => printIn(operand, level)).join(` ${expression.operator} `);
    }
    case "not":
      return `not ${printIn(expression.operand, combinators.length)}`;
    case "quantified":
      return `${expression.quantifier}(${printQuantified(expression.operand)})`;
    case "test":
      return printValue(expression.value);
    case "constant":
      return String(expression.value);
    case "comparison":
      return `${printValue(expression.left)} ${expression.operator} ${printOperand(expression.right)}`;
  }
}

const printed = new WeakMap<Expression, string>();

/** The same for a tree whose parts are printed often, which is kept. */
export function printedTree(expression: Expression): string {
  const known = printed.get(expression) ?? printTree(expression);
  printed.set(expression, known);
  return known;
}

function printIn(expression: Expression, level: number): string {
  const printed = printTree(expression);
  const own = expression.kind === "combination" ? combinators.indexOf(expression.operator) : Infinity;
  return own > level ? printed : `(${printed})`;
}

/** A combination in `any` and `all` starts with a parenthesis, `not`, `any` or `all`. */
function printQuantified(operand: Expression): string {
  const printed = printTree(operand);
  if (operand.kind !== "combination" || /^(?:\(|not |any\(|all\()/.test(printed)) return printed;
  return `(${printed})`;
}

/** Prints a value. */
export function printValue(value: Value | Literal): string {
  switch (value.kind) {
    case "field":
      return value.name;
    case "index":
      return `${printValue(value.of)}[${typeof value.key === "string" ? printBytes(value.key) : value.key}]`;
    case "each":
      return `${printValue(value.of)}[*]`;
    case "call":
      return `${value.name}(${value.args.map(printValue).join(", ")})`;
    case "literal":
      return printLiteral(value);
  }
}

function printLiteral({ type, value }: Literal): string {
  if (typeof value === "string") return printBytes(value);
  return type === "IP" ? printAddress(value) : String(value);
}

/** Prints the right side of a comparison. */
export function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case "set":
      return `{${operand.items.map(printItem).join(" ")}}`;
    case "list":
      return `$${operand.name}`;
    case "regex":
      return printPattern(toText(operand.value) ?? operand.value);
    case "wildcard":
      return printBytes(operand.value);
    default:
      return printValue(operand);
  }
}

/** Prints an element of a set. */
export function printItem(item: SetItem): string {
  if (item.type === "String") return printBytes(item.value);
  const print = item.type === "Int" ? String : printAddress;
  if (item.type === "IP" && item.prefix !== undefined) return `${print(item.first)}/${item.prefix}`;
  return item.first === item.last ? print(item.first) : `${print(item.first)}..${print(item.last)}`;
}

/** Prints bytes as a string literal, those that are not text as `\xHH`. */
export function printBytes(bytes: string): string {
  const text = toText(bytes);
  // A code of a control character would be a byte, and not the character.
  if (text !== undefined && !/[\u0080-\u009f]/.test(text)) return printString(text);
  const escaped = bytes.replace(
    /[^ -~]|["\\]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
  return `"${escaped}"`;
}

/** Prints a value of a request, for explanations; `missing` or `unknown` without one. */
export function printLeafValue(type: ValueType, value: unknown): string {
  if (value === missing) return "missing";
  if (value === unknown) return "unknown";
  if (Array.isArray(value))
    return `[${value.map((element) => printLeafValue((partType(type) ?? type) as ValueType, element)).join(", ")}]`;
  if (typeof value === "string") return printBytes(value);
  return type === "IP" ? printAddress(value as Address) : String(value);
}
