/**
 * `edgeproof serve` for a long time: `--seconds` a store (default 600), with mixed requests from `--clients` (default 8),
 * on each of `--stores` (default memory, sqlite and, with EDGEPROOF_POSTGRES_URL, postgres). Prints memory, handles and
 * latencies at the end of each quarter; `--snapshots <folder>` also writes snapshots of the heap there. Fails when from the second to the last quarter the heap grows by more than 3 %,
 * the resident memory by more than 10 % or the handles by any, when fewer requests came than 50,000 in ten minutes, when
 * a response had another status than expected, or when the server did not stop.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { exchangeOf, prepare, type Step, worldFor } from "./soak/mixed-requests.ts";
import { type Measure, type SoakServer, startServer } from "./soak/server.ts";

const postgresUrl = process.env["EDGEPROOF_POSTGRES_URL"];
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    clients: { type: "string", default: "8" },
    stores: { type: "string", default: `memory,sqlite${postgresUrl === undefined ? "" : ",postgres"}` },
    snapshots: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);
if (!(seconds >= 20 && seconds <= 3_600)) throw new RangeError("--seconds must be from 20 to 3600");
if (!(Number.isInteger(clients) && clients >= 1 && clients <= 64))
  throw new RangeError("--clients must be an integer from 1 to 64");

const quarters = 4;
const maxHeapGrowth = 0.03;
const maxRssGrowth = 0.1;
const minRequestsASecond = 50_000 / 600;
/** Renditions of deleted images stay in their cache until it is full: with this size, in bytes, before the second quarter. */
const renderedCacheBytes = 500_000;
/** Failed requests after which a run ends. */
const maxErrors = 5;

interface Quarter extends Measure {
  /** Of each request, in milliseconds. */
  readonly latencies: readonly number[];
}

interface Place {
  readonly words: readonly string[];
  /** Removes what the server has stored. */
  remove(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), "edgeproof-soak-"));
const schema = `soak_${process.pid}`;
const places: Readonly<Record<string, () => Place>> = {
  memory: () => ({ words: [], remove: async () => {} }),
  sqlite: () => ({ words: ["--data", join(folder, "soak.db")], remove: async () => {} }),
  postgres: () => {
    if (postgresUrl === undefined) throw new Error("EDGEPROOF_POSTGRES_URL must name a database");
    const address = new URL(postgresUrl);
    address.searchParams.set("schema", schema);
    return { words: ["--data", String(address)], remove: dropSchema };
  },
};

async function dropSchema(): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl! });
  await client.connect();
  await client.query(`drop schema if exists "${schema}" cascade`);
  await client.end();
}

/** Runs all clients for a quarter of the time, and measures the server when they have gone. */
async function runQuarter(
  server: SoakServer,
  steps: readonly Step[],
  errors: string[],
  snapshot: string | undefined,
): Promise<Quarter> {
  const latencies: number[] = [];
  const send = exchangeOf(server, (_name, ms) => void latencies.push(ms));
  const endMs = performance.now() + (seconds / quarters) * 1_000;
  const run = async (client: number) => {
    for (let n = client; performance.now() < endMs && errors.length < maxErrors; n++)
      await steps[n % steps.length]!(send, client).catch((error: Error) => void errors.push(error.message));
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  server.disconnect();
  return { ...(await server.measure(snapshot)), latencies };
}

function percentile(latencies: readonly number[], share: number): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

function summarize({ heapUsed, rss, handles, latencies }: Quarter) {
  return {
    requests: latencies.length,
    "heap MB": megabytes(heapUsed),
    "RSS MB": megabytes(rss),
    handles: handles.length,
    "p50 ms": percentile(latencies, 0.5).toFixed(1),
    "p99 ms": percentile(latencies, 0.99).toFixed(1),
    "max ms": percentile(latencies, 1).toFixed(1),
  };
}

/** Why a run fails. */
function faultsOf(measured: readonly Quarter[], errors: readonly string[]): string[] {
  const [second, last] = [measured[1]!, measured.at(-1)!];
  const growth = (of: (quarter: Quarter) => number) => of(last) / of(second) - 1;
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const [heap, rss] = [growth(({ heapUsed }) => heapUsed), growth((quarter) => quarter.rss)];
  const requests = measured.reduce((sum, { latencies }) => sum + latencies.length, 0);
  console.log(
    `heap ${percent(heap)}, RSS ${percent(rss)} from the second to the last quarter; ${requests} requests`,
  );
  const faults: string[] = [...errors];
  if (heap > maxHeapGrowth) faults.push(`the heap grew by ${percent(heap)}`);
  if (rss > maxRssGrowth) faults.push(`the resident memory grew by ${percent(rss)}`);
  if (last.handles.length > second.handles.length)
    faults.push(`handles: ${second.handles.join(" ")}, at the end ${last.handles.join(" ")}`);
  if (requests < minRequestsASecond * seconds) faults.push(`only ${requests} requests came`);
  return faults;
}

async function soak(name: string): Promise<readonly string[]> {
  const place = places[name]?.();
  if (!place) throw new RangeError(`--stores must be of ${Object.keys(places).join(", ")}; found ${name}`);
  const world = join(folder, "world.json");
  writeFileSync(world, JSON.stringify(worldFor(clients)));
  try {
    const limit = `renderedCacheBytes=${renderedCacheBytes}`;
    const server = await startServer(["--ingest", "--world", world, "--limit", limit, ...place.words]);
    const steps = await prepare(exchangeOf(server, () => {}));
    const measured: Quarter[] = [];
    const errors: string[] = [];
    for (let i = 1; i <= quarters; i++) {
      const snapshot = values.snapshots && join(values.snapshots, `${name}-${i}.heapsnapshot`);
      measured.push(await runQuarter(server, steps, errors, snapshot));
    }
    console.log(name);
    console.table(Object.fromEntries(measured.map((quarter, i) => [`quarter ${i + 1}`, summarize(quarter)])));
    const faults = faultsOf(measured, errors);
    const code = await server.stop();
    return code === 0 ? faults : [...faults, `the server ended with ${code}`];
  } finally {
    await place.remove();
  }
}

try {
  for (const name of values.stores.split(",")) {
    for (const fault of await soak(name)) {
      console.log(`${name}: ${fault}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
