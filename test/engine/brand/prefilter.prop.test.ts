/** The prefilter's law: no pattern that is in a name is left out. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../src/core/work/steps.ts";
import { namesMemory } from "../../../src/engine/brand/filters/filter-memory.ts";
import { type PrefilteredSet, prefilterSteps } from "../../../src/engine/brand/filters/prefilter.ts";
import { channelTextOf, separators } from "../../../src/engine/brand/names/channel-text.ts";
import { runs } from "../../support/runs.ts";
import { prefixDistances } from "./reference.ts";

const letters = fc.constantFrom(
  "ab",
  "abc-",
  "paylo01-.",
  "mrnl1iwvudcq",
  "abcdefghijklmnopqrstuvwxyz0123456789-._",
);
const codes = (text: string) => [...text].map((c) => c.charCodeAt(0));

const cases = letters.chain((unit) => {
  const text = (maxLength: number) => fc.string({ unit: fc.constantFrom(...unit), minLength: 1, maxLength });
  const set = fc.record({
    where: fc.constantFrom(...(["anywhere", "part"] as const)),
    runLength: fc.integer({ min: 1, max: 3 }),
    skeleton: fc.boolean(),
    separators: fc.boolean(),
    patterns: fc.array(fc.record({ text: text(14), limit: fc.nat(3) }), { minLength: 1, maxLength: 12 }),
  });
  return fc.array(set, { minLength: 1, maxLength: 36 }).chain((sets) => {
    const known = fc.constantFrom(...sets.flatMap(({ patterns }) => patterns.map((pattern) => pattern.text)));
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...unit), fc.nat(2)), { maxLength: 4 });
    const name = fc.tuple(
      fc.array(fc.oneof(known, text(6), text(80)), { minLength: 1, maxLength: 3 }),
      edits,
    );
    return fc.record({ sets: fc.constant(sets), name: name.map(changed), transpositions: fc.boolean() });
  });
});

/** A name made of parts with some letters inserted or replaced, or two swapped. */
function changed([parts, edits]: [string[], [number, string, number][]]): string {
  const name = [...parts.join("")];
  for (const [place, letter, kind] of edits) {
    const at = place % name.length;
    if (kind < 2) name.splice(at, kind, letter);
    else name.splice(at, 2, ...name.slice(at, at + 2).reverse());
  }
  return name.join("").slice(0, 253);
}

type Set = Parameters<Parameters<typeof cases.map>[0]>[0]["sets"][number];

/** The set in its channel, and the parts of the name in it that patterns are compared with. */
function inChannel(made: Set, name: string) {
  const { where, skeleton, patterns } = made;
  const isPart = where === "part";
  const runLength = isPart ? made.runLength : 1;
  const joined = made.separators && runLength === 1;
  const look = (text: string) => (skeleton ? channelTextOf("confusables", codes(text)).points : codes(text));
  const isKept = (c: number) => !joined || !separators.has(c);
  const separatorsIn = (points: readonly number[]) => points.filter((c) => separators.has(c)).length;
  const set: PrefilteredSet = {
    where,
    runLength,
    skeleton,
    joined,
    patterns: patterns
      .map(({ text, limit }) => ({ points: look(text).filter(isKept), limit }))
      .filter(({ points }) => points.length > 0 && (!isPart || separatorsIn(points) === runLength - 1)),
  };
  const parts = isPart ? runsOf(name, runLength).filter((part) => part !== "") : [name];
  return { set, parts: parts.map((part) => look(part).filter(isKept)) };
}

/** Every so many neighboring parts, with the separators between them. */
function runsOf(name: string, count: number): string[] {
  const pieces = name.split(/([-.])/);
  const runs = pieces.map((_, i) => pieces.slice(i, i + 2 * count - 1));
  return runs.filter((run, i) => i % 2 === 0 && run.length === 2 * count - 1).map((run) => run.join(""));
}

test.each([
  ["one by one", Number.POSITIVE_INFINITY],
  ["by its pieces", 1],
])("the prefilter finds every pattern that is in the name, compared %s", (_, minIndexed) => {
  let indexed = 0;
  let proposed = 0;
  let left = 0;
  fc.assert(
    fc.property(cases, ({ sets, name, transpositions }) => {
      const made = sets.map((set) => inChannel(set, name));
      const prefilter = runSteps(
        prefilterSteps(
          made.map(({ set }) => set),
          transpositions,
          minIndexed,
        ),
      );
      indexed += prefilter.indexed;
      namesMemory().ascii.set(codes(name));
      const places: string[] = [];
      prefilter.eachFound(prefilter.find(name.length), (set, pattern) => places.push(`${set} ${pattern}`));
      expect(places).toEqual([...new Set(places)]);
      for (const [i, { set, parts }] of made.entries()) {
        for (const [j, { points, limit }] of set.patterns.entries()) {
          const isProposed = places.includes(`${i} ${j}`);
          if (isProposed) proposed += 1;
          else left += 1;
          const isFound = parts.some((part) => nearest(points, part, set.where, transpositions) <= limit);
          if (isFound) expect(isProposed).toBe(true);
        }
      }
    }),
    { numRuns: runs(1_000) },
  );
  expect(Math.min(proposed, left)).toBeGreaterThan(0);
  // The path that is meant is the path that was taken.
  expect(indexed > 0).toBe(minIndexed === 1);
});

function nearest(
  pattern: number[] | readonly number[],
  text: readonly number[],
  where: string,
  swaps: boolean,
): number {
  if (where === "part") return prefixDistances(pattern, text, swaps).at(-1) ?? 0;
  const starts = text.map((_, i) => text.slice(i, i + pattern.length + 4));
  return Math.min(
    pattern.length,
    ...starts.map((part) => Math.min(...prefixDistances(pattern, part, swaps))),
  );
}
