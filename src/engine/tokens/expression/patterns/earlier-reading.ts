/**
 * Patterns that version 0.1 read with the escapes of other strings, or with the classes of RE2, so that they mean something
 * else now. To be removed
 * with version 0.3.
 */

import { quote } from "../../../../errors.ts";
import { withoutOuterTabs } from "../grammar.ts";
import { advance, isBeforePattern, startCursor } from "../lexer.ts";
import { readString } from "../literal.ts";
import { ExpressionSyntaxError, locate } from "../syntax-error.ts";
import { toText } from "../values/bytes.ts";
import { type CodeSet, intersect, subtract } from "./code-sets.ts";
import { printRaw } from "./pattern-literal.ts";
import { type PatternNode, parsePattern } from "./pattern-parser.ts";
import { printForEngine } from "./pattern-printer.ts";
import { setOfClass } from "./unicode-sets.ts";

/** One sentence for each pattern of a valid expression whose meaning has changed, from left to right. */
export function changedPatterns(text: string): string[] {
  if (!/\bmatches\b|~/.test(text) || !/[\\[]/.test(text)) return [];
  const changed: string[] = [];
  let isPattern = false;
  for (const cursor = startCursor(withoutOuterTabs(text)); cursor.token.kind !== "end"; advance(cursor)) {
    const { kind, text: bytes, span } = cursor.token;
    const pattern = toText(bytes) ?? bytes;
    const before = isPattern && kind === "string" ? earlierPattern(cursor.text, span.start) : undefined;
    const changedPart = before === pattern ? changedClass(pattern) : undefined;
    if (before !== undefined && before !== pattern && meaningOf(before) !== meaningOf(pattern))
      changed.push(describeChange(cursor.text, span.start, pattern, before));
    else if (changedPart !== undefined) changed.push(describeClass(cursor.text, span.start, changedPart));
    isPattern = isBeforePattern(cursor.token);
  }
  return changed;
}

function describeChange(text: string, at: number, pattern: string, before: string): string {
  const { line, column } = locate(text, at);
  return `At line ${line}, column ${column} of the expression: the pattern is ${show(pattern)} since version 0.2, and was ${show(before)} before: the string of \`matches\` keeps its backslashes.`;
}

function describeClass(text: string, at: number, part: string): string {
  const { line, column } = locate(text, at);
  return `At line ${line}, column ${column} of the expression: the class ${quote(part)} of the pattern has other characters since version 0.2: brackets, \`&&\`, \`--\` and \`~~\` in it have the meaning of the service.`;
}

/** The raw string of a pattern, to be copied where it can be. */
function show(pattern: string): string {
  const raw = printRaw(pattern);
  return /^[ -~]{1,60}$/.test(raw) ? `\`${raw}\`` : quote(raw);
}

/** The pattern as version 0.1 read it; undefined when it rejected the string. */
function earlierPattern(text: string, at: number): string | undefined {
  try {
    const { value } = readString(text, at);
    return toText(value) ?? value;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

/** The meaning of a pattern as text: the same for all patterns that differ in escapes alone; the pattern of an invalid one. */
function meaningOf(pattern: string): string {
  const parsed = parsePattern(pattern);
  return parsed.ok ? printForEngine(parsed.value.node) : pattern;
}

/** The first class of an accepted pattern that version 0.1 read with other characters of ASCII, as RE2 does. */
function changedClass(pattern: string): string | undefined {
  const parsed = parsePattern(pattern);
  if (!parsed.ok || setOfClass(pattern) === undefined) return undefined;
  return classesOf(parsed.value.node)
    .map(({ from, to }) => pattern.slice(from, to))
    .find((text) => {
      const alone = parsePattern(text);
      const [now] = alone.ok ? classesOf(alone.value.node) : [];
      const before = setOfClass(text);
      return now !== undefined && before !== undefined && !isSame(now.set, before);
    });
}

type ClassNode = Extract<PatternNode, { kind: "class" }>;

function classesOf(node: PatternNode): readonly ClassNode[] {
  if (node.kind === "class") return node.parts === undefined ? [] : [node];
  if (node.kind === "repeat") return classesOf(node.item);
  return node.kind === "sequence" || node.kind === "choice" ? node.items.flatMap(classesOf) : [];
}

/** ASCII without the vertical tab, which `\s` has since version 0.2. */
const compared: CodeSet = [
  [0, 0x0a],
  [0x0c, 0x7f],
];

function isSame(a: CodeSet, b: CodeSet): boolean {
  return subtract(intersect(a, compared), b).length + subtract(intersect(b, compared), a).length === 0;
}
