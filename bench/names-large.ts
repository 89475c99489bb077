/**
 * A million names: the processor time of this process a name that is observed, by parts of the feed, and of a lookback over
 * all of them, beside that of matching alone; and the longest time for which the event loop was held, by processor time. In
 * SQLite, and in PostgreSQL when EDGEPROOF_POSTGRES_URL names a database: `npm run bench -- million --sizes 40000,1000000`.
 * Without targets: the figures of both are compared by hand.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { createEdge } from "../src/edge.ts";
import { compileQueries } from "../src/engine/brand/matching/matcher.ts";
import type { Store } from "../src/store/port.ts";
import { openPostgresStore } from "../src/store/sql/postgres.ts";
import { openSqliteStore } from "../src/store/sql/sqlite.ts";
import { longestBlock } from "./blocks/probe.ts";
import { generateNames } from "./brand-names.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "40000,200000,1000000" },
    stores: { type: "string", default: "sqlite,postgres" },
    pattern: { type: "string", default: "monaco" },
  },
});
const account = "bench";
const string_matches = [{ pattern: values.pattern, max_edit_distance: 1 }];
const partSize = 40_000;
const namesOfSeed = 10_000;

/** Names made as they are asked for, so that only the store keeps them. */
function* names(count: number): Generator<string> {
  for (let seed = 1, left = count; left > 0; seed++, left -= namesOfSeed)
    yield* generateNames(Math.min(namesOfSeed, left), seed);
}

/** Processor time of this process, in microseconds. */
function usedUs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

/** The processor time of some work a name, in microseconds. */
async function costOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return usedUs(before) / count;
}

function take<T>(all: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = all.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

function matchingAlone(size: number): number {
  const matcher = compileQueries([{ query_id: 1, parameters: { string_matches } }]);
  let us = 0;
  const feed = names(size);
  for (let part = take(feed, partSize); part.length > 0; part = take(feed, partSize)) {
    const before = process.cpuUsage();
    for (const name of part) matcher.match(name);
    us += usedUs(before);
  }
  return us / size;
}

async function measure(name: string, size: number, store: Store) {
  const edge = createEdge({ store });
  const { queries } = edge.brand;
  await queries.create(account, { tag: "first", string_matches });
  // One part more, whose blocks are measured: that takes processor time itself.
  const feed = names(size + partSize);
  const parts: number[] = [];
  for (let left = size; left > 0; left -= partSize) {
    const part = take(feed, Math.min(partSize, left));
    parts.push(await costOf(part.length, () => edge.brand.observe(account, part)));
  }
  const more = take(feed, partSize);
  const observeHeldMs = await longestBlock(async () => void (await edge.brand.observe(account, more)));
  const matching = matchingAlone(size);
  const start = performance.now();
  let answeredMs = 0;
  const lookback = await costOf(size + partSize, async () => {
    await queries.create(account, { tag: "second", string_matches });
    answeredMs = performance.now() - start;
    await edge.settled();
  });
  const lookbackMs = performance.now() - start;
  const lookbackHeldMs = await longestBlock(async () => {
    await queries.create(account, { tag: "third", string_matches });
    await edge.settled();
  });
  const deleteHeldMs = await longestBlock(() => queries.delete(account, "3"));
  const where = [{ field: "query_id", op: "eq", value: 2 }] as const;
  const matches = await store.read((tx) => tx.count("brand_domain_matches", account, where));
  const figures = {
    names: size,
    matches,
    observeFirst: parts[0],
    observeLast: parts.at(-1),
    observeMax: Math.max(...parts),
    matching,
    lookback,
    observeHeldMs,
    lookbackHeldMs,
    deleteHeldMs,
    answeredMs,
    lookbackMs,
  };
  console.log(
    name,
    Object.entries(figures)
      .map(([key, value]) => `${key} ${value?.toFixed(2)}`)
      .join(", "),
  );
  await edge.close();
}

async function measureSqlite(size: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-million-"));
  await measure("SQLite", size, await openSqliteStore({ path: join(folder, "bench.db") }));
  await rm(folder, { recursive: true });
}

async function measurePostgres(size: number, connectionString: string): Promise<void> {
  const schema = `bench_${process.pid}`;
  await measure("PostgreSQL", size, await openPostgresStore({ connectionString, schema }));
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`drop schema if exists "${schema}" cascade`);
  await client.end();
}

const url = process.env["EDGEPROOF_POSTGRES_URL"];
const stores = values.stores.split(",");
for (const size of values.sizes.split(",").map(Number)) {
  if (stores.includes("sqlite")) await measureSqlite(size);
  if (stores.includes("postgres") && url !== undefined) await measurePostgres(size, url);
}
