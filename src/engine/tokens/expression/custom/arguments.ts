/** Parses and checks the arguments of a call (signatures: `observed`). */

import { joinAlternatives } from "../../input-problem.ts";
import {
  type ArgumentType,
  type CustomFunction,
  entryOfFunction,
  type Parameter,
  signatureOf,
} from "../language/custom-functions.ts";
import {
  type CustomType,
  isArrayType,
  isMapType,
  nameType,
  partType,
  type ScalarType,
} from "../language/custom-types.ts";
import { accept, type Cursor, expectSymbol, isAt, unexpected } from "../lexer.ts";
import { acceptLiteral, isAtInteger, rejectSpan } from "./literals.ts";
import { adviseName } from "./names.ts";
import type { CustomLiteral, CustomValue } from "./tree.ts";

type Argument = CustomValue | CustomLiteral;

/** The arguments of a call and the type of its value. */
interface ParsedCall {
  readonly args: readonly Argument[];
  readonly type: CustomType;
}

/** Parses the parenthesis after the name of a function. */
export function parseArguments(
  cursor: Cursor,
  name: CustomFunction,
  parseValue: () => CustomValue | undefined,
): ParsedCall {
  const { parameters, rest, result } = entryOfFunction(name);
  const required = parameters.filter(({ optional }) => !optional).length + (rest?.min ?? 0);
  expectSymbol(cursor, "(");
  const args: Argument[] = [];
  do {
    const parameter = parameters[args.length] ?? rest;
    if (parameter === undefined) unexpected(cursor, ["`)`"], tooMany(name));
    args.push(parseArgument(cursor, name, parameter, args, parseValue));
  } while (accept(cursor, ","));
  if (args.length < required)
    unexpected(cursor, ["`,`"], `\`${name}\` needs ${required} arguments or more: \`${signatureOf(name)}\`.`);
  if (!isAt(cursor, ")")) unexpected(cursor, ["`,`", "`)`"]);
  expectSymbol(cursor, ")");
  const [first] = args as [Argument];
  return { args, type: resultType(cursor, name, first, result === "same" ? first.type : result) };
}

function resultType(cursor: Cursor, name: CustomFunction, first: Argument, type: CustomType): CustomType {
  if (!first.isEach) return type;
  if (!isArrayType(type) && !isMapType(type)) return `Array<${type}>`;
  const clause = `\`${name}\` of each element would be an array of arrays, which no type is`;
  return rejectSpan(cursor, first.span, ["a value without `[*]`"], clause);
}

function tooMany(name: CustomFunction): string {
  return `\`${name}\` has fewer arguments: \`${signatureOf(name)}\`.`;
}

function parseArgument(
  cursor: Cursor,
  name: CustomFunction,
  parameter: Parameter,
  before: readonly Argument[],
  parseValue: () => CustomValue | undefined,
): Argument {
  const [first] = before;
  const expected = expectedArgument(parameter, first);
  const argument =
    acceptArgumentLiteral(cursor, parameter, first) ?? parseValue() ?? failAtArgument(cursor, expected);
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
  return argument;
}

function checkLiteral(
  { value }: CustomLiteral,
  { range, options }: Parameter,
  reject: (clause: string) => never,
): void {
  if (range !== undefined && typeof value !== "string" && (value < range[0] || value > range[1]))
    reject(`\`${value}\` must be an integer from ${range[0]} to ${range[1]}`);
  if (options === undefined) return;
  const wrong = [...String(value)].find((one) => !options.includes(one));
  if (wrong !== undefined)
    reject(`the option must have only the letters ${[...options].map((one) => `\`${one}\``).join(" and ")}`);
}

function failAtArgument(cursor: Cursor, expected: readonly string[]): never {
  const { token } = cursor;
  return unexpected(cursor, expected, token.kind === "word" ? adviseName(token.text) : undefined);
}

/** The types of literals that a parameter can have. */
function literalTypes({ types }: Parameter, first: Argument | undefined): readonly ScalarType[] {
  return types.flatMap((type): readonly ScalarType[] => {
    if (type === "same") return first === undefined ? [] : scalarsOf(first.type);
    if (type === "part") return first === undefined ? [] : scalarsOf(innerType(first.type));
    if (type === "any" || type === "scalar") return ["Int", "IP", "String"];
    return scalarsOf(type as CustomType);
  });
}

function scalarsOf(type: CustomType): readonly ScalarType[] {
  return type === "Int" || type === "IP" || type === "String" || type === "Bool" ? [type] : [];
}

function acceptArgumentLiteral(
  cursor: Cursor,
  parameter: Parameter,
  first: Argument | undefined,
): CustomLiteral | undefined {
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
  return written === "literal" ? names.map((one) => `${one} literal`) : names;
}

/** The type of the scalars in an array or in the lists of a map. */
function innerType(type: CustomType): CustomType {
  const part = partType(type);
  return part === undefined ? type : innerType(part);
}

function isOfType(allowed: ArgumentType, type: CustomType, first: Argument | undefined): boolean {
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
