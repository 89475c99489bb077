/** Parses and checks the arguments of a call (signatures: `observed`). */

import { joinAlternatives } from "../input-problem.ts";
import type { Parser } from "./grammar.ts";
import {
  type ArgumentType,
  entryOfFunction,
  type FunctionName,
  isTokenTest,
  type Parameter,
  signatureOf,
} from "./language/functions.ts";
import type { RuleKind } from "./language/rule-kinds.ts";
import {
  isArrayType,
  isMapType,
  nameType,
  partType,
  type ScalarType,
  type ValueType,
} from "./language/types.ts";
import { accept, type Cursor, expectSymbol, isAt, unexpected } from "./lexer.ts";
import type { Literal, Value } from "./tree.ts";
import { acceptLiteral, isAtInteger, rejectSpan } from "./typed-literals.ts";
import { adviseName } from "./words.ts";

type Argument = Value | Literal;

/** The arguments of a call and the type of its value. */
interface ParsedCall {
  readonly args: readonly Argument[];
  readonly type: ValueType;
}

/** The functions that version 0.2 read with each result of a call, without `[*]`. */
const readsElements: readonly FunctionName[] = ["lower", "upper", "len", "starts_with", "ends_with"];

/** Parses the parenthesis after the name of a function. */
export function parseArguments(
  { cursor, rules }: Parser,
  name: FunctionName,
  parseValue: () => Value | undefined,
  spread: (value: Value) => Value,
): ParsedCall {
  const { parameters, rest, result, ofLiterals } = entryOfFunction(name);
  const required = parameters.filter(({ optional }) => !optional).length + (rest?.min ?? 0);
  expectSymbol(cursor, "(");
  const parseArgumentValue = (expected: readonly string[]) => {
    const value = parseValue() ?? failAtArgument(cursor, rules, expected);
    return readsElements.includes(name) ? spread(value) : value;
  };
  const args: Argument[] = [];
  do {
    const parameter = parameters[args.length] ?? rest;
    if (parameter === undefined) unexpected(cursor, ["`)`"], tooMany(name));
    args.push(parseArgument(cursor, name, parameter, args, parseArgumentValue));
  } while (accept(cursor, ","));
  if (args.length < required)
    unexpected(cursor, ["`,`"], `\`${name}\` needs ${required} arguments or more: \`${signatureOf(name)}\`.`);
  if (!isAt(cursor, ")")) unexpected(cursor, ["`,`", "`)`"]);
  expectSymbol(cursor, ")");
  const [first] = args as [Argument];
  const last = args.at(-1) ?? first;
  if (args.every(({ kind }) => kind === "literal") && !isTokenTest(name) && !ofLiterals) {
    const span = { start: first.span.start, end: last.span.end };
    rejectSpan(cursor, span, ["a field or a call among the arguments"], `\`${name}\` has literals alone`);
  }
  return { args, type: resultType(cursor, name, first, result === "same" ? first.type : result) };
}

function resultType(cursor: Cursor, name: FunctionName, first: Argument, type: ValueType): ValueType {
  if (!first.isEach) return type;
  if (!isArrayType(type) && !isMapType(type)) return `Array<${type}>`;
  const clause = `\`${name}\` of each element would be an array of arrays, which no type is`;
  return rejectSpan(cursor, first.span, ["a value without `[*]`"], clause);
}

function tooMany(name: FunctionName): string {
  return `\`${name}\` has fewer arguments: \`${signatureOf(name)}\`.`;
}

