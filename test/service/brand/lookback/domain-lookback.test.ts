/** Lookbacks of domain queries over more names than a request searches: the result is that of one in the request. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createEdge, type Edge } from "../../../../src/edge.ts";
import { prepareDomainSearch } from "../../../../src/service/brand/domains/prepare-domain-search.ts";
import type { ServiceContext } from "../../../../src/service/context.ts";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.ts";
import type { ReadTransaction, Store } from "../../../../src/store/port.ts";
import type { DomainQueryRecord, LookbackRecord } from "../../../../src/store/records/brand.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../../../store/open.ts";
import { bundled } from "../../../support/bundled.ts";
import { clientOf } from "../../../support/client.ts";
import { deferred } from "../../../support/deferred.ts";
import { runs } from "../../../support/runs.ts";
import { isMissing, storeKinds } from "../../../support/stores.ts";
import { type Location, openAt } from "./lookback-process.ts";

const kinds = await storeKinds();
const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
const timeout = 120_000;
/** More than two segments of positions. */
const count = 9_000;
/** Limits with which every lookback is pending. */
const limits = { lookbackNamesAtOnce: 0 };
const queryOf = (pattern: string) => ({ tag: pattern, string_matches: [{ pattern, max_edit_distance: 0 }] });
const paypal = queryOf("paypal");

/** Two of three have the brand; the others are not found by it. */
const nameOf = (i: number) => (i % 3 === 0 ? `other-${i}.example` : `paypal-${i}.example`);
const names = Array.from({ length: count }, (_, i) => nameOf(i));

async function filled(store: Store, own: object = limits, observed = names): Promise<Edge> {
  const edge = createEdge({ store, clock: () => 0, limits: own });
  await edge.brand.queries.create("a", queryOf("gone"));
  await edge.brand.observe("a", observed.slice(0, 50));
  // A name that is not kept has no position, although it takes a number: lookback does not find it.
  await edge.brand.observe("a", ["gone-paypal.example"], { retain: false });
  await edge.brand.observe("a", observed.slice(50));
  return edge;
}

async function matchesOf(store: Store, query_id = 2) {
  const where = [{ field: "query_id", op: "eq", value: query_id }] as const;
  const matches = await store.read((tx) => tx.find("brand_domain_matches", "a", { where }));
  return matches.map(({ match_id, ...facts }) => facts);
}

const expectedOf = async (query: object) => {
  const edge = await filled(createMemoryStore(), {});
  await edge.brand.queries.create("a", query);
  return matchesOf(edge.store);
};
const expected = await expectedOf(paypal);
const done = { state: "done", total: count, searched: count };
/** While it is pending, one more for the name that was not kept. */
const maxTotal = count + 1;
const lookbackOf = async (edge: Edge, id = "2") =>
  (await edge.brand.queries.list("a", { id }.id))[0]?.lookback;

/** The store of a process that hangs for ever in its write of this number, before or after the commit. */
function killedAt(store: Store, write: number, isAfter: boolean): Store {
  let writes = 0;
  return {
    ...store,
    write: async (work, options) => {
      if (++writes > write) return new Promise(() => {});
      const result = await store.write(work, options);
      return writes === write && isAfter ? new Promise(() => {}) : result;
    },
  };
}

test("the lookback in the request finds the names with the brand, but for those that were not kept", () => {
  expect(expected.map(({ domain }) => domain).toSorted()).toEqual(
    names.filter((name) => name.startsWith("paypal")).toSorted(),
  );
});

test("up to `lookbackNamesAtOnce` names are searched in the request, more in the background", async () => {
  const edge = await filled(createMemoryStore(), { lookbackNamesAtOnce: 100 }, names.slice(0, 99));
  const state = async () => (await edge.brand.queries.create("a", paypal)).lookback;
  expect(await state()).toEqual({ state: "done", total: 99, searched: 99 });
  await edge.brand.observe("a", ["new-1.example"]);
  expect(await state()).toEqual({ state: "done", total: 100, searched: 100 });
  await edge.brand.observe("a", ["new-2.example"]);
  // At most so many: a number is of a name that was not kept.
  expect(await state()).toEqual({ state: "pending", total: 102, searched: 0 });
  await edge.settled();
  expect(await lookbackOf(edge, "4")).toEqual({ state: "done", total: 101, searched: 101 });
  const plain = await edge.brand.queries.create("a", { ...paypal, search_lookback: false });
  expect(plain.lookback).toBeUndefined();
});

