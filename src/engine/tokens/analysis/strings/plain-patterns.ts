/** Patterns that the analysis and the mutants look into: classes of bytes, anchors, groups, alternatives and repetitions. */

import { hasCode } from "../../expression/patterns/code-sets.ts";
import {
  type ParsedPattern,
  type PatternNode,
  type PlainLeaf,
  parsePattern,
  type TreeOf,
} from "../../expression/patterns/pattern-parser.ts";

/** A node of such a pattern. */
export type PlainNode = TreeOf<PlainLeaf>;

/** The maximum number of repetitions that are counted. */
const maxCount = 64;

/** The tree of a valid pattern; undefined when it has other parts. */
export function plainPattern(pattern: string): PlainNode | undefined {
  const parsed = parsePattern(pattern);
  return parsed.ok ? plainNode(parsed.value) : undefined;
}

function plainNode({ node, undecided }: ParsedPattern): PlainNode | undefined {
  return undecided === undefined && isPlain(node) ? node : undefined;
}

function isPlain(node: PatternNode): node is PlainNode {
  switch (node.kind) {
    case "start":
    case "end":
      return true;
    case "class":
      // All bytes above ASCII must be alike, as texts have several together.
      return hasCode(node.set, 0x80)
        ? node.set.some(([first, last]) => first <= 0x80 && last === 0xff)
        : (node.set.at(-1)?.[1] ?? 0) < 0x80;
    case "sequence":
    case "choice":
      return node.items.every(isPlain);
    case "repeat":
      return node.min <= maxCount && (node.max <= maxCount || node.max === Infinity) && isPlain(node.item);
    default:
      return false;
  }
}
