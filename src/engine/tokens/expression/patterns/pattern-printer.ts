/** Prints parsed patterns in the syntax of RE2, over one character for each byte. */

import type { CodeRange, CodeSet } from "./code-sets.ts";
import type { PatternNode } from "./pattern-parser.ts";
import { utf8Ranges } from "./utf8-ranges.ts";

/** The maximum number of repetitions in RE2, those around them included. */
const maxCount = 1_000;

/** The text of a pattern in RE2; captures are left out, as nothing reads them. */
export function printForEngine(node: PatternNode): string {
  return printNode(node, 1);
}

const conditions = {
  start: "\\A",
  end: "\\z",
  lineStart: "(?m:^)",
  lineEnd: "(?m:$)",
  wordBoundary: "\\b",
  noWordBoundary: "\\B",
} as const;

/** Prints a node that is repeated together with others this number of times. */
function printNode(node: PatternNode, times: number): string {
  switch (node.kind) {
    case "class":
      return printSet(node.set);
    case "codePoints":
      return printGroup(
        utf8Ranges(node.set).map((ranges) => ranges.map((range) => printSet([range])).join("")),
      );
    case "sequence":
      return node.items.map((item) => printNode(item, times)).join("");
    case "choice":
      return printGroup(node.items.map((item) => printNode(item, times)));
    case "repeat":
      return printRepetition(node, times);
    default:
      return conditions[node.kind];
  }
}

function printGroup(alternatives: readonly string[]): string {
  return alternatives.length === 0 ? printSet([]) : `(?:${alternatives.join("|")})`;
}

function printSet(set: CodeSet): string {
  const [[first, last] = [0, 0x10ffff]] = set;
  if (set.length === 0) return `[^${printRange([first, last])}]`;
  return set.length === 1 && first === last ? printCode(first) : `[${set.map(printRange).join("")}]`;
}

function printRange([first, last]: CodeRange): string {
  return first === last ? printCode(first) : `${printCode(first)}-${printCode(last)}`;
}

function printCode(code: number): string {
  const character = String.fromCharCode(code);
  return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${code.toString(16)}}`;
}

const short: Readonly<Record<string, string>> = { "0,Infinity": "*", "1,Infinity": "+", "0,1": "?" };

/** Prints a repetition, with the item written out where RE2 has a lower limit. */
function printRepetition(
  { item, min, max }: Extract<PatternNode, { kind: "repeat" }>,
  times: number,
): string {
  // An item that reads no character is the same once.
  const [low, high] = item.size === 0 ? [Math.min(min, 1), Math.min(max, 1)] : [min, max];
  if (high === 0) return "(?:)";
  const quantifier = short[`${low},${high}`];
  const printItem = (count: number) => `(?:${printNode(item, times * count)})`;
  if (quantifier !== undefined) return printItem(1) + quantifier;
  const largest = Math.max(1, Math.floor(maxCount / times));
  const part = (count: number, isOptional: boolean) =>
    `${printItem(count)}{${isOptional ? `0,${count}` : count}}`;
  const parts = (count: number, isOptional: boolean) =>
    Array.from({ length: Math.ceil(count / largest) }, (_, i) =>
      part(Math.min(largest, count - i * largest), isOptional),
    );
  const required = parts(low, false).join("");
  return required + (high === Infinity ? `${printItem(1)}*` : parts(high - low, true).join(""));
}