test("a request reads no names without a lookback, and bounded ranges of them for one in the background", async () => {
  const store = createMemoryStore();
  await filled(store);
  const reads: object[] = [];
  const record = (tx: ReadTransaction) => {
    const of = (method: "find" | "positions" | "count") => {
      return (collection: never, scope: string, query: never) => {
        if (collection === "brand_domains") reads.push(method === "count" ? { where: query } : query);
        return tx[method](collection, scope, query);
      };
    };
    return { ...tx, find: of("find"), positions: of("positions"), count: of("count") };
  };
  const recording = {
    ...store,
    read: (work, options) => store.read((tx) => work(record(tx) as never), options),
    write: (work, options) => store.write((tx) => work(record(tx) as never), options),
  } satisfies Store;
  const edge = createEdge({ store: recording, limits: { lookbackNamesAtOnce: count - 1 } });
  await edge.brand.queries.create("a", { ...paypal, search_lookback: false });
  expect(reads).toEqual([]);
  await edge.brand.queries.create("a", queryOf("nothing"));
  await edge.settled();
  expect(await lookbackOf(edge, "3")).toEqual(done);
  expect(reads.length).toBeGreaterThan(4);
  // The other reads are of the newest name alone.
  for (const read of reads)
    expect([["gte", "lt"], []]).toContainEqual(
      ((read as { where?: { op: string }[] }).where ?? []).map(({ op }) => op),
    );
  const unbounded = reads.filter((read) => !("where" in read));
  expect(new Set(unbounded.map((read) => (read as { limit?: number }).limit))).toEqual(new Set([1]));
});

test("another process continues after a kill, at any write", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 8 }), fc.boolean(), async (write, isAfter) => {
      const store = createMemoryStore();
      await filled(store);
      const killed = createEdge({ store: killedAt(store, write, isAfter), clock: () => 0, limits });
      const { lookback } = await killed.brand.queries.create("a", paypal);
      expect(lookback).toEqual({ state: "pending", total: maxTotal, searched: 0 });
      const other = createEdge({ store, limits });
      await other.settled();
      expect(await matchesOf(store)).toEqual(expected);
      expect(await lookbackOf(other)).toEqual(done);
      expect(await store.read((tx) => tx.scopes("brand_domain_lookbacks"))).toEqual([]);
    }),
    { numRuns: runs(8) },
  );
});

for (const kind of ["memory", "SQLite", "PostgreSQL"]) {
  test.skipIf(isMissing(kind))(`two processes find each match once, in ${kind}`, { timeout }, async () => {
    const opened = kinds[kind]!();
    const store = await opened.open();
    const edge = await filled(store);
    await edge.brand.queries.create("a", paypal);
    const other = createEdge({ store: kind === "memory" ? store : await opened.open(), limits });
    await Promise.all([edge.settled(), other.settled()]);
    expect(await matchesOf(store)).toEqual(expected);
    expect(await lookbackOf(edge)).toEqual(done);
    await Promise.all([edge.close(), ...(kind === "memory" ? [] : [other.close()])]);
  });
}

describe.each(["SQLite", "PostgreSQL"])("in %s", (kind) => {
  test.skipIf(isMissing(kind))("a killed process is continued by the next one", { timeout }, async () => {
    const location: Location =
      kind === "SQLite"
        ? { sqlite: join(folder, "names.db") }
        : { postgres: { connectionString: postgresUrl!, schema: nextSchema() } };
    const store = await openAt(location);
    await filled(store);
    // Stored, and not begun.
    const begun = createEdge({ store: killedAt(store, 1, false), clock: () => 0, limits });
    await begun.brand.queries.create("a", paypal);
    const script = fileURLToPath(new URL("./lookback-process.ts", import.meta.url));
    const killed = fork(bundled(script), [JSON.stringify(location)]);
    const end = once(killed, "close");
    const edge = createEdge({ store });
    await expect
      .poll(() => lookbackOf(edge), { interval: 1, timeout: 30_000 })
      .not.toMatchObject({ searched: 0 });
    killed.kill("SIGKILL");
    expect((await end)[1]).toBe("SIGKILL");
    expect(await lookbackOf(edge)).toMatchObject({ state: "pending", total: maxTotal });
    const before = await matchesOf(store);
    expect(before.length).toBeGreaterThan(0);
    await edge.settled();
    expect(await lookbackOf(edge)).toEqual(done);
    expect(await matchesOf(store)).toEqual(expected);
    await edge.close();
  });
});

