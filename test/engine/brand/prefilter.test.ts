/** The fast paths are used: the prefilter, the pre-check of suffixes, and the channels without separators. */

import { compileQueries, type MatchOptions } from "edgeproof/brand";
import { afterEach, describe, expect, test } from "vitest";
import { runSteps } from "../../../src/core/work/steps.ts";
import { namesMemory } from "../../../src/engine/brand/filters/filter-memory.ts";
import { prefilterSteps } from "../../../src/engine/brand/filters/prefilter.ts";

const words =
  "garden river stone house bakery travel music sport photo studio design travel cafe hotel bike market school clinic lawyer dentist guitar yoga news blog film dance forest summer winter green silver mountain ocean coffee tea wine cheese bread flower".split(
    " ",
  );
const ordinaryNames = words.flatMap((first) => words.map((second) => `${first}${second}.com`));

const memory = namesMemory();
const { exports } = memory;

afterEach(() => {
  Object.assign(memory, { exports });
});

/** A matcher, and the number of searches by filters, and of patterns that the prefilter proposed, since it was compiled. */
function countingMatcher(patterns: readonly string[], options: MatchOptions) {
  let searches = 0;
  let proposed = 0;
  let located = 0;
  const count =
    (search: typeof exports.findWhole): typeof exports.findWhole =>
    (block, start, end) => {
      searches += 1;
      return search(block, start, end);
    };
  const counted = {
    ...exports,
    findWhole: count(exports.findWhole),
    findWithin: count(exports.findWithin),
    findEntries(block: number, start: number, end: number) {
      const found = exports.findEntries(block, start, end);
      proposed += found;
      return found;
    },
    locate(...call: Parameters<typeof exports.locate>) {
      located += 1;
      return exports.locate(...call);
    },
  };
  Object.assign(memory, { exports: counted });
  const string_matches = patterns.map((pattern) => ({ pattern, max_edit_distance: 1 }));
  const matcher = compileQueries([{ query_id: 1, parameters: { string_matches } }], options);
  return {
    match: matcher.match,
    searches: () => searches,
    proposed: () => proposed,
    located: () => located,
  };
}

describe("a name", () => {
  test.each(["unrelated.org", "shop-offline.com", "UNRELATED.org"])(
    "without the letters of a pattern is compared with none in mode recommended: %s",
    (host) => {
      const { match, searches, proposed } = countingMatcher(["paypal"], { mode: "recommended" });
      match("paypal.com");
      const before = proposed();
      expect(before).toBeGreaterThan(0);
      expect(match(host)).toEqual([]);
      expect(proposed() - before).toBe(0);
      expect(searches()).toBe(0);
    },
  );

  test("of letters outside of ASCII is searched, whatever its letters", () => {
    const { match, searches } = countingMatcher(["paypal"], { mode: "recommended" });
    match("xn--bcher-kva.example");
    expect(searches()).toBeGreaterThan(0);
  });

  test("of a list of ordinary ones is compared with a pattern once in 20 at most", () => {
    const { match, searches, proposed } = countingMatcher(["paypal", "microsoft", "walletconnect"], {
      mode: "recommended",
    });
    for (const name of ordinaryNames) match(name);
    expect(proposed()).toBeLessThan(ordinaryNames.length / 20);
    expect(searches()).toBe(0);
  });

  test("in which a pattern is found without edits is compared with it once", () => {
    const { match, proposed, located } = countingMatcher(["microsoft"], { mode: "recommended" });
    expect(match("my-microsoft.com").map(({ distance }) => distance)).toEqual([0]);
    expect(proposed()).toBeGreaterThan(1);
    expect(located()).toBe(1);
  });

  test("of unusual letters, and one of capital letters, is found", () => {
    const { match } = countingMatcher(["paypal"], { mode: "recommended" });
    for (const host of ["pаypal.com", "PAYPAL.com", "my.Pay-Pal.com", "PAYPA1.com"])
      expect(match(host), host).toHaveLength(1);
  });

  test("without separators is not searched in the channels without them", () => {
    const { match, searches } = countingMatcher(["paypal"], { separators: true });
    match("paypal.com");
    expect(searches()).toBe(1);
    match("pay-pal.com");
    expect(searches()).toBe(3);
  });

  test("that cannot have an embedded suffix is not searched by a rule that needs one", () => {
    const mode = [{ mode: "contains", onlyWithEmbeddedSuffix: true }] as const;
    const { match, searches } = countingMatcher(["paypal"], { mode });
    for (const host of ["paypal.com", "my-paypal.com", "paypal.co.uk", "de.paypal.com"]) match(host);
    expect(searches()).toBe(0);
    match("paypal.co.uk.example.com");
    expect(searches()).toBe(1);
  });

  test("is searched for patterns with a dot, whatever its letters", () => {
    const dotted = countingMatcher(["paypal.com"], { mode: "recommended" });
    dotted.match("unrelated.org");
    expect(dotted.searches()).toBeGreaterThan(0);
  });
});

test("the prefilter proposes the patterns of a name, each with its set, whatever the number of sets", () => {
  const codes = (text: string) => [...text].map((c) => c.charCodeAt(0));
  const patternOf = (text: string) => ({ points: codes(text), limit: 0 });
  const patterns = [patternOf("xyz"), patternOf("abc")];
  const set = { where: "anywhere", runLength: 1, skeleton: false, joined: false, patterns } as const;
  const sets = [set, ...Array.from({ length: 32 }, () => undefined), set];
  const { find, eachFound } = runSteps(prefilterSteps(sets, false));
  memory.ascii.set(codes("xabcx"));
  expect(find(5)).toBe(1);
  const places: [number, number][] = [];
  eachFound(1, (...place) => places.push(place));
  expect(places).toEqual([
    [0, 1],
    [33, 1],
  ]);
  expect(find(3)).toBe(0);
});
