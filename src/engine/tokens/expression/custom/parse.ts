/**
 * The parser and type checker of custom rules: the values, comparisons and calls of the shared grammar (`observed`).
 *
 *     leaf       := "true" | "false" | ("any" | "all") "(" quantified ")" | value | value operator operand
 *     quantified := leaf, or an expression that starts with "(", "not", "any(" or "all("
 *     value      := (field | function "(" argument ("," argument)* ")") ("[" (string | integer | "*") "]")*
 */

import type { Result } from "../../../../core/result.ts";
import { quote } from "../../../../errors.ts";
import { joinAlternatives } from "../../input-problem.ts";
import { type Combinator, combinators, quantifiers } from "../ast.ts";
import {
  type ExpressionLimits,
  enterNesting,
  type Grammar,
  lowerCaseAdvice,
  type Parser,
  parseCombination,
  parseWith,
} from "../grammar.ts";
import { customFields } from "../language/custom-fields.ts";
import { type CustomFunction, isCustomFunction } from "../language/custom-functions.ts";
import {
  type CustomOperand,
  type CustomOperatorName,
  customOperators,
  operatorsOfType,
} from "../language/custom-operators.ts";
import { isArrayType, isMapType, nameType, partType, type ScalarType } from "../language/custom-types.ts";
import { acceptRaw, advance, type Cursor, expectString, expectSymbol, isAt, unexpected } from "../lexer.ts";
import { bytePatternProblem } from "../patterns/byte-pattern.ts";
import type { ExpressionError, Span } from "../syntax-error.ts";
import { splitPattern, wildcardProblem } from "../wildcard.ts";
import { parseArguments } from "./arguments.ts";
import { acceptLiteral, parseSet, rejectSpan } from "./literals.ts";
import { adviseName, keywords } from "./names.ts";
import type { CustomExpression, CustomOperandTree, CustomValue } from "./tree.ts";

/** Limits of the patterns in the expression of a custom rule. */
export const patternLimits = {
  /** Maximum number of regular expressions in a rule (`observed`). */
  expressions: 64,
  /** Maximum number of stars in a wildcard pattern (weak evidence, docs/decisions/0014-custom-rule-facts.md). */
  stars: 10,
} as const;

/** The parser of one expression. */
export interface CustomParser extends Parser<CustomExpression> {
  readonly grammar: CustomGrammar;
}

interface CustomGrammar extends Grammar<CustomExpression> {
  /** The number of `any` and `all` around the current position. */
  quantifiers: number;
  /** The number of regular expressions so far. */
  regexes: number;
}

/**
 * Parses the expression of a custom rule. A failure has exactly one error.
 *
 * @throws RangeError when a limit is not allowed
 */
export function parseCustomExpression(
  text: string,
  limits: ExpressionLimits = {},
): Result<CustomExpression, ExpressionError> {
  return parseWith<CustomExpression>(createGrammar(), text, limits);
}

function createGrammar(): CustomGrammar {
  return {
    phase: "custom",
    keywords,
    quantifiers: 0,
    regexes: 0,
    parseLeaf: (parser) => parseLeaf(parser as CustomParser, false),
    combine: (operator, operands, span, { cursor }) => combine(cursor, operator, operands, span),
    negate: (operand, span) => ({ kind: "not", operand, isArray: operand.isArray, span }),
  };
}

function combine(
  cursor: Cursor,
  operator: Combinator,
  operands: readonly CustomExpression[],
  span: Span,
): CustomExpression {
  const [first] = operands as readonly [CustomExpression];
  const other = operands.find(({ isArray }) => isArray !== first.isArray);
  if (other !== undefined) {
    const [array, single] = first.isArray ? ["left", "right"] : ["right", "left"];
    const clause = `\`${operator}\` has an Array<Bool> on its ${array} and a Bool on its ${single}; both must be of one type`;
    rejectSpan(cursor, other.span, [first.isArray ? "an Array<Bool>" : "a Bool"], clause);
  }
  return { kind: "combination", operator, operands, isArray: first.isArray, span };
}

const expectedLeaf = ["a field", "a call", "`any(...)`", "`all(...)`", "`not`", "`(`"];