test("a name that arrives meanwhile has its match once, and is not part of the lookback", {
  timeout,
}, async () => {
  const edge = await filled(createMemoryStore());
  await edge.brand.queries.create("a", paypal);
  await edge.brand.observe("a", ["late-paypal.example", nameOf(1)]);
  await edge.settled();
  expect(await lookbackOf(edge)).toEqual(done);
  const domains = (await matchesOf(edge.store)).map(({ domain }) => domain);
  expect(domains.toSorted()).toEqual(
    ["late-paypal.example", ...expected.map(({ domain }) => domain)].toSorted(),
  );
});

test("the headers report the state: pending, its progress, done", { timeout }, async () => {
  const store = createMemoryStore();
  await filled(store);
  // The second write stores the first thousand matches, and does not return.
  const edge = createEdge({ store: killedAt(store, 2, true), limits: { lookbackNamesAtOnce: count - 1 } });
  const client = clientOf(edge, "/accounts/a/intel/v2/brand-protection/domain");
  const header = async (answer: Promise<{ headers: Headers }>) =>
    (await answer).headers.get("edgeproof-lookback");
  expect(await header(client("POST", "/queries", paypal))).toBe("pending");
  await expect
    .poll(() => header(client("GET", "/queries?id=2")), { timeout: 60_000 })
    .toMatch(/^pending [1-9]\d*\/9001$/);
  expect(await header(client("GET", "/matches?query_id=2"))).toMatch(/^pending [1-9]\d*\/9001$/);
  expect(await header(client("GET", "/matches?query_id=1"))).toBe("done");
  expect(await header(client("GET", "/matches?query_id=1,2"))).toMatch(/^pending [1-9]\d*\/9001$/);
  expect(await header(client("GET", "/queries"))).toBeNull();
  await createEdge({ store }).settled();
  expect(await header(client("GET", "/matches?query_id=1,2"))).toBe("done");
  const again = clientOf(createEdge({ store }), "/accounts/a/intel/v2/brand-protection/domain");
  expect(await header(again("POST", "/queries", paypal))).toBe("done");
  expect(await header(again("PATCH", "/queries/2", { tag: "t" }))).toBe("done");
  expect(await header(again("PATCH", "/queries/2", { min_time: null, search_lookback: false }))).toBeNull();
});

