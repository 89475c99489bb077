/** Prints a tree of custom rules with as few parentheses as possible: `parse(print(e))` equals `e` but for positions. */

import { combinators } from "../ast.ts";
import { type Address, type CustomType, missing, partType, unknown } from "../language/custom-types.ts";
import { printString } from "../literal.ts";
import { printPattern } from "../patterns/pattern-literal.ts";
import type { CustomExpression, CustomLiteral, CustomOperandTree, CustomValue, SetItem } from "./tree.ts";
import { printAddress } from "./values/address.ts";
import { toText } from "./values/bytes.ts";

/** Prints an expression. */
export function printCustomExpression(expression: CustomExpression): string {
  switch (expression.kind) {
    case "combination": {
      const level = combinators.indexOf(expression.operator);
      return expression.operands.map((one) => printIn(one, level)).join(` ${expression.operator} `);
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

function printIn(expression: CustomExpression, level: number): string {
  const printed = printCustomExpression(expression);
  const own = expression.kind === "combination" ? combinators.indexOf(expression.operator) : Infinity;
  return own > level ? printed : `(${printed})`;
}

/** A combination in `any` and `all` starts with a parenthesis, `not`, `any` or `all`. */
function printQuantified(operand: CustomExpression): string {
  const printed = printCustomExpression(operand);
  if (operand.kind !== "combination" || /^(?:\(|not |any\(|all\()/.test(printed)) return printed;
  return `(${printed})`;
}

/** Prints a value. */
export function printValue(value: CustomValue | CustomLiteral): string {
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

function printLiteral({ type, value }: CustomLiteral): string {
  if (typeof value === "string") return printBytes(value);
  return type === "IP" ? printAddress(value) : String(value);
}

function printOperand(operand: CustomOperandTree): string {
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

function printItem(item: SetItem): string {
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
    (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
  return `"${escaped}"`;
}

/** Prints a value of a request, for explanations; `missing` or `unknown` without one. */
export function printLeafValue(type: CustomType, value: unknown): string {
  if (value === missing) return "missing";
  if (value === unknown) return "unknown";
  if (Array.isArray(value))
    return `[${value.map((one) => printLeafValue((partType(type) ?? type) as CustomType, one)).join(", ")}]`;
  if (typeof value === "string") return printBytes(value);
  return type === "IP" ? printAddress(value as Address) : String(value);
}