/** Parses an expression without operands. A value of `any` and `all` can be an array. */
function parseLeaf(parser: CustomParser, isQuantified: boolean): CustomExpression {
  const { cursor, grammar } = parser;
  const { start } = cursor.token.span;
  const found =
    acceptQuantified(parser) ??
    acceptConstant(parser) ??
    parseTest(parser, parseValue(parser) ?? failAtLeaf(parser));
  if (!found.isArray || isQuantified || grammar.quantifiers > 0) return found;
  const clause = `\`${cursor.text.slice(start, cursor.previousEnd)}\` is an Array<Bool>, one result for each element; write it in \`any(...)\` or \`all(...)\``;
  return rejectSpan(cursor, { start, end: cursor.previousEnd }, ["`any(...)`", "`all(...)`"], clause);
}

function acceptConstant({ cursor, nesting, grammar }: CustomParser): CustomExpression | undefined {
  const { token } = cursor;
  if (token.kind !== "word" || (token.text !== "true" && token.text !== "false")) return undefined;
  const isFirst = nesting === 0 && grammar.quantifiers === 0 && cursor.previousEnd === 0;
  advance(cursor);
  if (!isFirst || cursor.token.kind !== "end")
    rejectSpan(
      cursor,
      token.span,
      expectedLeaf,
      `\`${token.text}\` is allowed only as the whole expression; a Bool has no operand`,
    );
  return { kind: "constant", value: token.text === "true", isArray: false, span: token.span };
}

function acceptQuantified(parser: CustomParser): CustomExpression | undefined {
  const { cursor, grammar } = parser;
  const quantifier = quantifiers.find((name) => isAt(cursor, name));
  if (quantifier === undefined) return undefined;
  const { start } = enterNesting(parser).span;
  expectSymbol(cursor, "(");
  grammar.quantifiers++;
  const isCombination = ["(", "not", "!", ...quantifiers].some((text) => isAt(cursor, text));
  const operand = isCombination ? parseCombination(parser, "or") : parseLeaf(parser, true);
  grammar.quantifiers--;
  if (!isAt(cursor, ")") && !isCombination) unexpected(cursor, ["`)`"], oneComparison(cursor, quantifier));
  const { end } = expectSymbol(cursor, ")").span;
  parser.nesting--;
  if (!operand.isArray) {
    const clause = `\`${quantifier}\` needs one result for each element of an array, and found a Bool: write \`[*]\` for the index`;
    rejectSpan(cursor, operand.span, ["a value with `[*]`", "an Array<Bool>"], clause);
  }
  return { kind: "quantified", quantifier, operand, isArray: false, span: { start, end } };
}

function oneComparison({ token }: Cursor, quantifier: string): string | undefined {
  const isCombinator =
    token.kind !== "string" && [...combinators, "||", "^^", "&&"].some((text) => text === token.text);
  if (!isCombinator) return undefined;
  return `\`${quantifier}\` has one comparison; put several in parentheses, as in \`${quantifier}((...) ${token.text} (...))\`, or combine two \`${quantifier}(...)\`.`;
}

/** Parses a field or call with its indices; undefined, without advancing, at another token. */
function parseValue(parser: CustomParser): CustomValue | undefined {
  const { cursor } = parser;
  const { token } = cursor;
  if (token.kind !== "word") return undefined;
  if (isCustomFunction(token.text)) return parseIndices(cursor, parseCall(parser));
  const field = customFields.get(token.text);
  if (field === undefined) return undefined;
  advance(cursor);
  const { type } = field;
  return parseIndices(cursor, { kind: "field", name: token.text, type, isEach: false, span: token.span });
}

function parseCall(parser: CustomParser): CustomValue {
  const { start } = parser.cursor.token.span;
  const name = enterNesting(parser).text as CustomFunction;
  const call = parseArguments(parser.cursor, name, () => parseValue(parser));
  parser.nesting--;
  return { kind: "call", name, ...call, isEach: false, span: { start, end: parser.cursor.previousEnd } };
}

function parseIndices(cursor: Cursor, value: CustomValue): CustomValue {
  let indexed = value;
  while (isAt(cursor, "[")) indexed = parseIndex(cursor, indexed);
  return indexed;
}

function parseIndex(cursor: Cursor, of: CustomValue): CustomValue {
  const part = partType(of.type);
  const text = cursor.text.slice(of.span.start, of.span.end);
  if (part === undefined)
    rejectSpan(
      cursor,
      cursor.token.span,
      [],
      `\`${text}\` is ${nameType(of.type)}, which has no index; only an Array and a Map have one`,
    );
  expectSymbol(cursor, "[");
  const { token } = cursor;
  const isKey = isMapType(of.type) ? token.kind === "string" : token.kind === "number";
  if (!isKey && !isAt(cursor, "*")) failAtIndex(cursor, of, text);
  const key = readKey(cursor);
  const { end } = expectSymbol(cursor, "]").span;
  const typed = { of, type: part, span: { start: of.span.start, end } };
  if (key === undefined) return { kind: "each", ...typed, isEach: true };
  return { kind: "index", ...typed, key, keySpan: token.span, isEach: of.isEach };
}

