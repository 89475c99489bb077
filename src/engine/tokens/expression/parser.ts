/**
 * The parser and type checker of expressions: the values, comparisons and calls of the grammar (`observed`).
 *
 *     leaf       := "true" | "false" | ("any" | "all") "(" quantified ")" | value | value operator operand
 *     quantified := leaf, or an expression that starts with "(", "not", "any(" or "all("
 *     value      := (field | function "(" argument ("," argument)* ")") ("[" (string | integer | "*") "]")*
 */

import { aString, oneOf, optional, optionsOf, requireArguments } from "../../../core/arguments.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { quote } from "../../../errors.ts";
import { joinAlternatives } from "../input-problem.ts";
import { parseArguments } from "./arguments.ts";
import {
  createParser,
  type ExpressionLimits,
  enterNesting,
  expressionLimits,
  limitMembers,
  lowerCaseAdvice,
  type Parser,
  parseCombination,
  parseWhole,
  type ReadExpression,
} from "./grammar.ts";
import { withHints } from "./hints/hints.ts";
import { hasField, knownFields } from "./language/fields.ts";
import {
  entryOfFunction,
  type FunctionName,
  hasFunction,
  isFunction,
  isTokenTest,
  type TokenTestName,
  tokenTests,
} from "./language/functions.ts";
import { type OperandKind, type OperatorName, operators, operatorsOfType } from "./language/operators.ts";
import { isValueKind, type RuleKind, ruleKinds } from "./language/rule-kinds.ts";
import { isArrayType, isMapType, nameType, partType, type ScalarType } from "./language/types.ts";
import {
  acceptRaw,
  advance,
  type Cursor,
  expectString,
  expectSymbol,
  isAt,
  type Token,
  unexpected,
} from "./lexer.ts";
import { placeInLiteral } from "./patterns/pattern-literal.ts";
import type { PatternProblem } from "./patterns/pattern-parser.ts";
import { patternProblem, undecidedPart } from "./patterns/regular-expression.ts";
import { printBytes } from "./printer.ts";
import { isProviderField } from "./provider-names.ts";
import { type ExpressionError, ExpressionSyntaxError, type Span } from "./syntax-error.ts";
import {
  type BoolTest,
  combinators,
  type Expression,
  type Literal,
  type Operand,
  quantifiers,
  type Value,
} from "./tree.ts";
import { acceptLiteral, parseSet, rejectSpan } from "./typed-literals.ts";
import { splitPattern, wildcardProblem } from "./wildcard.ts";
import { adviseName, keywordsOf } from "./words.ts";

/** Limits of the patterns in the expression of a custom rule. */
export const patternLimits = {
  /** Maximum number of regular expressions in a rule (`observed`). */
  expressions: 64,
  /** Maximum number of stars in a wildcard pattern (weak evidence, docs/decisions/0014-custom-rule-facts.md). */
  stars: 10,
} as const;

/** A syntax tree, or the error that prevents parsing. */
export type ParsedExpression = Result<Expression, ExpressionError>;

/** Options of parsing. */
export interface ParsingOptions extends ExpressionLimits {
  /** The kind of rules, which decides the words; `token` by default. A value is the tree of a test of it. */
  readonly rules?: RuleKind;
}

const parsingOptions = optionsOf<ParsingOptions>("parseExpression", {
  ...limitMembers,
  rules: optional(oneOf(...ruleKinds)),
});

/**
 * Parses an expression of a token rule, or with the option `rules` of a custom rule. A failure has exactly one error.
 *
 * @example
 * ```ts
 * parseExpression('is_jwt_valid("a") or is_jwt_valid("b")').ok; // => true
 * parseExpression("is_jwt_valid(a)").ok; // => false
 * parseExpression('ip.src.country eq "DE"', { rules: "custom" }).ok; // => true
 * ```
 * @throws RangeError when a limit is not a positive integer or the nesting limit is above {@link nestingCeiling}
 */
export function parseExpression(text: string, options: ParsingOptions = {}): ParsedExpression {
  requireArguments({ text: [text, aString], options: [options, parsingOptions] });
  const read = readExpression(text, options);
  return read.ok ? success(read.value.expression) : read;
}

