/**
 * Reads beside scans and writes: `edgeproof serve` on a store with `--rows` matches (default 1,000,000), for `--seconds`
 * (default 60): `--scans` clients (default 4) search them without an index, two write, four read. Fails when a read takes longer
 * than 250 ms. The same reads without scans, and the part of the time in which the server had a processor, are printed beside
 * it: on a busy machine only they compare. Then, with EDGEPROOF_POSTGRES_URL, four servers on one database, whose clients all
 * change one zone and one account, for the same time: fails when a response is 5xx. `--stores sqlite` leaves the database out.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEdge, type Store } from "edgeproof";
import { openPostgresStore } from "edgeproof/stores/postgres";
import { openSqliteStore } from "edgeproof/stores/sqlite";
import pg from "pg";
import { type Measure, type RequestMeasure, type SoakServer, startServer } from "./soak/server.ts";

const postgresUrl = process.env["EDGEPROOF_POSTGRES_URL"];
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "60" },
    scans: { type: "string", default: "4" },
    stores: { type: "string", default: `sqlite${postgresUrl === undefined ? "" : ",postgres"}` },
  },
});
const rows = Number(values.rows);
const seconds = Number(values.seconds);
if (!(Number.isInteger(rows) && rows >= 1_000 && rows <= 10_000_000))
  throw new RangeError("--rows must be an integer from 1000 to 10000000");
const scanners = Number(values.scans);
if (!(Number.isInteger(scanners) && scanners >= 1 && scanners <= 64))
  throw new RangeError("--scans must be an integer from 1 to 64");
if (!(seconds >= 5 && seconds <= 600)) throw new RangeError("--seconds must be from 5 to 600");

const maxReadMs = 250;
const [writers, readers, racers] = [2, 4, 4];
const batch = 10_000;
const brand = "/client/v4/accounts/a1/intel/v2/brand-protection";
const zone = "/client/v4/zones/z1/token_validation";
const headers = { authorization: "Bearer any" };
/** Tells the server's probe what to measure. */
const kindOf = (kind: string) => ({ ...headers, "x-kind": kind });
const json = { ...headers, "content-type": "application/json" };

const folder = mkdtempSync(join(tmpdir(), "edgeproof-contention-"));
const schema = `contention_${process.pid}`;
const world = join(folder, "world.json");
writeFileSync(
  world,
  JSON.stringify({
    zones: [{ id: "z1", name: "example.com", account_id: "a1", proxy: { ipv4_quota: 1_000 } }],
    accounts: [{ id: "a1" }],
  }),
);

interface Place {
  readonly address: string;
  open(): Promise<Store>;
}

function placeOf(name: string): Place {
  if (name === "sqlite") {
    const path = join(folder, "contention.db");
    return { address: path, open: () => openSqliteStore({ path }) };
  }
  if (name !== "postgres" || postgresUrl === undefined)
    throw new RangeError(`--stores must be of sqlite, postgres (with EDGEPROOF_POSTGRES_URL); found ${name}`);
  const address = new URL(postgresUrl);
  address.searchParams.set("schema", schema);
  return {
    address: String(address),
    open: () => openPostgresStore({ connectionString: postgresUrl, schema }),
  };
}

/** A number below `rows` that looks random and is never the same for two. */
const scattered = (i: number) => Number((BigInt(i) * 7_368_787n) % BigInt(rows));

const matchOf = (i: number) => {
  const domain = `paypal-${scattered(i)}.example`;
  return {
    scope: "a1",
    id: `${domain} 1`,
    match_id: i + 1,
    query_id: 1,
    domain_id: i + 1,
    domain,
    first_seen: Date.UTC(2026, 0, 1) + i,
    registrar: `Registrar ${scattered(i) % 300}`,
    dismissed: false,
  };
};

async function fill(open: Place["open"]): Promise<void> {
  const store = await open();
  const edge = createEdge({ store });
  const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };
  await edge.brand.queries.create("a1", query);
  for (let from = 0; from < rows; from += batch) {
    const records = Array.from({ length: Math.min(batch, rows - from) }, (_, i) => matchOf(from + i));
    await store.write((tx) => tx.insertMissing("brand_domain_matches", records as never));
  }
  await edge.close();
}

/** Latencies in milliseconds, and what came back wrong. */
interface Outcome {
  readonly ms: Readonly<Record<string, readonly number[]>>;
  readonly faults: string[];
}

