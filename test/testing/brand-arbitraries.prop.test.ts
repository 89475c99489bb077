/** Random input of brand protection is what it promises: accepted, or rejected for the one reason that it names. */
import { compileQueries, describeLogo, normalizeHost } from "edgeproof/brand";
import { brandArbitraries, createTestEdge } from "edgeproof/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientOf, jsonOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";
import { runs } from "../support/runs.ts";

const brand = brandArbitraries(fc);

/** A client of an edge that has nothing yet. */
function freshClient() {
  return clientOf(createTestEdge(), "/accounts/a1/intel/v2/brand-protection");
}

/** All places at which the cases of an arbitrary are wrong. */
function pointersOf(cases: fc.Arbitrary<{ readonly pointer: string }>): string[] {
  return [...new Set(fc.sample(cases, { numRuns: 1_000, seed: 1 }).map(({ pointer }) => pointer))].sort();
}

describe("domain queries", () => {
  test("a valid body is accepted, without a note", async () => {
    await fc.assert(
      fc.asyncProperty(brand.domainQuery, async (body) => {
        const { success, message } = await freshClient().ok("POST", "/domain/queries", body);
        expect([success, message]).toEqual([true, "Domain query 1 was created."]);
      }),
      { numRuns: runs(40) },
    );
  });

  test("a wrong body is rejected with its code, for the one reason and where it says", async () => {
    await fc.assert(
      fc.asyncProperty(brand.invalidDomainQuery, async ({ body, code, pointer }) => {
        const response = await freshClient()("POST", "/domain/queries", body);
        expect((await jsonOf(response.clone())).errors).toHaveLength(1);
        await expectFailure(response, { status: 400, code, pointer });
      }),
      { numRuns: runs(150) },
    );
    expect(pointersOf(brand.invalidDomainQuery)).toHaveLength(9);
  });
});

test("options of matching are accepted in every combination", () => {
  fc.assert(
    fc.property(brand.matchOptions, brand.stringMatch, (options, match) => {
      const queries = [{ query_id: 1, parameters: { string_matches: [match] } }];
      expect(compileQueries(queries, options).patternCount).toBe(1);
    }),
    { numRuns: runs(60) },
  );
  expect(new Set(fc.sample(brand.matchOptions, 300).map(({ mode }) => typeof mode)).size).toBe(3);
});

describe("names", () => {
  test("a valid name can be read", () => {
    fc.assert(
      fc.property(brand.name, (name) => {
        expect(normalizeHost(name).ok).toBe(true);
      }),
    );
  });

  test("a wrong name is rejected for the reason that it names", () => {
    fc.assert(
      fc.property(brand.invalidName, ({ name, reason }) => {
        expect(normalizeHost(name)).toMatchObject({ ok: false, problems: [{ reason }] });
      }),
    );
  });

  test("an observation is taken, a wrong one is counted as bad", async () => {
    await fc.assert(
      fc.asyncProperty(brand.observation, brand.invalidObservation, async (good, wrong) => {
        const report = await createTestEdge().brand.observe("a1", [good, wrong] as never);
        expect(report).toMatchObject({ invalid: 1, invalidRecords: [{ line: 2 }] });
      }),
      { numRuns: runs(100) },
    );
  });

  const plain = (match: { pattern: string; max_edit_distance: number }) =>
    compileQueries([{ query_id: 1, parameters: { string_matches: [match] } }]);

  test("a matching name is found", () => {
    fc.assert(
      fc.property(
        brand.stringMatch.chain((match) => fc.tuple(fc.constant(match), brand.matchingName(match))),
        ([match, name]) => {
          const [found] = plain(match).match(name);
          expect(found?.distance).toBeLessThanOrEqual(match.max_edit_distance);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test("a near miss is not found, and one more edit finds it, however separators and swaps count", () => {
    fc.assert(
      fc.property(
        brand.stringMatch.chain((match) => fc.tuple(fc.constant(match), brand.nearMiss(match))),
        ([match, name]) => {
          const { pattern, max_edit_distance } = match;
          for (const options of [{}, { transpositions: true }, { separators: true }]) {
            const query = { query_id: 1, parameters: { string_matches: [match] } };
            expect(compileQueries([query], options).match(name)).toEqual([]);
          }
          if (max_edit_distance === 3) return;
          const [found] = plain({ pattern, max_edit_distance: max_edit_distance + 1 }).match(name);
          expect(found?.distance).toBe(max_edit_distance + 1);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test.each([
    ["abc", 3, /must have more than 3 letters, or it matches every name/],
    ["a b", 0, /must be a possible part of a host name/],
    ["abcdefghijklmnopqrstuvwxyz0123456789", 1, /must leave a letter or digit unused/],
  ])("there is no near miss of %s within %i edits", (pattern, max_edit_distance, message) => {
    expect(() => brand.nearMiss({ pattern, max_edit_distance })).toThrow(message);
  });
});

describe("logos", () => {
  test("a valid logo can be described and is not blank", async () => {
    await fc.assert(
      fc.asyncProperty(brand.logo, async (bytes) => {
        const outcome = await describeLogo(bytes, { role: "query" });
        expect(outcome.ok && outcome.value.solid).toBe(false);
      }),
      { numRuns: runs(20) },
    );
  });

  test("a valid body is accepted", async () => {
    await fc.assert(
      fc.asyncProperty(brand.logoQuery, async (body) => {
        expect((await freshClient().ok("POST", "/logo/queries", body)).success).toBe(true);
      }),
      { numRuns: runs(20) },
    );
  });

  test("a wrong body is rejected with its code, for the one reason and where it says", async () => {
    await fc.assert(
      fc.asyncProperty(brand.invalidLogoQuery, async ({ body, code, pointer }) => {
        const response = await freshClient()("POST", "/logo/queries", body);
        expect((await jsonOf(response.clone())).errors).toHaveLength(1);
        await expectFailure(response, { status: 400, code, pointer });
      }),
      { numRuns: runs(80) },
    );
    expect(pointersOf(brand.invalidLogoQuery)).toEqual([
      "/image_data",
      "/search_lookback",
      "/similarity_threshold",
      "/tag",
    ]);
  });
});
