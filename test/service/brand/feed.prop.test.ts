/** Laws of the feed and of the lists over it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { compileQueries } from "../../../src/engine/brand/matching/matcher.ts";
import { normalizeHost } from "../../../src/engine/brand/names/host.ts";
import type { DomainRecord } from "../../../src/service/brand/domains/feed-record.ts";
import { parseTimestamp } from "../../../src/service/time.ts";
import { runs } from "../../support/runs.ts";

/** Names in which short patterns are found now and then. */
const name = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "."), minLength: 1, maxLength: 8 }),
    fc.constantFrom("com", "net"),
  )
  .map(([label, suffix]) => `${label}.${suffix}`);

const time = fc.integer({ min: 1, max: 9 }).map((day) => `2026-01-0${day}T00:00:00Z`);

const record: fc.Arbitrary<DomainRecord> = fc.record(
  { domain: name, first_seen: time, registrar: fc.constantFrom("A", "B", "C") },
  { requiredKeys: ["domain", "first_seen"] },
);

/** Each name once, so that no two records can contradict each other. */
const records = fc.uniqueArray(record, { maxLength: 60, selector: (r) => r.domain });

const query = fc.record(
  {
    tag: fc.constant("t"),
    string_matches: fc.array(
      fc.record({
        pattern: fc.constantFrom("ab", "abc", "ca-b", "bbb", "a.com"),
        max_edit_distance: fc.constantFrom(0, 0, 1),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    min_time: time,
  },
  { requiredKeys: ["tag", "string_matches"] },
);

type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

async function stored(edge: Edge): Promise<string[]> {
  const all = await edge.store.read((tx) => tx.find("brand_domain_matches", "a"));
  return all.map((m) => [m.query_id, m.domain, m.first_seen, m.registrar].join(" ")).sort();
}

async function edgeWith(queries: readonly object[]): Promise<Edge> {
  const edge = createEdge();
  for (const body of queries) await edge.brand.queries.create("a", body);
  return edge;
}

/** The matches by the engine alone. */
function expected(queries: readonly Query[], all: readonly DomainRecord[]): string[] {
  const matcher = compileQueries(
    queries.map(({ string_matches }, i) => ({ query_id: i + 1, parameters: { string_matches } })),
  );
  const lines = all.flatMap(({ domain, first_seen, registrar = "" }) => {
    if (!normalizeHost(domain).ok) return [];
    const seen = parseTimestamp(first_seen!)!;
    const ids = new Set(matcher.match(domain).map((m) => m.query_id));
    return [...ids]
      .filter((id) => seen >= (parseTimestamp(queries[id - 1]!.min_time ?? "") ?? 0))
      .map((id) => [id, domain, seen, registrar].join(" "));
  });
  return lines.sort();
}

describe("matches of a feed", () => {
  const queries = fc.array(query, { minLength: 1, maxLength: 3 });

  test("equal those of the engine within the time bounds, for every order and batch size", async () => {
    await fc.assert(
      fc.asyncProperty(queries, records, fc.infiniteStream(fc.nat(5)), async (asked, all, cuts) => {
        const want = expected(asked, all);
        const once = await edgeWith(asked);
        await once.brand.observe("a", all);
        expect(await stored(once)).toEqual(want);

        const cut = await edgeWith(asked);
        const rest = [...all].reverse();
        while (rest.length > 0) await cut.brand.observe("a", rest.splice(0, 1 + cuts.next().value));
        expect(await stored(cut)).toEqual(want);
      }),
      { numRuns: runs(30) },
    );
  });

  test("are the same when names are observed before the query is created", async () => {
    await fc.assert(
      fc.asyncProperty(queries, records, async (asked, all) => {
        const edge = createEdge();
        await edge.brand.observe("a", all);
        for (const body of asked) await edge.brand.queries.create("a", body);
        expect(await stored(edge)).toEqual(expected(asked, all));
      }),
      { numRuns: runs(30) },
    );
  });

  test("are stored once when feeds and new queries are concurrent", async () => {
    await fc.assert(
      fc.asyncProperty(queries, records, async (asked, all) => {
        const edge = await edgeWith(asked.slice(0, 1));
        await Promise.all([
          edge.brand.observe("a", all),
          edge.brand.observe("a", [...all].reverse()),
          edge.brand.observe("a", all.slice(0, 10)),
          ...asked.slice(1).map((body) => edge.brand.queries.create("a", body)),
        ]);
        const found = await edge.store.read((tx) => tx.find("brand_domain_matches", "a"));
        const ids = found.map((m) => m.match_id);
        expect(new Set(ids).size).toBe(ids.length);
        const byTag = (await edge.brand.queries.list("a")).map(
          (q) => ({ tag: "t", ...q.parameters }) as Query,
        );
        expect(await stored(edge)).toEqual(expected(byTag, all));
      }),
      { numRuns: runs(20) },
    );
  });

  test("after an edit equal those of a query that was created with the same members", async () => {
    await fc.assert(
      fc.asyncProperty(query, query, records, async (before, after, all) => {
        const edge = await edgeWith([before]);
        await edge.brand.observe("a", all);
        await edge.brand.queries.edit("a", "1", { min_time: null, ...after });
        expect(await stored(edge)).toEqual(expected([after], all));
      }),
      { numRuns: runs(30) },
    );
  });
});

describe("lists", () => {
  const asked = [
    { tag: "t", string_matches: [{ pattern: "a", max_edit_distance: 0 }] },
    { tag: "t", string_matches: [{ pattern: "b", max_edit_distance: 0 }] },
  ];
  const orderBy = fc.constantFrom(undefined, "domain", "first_seen", "registrar");
  const order = fc.constantFrom(undefined, "asc", "desc");

  test("have pages that join to the whole list, in order, with the same total", async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        orderBy,
        order,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (all, by, direction, size, several) => {
          const edge = await edgeWith(asked);
          await edge.brand.observe("a", all);
          const base = { query_id: several ? ["1", "2"] : ["1"], orderBy: by, order: direction };
          const whole = await edge.brand.matches.list("a", { ...base, limit: 1_000 });
          const pages: string[] = [];
          for (let offset = 0; offset <= whole.total; offset += size) {
            const page = await edge.brand.matches.list("a", {
              ...base,
              limit: size,
              offset,
            });
            expect(page.total).toBe(whole.total);
            pages.push(...page.matches.map((m) => m.match.domain));
          }
          const names = whole.matches.map((m) => m.match.domain);
          expect(pages).toEqual(names);
          expect(new Set(names).size).toBe(names.length);
          expect(names.length).toBe(whole.total);
          const keys = whole.matches.map(({ match }) => String(match[by ?? "first_seen"]));
          const down = (direction ?? (by === "domain" || by === "registrar" ? "asc" : "desc")) === "desc";
          const sorted = [...keys].sort();
          expect(keys).toEqual(down ? sorted.reverse() : sorted);
        },
      ),
      { numRuns: runs(30) },
    );
  });
});