/** Repeats work of clients until the time is over; a client whose request failed goes on. */
async function runClients(
  work: readonly (readonly [kind: string, client: (n: number) => Promise<void>])[],
  forSeconds: number,
  faults: string[] = [],
): Promise<Outcome> {
  const ms: Record<string, number[]> = {};
  const endMs = performance.now() + forSeconds * 1_000;
  const run = async (kind: string, client: (n: number) => Promise<void>) => {
    for (let n = 0; performance.now() < endMs; n++) {
      const start = performance.now();
      await client(n).catch((error: Error) => void faults.push(error.message));
      ms[kind] ??= [];
      ms[kind].push(performance.now() - start);
    }
  };
  await Promise.all(work.map(([kind, client]) => run(kind, client)));
  return { ms, faults };
}

async function get(server: SoakServer, path: string, kind: string): Promise<void> {
  const { status, body } = await server.send(path, { headers: kindOf(kind) });
  if (status !== 200) throw new Error(`${path}: ${status} ${body.toString("utf8", 0, 200)}`);
}

async function change(server: SoakServer, method: string, path: string, body: unknown): Promise<Buffer> {
  const answer = await server.send(path, { method, headers: json, body: JSON.stringify(body) });
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.body;
}

const variant = (width: number) => ({ fit: "cover", width, height: 20, metadata: "none" });

function writer(server: SoakServer, i: number) {
  const variants = "/client/v4/accounts/a1/images/v1/variants";
  return async (n: number) => {
    await change(server, "PATCH", `${variants}/v${i}`, { options: variant(1 + (n % 100)) });
    const lines = `paypal-${i}-${n}.example\nother-${i}-${n}.example\n`;
    const sent = { method: "POST", headers: { ...headers, "content-type": "text/plain" }, body: lines };
    const { status } = await server.send("/client/v4/accounts/a1/edgeproof/observations/names", sent);
    if (status !== 200) throw new Error(`observations: ${status}`);
  };
}

const scans = [
  `${brand}/domain/matches?query_id=1&domain_search=nowhere`,
  `${brand}/domain/matches?query_id=1&domain_search=77777`,
  `${brand}/domain/matches?query_id=1&offset=${rows - 60}`,
];
const reads = [
  `${brand}/domain/matches?query_id=1`,
  `${zone}/rules`,
  "/client/v4/zones",
  "/client/v4/accounts/a1/images/v1/variants",
];

/** The percentiles of each kind. */
function summarize(ms: Outcome["ms"], suffix = ""): Record<string, Record<string, string | number>> {
  const line = (values: readonly number[]) => {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1);
    return { count: sorted.length, "p50 ms": at(0.5), "p99 ms": at(0.99), "max ms": at(1) };
  };
  return Object.fromEntries(Object.entries(ms).map(([kind, values]) => [`${kind}${suffix}`, line(values)]));
}

/** Times of reads inside the server: those that another program of the machine lengthens, and those that it does not. */
function inServer(
  { requests: { read = [] } }: Measure,
  of: (request: RequestMeasure) => number = ({ totalMs }) => totalMs,
): Outcome["ms"] {
  return { read: read.map(of) };
}

function slowestRead({ ms: { read = [Number.POSITIVE_INFINITY] } }: Outcome): number {
  return read.reduce((a, b) => Math.max(a, b), 0);
}

/** Reads beside scans, after the same without scans for a quarter of the time. */
async function scanBesideReads(name: string): Promise<readonly string[]> {
  const place = placeOf(name);
  await fill(place.open);
  const server = await startServer(["--ingest", "--world", world, "--data", place.address]);
  for (let i = 0; i < writers; i++)
    await change(server, "POST", "/client/v4/accounts/a1/images/v1/variants", {
      id: `v${i}`,
      options: variant(1),
    });
  for (const path of [...reads, ...scans]) await get(server, path, "prepare");
  const client = (kind: string, paths: readonly string[], i: number) => (n: number) =>
    get(server, paths[(n + i) % paths.length]!, kind);
  const times = <T>(count: number, create: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => create(i));
  const others = [
    ...times(readers, (i) => ["read", client("read", reads, i)] as const),
    ...times(writers, (i) => ["write", writer(server, i)] as const),
  ];
  await server.measure();
  const alone = await runClients(others, seconds / 4);
  const before = await server.measure();
  const beside = await runClients(
    [...others, ...times(scanners, (i) => ["scan", client("scan", scans, i)] as const)],
    seconds,
  );
  const during = await server.measure();
  const block = `longest block of the server's main thread ${during.longestBlockMs.toFixed(0)} ms`;
  console.log(
    `${name}: ${rows} rows; ${block} of processor time, without scans ${before.longestBlockMs.toFixed(0)}`,
  );
  console.table({
    ...summarize(alone.ms, " without scans"),
    ...summarize(inServer(before), " without scans, in the server"),
    ...summarize(beside.ms),
    ...summarize(inServer(during), ", in the server"),
    ...summarize(
      inServer(during, ({ totalMs, waitedMs }) => totalMs - waitedMs),
      ", with a processor",
    ),
    ...summarize(
      inServer(during, ({ workedMs }) => workedMs),
      ", work of the thread",
    ),
  });
  const faults = [...alone.faults, ...beside.faults];
  const slowest = slowestRead(beside);
  if (!(slowest <= maxReadMs))
    faults.push(`a read took up to ${slowest.toFixed(0)} ms, without scans ${slowestRead(alone).toFixed(0)}`);
  if (!beside.ms["scan"]?.length) faults.push("no scan was completed");
  if ((await server.stop()) !== 0) faults.push("the server did not end with 0");
  return faults;
}

