/** The law of many patterns: the piece index that all sets share leaves none out, and is what searches them. */
import { readFileSync } from "node:fs";
import { compileQueries, type DomainQuery, normalizeHost } from "edgeproof/brand";
import fc from "fast-check";
import levenshtein from "fast-levenshtein";
import { describe, expect, test } from "vitest";
import { generateNames } from "../../../bench/brand-names.ts";
import { namesMemory } from "../../../src/engine/brand/filters/filter-memory.ts";
import { runs } from "../../support/runs.ts";
import { referenceMatches } from "./reference.ts";

/** Names of one to three words, of which there are thousands. */
const words =
  "pay micro soft bank net flix drop box coin base insta gram whats app docu sign sant ander barc lays luft hansa voda fone dis cord steam commu nity wallet connect meta mask open sea trust crypto blue sky wind moon river".split(
    " ",
  );
const patterns = words.flatMap((first, i) => words.slice(i % 7, 9 + (i % 7)).map((second) => first + second));
const queries: DomainQuery[] = Array.from({ length: Math.ceil(patterns.length / 8) }, (_, i) => ({
  query_id: i + 1,
  parameters: {
    string_matches: patterns
      .slice(i * 8, i * 8 + 8)
      .map((pattern, at) => ({ pattern, max_edit_distance: at % 3 })),
  },
}));

const letters = "abcdefghijklmnopqrstuvwxyz0123456789-.";
const edit = fc.tuple(fc.nat(), fc.constantFrom("drop", "put", "swap"), fc.constantFrom(...letters));
/** A query, which is the one that is compared, and a name made of its patterns. */
const hosts = fc.nat({ max: queries.length - 1 }).chain((at) => {
  const own = queries[at]!.parameters.string_matches.map(({ pattern }) => pattern);
  const part = fc.constantFrom(...own, ...own, ...words.slice(0, 6), "my-", ".");
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const host = fc.tuple(parts, fc.array(edit, { maxLength: 4 })).map(([known, edits]) => {
    const text = [...known.join("")];
    for (const [place, kind, letter] of edits) {
      const i = place % (text.length + 1);
      if (kind === "drop") text.splice(i, 1);
      else if (kind === "put") text.splice(i, 0, letter);
      else text.splice(i, 2, ...text.slice(i, i + 2).reverse());
    }
    return `${text.join("")}.com`;
  });
  return fc.tuple(fc.constant(at), host);
});

test.each([
  ["recommended", { mode: "recommended" }],
  [
    "a list of rules without swaps",
    {
      mode: [
        { mode: "contains", maxEdits: 1, separators: true },
        { mode: "token", maxEdits: 3, minLength: 8 },
        { mode: "label", maxEdits: 2 },
      ],
      confusables: true,
    },
  ],
] as const)("a matcher of hundreds of patterns finds what the plain matrix finds: %s", (_, options) => {
  const matcher = compileQueries(queries, options);
  let found = 0;
  fc.assert(
    fc.property(hosts, ([at, host]) => {
      const compared = queries[at]!;
      const matches = matcher.match(host).filter(({ query_id }) => query_id === compared.query_id);
      if (matches.length > 0) found += 1;
      expect(
        matches.map(({ query_id, pattern_index, host, distance, channel, mode, host_span }) => {
          return { query_id, pattern_index, host, distance, channel, mode, host_span };
        }),
      ).toEqual(referenceMatches([compared], options, host));
    }),
    { numRuns: runs(400, 40) },
  );
  expect(found).toBeGreaterThan(0);
});

