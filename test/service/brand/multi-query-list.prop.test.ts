/** Laws of lists over several queries: whatever changed, and through whichever connection, they are those of a plain model. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { compareValues } from "../../../src/store/order.ts";
import type { DomainMatchRecord } from "../../../src/store/records/brand.ts";
import { runs } from "../../support/runs.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();
const account = "a1";
const words = ["alpha", "beta", "gamma", "alphabeta", "beta-gamma", "alpha-beta-gamma"];

const matching = (pattern: string) => ({ string_matches: [{ pattern, max_edit_distance: 0 }] });

interface ListCommand {
  readonly ids: readonly number[];
  readonly orderBy: "first_seen" | "domain" | "registrar";
  readonly order: "asc" | "desc";
  readonly include_dismissed: boolean;
  readonly domain_search: string;
  readonly offset: number;
  readonly limit: number;
}

type Command =
  | { readonly do: "observe"; readonly names: readonly { name: number; day: number; registrar: string }[] }
  | { readonly do: "dismiss"; readonly nth: number; readonly dismissed: boolean }
  | { readonly do: "create" | "edit" | "delete"; readonly nth: number; readonly word: string }
  | ({ readonly do: "list" } & ListCommand);

const small = fc.nat({ max: 40 });
const observed = fc.record({
  name: fc.nat({ max: 80 }),
  day: fc.integer({ min: 1, max: 4 }),
  registrar: fc.constantFrom("", "r1", "Ärger", "😀"),
});
const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("observe" as const),
      names: fc.array(observed, { maxLength: 60 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("dismiss" as const), nth: small, dismissed: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("create" as const, "edit" as const, "delete" as const),
      nth: small,
      word: fc.constantFrom(...words),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("list" as const),
      ids: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 2 }),
      orderBy: fc.constantFrom("first_seen" as const, "domain" as const, "registrar" as const),
      order: fc.constantFrom("asc" as const, "desc" as const),
      include_dismissed: fc.boolean(),
      domain_search: fc.constantFrom("", "", "beta", "-1", "nowhere"),
      offset: fc.constantFrom(0, 0, 1, 7, 30),
      limit: fc.constantFrom(1, 5, 50),
    }),
  },
);

/** All names of the queries, in order, each with the ids of its queries. */
function listed(all: readonly DomainMatchRecord[], ids: readonly number[], request: ListCommand) {
  const sign = request.order === "asc" ? 1 : -1;
  const field = request.orderBy;
  const wanted = all
    .filter((match) => ids.includes(match.query_id) && match.domain.includes(request.domain_search))
    .filter((match) => request.include_dismissed || !match.dismissed)
    .sort((a, b) => sign * compareValues(a[field], b[field]) || compareValues(a.domain, b.domain));
  const names = new Map<string, number[]>();
  for (const { domain, query_id } of wanted) names.set(domain, [...(names.get(domain) ?? []), query_id]);
  return [...names].map(([domain, queries]) => [domain, queries.sort((a, b) => a - b)]);
}

const allMatches = (edge: Edge) => edge.store.read((tx) => tx.find("brand_domain_matches", account));

/** Runs a command; a list is compared with the model. */
async function run(edge: Edge, command: Command): Promise<void> {
  const queries = await edge.brand.queries.list(account);
  if (command.do === "observe") {
    const records = command.names.map(({ name, day, registrar }) => ({
      domain: `${words[name % words.length]}-${name}.example`,
      first_seen: `2026-01-0${day}T00:00:00Z`,
      registrar,
    }));
    await edge.brand.observe(account, records);
  } else if (command.do === "dismiss") {
    const all = await allMatches(edge);
    const match = all[command.nth % Math.max(1, all.length)];
    const ids = match && ([String(match.query_id), String(match.domain_id)] as const);
    if (ids) await edge.brand.matches.setDismissed(account, ...ids, command.dismissed);
  } else if (command.do === "create") {
    if (queries.length < 6)
      await edge.brand.queries.create(account, { tag: command.word, ...matching(command.word) });
  } else if (command.do === "list") {
    const ids = [...new Set(command.ids.map((i) => queries[i % queries.length]?.query_id ?? 0))];
    if (ids.length < 2) return;
    const { offset, limit, orderBy, order, include_dismissed, domain_search } = command;
    const request = { orderBy, order, include_dismissed, domain_search };
    const page = await edge.brand.matches.list(account, {
      ...request,
      query_id: ids.map(String),
      offset,
      limit,
    });
    const expected = listed(await allMatches(edge), ids, command);
    const found = page.matches.map(({ match, details }) => [
      match.domain,
      details?.map((detail) => detail.query_id),
    ]);
    const [got, want] = [
      { total: page.total, found },
      { total: expected.length, found: expected.slice(offset, offset + limit) },
    ];
    expect(JSON.stringify(got)).toBe(JSON.stringify(want));
  } else {
    const query = queries[command.nth % Math.max(1, queries.length)];
    if (!query || queries.length < 3) return;
    if (command.do === "delete") await edge.brand.queries.delete(account, query.id);
    else await edge.brand.queries.edit(account, query.id, matching(command.word));
  }
}

describe.each(Object.keys(kinds))("over %s", (kind) => {
  test.skipIf(isMissing(kind))(
    "pages and totals over several queries are those of a plain model, after each change through either connection",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.boolean(), commands), { minLength: 10, maxLength: 25 }),
          async (steps) => {
            const place = kinds[kind]!();
            const edges = [
              createEdge({ store: await place.open() }),
              createEdge({ store: await place.open() }),
            ];
            try {
              for (const word of words.slice(0, 3)) await run(edges[0]!, { do: "create", nth: 0, word });
              for (const [isFirst, command] of steps) await run(edges[isFirst ? 0 : 1]!, command);
            } finally {
              for (const edge of edges) await edge.close();
            }
          },
        ),
        { numRuns: runs(kind === "memory" ? 60 : 12) },
      );
    },
    120_000,
  );
});
