/** Matches of several queries in one list: the merge of pages says what a plain grouping of everything says. */
import { domainToUnicode } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { compareText } from "../../../src/store/order.ts";
import type { DomainMatchRecord } from "../../../src/store/records/brand.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();
const account = "a1";
const queries = 3;
const names = 1_300;

/** Names that belong to one, two or all of the queries; few times and registrars, so that orders have ties. */
async function filled(kind: string): Promise<Edge> {
  const edge = createEdge({ store: await kinds[kind]!().open() });
  const string_matches = (pattern: string) => [{ pattern, max_edit_distance: 0 }];
  for (const tag of ["alpha", "beta", "gamma"].slice(0, queries))
    await edge.brand.queries.create(account, { tag, string_matches: string_matches(tag) });
  const words = ["alpha", "beta", "gamma", "alphabeta", "gammabeta", "alpha-beta-gamma"];
  await edge.brand.observe(
    account,
    Array.from({ length: names }, (_, i) => ({
      domain: `${words[(i * 7) % words.length]}-${(i * 613) % names}.example`,
      first_seen: new Date(Date.UTC(2026, 0, 1 + ((i * 5) % 9))).toISOString(),
      registrar: ["", "r1", "Ärger", "😀", "\uffff"][(i * 3) % 5]!,
    })),
  );
  const some = await edge.store.read((tx) =>
    tx.find("brand_domain_matches", account, { order: [{ field: "domain", direction: "asc" }] }),
  );
  await edge.store.write(async (tx) => {
    for (const match of some.filter((_, i) => i % 4 === 0))
      await tx.replace("brand_domain_matches", { ...match, dismissed: true });
  });
  return edge;
}

/** The list in its simplest definition: everything in order, grouped by name. */
async function expected(edge: Edge, ids: readonly number[], request: Request) {
  const all = await edge.store.read((tx) =>
    tx.find("brand_domain_matches", account, {
      order: [{ field: request.orderBy, direction: request.order }],
    }),
  );
  const search = request.domain_search ?? "";
  const wanted = all.filter(
    (match) =>
      ids.includes(match.query_id) &&
      (request.include_dismissed || !match.dismissed) &&
      match.domain.includes(search),
  );
  const groups = new Map<string, DomainMatchRecord[]>();
  for (const match of wanted) groups.set(match.domain, [...(groups.get(match.domain) ?? []), match]);
  return [...groups.values()].map((group) => [group[0]!.domain, group.map((match) => match.query_id).sort()]);
}

interface Request {
  readonly orderBy: "first_seen" | "domain" | "registrar";
  readonly order: "asc" | "desc";
  readonly include_dismissed?: boolean;
  readonly domain_search?: string;
}

const requests: readonly Request[] = [
  { orderBy: "first_seen", order: "desc" },
  { orderBy: "first_seen", order: "asc", include_dismissed: true },
  { orderBy: "domain", order: "asc" },
  { orderBy: "registrar", order: "desc", include_dismissed: true },
  { orderBy: "registrar", order: "asc", domain_search: "a-1" },
];

describe.each(Object.keys(kinds))("over %s", (kind) => {
  const edges: Promise<Edge>[] = [];
  const opened = () => {
    edges[0] ??= filled(kind);
    return edges[0];
  };
  afterAll(async () => (await edges[0])?.close());

  test.skipIf(isMissing(kind)).each(requests)("%o", async (request) => {
    const edge = await opened();
    for (const ids of [
      [1, 2, 3],
      [3, 1],
    ]) {
      const all = await expected(edge, ids, request);
      const query_id = ids.map(String);
      for (const [offset, limit] of [
        [0, 50],
        [all.length - 30, 50],
        [611, 333],
        [all.length, 5],
      ] as const) {
        const slice = { offset: Math.max(0, offset), limit };
        const listed = await edge.brand.matches.list(account, { ...request, ...slice, query_id });
        expect(listed.total).toBe(all.length);
        const shown = listed.matches.map(({ match, details }) => [
          match.domain,
          details!.map((d) => d.query_id),
        ]);
        expect(shown).toEqual(all.slice(Math.max(0, offset), Math.max(0, offset) + limit));
      }
    }
  });

  test.skipIf(isMissing(kind))(
    "an edit drops just the matches that the query does not find any more",
    async () => {
      const edge = await opened();
      const namesOf = async () => {
        const where = [{ field: "query_id", op: "eq", value: 2 }] as const;
        const found = await edge.store.read((tx) => tx.find("brand_domain_matches", account, { where }));
        return found.map((match) => match.domain).sort();
      };
      const before = await namesOf();
      const change = {
        string_matches: [{ pattern: "gammabeta", max_edit_distance: 0 }],
        search_lookback: false,
      };
      await edge.brand.queries.edit(account, "2", change);
      const kept = before.filter((name) => name.includes("gammabeta"));
      expect(before.length).toBeGreaterThan(500 + kept.length);
      expect(await namesOf()).toEqual(kept);
      const counted = await edge.store.read((tx) =>
        tx.count("brand_domain_matches", account, [{ field: "query_id", op: "eq", value: 2 }]),
      );
      expect(counted).toBe(kept.length);
    },
  );
});

