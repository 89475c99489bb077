/**
 * Lists of domain matches over several queries: 1,000,000 matches of 50 queries in SQLite, and in PostgreSQL when
 * EDGEPROOF_POSTGRES_URL names a database. EDGEPROOF_LARGE is the number of matches, EDGEPROOF_LISTS a file or a
 * schema that is kept and used again. Prints the first count, and the time of pages as ratios.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEdge, type Edge, type Store } from "edgeproof";
import { openPostgresStore } from "edgeproof/stores/postgres";
import { openSqliteStore } from "edgeproof/stores/sqlite";
import { median, type Row, type Rows, type Target } from "./harness.ts";

const size = Number(process.env["EDGEPROOF_LARGE"] ?? 1_000_000);
const queries = 50;
const batch = 1_000;
const account = "lists";
const schema = "bench_lists";
const rounds = 15;

/** A name has one match, every fourth has two. */
const names = Math.floor((size * 4) / 5);

/** A number below `names` that looks random and is never the same for two. */
const scattered = (i: number) => Number((BigInt(i) * 7_368_787n) % BigInt(names));

function* matches(): Generator<object> {
  let match_id = 0;
  for (let i = 0; i < names; i++) {
    const domain = `brand-${scattered(i)}.example`;
    const first = 1 + (scattered(i) % queries);
    const facts = {
      scope: account,
      domain_id: i + 1,
      domain,
      first_seen: Date.UTC(2026, 0, 1) + Math.floor(i / 100) * 1000,
      registrar: `Registrar ${scattered(i) % 301}`,
    };
    for (const query_id of i % 4 === 0 ? [first, 1 + (first % queries)] : [first])
      yield {
        ...facts,
        id: `${domain} ${query_id}`,
        match_id: ++match_id,
        query_id,
        dismissed: match_id % 10 === 0,
      };
  }
}

async function fill(store: Store): Promise<void> {
  const edge = createEdge({ store });
  for (let i = 1; i <= queries; i++)
    await edge.brand.queries.create(account, {
      tag: `query ${i}`,
      string_matches: [{ pattern: `brand-${i}.`, max_edit_distance: 0 }],
    });
  let records: object[] = [];
  const flush = async () => {
    const batchNow = records;
    records = [];
    await store.write((tx) => tx.insertMissing("brand_domain_matches", batchNow as never));
  };
  let done = 0;
  for (const match of matches()) {
    records.push(match);
    if (records.length === batch) await flush();
    if (++done % 100_000 === 0) console.error(`lists: ${done} matches`);
  }
  await flush();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

type ListOptions = Omit<Parameters<Edge["brand"]["matches"]["list"]>[1], "query_id">;

async function* measureLists(name: string, edge: Edge): Rows {
  const all = Array.from({ length: queries }, (_, i) => String(i + 1));
  const list = (query_id: readonly string[], more: ListOptions = {}) =>
    edge.brand.matches.list(account, { query_id, ...more });
  const row = (what: string, ours: number, peer: number, target: Target): Row => ({
    what: `lists, ${name}: ${what}`,
    ours: ours * 1e6,
    peer: peer * 1e6,
    ratio: ours / peer,
    target,
  });
  const first = await timed(() => list(all));
  console.error(`lists, ${name}: first page with the first count: ${first.toFixed(0)} ms`);
  /** Pairs, one after the other in each round. */
  const contest = async (
    what: string,
    ours: () => Promise<unknown>,
    peer: () => Promise<unknown>,
    target: Target,
  ) => {
    await ours();
    await peer();
    const times = { ours: [] as number[], peer: [] as number[] };
    const end = performance.now() + 20_000;
    for (let i = 0; i < rounds && (i < 1 || performance.now() < end); i++) {
      times.ours.push(await timed(ours));
      times.peer.push(await timed(peer));
    }
    return row(what, median(times.ours), median(times.peer), target);
  };
  const orders: readonly ListOptions[] = [
    { orderBy: "first_seen" },
    { orderBy: "first_seen", order: "asc" },
    { orderBy: "domain" },
    { orderBy: "registrar", order: "desc", include_dismissed: true },
  ];
  for (const order of orders) {
    const label = Object.values(order).join(" ");
    yield contest(
      `first page of 50 queries (peer: of one), ${label}`,
      () => list(all, order),
      () => list(["7"], order),
      { atMost: 5 },
    );
    for (const offset of [1_000, Math.floor(names / 2), names - Math.floor(names / 5)]) {
      const page = () => list(all, { ...order, offset });
      const cold = await timed(page);
      console.error(`lists, ${name}: ${label}, offset ${offset}, first time: ${cold.toFixed(0)} ms`);
      yield contest(`page at ${offset} (peer: the first page), ${label}`, page, () => list(all, order), {
        atMost: 2,
      });
    }
  }
}

async function* bench(name: string, open: () => Promise<Store>, isFilled: boolean): Rows {
  const store = await open();
  if (!isFilled) await fill(store);
  const edge = createEdge({ store });
  try {
    yield* measureLists(name, edge);
  } finally {
    await edge.close();
  }
}

export async function* benchDomainLists(): Rows {
  const kept = process.env["EDGEPROOF_LISTS"];
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "edgeproof-lists-")) : undefined;
  const path = kept ?? join(folder ?? "", "lists.db");
  yield* bench("SQLite", () => openSqliteStore({ path }), existsSync(path));
  if (folder !== undefined) rmSync(folder, { recursive: true });
  const url = process.env["EDGEPROOF_POSTGRES_URL"];
  if (url === undefined) return;
  const open = () => openPostgresStore({ connectionString: url, schema });
  const counted = await (async () => {
    const store = await open();
    const count = await store.read((tx) => tx.count("brand_domain_matches", account));
    await store.close();
    return count;
  })();
  yield* bench("PostgreSQL", open, counted >= size);
}