/** Reads a string or an integer; undefined for the star. */
function readKey(cursor: Cursor): string | number | undefined {
  const { token } = cursor;
  const index = Number(token.text);
  if (token.kind === "number" && !Number.isSafeInteger(index))
    unexpected(cursor, ["an index (an integer from 0)"]);
  advance(cursor);
  if (token.kind === "string") return token.text;
  return token.kind === "number" ? index : undefined;
}

function failAtIndex(cursor: Cursor, { type }: CustomValue, text: string): never {
  const allowed = isMapType(type) ? "a name in double quotes" : "an integer from 0";
  const message = `\`${text}\` is ${nameType(type)}: its index must be ${allowed}, or \`*\`.`;
  return unexpected(cursor, [allowed, "`*`"], message);
}

function parseTest(parser: CustomParser, value: CustomValue): CustomExpression {
  const { cursor } = parser;
  const { type, isEach, span } = value;
  if (type === "Bool") {
    rejectOperatorOfBool(cursor, value);
    return { kind: "test", value, isArray: isEach, span };
  }
  if (type === "Array<Bool>" && !isEach) return { kind: "test", value, isArray: true, span };
  if (isArrayType(type) || isMapType(type)) failAtCollection(cursor, value);
  const operator = parseOperator(cursor, value, type);
  const right = parseOperand(parser, type, operator);
  return {
    kind: "comparison",
    left: value,
    operator,
    right,
    isArray: isEach,
    span: { start: span.start, end: cursor.previousEnd },
  };
}

function failAtCollection(cursor: Cursor, { type, span, isEach }: CustomValue): never {
  const text = cursor.text.slice(span.start, span.end);
  const advice = isMapType(type)
    ? 'write a name such as `["name"]` and an index such as `[0]`'
    : `write an index such as \`[0]\`${isEach ? "" : ", or `[*]` in `any(...)` or `all(...)`"}`;
  const each = isEach ? ", for each element" : "";
  return rejectSpan(
    cursor,
    span,
    ["a Bool, Int, IP or String"],
    `\`${text}\` is ${nameType(type)}${each}, which has no operators; ${advice}`,
  );
}

/** Every spelling of an operator. */
const spellings: ReadonlySet<string> = new Set(
  Object.values(customOperators).flatMap((table) =>
    Object.entries(table).flatMap(([name, { form }]) => [...name.split(" "), ...form]),
  ),
);

function rejectOperatorOfBool(cursor: Cursor, { span }: CustomValue): void {
  const { token } = cursor;
  if (token.kind === "string" || !spellings.has(token.text)) return;
  const text = cursor.text.slice(span.start, span.end);
  const message = `\`${text}\` is a Bool, which has no operators; write \`${text}\` or \`not ${text}\`.`;
  unexpected(cursor, ["`or`", "`xor`", "`and`"], message);
}

function parseOperator(cursor: Cursor, value: CustomValue, type: ScalarType): CustomOperatorName {
  const { token } = cursor;
  const operators = operatorsOfType(type);
  const names = [...operators.keys()];
  const ofTwoWords = names.find((name) => name.startsWith(`${token.text} `));
  const operator =
    token.kind === "word" || token.kind === "symbol"
      ? (names.find((name) => name === token.text || operators.get(name)?.form.includes(token.text)) ??
        ofTwoWords)
      : undefined;
  if (operator === undefined) return failAtOperator(cursor, value, type);
  advance(cursor);
  if (operator === ofTwoWords) expectSymbol(cursor, operator.slice(token.text.length + 1));
  return operator;
}

function failAtOperator(cursor: Cursor, { span }: CustomValue, type: ScalarType): never {
  const { token } = cursor;
  const names = [...operatorsOfType(type).keys()].map((name) => `\`${name}\``);
  const text = cursor.text.slice(span.start, span.end);
  const message =
    token.kind !== "string" && spellings.has(token.text)
      ? `\`${text}\` is ${nameType(type)}, which has no operator \`${token.text}\`; it has ${joinAlternatives(names)}.`
      : lowerCaseAdvice(token, keywords);
  return unexpected(cursor, names, message);
}

function parseOperand(
  parser: CustomParser,
  type: ScalarType,
  operator: CustomOperatorName,
): CustomOperandTree {
  const kind = operatorsOfType(type).get(operator)?.operand ?? "value";
  return operandParsers[kind](parser, type);
}

