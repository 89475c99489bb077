/** Operators and patterns of one kind that are written as those of another one. */

import { printString } from "../../../expression/literal.ts";
import type { NotedSpan } from "../../../expression/noted-expression.ts";
import { printPattern } from "../../../expression/patterns/pattern-literal.ts";
import { type PatternNode, parsePattern } from "../../../expression/patterns/pattern-parser.ts";
import { printOperand, printValue } from "../../../expression/printer.ts";
import type { Comparison } from "../../../expression/tree.ts";
import { toText } from "../../../expression/values/bytes.ts";
import { comparedTexts, comparisonsOf, findSpan, withoutCase } from "./compared-texts.ts";
import type { RuleExpression } from "./rule-expression.ts";

/** The fields of the target of a request and of its headers, whose values hardly have stars and anchors. */
const ofTarget: readonly string[] = [
  "http.host",
  "http.request.uri.path",
  "http.request.uri.path.extension",
  "http.request.uri",
  "http.request.full_uri",
];
const ofRequest: readonly string[] = [
  ...ofTarget,
  "http.user_agent",
  "http.referer",
  "http.cookie",
  "http.request.uri.query",
];

/** Stars in strings that are compared exactly. */
export function findStars(expression: RuleExpression): NotedSpan[] {
  return comparedTexts(expression).flatMap(({ test, field = "", part, isWildcard, text, span }) => {
    if (isWildcard || !text.includes("*") || text.includes(".*") || !ofRequest.includes(field)) return [];
    const isWhole = part === "whole";
    if (!isWhole && text !== "*" && !(ofTarget.includes(field) && /.\/\*$|^\*\./.test(text))) return [];
    const fixed =
      isWhole && test.kind === "comparison" && !text.includes("**") ? asWildcard(test) : undefined;
    const step = fixed === undefined ? "`wildcard` has patterns with `*`" : `write \`${fixed}\``;
    const message = `\`*\` is a character like any other in ${printString(text)}; ${step}.`;
    return [{ span, message, ...(fixed !== undefined && { correction: { span: test.span, text: fixed } }) }];
  });
}

/** A comparison of a whole string by `wildcard`; undefined for one with several strings. */
function asWildcard({ left, operator, right }: Comparison): string | undefined {
  if (right.kind !== "literal" || (operator !== "eq" && operator !== "ne")) return undefined;
  const test = `${printValue(left)} wildcard ${printOperand(right)}`;
  return operator === "eq" ? test : `not ${test}`;
}

/** Regular expressions in strings that are compared exactly. */
export function findExactPatterns(expression: RuleExpression): NotedSpan[] {
  return comparedTexts(expression).flatMap(({ field = "", isWildcard, text, span }) => {
    if (isWildcard || !ofRequest.includes(field)) return [];
    const isPattern = /^\^|\.\*|\\\.|\w\|\w/.test(text) || (ofTarget.includes(field) && /\w\$$/.test(text));
    if (!isPattern) return [];
    const message = `${printString(text)} is compared exactly, and not as a regular expression; write \`matches\`.`;
    return [{ span, message }];
  });
}

/** The regular expressions of an expression. */
function patternsOf({ text, tree }: RuleExpression) {
  return comparisonsOf(tree).flatMap((test) => {
    const pattern = test.right.kind === "regex" ? toText(test.right.value) : undefined;
    if (pattern === undefined) return [];
    const printed = findSpan(text, test.span, printPattern(pattern));
    return [{ test, pattern, printed, span: printed ?? test.span }];
  });
}

/** Globs in place of regular expressions. */
export function findGlobs(expression: RuleExpression): NotedSpan[] {
  return patternsOf(expression).flatMap(({ test, pattern, span }) => {
    const repeatsSlash = /(?:^|[^/])\/\*(?:[^$)]|$)/.test(pattern);
    const isPlain = !/[\\^$()[\]{}|+?]/.test(pattern);
    if (!repeatsSlash && !(isPlain && /\w\*$/.test(pattern))) return [];
    const isWildcard =
      isPlain && pattern.startsWith("/") && !pattern.includes("**") && !pattern.includes(".*");
    const fixed = `${printValue(test.left)} wildcard ${printString(pattern)}`;
    const step = isWildcard ? `write \`${fixed}\`` : "write `.*` for any characters, or use `wildcard`";
    const message = `In a regular expression \`*\` repeats the character before it; ${step}.`;
    return [{ span, message, ...(isWildcard && { correction: { span: test.span, text: fixed } }) }];
  });
}

/** Dots in patterns of hosts that match any character. */
export function findDots(expression: RuleExpression): NotedSpan[] {
  return patternsOf(expression).flatMap(({ test, pattern, printed, span }) => {
    if (withoutCase(test.left).field !== "http.host") return [];
    const parsed = parsePattern(pattern);
    const dots = parsed.ok ? dotsOf(pattern, parsed.value.node).filter((at) => isLabelDot(pattern, at)) : [];
    if (dots.length === 0) return [];
    const fixed = printPattern(
      dots.reduceRight((all, at) => `${all.slice(0, at)}\\${all.slice(at)}`, pattern),
    );
    const message = `\`.\` matches any character, so also other hosts; write ${fixed}.`;
    return [{ span, message, ...(printed && { correction: { span: printed, text: fixed } }) }];
  });
}

/** The offsets of the dots of a pattern that are not repeated. */
function dotsOf(pattern: string, node: PatternNode): readonly number[] {
  const isDot = ({ from, to }: PatternNode) => pattern.slice(from, to) === ".";
  switch (node.kind) {
    case "class":
    case "codePoints":
      return isDot(node) ? [node.from] : [];
    case "repeat":
      return isDot(node.item) ? [] : dotsOf(pattern, node.item);
    case "sequence":
    case "choice":
      return node.items.flatMap((item) => dotsOf(pattern, item));
    default:
      return [];
  }
}

/** Whether a dot is before a label, and at the start or after another label. */
function isLabelDot(pattern: string, at: number): boolean {
  return (at === 0 || /[\w\-)\]*+?}]/.test(pattern[at - 1] ?? "")) && /[\w()[]/.test(pattern[at + 1] ?? "");
}