/** Parses an expression as {@link parseExpression} does, and reports its forms of earlier versions. */
export function readExpression(
  text: string,
  { rules = "token", ...limits }: ParsingOptions = {},
): Result<ReadExpression, ExpressionError> {
  const parseStart = isValueKind(rules) ? parseWholeValue : (parser: Parser) => parseLeaf(parser, false);
  const parse = (part: string) => parseWhole(rules, parseStart, part, limits);
  const parsed = parse(text);
  if (parsed.ok || text.length > expressionLimits.maxLength) return parsed;
  const errorOf = (part: string) => {
    const result = parse(part);
    return result.ok ? undefined : result.problems[0];
  };
  return failure(
    withHints(text, parsed.problems[0], { rules, errorOf, typeOf: (value) => typeOf(rules, value) }),
  );
}

/** The value that is a whole text, for its type; undefined for another text. */
function typeOf(rules: RuleKind, text: string): Value | undefined {
  try {
    const parser = createParser(rules, text, expressionLimits.maxNesting, (inner) => parseLeaf(inner, false));
    const value = parseValue(parser);
    return parser.cursor.token.kind === "end" ? value : undefined;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

const [expectedValues, expectedTests] = [
  ["a field", "a call"],
  ["`any(...)`", "`all(...)`", "`not`", "`(`"],
];

/** The starts of an expression without operands. */
function expectedLeaves(rules: RuleKind): readonly string[] {
  if (isValueKind(rules)) return expectedValues;
  const ofTokens = rules === "token" ? tokenTests.map((name) => `\`${name}(...)\``) : [];
  return [...ofTokens, ...expectedValues, ...expectedTests];
}

/** Parses a value that is a whole expression, to a test of it. */
function parseWholeValue(parser: Parser): Expression {
  const value = parseValue(parser) ?? failAtLeaf(parser);
  const { span, type, isEach } = value;
  const text = parser.cursor.text.slice(span.start, span.end);
  const reject = (clause: string) => rejectSpan(parser.cursor, span, ["a String"], `\`${text}\` ${clause}`);
  if (isEach) reject("has `[*]`, which is allowed in the first argument of a call only");
  if (type !== "String" && !parser.rules.startsWith("characteristics"))
    reject(
      `is ${nameType(type)}, and a value must be a String; see \`to_string\` and indices such as \`[0]\``,
    );
  return { kind: "test", value, isArray: false, span };
}

/** Parses an expression without operands. A value of `any` and `all` can be an array. */
function parseLeaf(parser: Parser, isQuantified: boolean): Expression {
  const { cursor } = parser;
  const { start } = cursor.token.span;
  const found =
    acceptTokenTest(parser) ??
    acceptQuantified(parser) ??
    acceptConstant(parser) ??
    parseTest(parser, parseValue(parser) ?? failAtLeaf(parser));
  if (!found.isArray || isQuantified || parser.quantifiers > 0) return found;
  const clause = `\`${cursor.text.slice(start, cursor.previousEnd)}\` is an Array<Bool>, one result for each element; write it in \`any(...)\` or \`all(...)\``;
  return rejectSpan(cursor, { start, end: cursor.previousEnd }, ["`any(...)`", "`all(...)`"], clause);
}

function acceptConstant({ cursor, nesting, quantifiers, rules }: Parser): Expression | undefined {
  const { token } = cursor;
  if (token.kind !== "word" || (token.text !== "true" && token.text !== "false")) return undefined;
  const isFirst = nesting === 0 && quantifiers === 0 && cursor.previousEnd === 0;
  advance(cursor);
  if (!isFirst || cursor.token.kind !== "end")
    rejectSpan(
      cursor,
      token.span,
      expectedLeaves(rules),
      `\`${token.text}\` is allowed only as the whole expression; a Bool has no operand`,
    );
  return { kind: "constant", value: token.text === "true", isArray: false, span: token.span };
}

function acceptQuantified(parser: Parser): Expression | undefined {
  const { cursor } = parser;
  const quantifier = quantifiers.find((name) => isAt(cursor, name));
  if (quantifier === undefined) return undefined;
  const { start } = enterNesting(parser).span;
  expectSymbol(cursor, "(");
  parser.quantifiers++;
  const isCombination = ["(", "not", "!", ...quantifiers].some((text) => isAt(cursor, text));
  const operand = isCombination ? parseCombination(parser, "or") : parseLeaf(parser, true);
  parser.quantifiers--;
  if (!isAt(cursor, ")") && !isCombination) unexpected(cursor, ["`)`"], oneComparison(cursor, quantifier));
  const { end } = expectSymbol(cursor, ")").span;
  parser.nesting--;
  if (parser.rules === "token" && quantifier === "all" && operand.kind === "test") {
    const message =
      "`all` of the results of a call is false without a value, and was true in version 0.2; of comparisons it still is.";
    parser.earlier.push({ span: operand.span, message });
  }
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

/** Parses a test of the token of a configuration. */
function acceptTokenTest({ rules, cursor }: Parser): Expression | undefined {
  const name = rules === "token" ? tokenTests.find((test) => isAt(cursor, test)) : undefined;
  if (name === undefined) return undefined;
  const { start } = advance(cursor).span;
  expectSymbol(cursor, "(");
  const { text: value, span: argument } = expectString(cursor, "a configuration id in double quotes");
  if (isAt(cursor, ",")) unexpected(cursor, ["`)`"], oneArgument(name));
  const span = { start, end: expectSymbol(cursor, ")").span.end };
  return tokenTest(name, { kind: "literal", type: "String", isEach: false, value, span: argument }, span);
}

/** The tree of a test of a token. */
export function tokenTest(name: TokenTestName, id: Literal, span: Span): BoolTest {
  return {
    kind: "test",
    value: { kind: "call", name, args: [id], type: "Bool", isEach: false, span },
    isArray: false,
    span,
  };
}

function oneArgument(name: TokenTestName): string {
  return `\`${name}\` has one argument; for several configurations write \`${name}("a") or ${name}("b")\`.`;
}

/** Parses a field or call with its indices; undefined, without advancing, at another token. */
function parseValue(parser: Parser): Value | undefined {
  const { cursor, rules } = parser;
  const { token } = cursor;
  if (token.kind !== "word") return undefined;
  if (isFunction(token.text)) {
    if (!hasFunction(rules, token.text) || isTokenTest(token.text)) return undefined;
    return parseIndices(parser, parseCall(parser));
  }
  const field = knownFields.get(token.text);
  if (field === undefined || !hasField(rules, field)) return undefined;
  advance(cursor);
  const { type } = field;
  return parseIndices(parser, { kind: "field", name: token.text, type, isEach: false, span: token.span });
}

function parseCall(parser: Parser): Value {
  const { start } = parser.cursor.token.span;
  const outer = parser.insideOnce;
  checkOnce(parser, parser.cursor.token.text as FunctionName);
  const name = enterNesting(parser).text as FunctionName;
  const call = parseArguments(
    parser,
    name,
    () => parseValue(parser),
    (value) => spread(parser, value),
  );
  parser.nesting--;
  parser.insideOnce = outer;
  return { kind: "call", name, ...call, isEach: false, span: { start, end: parser.cursor.previousEnd } };
}

/** Rejects the second call of a function that an expression can have once, and one inside of another. */
function checkOnce(parser: Parser, name: FunctionName): void {
  if (entryOfFunction(name).once === undefined) return;
  const { cursor, calledOnce, insideOnce } = parser;
  if (calledOnce.has(name)) unexpected(cursor, [], `An expression can have \`${name}\` only once.`);
  if (insideOnce !== undefined)
    unexpected(cursor, [], `\`${name}\` must not be an argument of \`${insideOnce}\`.`);
  calledOnce.add(name);
  parser.insideOnce = name;
}

function parseIndices(parser: Parser, value: Value): Value {
  let indexed = value;
  while (isAt(parser.cursor, "[")) indexed = parseIndex(parser, indexed);
  return indexed;
}

/** The elements of a call of each element, where a token rule has the form of version 0.2. */
function spread({ rules, quantifiers, cursor, earlier }: Parser, value: Value): Value {
  const [first] = value.kind === "call" ? value.args : [];
  if (rules !== "token" || quantifiers === 0 || !first?.isEach || !isArrayType(value.type)) return value;
  const text = cursor.text.slice(value.span.start, value.span.end);
  const message = `\`${text}\` is an array, and is read as \`${text}[*]\` until version 0.3, which rejects it without \`[*]\`.`;
  earlier.push({ span: value.span, message });
  return {
    kind: "each",
    of: value,
    type: partType(value.type) ?? value.type,
    isEach: true,
    span: value.span,
  };
}

function parseIndex(parser: Parser, of: Value): Value {
  const { cursor } = parser;
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
  const key = readKey(parser, of);
  if (isAt(cursor, ".")) unexpected(cursor, ["`]`"], "An index must be an integer, without a fraction.");
  const { end } = expectSymbol(cursor, "]").span;
  const typed = { of, type: part, span: { start: of.span.start, end } };
  if (key === undefined) return { kind: "each", ...typed, isEach: true };
  return { kind: "index", ...typed, key, keySpan: token.span, isEach: of.isEach };
}

/** Reads a string or an integer; undefined for the star. */
function readKey(parser: Parser, of: Value): string | number | undefined {
  const { cursor } = parser;
  const { token } = cursor;
  const index = Number(token.text);
  if (token.kind === "number" && !Number.isSafeInteger(index))
    unexpected(cursor, ["an index (an integer from 0)"]);
  advance(cursor);
  if (token.kind === "string") return of.kind === "field" ? nameIn(parser, of.name, token) : token.text;
  return token.kind === "number" ? index : undefined;
}

/** A name in a map: of headers in lower case. */
function nameIn({ rules, earlier }: Parser, field: string, { text, span }: Token): string {
  if (rules !== "token" || field !== "http.request.headers") return text;
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const message = `Names of headers are in lower case: ${printBytes(text)} is read as ${printBytes(lower)} until version 0.3, and is always missing from then on.`;
  if (lower !== text) earlier.push({ span, message });
  return lower;
}

function failAtIndex(cursor: Cursor, { type }: Value, text: string): never {
  const allowed = isMapType(type) ? "a name in double quotes" : "an integer from 0";
  const isNegative = isAt(cursor, "-") && !isMapType(type);
  const message = isNegative
    ? "An index counts from the first value, which is 0; negative ones are not supported."
    : `\`${text}\` is ${nameType(type)}: its index must be ${allowed}, or \`*\`.`;
  return unexpected(cursor, [allowed, "`*`"], message);
}

function parseTest(parser: Parser, written: Value): Expression {
  const { cursor } = parser;
  const value = written.type === "Array<Bool>" ? written : spread(parser, written);
  const { type, isEach, span } = value;
  if (type === "Bool") {
    rejectOperatorOfBool(cursor, value);
    return { kind: "test", value, isArray: isEach, span };
  }
  if (type === "Array<Bool>" && !isEach) return { kind: "test", value, isArray: true, span };
  if (isArrayType(type) || isMapType(type)) failAtCollection(cursor, value);
  const operator = parseOperator(parser, value, type);
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

function failAtCollection(cursor: Cursor, { type, span, isEach }: Value): never {
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
  Object.values(operators).flatMap((table) =>
    Object.entries(table).flatMap(([name, { form }]) => [...name.split(" "), ...form]),
  ),
);

function rejectOperatorOfBool(cursor: Cursor, { span }: Value): void {
  const { token } = cursor;
  if (token.kind === "string" || !spellings.has(token.text)) return;
  const text = cursor.text.slice(span.start, span.end);
  const message = `\`${text}\` is a Bool, which has no operators; write \`${text}\` or \`not ${text}\`.`;
  unexpected(cursor, ["`or`", "`xor`", "`and`"], message);
}

function parseOperator({ cursor, rules }: Parser, value: Value, type: ScalarType): OperatorName {
  const { token } = cursor;
  const operators = operatorsOfType(type);
  const names = [...operators.keys()];
  const ofTwoWords = names.find((name) => name.startsWith(`${token.text} `));
  const operator =
    token.kind === "word" || token.kind === "symbol"
      ? (names.find((name) => name === token.text || operators.get(name)?.form.includes(token.text)) ??
        ofTwoWords)
      : undefined;
  if (operator === undefined) return failAtOperator(cursor, rules, value, type);
  advance(cursor);
  if (operator === ofTwoWords) expectSymbol(cursor, operator.slice(token.text.length + 1));
  return operator;
}

function failAtOperator(cursor: Cursor, rules: RuleKind, { span }: Value, type: ScalarType): never {
  const { token } = cursor;
  const names = [...operatorsOfType(type).keys()].map((name) => `\`${name}\``);
  const text = cursor.text.slice(span.start, span.end);
  const message =
    token.kind !== "string" && spellings.has(token.text)
      ? `\`${text}\` is ${nameType(type)}, which has no operator \`${token.text}\`; it has ${joinAlternatives(names)}.`
      : lowerCaseAdvice(token, keywordsOf(rules));
  return unexpected(cursor, names, message);
}

function parseOperand(parser: Parser, type: ScalarType, operator: OperatorName): Operand {
  const kind = operatorsOfType(type).get(operator)?.operand ?? "value";
  return operandParsers[kind](parser, type);
}

const operandParsers: {
  readonly [K in OperandKind]: (parser: Parser, type: ScalarType) => Operand;
} = {
  value: (parser, type) => acceptLiteral(parser.cursor, type) ?? parseRightValue(parser, type),
  string: ({ cursor }) =>
    acceptLiteral(cursor, "String") ?? unexpected(cursor, ["a string literal"], literalAdvice(cursor)),
  wildcard: ({ cursor, rules }) =>
    parsePattern(
      cursor,
      "wildcard",
      "a wildcard pattern",
      rules === "token" ? wildcardProblem : limitedWildcardProblem,
    ),
  regex: (parser) => {
    const { cursor } = parser;
    if (++parser.regexes > patternLimits.expressions && parser.rules !== "token")
      unexpected(
        cursor,
        [`at most ${patternLimits.expressions} regular expressions`],
        `An expression must have at most ${patternLimits.expressions} regular expressions; this is number ${parser.regexes}. Join patterns with \`|\`, or divide it into several rules.`,
      );
    const problem = parser.rules === "token" ? decidedPatternProblem : patternProblem;
    return parsePattern(cursor, "regex", "a regular expression", problem);
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

function parseRightValue(parser: Parser, type: ScalarType): Operand {
  const { cursor } = parser;
  const expected = [literalNames[type], `a field or call of type ${type}`];
  const value = parseValue(parser) ?? failAtOperand(parser, expected, type);
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

function failAtOperand({ cursor, rules }: Parser, expected: readonly string[], type: ScalarType): never {
  const { token } = cursor;
  const isQuoted = token.kind === "string" && type !== "String";
  const advice = isQuoted
    ? `Expected ${literalNames[type]}, without quotation marks, but found a string.`
    : undefined;
  if (token.kind !== "word") return unexpected(cursor, expected, advice);
  const isBare = type === "String" && !isProviderField(token.text);
  const quoted = isBare ? ` A string has quotation marks: \`${printBytes(token.text)}\`.` : "";
  const reading = adviseName(rules, token.text);
  return unexpected(cursor, expected, reading && `${reading}${quoted}`);
}

const listName = /\$[A-Za-z0-9_.]*/y;

function parseListName(cursor: Cursor): Operand {
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

/** Token rules always decide, so that they have no pattern with a part that is not computed. */
function decidedPatternProblem(pattern: string): string | PatternProblem | undefined {
  const problem = patternProblem(pattern);
  if (problem !== undefined) return problem;
  const part = undecidedPart(pattern);
  return part === undefined ? undefined : `it is not computed here because of ${part}`;
}

function limitedWildcardProblem(pattern: string): string | undefined {
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
  problem: (pattern: string) => string | PatternProblem | undefined,
): Operand {
  const { text: value, span } = expectString(cursor);
  const found = problem(value);
  const reason = typeof found === "object" ? found.message : found;
  if (reason !== undefined)
    rejectSpan(
      cursor,
      typeof found === "object" ? placeInLiteral(cursor.text, span, found) : span,
      [what],
      `expected ${what}, but found ${quote(cursor.text.slice(span.start, span.end))}: ${reason}`,
    );
  return { kind, value };
}

function failAtLeaf({ cursor, rules }: Parser): never {
  const { token } = cursor;
  const expected = expectedLeaves(rules);
  if (token.kind !== "word") return unexpected(cursor, expected);
  return unexpected(
    cursor,
    expected,
    lowerCaseAdvice(token, keywordsOf(rules)) ?? adviseName(rules, token.text),
  );
}