test("a name without a piece of any of hundreds of patterns is compared with none, and searched by no filter", () => {
  const memory = namesMemory();
  const { exports } = memory;
  const [searches, proposed] = [[0], [0]];
  const count =
    (calls: number[], search: typeof exports.findWhole): typeof exports.findWhole =>
    (block, start, end) => {
      const found = search(block, start, end);
      calls.push(found);
      return found;
    };
  Object.assign(memory, {
    exports: {
      ...exports,
      findWhole: count(searches, exports.findWhole),
      findWithin: count(searches, exports.findWithin),
      findEntries: count(proposed, exports.findEntries),
    },
  });
  const matcher = compileQueries(queries, { mode: "recommended" });
  Object.assign(memory, { exports });
  for (const host of ["zzyzyx.org", "qqxjvvk.net", "jjwzq.io"]) expect(matcher.match(host)).toEqual([]);
  expect(proposed).toEqual([0, 0, 0, 0]);
  matcher.match("paypal.com");
  matcher.match("paybank.com");
  expect(Math.min(...proposed.slice(4))).toBeGreaterThan(0);
  expect(searches).toEqual([0]);
});

/** 2,000 names: those that people have chosen for the packages in the lock files, and behind them generated ones. */
const lockFiles = ["", "bench/peers/", "scripts/checks/", "scripts/mutation/", "test/clients/generators/"];
const packages = lockFiles.flatMap((folder) =>
  Object.keys(JSON.parse(readFileSync(`${folder}package-lock.json`, "utf8")).packages),
);
const chosen = packages
  .map((path) => path.split("node_modules/").at(-1)!.replace("@", "").replace("/", "."))
  .filter((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name));
const realNames = [...new Set(chosen)].map((name) => `${name}.com`);
const names = [...new Set([...realNames, ...generateNames(2_000)])].slice(0, 2_000);

describe("of 2,000 names, more than 500 of them real", () => {
  const labels = names.map((name) => {
    const host = normalizeHost(name);
    return (host.ok && host.value.label) || "";
  });
  /** Near to its name: without a letter, with two letters swapped, with one more, or as it is. */
  const near = labels.map((label, i) => {
    const text = [...label];
    const at = i % Math.max(1, text.length - 1);
    if (i % 4 === 0) text.splice(at, 1);
    else if (i % 4 === 1) text.splice(at, 2, ...text.slice(at, at + 2).reverse());
    else if (i % 4 === 2) text.splice(at, 0, "x");
    return text.join("") || "x";
  });
  const editsOf = (i: number) => Math.floor(i / 4) % 4;
  const all = near.map((pattern, i): DomainQuery => {
    return { query_id: i + 1, parameters: { string_matches: [{ pattern, max_edit_distance: editsOf(i) }] } };
  });
  /** The compared names, by their positions: every one in a full run. */
  const count = runs(2_000, 200);
  const compared = Array.from({ length: count }, (_, i) => (i * 1_009) % names.length);

  test("a matcher of 2,000 patterns finds the labels that fast-levenshtein finds", () => {
    expect(realNames.length).toBeGreaterThan(500);
    const { match } = compileQueries(all, { mode: "label" });
    let found = 0;
    for (const at of compared) {
      const expected = near.flatMap((pattern, j) => {
        const distance = levenshtein.get(pattern, labels[at]!);
        return distance <= editsOf(j) ? [[j + 1, distance]] : [];
      });
      found += expected.length;
      expect(match(names[at]!).map((m) => [m.query_id, m.distance])).toEqual(expected);
    }
    expect(found).toBeGreaterThan(count / 2);
  });

  test.each([
    ["recommended", { mode: "recommended" }],
    ["contains", { mode: "contains" }],
  ] as const)("a matcher of 2,000 patterns finds what the plain matrix finds: %s", (_, options) => {
    const { match } = compileQueries(all, options);
    let found = 0;
    for (const at of compared) {
      // Its own pattern, and that of another.
      const positions = [at, (at * 7 + 3) % all.length].sort((a, b) => a - b);
      const queries = [...new Set(positions)].map((j) => all[j]!);
      const ids = new Set(queries.map(({ query_id }) => query_id));
      const matches = match(names[at]!).filter(({ query_id }) => ids.has(query_id));
      found += matches.length;
      expect(
        matches.map(({ query_id, pattern_index, host, distance, channel, mode, host_span }) => {
          return { query_id, pattern_index, host, distance, channel, mode, host_span };
        }),
      ).toEqual(referenceMatches(queries, options, names[at]!));
    }
    expect(found).toBeGreaterThan(count / 2);
  });
});
