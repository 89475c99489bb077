/** Changes of a regular expression: its anchors, classes, quantifiers, alternatives and literal characters. */

import { type PlainNode, plainPattern } from "../../analysis/strings/plain-patterns.ts";
import {
  type ClassItem,
  type PatternNode,
  type PatternSpan,
  parsePattern,
} from "../../expression/patterns/pattern-parser.ts";

/** The parts of a pattern that are changed. */
export type PatternPart = "anchor" | "class" | "quantifier" | "alternative" | "literal";

/** Changed patterns, by the part that is changed. */
type PatternChanges = Record<PatternPart, readonly string[]>;

/** Replaces a part of the pattern. */
type Replace = (span: PatternSpan, text: string) => string;

interface Change {
  readonly part: PatternPart;
  readonly changed: string;
}

/** The patterns in place of another one. A pattern that the analysis does not parse has none. */
export function patternChanges(pattern: string): PatternChanges {
  const changes: PatternChanges = { anchor: [], class: [], quantifier: [], alternative: [], literal: [] };
  const node = plainPattern(pattern);
  if (node === undefined) return changes;
  const replace: Replace = ({ from, to }, text) => pattern.slice(0, from) + text + pattern.slice(to);
  const all = [...missingAnchors(pattern, node), ...changesOf(pattern, node, replace)];
  for (const part of Object.keys(changes) as PatternPart[])
    changes[part] = all.filter((change) => change.part === part).map(({ changed }) => changed);
  return changes;
}

/** An anchor at each end where each match may start or end anywhere. */
function missingAnchors(pattern: string, node: PlainNode): readonly Change[] {
  const whole = node.kind === "choice" && node.items.length > 1 ? `(?:${pattern})` : pattern;
  return [
    ...(pattern.startsWith("^") ? [] : [`^${whole}`]),
    ...(pattern.endsWith("$") ? [] : [`${whole}$`]),
  ].map((changed) => ({ part: "anchor", changed }));
}

function changesOf(pattern: string, node: PlainNode, replace: Replace): readonly Change[] {
  switch (node.kind) {
    case "start":
    case "end":
      return [{ part: "anchor", changed: replace(node, "") }];
    case "class":
      return [...classChanges(pattern, node, replace), ...addedQuantifiers(pattern, node, replace)];
    case "repeat":
      return [
        ...boundChanges(node, replace),
        ...changesOf(pattern, node.item, replace).filter(({ changed }) => !hasTwoQuantifiers(changed)),
      ];
    default:
      return [
        ...(node.kind === "choice" ? withoutAlternatives(pattern, node.items, replace) : []),
        ...(pattern[node.from] === "(" && node.kind === "choice"
          ? addedQuantifiers(pattern, node, replace)
          : []),
        ...node.items.flatMap((item) => changesOf(pattern, item, replace)),
      ];
  }
}

/** A class or group that is repeated gets no second quantifier, which could also make the first one lazy. */
function hasTwoQuantifiers(pattern: string): boolean {
  const parsed = parsePattern(pattern);
  return !parsed.ok || isRepeatedTwice(parsed.value.node);
}

function isRepeatedTwice(node: PatternNode): boolean {
  if (node.kind === "repeat") return node.isLazy || node.item.kind === "repeat" || isRepeatedTwice(node.item);
  return (node.kind === "sequence" || node.kind === "choice") && node.items.some(isRepeatedTwice);
}

function withoutAlternatives(
  pattern: string,
  items: readonly PlainNode[],
  replace: Replace,
): readonly Change[] {
  const [first, last] = [items[0], items.at(-1)];
  if (items.length < 2 || first === undefined || last === undefined) return [];
  const span = { from: first.from, to: last.to };
  return items.map((_, i) => {
    const kept = items.toSpliced(i, 1).map(({ from, to }) => pattern.slice(from, to));
    return { part: "alternative", changed: replace(span, kept.join("|")) };
  });
}

/** The same class once or not at all, and once or several times. */
function addedQuantifiers(pattern: string, span: PatternSpan, replace: Replace): readonly Change[] {
  const text = pattern.slice(span.from, span.to);
  return ["?", "+"].map((quantifier) => ({ part: "quantifier", changed: replace(span, text + quantifier) }));
}

/** Each bound one up and one down, no maximum, and no repetition. */
/** The maximum above the minimum of a repetition that has none. */
const addedMaximum = 8;

function boundChanges(
  { item, min, max, from, to }: Extract<PlainNode, { kind: "repeat" }>,
  replace: Replace,
): readonly Change[] {
  const bounds: readonly (readonly [number, number])[] = [
    [min - 1, max],
    [min + 1, max],
    [min, max - 1],
    [min, max + 1],
    [min, Number.isFinite(max) ? Number.POSITIVE_INFINITY : min + addedMaximum],
    [min, Math.max(min, 1)],
    [1, 1],
  ];
  const quantifier = { from: item.to, to };
  const valid = bounds.filter(
    ([low, high]) => low >= 0 && high >= Math.max(low, 1) && (low !== min || high !== max),
  );
  return [
    ...valid.map(([low, high]) => printBounds(low, high)).map((text) => replace(quantifier, text)),
    ...(min === 0 ? [] : [replace({ from, to }, "")]),
  ].map((changed) => ({ part: "quantifier", changed }));
}

function printBounds(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === max) return min === 1 ? "" : `{${min}}`;
  return min === 0 && max === 1 ? "?" : `{${min},${max}}`;
}

function classChanges(
  pattern: string,
  node: Extract<PlainNode, { kind: "class" }>,
  replace: Replace,
): readonly Change[] {
  const text = pattern.slice(node.from, node.to);
  if (node.parts === undefined) return characterChanges(text, node, replace);
  const { isNegated, open, items } = node.parts;
  const removed = items.length > 1 ? items.map((item) => replace(item, "")) : [];
  const ranges = items.flatMap((item) => rangeChanges(item, replace));
  return [replace(open, isNegated ? "[" : "[^"), ...removed, ...ranges].map((changed) => {
    return { part: "class", changed };
  });
}

/** A character, an escape or the dot: any character, none, and the opposite or the dot alone. */
function characterChanges(text: string, span: PatternSpan, replace: Replace): readonly Change[] {
  if (text === ".") return [{ part: "class", changed: replace(span, "\\.") }];
  const letter = text.slice(1);
  if (text.startsWith("\\") && /^[dwsDWS]$/.test(letter)) {
    const opposite = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    return [`\\${opposite}`, "."].map((other) => ({ part: "class", changed: replace(span, other) }));
  }
  return ["", "."].map((other) => ({ part: "literal", changed: replace(span, other) }));
}

/** Both ends of a range, one down and one up. */
function rangeChanges({ range, ...span }: ClassItem, replace: Replace): readonly string[] {
  if (range === undefined) return [];
  const [low, high] = range;
  return [
    [low - 1, high],
    [low + 1, high],
    [low, high - 1],
    [low, high + 1],
  ]
    .filter(([first = 0, last = 0]) => first <= last && first > 0x20 && last < 0x7f)
    .map(([first = 0, last = 0]) => replace(span, `${inClass(first)}-${inClass(last)}`));
}

function inClass(code: number): string {
  const character = String.fromCharCode(code);
  return /[0-9A-Za-z]/.test(character) ? character : `\\${character}`;
}
