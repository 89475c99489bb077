/**
 * The stores' common calls, and one mix of HTTP requests: each against the memory store, and against the bare query
 * on a connection of its own. PostgreSQL is measured when EDGEPROOF_POSTGRES_URL names a database. `--large` lists
 * 1,000,000 records instead of 100,000.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type Store } from "edgeproof";
import { openPostgresStore } from "edgeproof/stores/postgres";
import { openSqliteStore } from "edgeproof/stores/sqlite";
import Libsql from "libsql";
import pg from "pg";
import { type Body, type Contest, measureAll, type Rows, sink } from "./harness.ts";
import { httpMixOf } from "./stores-http.ts";

const records = process.argv.includes("--large") ? 1_000_000 : 100_000;
const batch = 500;
const pageSize = 50;
const scope = "z1";

/** A rule of about the usual size. */
const rule = (position: number, id = String(position).padStart(9, "0")) => ({
  scope,
  id,
  position,
  created_at: "2026-01-01T00:00:00Z",
  last_updated: "2026-01-01T00:00:00Z",
  action: position % 2 ? ("log" as const) : ("block" as const),
  title: `Rule ${position}`,
  description: "Requests to the API carry a valid token",
  enabled: true,
  expression: 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")',
  selector: {},
});

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < records; from += batch) {
    const rules = Array.from({ length: batch }, (_, i) => rule(from + i));
    await store.write((tx) => tx.insertMissing("token_rules", rules as never));
  }
}

/** The calls that are measured, on a store that is filled. */
function callsOf(store: Store): Record<string, Body> {
  const order = [{ field: "position", direction: "asc" }] as const;
  const middle = records / 2;
  let next = records;
  return {
    "get one": () => store.read((tx) => tx.get("token_rules", scope, "000000077")),
    "first page of 50": () => store.read((tx) => tx.find("token_rules", scope, { order, limit: pageSize })),
    "page of 50 in the middle": () =>
      store.read((tx) =>
        tx.find("token_rules", scope, {
          order,
          limit: pageSize,
          after: [middle, String(middle).padStart(9, "0")],
        }),
      ),
    "insert one": () => store.write((tx) => tx.insert("token_rules", rule(next++) as never)),
    "read one and replace it": () =>
      store.write(async (tx) => {
        const found = await tx.get("token_rules", scope, "000000077");
        await tx.replace("token_rules", { ...found, title: `Rule ${next++}` } as never);
      }),
  };
}

/** Runs a statement with `?` for parameters on a bare connection. */
type Query = (sql: string, parameters: readonly unknown[]) => unknown;

/** Calls that have a target in SQLite. */
const sqliteTargets = new Set(["get one", "first page of 50", "page of 50 in the middle"]);

/** The necessary part of the calls, as single statements that commit by themselves. */
function bareCallsOf(query: Query): Record<string, Body> {
  const from = "from token_rules where scope = ?";
  const paged = `select _record ${from} and (position, id) > (?, ?) order by position, id limit ${pageSize}`;
  const middle = records / 2;
  let next = 0;
  const insert =
    "insert into token_rules (scope, id, position, action, enabled, _record) values (?, ?, ?, ?, ?, ?)";
  return {
    "get one": () => query(`select _record ${from} and id = ?`, [scope, "000000077"]),
    "first page of 50": () =>
      query(`select _record ${from} order by position, id limit ${pageSize}`, [scope]),
    "page of 50 in the middle": () => query(paged, [scope, middle, String(middle).padStart(9, "0")]),
    "insert one": () => query(insert, [scope, `bare${next++}`, 0, "log", 1, JSON.stringify(rule(0))]),
    "read one and replace it": () =>
      query("update token_rules set _record = ? where scope = ? and id = ?", [
        JSON.stringify(rule(next++)),
        scope,
        "000000078",
      ]),
  };
}

interface Engine {
  readonly store: Store;
  readonly query: Query;
  close(): Promise<void>;
}

async function openSqlite(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-bench-"));
  const path = join(folder, "bench.db");
  const store = await openSqliteStore({ path });
  const database = new Libsql(path);
  database.exec("pragma synchronous = full");
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();
  return {
    store,
    query: (sql, parameters) => {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      sink.value = statement.reader ? statement.all([...parameters]) : statement.run([...parameters]);
    },
    close: async () => {
      database.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openPostgres(connectionString: string): Promise<Engine> {
  const schema = `bench_${randomUUID().replaceAll("-", "")}`;
  const store = await openPostgresStore({ connectionString, schema });
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` });
  await client.connect();
  const texts = new Map<string, string>();
  return {
    store,
    query: (sql, parameters) => {
      let count = 0;
      const text = texts.get(sql) ?? sql.replaceAll("?", () => `$${++count}`);
      texts.set(sql, text);
      return client.query(text, [...parameters]);
    },
    close: async () => {
      await store.close();
      await client.query(`drop schema ${schema} cascade`);
      await client.end();
    },
  };
}

function contestsOf(name: string, engine: Engine, memory: Record<string, Body>): Contest[] {
  const ours = callsOf(engine.store);
  const bare = bareCallsOf(engine.query);
  return Object.keys(ours).flatMap((call) => [
    {
      what: `stores: ${call}, ${name} against the bare query`,
      ours: ours[call]!,
      peer: bare[call]!,
      ...(name === "SQLite" && sqliteTargets.has(call) && { target: { atLeast: 0.55 } }),
    },
    { what: `stores: ${call}, ${name} against memory`, ours: ours[call]!, peer: memory[call]! },
  ]);
}

/** The mix of requests over an engine, against the mix over memory and against a bare read. */
async function mixContestsOf(name: string, engine: Engine, memory: Body): Promise<Contest[]> {
  const ours = await httpMixOf(engine.store);
  const bare = bareCallsOf(engine.query)["get one"]!;
  return [
    { what: `stores: HTTP mix, ${name} against memory`, ours, peer: memory },
    { what: `stores: HTTP mix, ${name} against a bare read`, ours, peer: bare },
  ];
}

export async function* benchStores(): Rows {
  const memory = createMemoryStore();
  await fill(memory);
  const memoryCalls = callsOf(memory);
  const memoryMix = await httpMixOf(memory);
  const url = process.env["EDGEPROOF_POSTGRES_URL"];
  if (url === undefined) console.error("EDGEPROOF_POSTGRES_URL is not set: PostgreSQL is not measured");
  const engines: [string, () => Promise<Engine>][] = [["SQLite", openSqlite]];
  if (url !== undefined) engines.push(["PostgreSQL", () => openPostgres(url)]);
  for (const [name, open] of engines) {
    const engine = await open();
    await fill(engine.store);
    yield* measureAll(contestsOf(name, engine, memoryCalls));
    yield* measureAll(await mixContestsOf(name, engine, memoryMix));
    await engine.close();
  }
  await memory.close();
}