describe.each(Object.keys(kinds))("domain_search over %s", (kind) => {
  test.skipIf(isMissing(kind))(
    "letters outside ASCII are found in the Unicode form of names, a part of an A-label as it is",
    async () => {
      const edge = createEdge({ store: await kinds[kind]!().open() });
      for (const tag of ["alpha", "beta"])
        await edge.brand.queries.create(account, {
          tag,
          string_matches: [{ pattern: tag, max_edit_distance: 0 }],
        });
      const given = ["müller-alpha", "mueller-alpha", "mülltonne-beta", "alpha-müller-beta", "größe-beta"];
      await edge.brand.observe(
        account,
        given.map((name) => `${name}.example`),
      );
      const found = async (domain_search: string, query_id: readonly string[]) => {
        const request = { query_id, domain_search, orderBy: "domain" } as const;
        const { matches, total } = await edge.brand.matches.list(account, request);
        expect(total).toBe(matches.length);
        return matches.map(({ match }) => domainToUnicode(match.domain).replace(".example", "")).sort();
      };
      const both = ["1", "2"];
      expect(await found("mülle", both)).toEqual(["alpha-müller-beta", "müller-alpha"]);
      expect(await found("mülle", ["2"])).toEqual(["alpha-müller-beta"]);
      expect(await found("MÜLL", both)).toEqual(["alpha-müller-beta", "müller-alpha", "mülltonne-beta"]);
      expect(await found("GRÖSSE", both)).toEqual(["größe-beta"]);
      expect(await found("xn--m", both)).toEqual(["müller-alpha", "mülltonne-beta"]);
      expect(await found("muelle", both)).toEqual(["mueller-alpha"]);
      expect(await found("ö-", both)).toEqual([]);
      await edge.close();
    },
  );
});

/** Registrars that stores may list in any order, since they differ behind the first 400 bytes only. */
const longRegistrars = Array.from({ length: 12 }, (_, i) => `${"Registrar ".repeat(60)}${i}`);

describe.each(Object.keys(kinds))("registrars with the same first 400 bytes, over %s", (kind) => {
  test.skipIf(isMissing(kind)).each(["asc", "desc"] as const)(
    "each name is listed once, in exact order of the registrars (%s)",
    async (order) => {
      const edge = createEdge({ store: await kinds[kind]!().open() });
      for (const tag of ["alpha", "beta"])
        await edge.brand.queries.create(account, {
          tag,
          string_matches: [{ pattern: tag, max_edit_distance: 0 }],
        });
      const observed = Array.from({ length: 120 }, (_, i) => ({
        domain: `${["alpha", "beta", "alphabeta"][i % 3]}-${i}.example`,
        registrar: longRegistrars[(i * 5) % 12]!,
      }));
      await edge.brand.observe(account, observed);
      const sign = order === "asc" ? 1 : -1;
      const expected = observed.sort(
        (a, b) => sign * compareText(a.registrar, b.registrar) || compareText(a.domain, b.domain),
      );
      const request = { orderBy: "registrar", order, query_id: ["1", "2"], limit: 1_000 } as const;
      const { matches, total } = await edge.brand.matches.list(account, request);
      expect(matches.map(({ match }) => match.domain)).toEqual(expected.map(({ domain }) => domain));
      expect(total).toBe(observed.length);
      await edge.close();
    },
  );
});