describe("a change of the query", () => {
  const other = queryOf("other");
  /** A process that has searched names for the query, and is about to store what it found. */
  async function interrupted() {
    const store = createMemoryStore();
    await filled(store);
    const arrived = deferred();
    const released = deferred();
    let writes = 0;
    const slow = createEdge({
      store: {
        ...store,
        close: async () => {},
        write: async (work, options) => {
          if (++writes === 2) {
            arrived.resolve();
            await released.promise;
          }
          return store.write(work, options);
        },
      },
      clock: () => 0,
      limits,
    });
    await slow.brand.queries.create("a", paypal);
    await arrived.promise;
    return { store, slow, release: released.resolve, edge: createEdge({ store, clock: () => 0, limits }) };
  }

  test("searches all names again for its new patterns", { timeout }, async () => {
    const { store, slow, release, edge } = await interrupted();
    const changed = await edge.brand.queries.edit("a", "2", { string_matches: other.string_matches });
    expect(changed.lookback).toMatchObject({ state: "pending", total: maxTotal });
    release();
    await Promise.all([slow.settled(), edge.settled()]);
    expect(await matchesOf(store)).toEqual(await expectedOf(other));
    expect(await lookbackOf(edge)).toEqual(done);
  });

  test("ends the lookback when it asks for none", { timeout }, async () => {
    const { store, slow, release, edge } = await interrupted();
    const patch = { string_matches: other.string_matches, search_lookback: false };
    expect((await edge.brand.queries.edit("a", "2", patch)).lookback).toBeUndefined();
    release();
    await Promise.all([slow.settled(), edge.settled()]);
    expect(await matchesOf(store)).toEqual([]);
    expect(await lookbackOf(edge)).toBeUndefined();
  });

  test("of its tag alone lets the lookback go on", { timeout }, async () => {
    const { store, slow, release, edge } = await interrupted();
    expect((await edge.brand.queries.edit("a", "2", { tag: "t" })).lookback?.state).toBe("pending");
    release();
    await Promise.all([slow.settled(), edge.settled()]);
    expect(await matchesOf(store)).toEqual(expected);
    expect((await edge.brand.queries.list("a", "2"))[0]).toMatchObject({ query_tag: "t", lookback: done });
  });

  test("that deletes it ends the lookback, and nothing is stored any more", { timeout }, async () => {
    const { store, slow, release, edge } = await interrupted();
    await edge.brand.queries.delete("a", "2");
    release();
    await Promise.all([slow.settled(), edge.settled()]);
    expect(await matchesOf(store)).toEqual([]);
    expect(await store.read((tx) => tx.scopes("brand_domain_lookbacks"))).toEqual([]);
  });

  test("by the options of names searches by the new ones from then on", { timeout }, async () => {
    const { store, release, slow } = await interrupted();
    // As a label, no name is the brand.
    const edge = createEdge({ store, clock: () => 0, limits, brand: { mode: "label" } });
    await edge.brand.queries.list("a");
    release();
    await Promise.all([slow.settled(), edge.settled()]);
    expect(await matchesOf(store)).toEqual([]);
  });
});

test("ranges of names are searched by any process, once", { timeout }, async () => {
  const store = createMemoryStore();
  await filled(store);
  const killed = createEdge({ store: killedAt(store, 1, false), clock: () => 0, limits });
  await killed.brand.queries.create("a", paypal);
  const { lookbacks } = createEdge({ store, accountSettings: "read" }).brand;
  const ranges = await lookbacks.pendingRanges();
  expect(ranges).toEqual([{ part: "domains", account: "a", queryId: "2", from: 1, to: count + 2 }]);
  const range = ranges[0]!;
  const half = { ...range, from: 5_000 };
  expect(await lookbacks.searchRange(half)).toMatchObject({ searched: count - 4_998, state: "pending" });
  const rest = await lookbacks.searchRange(range);
  expect(rest).toMatchObject({ searched: 4_998, state: "done" });
  expect(await matchesOf(store)).toEqual(expected);
  expect(await lookbacks.searchRange(range)).toEqual({ searched: 0, added: 0, state: "done" });
  await expect(lookbacks.searchRange({ ...range, part: "names" } as never)).rejects.toThrow(
    "`range.part` must be `domains` or `logos`; found `names`",
  );
});

test("a lookback in the background returns to the event loop also when all its pieces are short", async () => {
  const edge = await filled(createMemoryStore());
  const accountSettings = { access: "update" };
  const context = { store: edge.store, clock: () => 0, accountSettings } as ServiceContext;
  const query = { scope: "a", query_id: 2, parameters: paypal } as unknown as DomainQueryRecord;
  const search = await prepareDomainSearch(context)(query, new AbortController().signal);
  const pieces = Array.from({ length: 90 }, (_, i): [number, number] => [100 * i + 1, 100 * i + 101]);
  // Time that passes by its readings: a piece takes less than a computation may hold the event loop.
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 2));
  let turns = 0;
  const count = () => {
    turns++;
    if (now < Infinity) setImmediate(count);
  };
  setImmediate(count);
  for await (const _ of search.searchPieces({} as LookbackRecord, pieces));
  now = Infinity;
  clock.mockRestore();
  expect(turns).toBeGreaterThan(pieces.length / 3);
});
