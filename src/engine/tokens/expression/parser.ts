/**
 * The parser of a rule's expression (grammar: `observed`, the provider's open-source rules engine).
 *
 *     expression := simple (combinator simple)*      or, ||  <  xor, ^^  <  and, &&     left associative
 *     simple     := "(" expression ")" | ("not" | "!") simple | call | comparison | ("any" | "all") "(" comparison ")"
 *     comparison := value operator operand | ("starts_with" | "ends_with") "(" value "," string ")"
 *     value      := field | ("lower" | "upper" | "len") "(" value ")"
 */

import type { Result } from "../../../core/result.ts";
import { didYouMean } from "../../../core/suggest.ts";
import { quote } from "../../../errors.ts";
import {
  type Comparison,
  combinators,
  type Expression,
  type FunctionTest,
  type PlainOperator,
  quantifiers,
  type SetOperator,
  type TokenTest,
  tokenTests,
  type ValueField,
} from "./ast.ts";
import { acceptField, fieldNames, plainField } from "./field.ts";
import { type ExpressionLimits, type Grammar, lowerCaseAdvice, parseWith } from "./grammar.ts";
import { functionNames, resultType, type ValueFunction, valueFunctions } from "./language/functions.ts";
import {
  callOperators,
  type IntegerOperator,
  type OperandKind,
  type Operands,
  operatorOf,
  operatorsOf,
  type StringOperator,
} from "./language/operators.ts";
import { typeNouns, type ValueType } from "./language/types.ts";
import { advance, type Cursor, expectString, expectSymbol, isAt, unexpected } from "./lexer.ts";
import { patternProblem } from "./patterns/regular-expression.ts";
import { providerKind } from "./provider-names.ts";
import { type ExpressionError, ExpressionSyntaxError, errorAt } from "./syntax-error.ts";
import { wildcardProblem } from "./wildcard.ts";

/** A syntax tree, or the error that prevents parsing. */
export type ParsedExpression = Result<Expression, ExpressionError>;

/** An operator between a value and its operand, or a call with both. */
type OperatorName = StringOperator | IntegerOperator;

/** The operators of a type between a value and its operand: the names, and the name of each spelling. */
interface InfixOperators {
  readonly names: readonly OperatorName[];
  readonly bySpelling: ReadonlyMap<string, OperatorName>;
}

const infixOperators: Readonly<Record<ValueType, InfixOperators>> = {
  String: infixOperatorsOf("String"),
  Int: infixOperatorsOf("Int"),
};

function infixOperatorsOf(type: ValueType): InfixOperators {
  const names = (Object.keys(operatorsOf[type]) as OperatorName[]).filter(
    (name) => operatorOf(type, name).form !== "call",
  );
  const spellings = names.flatMap((name) => {
    const { form } = operatorOf(type, name);
    return [name, ...(form === "call" ? [] : form)].map((spelling) => [spelling, name] as const);
  });
  return { names, bySpelling: new Map(spellings) };
}

const expectedSimple = ["`is_jwt_valid(...)`", "`is_jwt_present(...)`", "a comparison", "`not`", "`(`"];

/**
 * Parses an expression. A failure has exactly one error.
 *
 * @example
 * ```ts
 * parseExpression('is_jwt_valid("a") or is_jwt_valid("b")').ok; // => true
 * parseExpression("is_jwt_valid(a)").ok; // => false
 * ```
 * @throws RangeError when a limit is not a positive integer or the nesting limit is above {@link nestingCeiling}
 */
export function parseExpression(text: string, limits: ExpressionLimits = {}): ParsedExpression {
  return parseWith(tokenGrammar, text, limits);
}

const keywords = new Set<string>([
  ...combinators,
  ...tokenTests,
  ...Object.values(operatorsOf)
    .flatMap(Object.keys)
    .flatMap((name) => name.split(" ")),
  ...functionNames,
  ...quantifiers,
  "not",
]);