function parseArgument(
  cursor: Cursor,
  name: FunctionName,
  parameter: Parameter,
  before: readonly Argument[],
  parseValue: (expected: readonly string[]) => Value,
): Argument {
  const [first] = before;
  const expected = expectedArgument(parameter, first);
  const argument = acceptArgumentLiteral(cursor, parameter, first) ?? parseValue(expected);
  const text = cursor.text.slice(argument.span.start, argument.span.end);
  const reject = (clause: string) => rejectSpan(cursor, argument.span, expected, clause);
  if (argument.isEach && first !== undefined)
    reject(`\`${text}\` has \`[*]\`, which is allowed in the first argument of a call only`);
  const allowed = parameter.types.some((type) => isOfType(type, argument.type, first));
  if (!allowed)
    reject(
      `\`${text}\` is ${nameType(argument.type)}; argument ${before.length + 1} of \`${name}\` must be ${joinAlternatives(expected)}`,
    );
  const isLiteral = argument.kind === "literal";
  if (parameter.written === "literal" && !isLiteral)
    reject(`argument ${before.length + 1} of \`${name}\` must be a literal`);
  if (parameter.written === "value" && isLiteral)
    reject(`argument ${before.length + 1} of \`${name}\` must be a field or a call, not a literal`);
  if (isLiteral) checkLiteral(argument, parameter, reject);
  const { fields } = parameter;
  if (fields && !(argument.kind === "field" && fields.includes(argument.name)))
    reject(
      `argument ${before.length + 1} of \`${name}\` must be ${joinAlternatives(fields.map((field) => `\`${field}\``))}`,
    );
  return argument;
}

function checkLiteral(
  { value }: Literal,
  { range, options, problem }: Parameter,
  reject: (clause: string) => never,
): void {
  if (range !== undefined && typeof value !== "string" && (value < range[0] || value > range[1]))
    reject(`\`${value}\` must be an integer from ${range[0]} to ${range[1]}`);
  const reason = problem?.(String(value));
  if (reason !== undefined) reject(reason);
  if (options === undefined) return;
  const wrong = [...String(value)].find((letter) => !options.includes(letter));
  if (wrong !== undefined)
    reject(
      `the option must have only the letters ${[...options].map((letter) => `\`${letter}\``).join(" and ")}`,
    );
}

function failAtArgument(cursor: Cursor, rules: RuleKind, expected: readonly string[]): never {
  const { token } = cursor;
  return unexpected(cursor, expected, token.kind === "word" ? adviseName(rules, token.text) : undefined);
}

/** The types of literals that a parameter can have. */
function literalTypes({ types }: Parameter, first: Argument | undefined): readonly ScalarType[] {
  return types.flatMap((type): readonly ScalarType[] => {
    if (type === "same") return first === undefined ? [] : scalarsOf(first.type);
    if (type === "part") return first === undefined ? [] : scalarsOf(innerType(first.type));
    if (type === "any" || type === "scalar") return ["Int", "IP", "String"];
    return scalarsOf(type as ValueType);
  });
}

function scalarsOf(type: ValueType): readonly ScalarType[] {
  return type === "Int" || type === "IP" || type === "String" || type === "Bool" ? [type] : [];
}

function acceptArgumentLiteral(
  cursor: Cursor,
  parameter: Parameter,
  first: Argument | undefined,
): Literal | undefined {
  if (cursor.token.kind === "string") return acceptLiteral(cursor, "String");
  const types = literalTypes(parameter, first);
  // An integer is one of a set of types only when it is not the start of an address.
  const isAddress =
    isAtInteger(cursor) && /^[0-9A-Fa-f]*[.:]/.test(cursor.text.slice(cursor.token.span.start));
  if (isAddress || !isAtInteger(cursor))
    return types.includes("IP") ? acceptLiteral(cursor, "IP") : undefined;
  return acceptLiteral(cursor, "Int");
}

function expectedArgument({ types, written }: Parameter, first: Argument | undefined): string[] {
  const names = types.map((type) => {
    if (type === "same") return first === undefined ? "" : nameType(first.type);
    if (type === "part") return first === undefined ? "" : nameType(innerType(first.type));
    if (type === "any") return "a value";
    if (type === "scalar") return "a Bool, Int, IP or String";
    return type === "Array" ? "an Array" : type === "Map" ? "a Map" : nameType(type);
  });
  return written === "literal" ? names.map((name) => `${name} literal`) : names;
}

/** The type of the scalars in an array or in the lists of a map. */
function innerType(type: ValueType): ValueType {
  const part = partType(type);
  return part === undefined ? type : innerType(part);
}

function isOfType(allowed: ArgumentType, type: ValueType, first: Argument | undefined): boolean {
  switch (allowed) {
    case "any":
      return true;
    case "scalar":
      return partType(type) === undefined;
    case "Array":
      return isArrayType(type);
    case "Map":
      return isMapType(type);
    case "same":
      return first !== undefined && type === first.type;
    case "part":
      return first !== undefined && type === innerType(first.type);
    default:
      return type === allowed;
  }
}
