/**
 * Several processes that write matches of one account to PostgreSQL: rollbacks a write, and latency compared with one
 * process. `--processes` (default 4), `--writes` of each (default 200), `--accounts` (default 1, all processes write to
 * all of them). Needs EDGEPROOF_POSTGRES_URL. Fails above 0.05 rollbacks a write or 8 times the p99 of one process.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { createEdge } from "../src/edge.ts";
import type { Store } from "../src/store/port.ts";
import { openPostgresStore } from "../src/store/sql/postgres.ts";

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "4" },
    writes: { type: "string", default: "200" },
    accounts: { type: "string", default: "1" },
    schema: { type: "string" },
    name: { type: "string", default: "" },
  },
});
const connectionString = process.env["EDGEPROOF_POSTGRES_URL"];
if (connectionString === undefined) throw new Error("EDGEPROOF_POSTGRES_URL must name a database");
const counts = { processes: Number(values.processes), writes: Number(values.writes) };
const accounts = Array.from({ length: Number(values.accounts) }, (_, i) => `a${i}`);
const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };

/** The measurements of one process; latencies in milliseconds. */
interface Outcome {
  readonly attempts: number;
  readonly latencies: readonly number[];
}

/** Counts how often the work of a write runs: each run after the first was rolled back. */
function countAttempts(store: Store): { readonly store: Store; readonly attempts: () => number } {
  let attempts = 0;
  const write: Store["write"] = (work, options) =>
    store.write((tx) => {
      attempts++;
      return work(tx);
    }, options);
  return { store: { ...store, write }, attempts: () => attempts };
}

async function writeMatches(schema: string, name: string): Promise<Outcome> {
  const { store, attempts } = countAttempts(
    await openPostgresStore({ connectionString: connectionString!, schema }),
  );
  const edge = createEdge({ store });
  for (const account of accounts) await edge.brand.observe(account, [`warm-${name}.example`]);
  process.send!("ready");
  await once(process, "message");
  const before = attempts();
  const latencies: number[] = [];
  for (let i = 0; i < counts.writes; i++) {
    const start = performance.now();
    await edge.brand.observe(accounts[i % accounts.length]!, [`paypal-${name}-${i}.example`]);
    latencies.push(performance.now() - start);
  }
  const outcome = { attempts: attempts() - before, latencies };
  await edge.close();
  return outcome;
}

/** Runs processes that begin together. */
async function measure(schema: string, processes: number): Promise<Outcome & { readonly seconds: number }> {
  const path = fileURLToPath(import.meta.url);
  const children = Array.from({ length: processes }, (_, i) =>
    fork(path, [...process.argv.slice(2), "--schema", schema, "--name", `${processes}-${i}`]),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  const start = performance.now();
  const outcomes = await Promise.all(
    children.map(async (child) => {
      child.send("start");
      return ((await once(child, "message")) as [Outcome])[0];
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  const attempts = outcomes.reduce((sum, each) => sum + each.attempts, 0);
  const latencies = outcomes.flatMap((each) => each.latencies).sort((a, b) => a - b);
  return { attempts, latencies, seconds };
}

function summary({ attempts, latencies, seconds }: Outcome & { readonly seconds: number }) {
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    writes: latencies.length,
    "rollbacks a write": (attempts - latencies.length) / latencies.length,
    "writes a second": Math.round(latencies.length / seconds),
    p50: at(0.5),
    p99: at(0.99),
  };
}

async function compare(): Promise<void> {
  const schema = `bench_${process.pid}`;
  try {
    const edge = createEdge({
      store: await openPostgresStore({ connectionString: connectionString!, schema }),
    });
    for (const account of accounts) await edge.brand.queries.create(account, query);
    await edge.close();
    const alone = summary(await measure(schema, 1));
    const many = summary(await measure(schema, counts.processes));
    console.table({ "1 process": alone, [`${counts.processes} processes`]: many });
    const ratio = many.p99 / alone.p99;
    console.log(`p99: ${ratio.toFixed(1)} times that of one process`);
    if (many["rollbacks a write"] > 0.05 || ratio > 8) process.exitCode = 1;
  } finally {
    const client = new pg.Client({ connectionString: connectionString! });
    await client.connect();
    await client.query(`drop schema if exists "${schema}" cascade`);
    await client.end();
  }
}

if (values.schema === undefined) await compare();
else {
  process.send!(await writeMatches(values.schema, values.name));
  process.disconnect();
}
