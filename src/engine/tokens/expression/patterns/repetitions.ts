/** The counted repetitions of a pattern, for messages. */

import type { PatternNode } from "./pattern-parser.ts";

/** The counted repetition with the most bytes and classes, written out; undefined for none. */
export function largestRepetition(node: PatternNode): Extract<PatternNode, { kind: "repeat" }> | undefined {
  if (node.kind === "repeat") {
    if (node.isCounted) return node;
    return largestRepetition(node.item);
  }
  if (node.kind !== "sequence" && node.kind !== "choice") return undefined;
  return node.items
    .flatMap((item) => largestRepetition(item) ?? [])
    .reduce<Extract<PatternNode, { kind: "repeat" }> | undefined>(
      (largest, repetition) =>
        largest === undefined || repetition.size > largest.size ? repetition : largest,
      undefined,
    );
}