/** The grammar of token rules. */
const tokenGrammar: Grammar<Expression> = {
  phase: "token",
  keywords,
  parseLeaf: ({ cursor }) =>
    parseTokenTest(cursor) ??
    parseQuantified(cursor) ??
    parseComparison(cursor, false) ??
    failAtOperand(cursor),
  combine: (operator, operands, span) => ({ kind: "combination", operator, operands, span }),
  negate: (operand, span) => ({ kind: "not", operand, span }),
};

function parseTokenTest(cursor: Cursor): TokenTest | undefined {
  const test = tokenTests.find((name) => isAt(cursor, name));
  if (test === undefined) return undefined;
  const { start } = advance(cursor).span;
  expectSymbol(cursor, "(");
  const id = expectString(cursor, "a configuration id in double quotes");
  if (isAt(cursor, ",")) unexpected(cursor, ["`)`"], oneArgument(test));
  const { end } = expectSymbol(cursor, ")").span;
  return { kind: "token", test, configId: id.text, configSpan: id.span, span: { start, end } };
}

function oneArgument(test: TokenTest["test"]): string {
  return `\`${test}\` has one argument; for several configurations write \`${test}("a") or ${test}("b")\`.`;
}

/** Parses `any(...)` and `all(...)`, whose comparison is of all values of a header or cookie. */
function parseQuantified(cursor: Cursor): FunctionTest | undefined {
  const quantifier = quantifiers.find((name) => isAt(cursor, name));
  if (quantifier === undefined) return undefined;
  const { start } = advance(cursor).span;
  expectSymbol(cursor, "(");
  const test = parseComparison(cursor, true) ?? failAtOperand(cursor);
  const { end } = expectSymbol(cursor, ")").span;
  if (test.kind === "function" && "key" in test.field && test.field.index === "*")
    return { ...test, quantifier, span: { start, end } };
  const message = `\`${quantifier}\` compares all values of a header or cookie: write \`[*]\` for the index.`;
  throw new ExpressionSyntaxError(errorAt(cursor.text, test.span, ["a field with `[*]`"], message));
}

/** A value with its functions, the outermost first. */
interface ParsedValue {
  readonly functions: readonly ValueFunction[];
  readonly field: ValueField;
}

function parseComparison(cursor: Cursor, isQuantified: boolean): Comparison | FunctionTest | undefined {
  const { start } = cursor.token.span;
  const call = callOperators.find((name) => isAt(cursor, name));
  if (call !== undefined) return parseCall(cursor, call, isQuantified);
  const value = parseValue(cursor, isQuantified);
  if (value === undefined) return undefined;
  const type = resultType(value.functions);
  const operator = parseOperator(cursor, type);
  const { node, operand: kind } = operatorOf(type, operator);
  const operand = operandParsers[kind](cursor);
  const span = { start, end: cursor.previousEnd };
  const isPlain = value.functions.length === 0 && node === "comparison";
  const field = isPlain ? plainField(value.field) : undefined;
  if (field === undefined || typeof operand === "number")
    return { kind: "function", ...value, operator, operand, span };
  return typeof operand === "string"
    ? { kind: "comparison", field, operator: operator as PlainOperator, value: operand, span }
    : { kind: "comparison", field, operator: operator as SetOperator, values: operand, span };
}

function parseCall(cursor: Cursor, operator: StringOperator, isQuantified: boolean): FunctionTest {
  const { start } = advance(cursor).span;
  expectSymbol(cursor, "(");
  const value = parseValue(cursor, isQuantified) ?? unexpected(cursor, ["a field"]);
  if (resultType(value.functions) !== "String")
    unexpected(cursor, ["a string"], `\`${value.functions[0]}\` has no string to search in.`);
  expectSymbol(cursor, ",");
  const operand = operandParsers[operatorsOf.String[operator].operand](cursor);
  const { end } = expectSymbol(cursor, ")").span;
  return { kind: "function", ...value, operator, operand, span: { start, end } };
}

