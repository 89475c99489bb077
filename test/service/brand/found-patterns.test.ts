/** Domain matches with the pattern that found them: stored with the match, and current after every change. */
import { compileQueries } from "edgeproof/brand";
import { expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";

const names = ["paypal.com", "secure-paypa1.example", "pаypal.org", "paypal-login.net"];

async function observed(string_matches: object[]): Promise<Edge> {
  const edge = createEdge({ store: createMemoryStore(), clock: () => Date.UTC(2026, 0, 31) });
  await edge.brand.queries.create("a", { tag: "t", string_matches });
  await edge.brand.observe("a", names);
  return edge;
}

const near = { pattern: "paypal", max_edit_distance: 1 };
const exact = { pattern: "paypal", max_edit_distance: 0 };

async function listed(edge: Edge, query_id = ["1"], recompute = false) {
  const { matches } = await edge.brand.matches.list("a", { query_id, orderBy: "domain", recompute });
  return matches;
}

/** The members of a match that are stored, computed for the name alone. */
function expected(domain: string, string_matches = [near]) {
  const matcher = compileQueries([{ query_id: 1, parameters: { string_matches } }]);
  const best = [...matcher.match(domain)].sort((a, b) => b.score - a.score)[0]!;
  const { pattern, distance, technique, score, span, mode, channel } = best;
  return { pattern, distance, technique, score, span, mode, channel };
}

test("a match has pattern, distance, technique, score, span, mode and channel, for its name with A-labels", async () => {
  const matches = await listed(await observed([near]));
  expect(matches).toHaveLength(4);
  for (const { match } of matches) expect(match.found).toEqual(expected(match.domain));
  const found = matches.find(({ match }) => match.domain === "secure-paypa1.example")?.match.found;
  expect(found).toMatchObject({ pattern: "paypal", technique: "homoglyph", span: { start: 7, end: 12 } });
});

test("lookback stores the same members as the feed", async () => {
  const edge = await observed([near]);
  await edge.brand.queries.create("a", { tag: "later", string_matches: [near] });
  const of = async (id: string) => (await listed(edge, [id])).map(({ match }) => match.found);
  expect(await of("2")).toEqual(await of("1"));
});

test("of several patterns, the one with the best score is stored", async () => {
  const edge = await observed([{ pattern: "paypa", max_edit_distance: 1 }, near]);
  const listedMatch = (await listed(edge)).find(({ match }) => match.domain === "paypal.com");
  expect(listedMatch?.match.found?.pattern).toBe("paypal");
});

test("an edit of the patterns updates the stored members, and keeps dismissal and ids", async () => {
  const edge = await observed([{ pattern: "paypa", max_edit_distance: 0 }]);
  const [first] = await listed(edge);
  await edge.brand.matches.setDismissed("a", "1", String(first!.match.domain_id), true);
  await edge.brand.queries.edit("a", "1", { string_matches: [exact], search_lookback: false });
  const { matches } = await edge.brand.matches.list("a", {
    query_id: ["1"],
    orderBy: "domain",
    include_dismissed: true,
  });
  expect(matches.map(({ match }) => [match.match_id, match.domain, match.dismissed])).toEqual([
    [3, "paypal-login.net", true],
    [1, "paypal.com", false],
  ]);
  for (const { match } of matches) expect(match.found).toEqual(expected(match.domain, [exact]));
});

test("a list of several queries has the members of each query", async () => {
  const edge = await observed([near]);
  await edge.brand.queries.create("a", { tag: "other", string_matches: [{ ...exact, pattern: "login" }] });
  const both = (await listed(edge, ["1", "2"])).find(({ match }) => match.domain === "paypal-login.net");
  expect(both?.details?.map(({ query_id, found }) => [query_id, found?.pattern])).toEqual([
    [1, "paypal"],
    [2, "login"],
  ]);
});

test("matches of earlier versions are computed and marked on request only", async () => {
  const edge = await observed([near]);
  await edge.brand.queries.create("a", { tag: "same", string_matches: [near] });
  const stored = await listed(edge);
  await edge.store.write(async (tx) => {
    for (const { found, ...match } of await tx.find("brand_domain_matches", "a"))
      if (match.domain !== "paypal.com") await tx.replace("brand_domain_matches", match);
  });
  expect((await listed(edge)).map(({ match }) => match.found?.pattern)).toEqual([
    undefined,
    "paypal",
    undefined,
    undefined,
  ]);
  const again = await listed(edge, ["1"], true);
  expect(again.map(({ match }) => match)).toEqual(stored.map(({ match }) => match));
  expect(again.map(({ recomputed }) => recomputed)).toEqual([true, undefined, true, true]);
  for (const { details } of await listed(edge, ["1", "2"], true))
    expect(details?.map(({ found }) => found?.pattern)).toEqual(["paypal", "paypal"]);
});