/** The zone and the account that all clients of all servers change. */
function racer(server: SoakServer, i: number, rules: readonly string[]) {
  const apps = "/client/v4/zones/z1/app_service/apps";
  return async (n: number) => {
    const position = { index: 1 + (n % rules.length) };
    await change(server, "PATCH", `${zone}/rules/${rules[(n + i) % rules.length]}`, { position });
    await change(server, "PATCH", "/client/v4/accounts/a1/images/v1/variants/v0", {
      options: variant(1 + (n % 9)),
    });
    const lines = Array.from({ length: 10 }, (_, k) => `paypal-${n}-${k}.example\n`).join("");
    const sent = { method: "POST", headers: { ...headers, "content-type": "text/plain" }, body: lines };
    const { status } = await server.send("/client/v4/accounts/a1/edgeproof/observations/names", sent);
    if (status >= 500) throw new Error(`observations: ${status}`);
    const dns = { type: "CNAME", name: `n${n % 3}.example.com` };
    const created = JSON.parse(
      String(
        await change(server, "POST", apps, {
          protocol: "tcp/22",
          dns,
          origin_direct: ["tcp://192.0.2.1:22"],
        }),
      ),
    );
    if (created.success) await change(server, "DELETE", `${apps}/${created.result.id}`, undefined);
  };
}

/** Four servers on one database. */
async function race(): Promise<readonly string[]> {
  const words = ["--ingest", "--world", world, "--data", placeOf("postgres").address];
  const servers: SoakServer[] = [];
  for (let i = 0; i < racers; i++) servers.push(await startServer(words));
  const first = servers[0]!;
  await change(first, "POST", "/client/v4/accounts/a1/images/v1/variants", { id: "v0", options: variant(1) });
  await change(first, "POST", `${brand}/domain/queries`, {
    tag: "race",
    string_matches: [{ pattern: "paypal", max_edit_distance: 0 }],
  });
  const selector = { include: [{ host: ["api.example.com"] }] };
  const rules: string[] = [];
  for (let i = 0; i < 8; i++) {
    const rule = {
      title: `${i}`,
      description: "d",
      action: "log",
      enabled: true,
      expression: 'http.host eq "a"',
      selector,
    };
    rules.push(JSON.parse(String(await change(first, "POST", `${zone}/rules`, rule))).result.id);
  }
  const clients = servers.flatMap((server, i) =>
    [0, 1].map((k) => ["round of 4 or 5 requests", racer(server, 2 * i + k, rules)] as const),
  );
  const { ms, faults } = await runClients(clients, seconds);
  console.log(`${racers} servers on one database`);
  console.table(summarize(ms));
  const codes = await Promise.all(servers.map((server) => server.stop()));
  return codes.every((code) => code === 0) ? faults : [...faults, `the servers ended with ${codes}`];
}

async function dropSchema(): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl! });
  await client.connect();
  await client.query(`drop schema if exists "${schema}" cascade`);
  await client.end();
}

const maxPrinted = 5;

function report(what: string, faults: readonly string[]): void {
  for (const fault of faults.slice(0, maxPrinted)) console.log(`${what}: ${fault}`);
  if (faults.length > maxPrinted) console.log(`${what}: ${faults.length - maxPrinted} more faults`);
  if (faults.length > 0) process.exitCode = 1;
}

try {
  const stores = values.stores.split(",");
  for (const name of stores) report(name, await scanBesideReads(name));
  if (stores.includes("postgres")) {
    await dropSchema();
    report("races", await race());
  }
} finally {
  rmSync(folder, { recursive: true });
  if (postgresUrl !== undefined) await dropSchema();
}