/** Parses a field, or functions around it. */
function parseValue(cursor: Cursor, isQuantified: boolean): ParsedValue | undefined {
  const functions: ValueFunction[] = [];
  for (;;) {
    const name = functionNames.find((one) => isAt(cursor, one));
    if (name === undefined) break;
    const outer = functions.at(-1);
    const { result } = valueFunctions[name];
    if (outer !== undefined && valueFunctions[outer].parameter !== result)
      unexpected(
        cursor,
        ["a field"],
        `\`${name}\` is ${typeNouns[result]}: it must be the outermost function.`,
      );
    advance(cursor);
    expectSymbol(cursor, "(");
    functions.push(name);
  }
  const field = acceptField(cursor, isQuantified);
  if (field === undefined) return functions.length === 0 ? undefined : unexpected(cursor, expectedArguments);
  for (const _ of functions) expectSymbol(cursor, ")");
  return { functions, field };
}

const expectedArguments = [
  "a field",
  ...functionNames
    .filter((name) => valueFunctions[name].result === "String")
    .map((name) => `\`${name}(...)\``),
];

function parseOperator(cursor: Cursor, type: ValueType): OperatorName {
  const { token } = cursor;
  const { names, bySpelling } = infixOperators[type];
  const ofTwoWords = names.find((name) => name.startsWith(`${token.text} `));
  const operator = token.kind === "string" ? undefined : (bySpelling.get(token.text) ?? ofTwoWords);
  if (operator === undefined)
    return unexpected(
      cursor,
      names.map((name) => `\`${name}\``),
      lowerCaseAdvice(token, keywords),
    );
  advance(cursor);
  if (operator === ofTwoWords) expectSymbol(cursor, operator.slice(token.text.length + 1));
  return operator;
}

/** Parses the operand of each kind. */
const operandParsers: { readonly [K in OperandKind]: (cursor: Cursor) => Operands[K] } = {
  string: (cursor) => expectString(cursor).text,
  wildcard: (cursor) => parsePattern(cursor, "a wildcard pattern", wildcardProblem),
  regex: (cursor) => parsePattern(cursor, "a regular expression", patternProblem),
  set: parseSet,
  integer: parseInteger,
};

function parsePattern(
  cursor: Cursor,
  what: string,
  problem: (pattern: string) => string | undefined,
): string {
  const { text: pattern, span } = expectString(cursor);
  const reason = problem(pattern);
  if (reason === undefined) return pattern;
  const error = errorAt(cursor.text, span, [what]);
  throw new ExpressionSyntaxError({
    ...error,
    message: `Expected ${what}, but found ${error.found}: ${reason}.`,
  });
}

function parseSet(cursor: Cursor): string[] {
  expectSymbol(cursor, "{");
  const values: string[] = [];
  while (cursor.token.kind === "string") values.push(advance(cursor).text);
  if (!isAt(cursor, "}")) unexpected(cursor, ["a string literal", "`}`"]);
  advance(cursor);
  return values;
}

function parseInteger(cursor: Cursor): number {
  const { token } = cursor;
  const integer = Number(token.text);
  if (token.kind !== "number" || !Number.isSafeInteger(integer)) unexpected(cursor, ["an integer from 0"]);
  advance(cursor);
  return integer;
}

/** Rejects a token that no operand starts with. */
function failAtOperand(cursor: Cursor): never {
  const { token } = cursor;
  if (token.kind !== "word") return unexpected(cursor, expectedSimple);
  const advice = lowerCaseAdvice(token, keywords) ?? unknownName(token.text);
  return unexpected(cursor, expectedSimple, advice);
}

/** Longer names are not compared with all others. */
const maxSuggested = 64;

function unknownName(name: string): string | undefined {
  if (keywords.has(name)) return undefined;
  const kind = providerKind(name);
  const words = [...fieldNames.map((field) => field.replace(/\[.*/, "")), ...tokenTests, ...functionNames];
  const near = name.length > maxSuggested ? "" : didYouMean(name, words);
  if (kind === "function") return `${quote(name)} is a function of the provider that is not supported here.`;
  if (kind === "field")
    return `${quote(name)} ${near === "" ? "is not a field of token rules." : `is an unknown field${near}`}`;
  if (near !== "") return `Unknown name ${quote(name)}${near}`;
  const known = [...tokenTests.map((test) => `${test}("id")`), ...fieldNames].map((n) => `\`${n}\``);
  return `Unknown name ${quote(name)}; known names are ${known.join(", ")}.`;
}