const operandParsers: {
  readonly [K in CustomOperand]: (parser: CustomParser, type: ScalarType) => CustomOperandTree;
} = {
  value: (parser, type) => acceptLiteral(parser.cursor, type) ?? parseRightValue(parser, type),
  string: ({ cursor }) =>
    acceptLiteral(cursor, "String") ?? unexpected(cursor, ["a string literal"], literalAdvice(cursor)),
  wildcard: ({ cursor }) => parsePattern(cursor, "wildcard", "a wildcard pattern", customWildcardProblem),
  regex: ({ cursor, grammar }) => {
    if (++grammar.regexes > patternLimits.expressions)
      unexpected(
        cursor,
        [`at most ${patternLimits.expressions} regular expressions`],
        `An expression must have at most ${patternLimits.expressions} regular expressions; this is number ${grammar.regexes}. Join patterns with \`|\`, or divide it into several rules.`,
      );
    return parsePattern(cursor, "regex", "a regular expression", bytePatternProblem);
  },
  set: ({ cursor }, type) =>
    isAt(cursor, "$") ? parseListName(cursor) : { kind: "set", items: parseSet(cursor, type) },
};

function literalAdvice({ token }: Cursor): string | undefined {
  if (token.kind !== "word") return undefined;
  return `Expected a string literal, but found ${quote(token.text)}: only \`eq\`, \`ne\`, \`lt\`, \`le\`, \`gt\` and \`ge\` compare two values of the request.`;
}

/** The names of types in messages about operands. */
const literalNames: Readonly<Record<ScalarType, string>> = {
  Bool: "nothing",
  Int: "an integer",
  IP: "an IP address",
  String: "a string literal",
};

function parseRightValue(parser: CustomParser, type: ScalarType): CustomOperandTree {
  const { cursor } = parser;
  const expected = [literalNames[type], `a field or call of type ${type}`];
  const value = parseValue(parser) ?? failAtOperand(parser, expected);
  const text = cursor.text.slice(value.span.start, value.span.end);
  if (value.isEach)
    rejectSpan(
      cursor,
      value.span,
      expected,
      `\`${text}\` has \`[*]\`, which is allowed on the left side only`,
    );
  if (value.type !== type)
    rejectSpan(
      cursor,
      value.span,
      expected,
      `\`${text}\` is ${nameType(value.type)}, and is compared with ${nameType(type)}; both must be of one type`,
    );
  return value;
}

function failAtOperand({ cursor }: CustomParser, expected: readonly string[]): never {
  const { token } = cursor;
  return unexpected(cursor, expected, token.kind === "word" ? adviseName(token.text) : undefined);
}

const listName = /\$[A-Za-z0-9_.]*/y;

function parseListName(cursor: Cursor): CustomOperandTree {
  const { start } = cursor.token.span;
  const name = acceptRaw(cursor, listName).slice(1);
  const span = { start, end: cursor.previousEnd };
  if (!/^[a-z0-9_](?:[a-z0-9_.]*[a-z0-9_])?$/.test(name))
    rejectSpan(
      cursor,
      span,
      ["the name of a list"],
      `\`$${name}\` is not the name of a list: lower-case letters, digits, \`_\` and \`.\`, and no dot at either end`,
    );
  return { kind: "list", name, span };
}

function customWildcardProblem(pattern: string): string | undefined {
  const problem = wildcardProblem(pattern);
  if (problem !== undefined) return problem;
  const stars = splitPattern(pattern).length - 1;
  return stars > patternLimits.stars
    ? `it has ${stars} \`*\`, and a wildcard pattern must have at most ${patternLimits.stars}`
    : undefined;
}

function parsePattern(
  cursor: Cursor,
  kind: "wildcard" | "regex",
  what: string,
  problem: (pattern: string) => string | undefined,
): CustomOperandTree {
  const { text: value, span } = expectString(cursor);
  const reason = problem(value);
  if (reason !== undefined)
    rejectSpan(
      cursor,
      span,
      [what],
      `expected ${what}, but found ${quote(cursor.text.slice(span.start, span.end))}: ${reason}`,
    );
  return { kind, value };
}

function failAtLeaf({ cursor }: CustomParser): never {
  const { token } = cursor;
  if (token.kind !== "word") return unexpected(cursor, expectedLeaf);
  return unexpected(cursor, expectedLeaf, lowerCaseAdvice(token, keywords) ?? adviseName(token.text));
}
