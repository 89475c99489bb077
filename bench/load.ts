/**
 * `edgeproof serve` under load: mixed requests from many clients at once, for `--seconds` (default 20), with
 * `--clients` (default 16). Prints errors, memory of the server before and after, and latency percentiles. Fails when
 * anything but the expected status came back.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { mintKey } from "edgeproof/testing";
import sharp from "sharp";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    clients: { type: "string", default: "16" },
  },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);
if (!(seconds > 0 && seconds <= 3_600)) throw new RangeError("--seconds must be from 1 to 3600");
if (!(Number.isInteger(clients) && clients > 0 && clients <= 1_000))
  throw new RangeError("--clients must be from 1 to 1000");

/** Seconds of load before the measurement, in which caches fill and code is compiled. */
const warmUpSeconds = 3;

interface Request {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly init?: RequestInit;
}

async function start(): Promise<{ child: ChildProcess; base: string }> {
  const child = spawn(process.execPath, ["dist/cli/main.js", "serve", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const base = /http:\S+/.exec(line.toString())?.[0];
  if (base === undefined) throw new Error(`the server said ${line}`);
  return { child, base };
}

const authorization = "Bearer any";
const json = { authorization, "content-type": "application/json" };

function post(body: unknown): RequestInit {
  return { method: "POST", headers: json, body: JSON.stringify(body) };
}

async function sent(base: string, path: string, init: RequestInit) {
  const response = await fetch(`${base}${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return (await response.json()) as any;
}

/** Creates the records of the requests. */
async function prepare(base: string): Promise<readonly Request[]> {
  const { jwk } = await mintKey("ES256");
  const config = {
    title: "t",
    description: "d",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [jwk] },
  };
  const zone = "/zones/z1/token_validation";
  const { result } = await sent(base, `${zone}/config`, post(config));
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#468" } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(picture)]), "a.png");
  form.append("id", "one");
  const headers = { authorization };
  const image = await sent(base, "/accounts/a1/images/v1", { method: "POST", headers, body: form });
  const delivery = new URL(image.result.variants[0]).pathname;
  const intel = "/accounts/a1/intel/v2/brand-protection";
  const query = { tag: "t", string_matches: [{ pattern: "shop", max_edit_distance: 1 }] };
  await sent(base, `${intel}/domain/queries`, post(query));
  const get = { headers };
  return [
    { name: "get a configuration", path: `${zone}/config/${result.id}`, status: 200, init: get },
    { name: "list rules", path: `${zone}/rules`, status: 200, init: get },
    {
      name: "edit a configuration",
      path: `${zone}/config/${result.id}`,
      status: 200,
      init: { method: "PATCH", headers: json, body: '{"title":"u"}' },
    },
    { name: "list domain matches", path: `${intel}/domain/matches?query_id=1`, status: 200, init: get },
    { name: "get an image", path: "/accounts/a1/images/v1/one", status: 200, init: get },
    { name: "deliver an image", path: delivery, status: 200 },
    { name: "list applications", path: "/zones/z1/app_service/apps", status: 200, init: get },
    { name: "reject an application", path: "/zones/z1/app_service/apps", status: 400, init: post({}) },
    { name: "reject a stranger", path: `${zone}/rules`, status: 401 },
    { name: "reject malformed JSON", path: `${zone}/rules`, status: 400, init: { ...post(0), body: "{" } },
    { name: "find no route", path: "/nowhere", status: 404 },
  ];
}

/** Sends requests for a while; returns the latencies in milliseconds, by request. */
async function load(base: string, requests: readonly Request[], forSeconds: number) {
  const latencies = new Map(requests.map(({ name }) => [name, [] as number[]]));
  const errors: string[] = [];
  const end = performance.now() + forSeconds * 1_000;
  const client = async (first: number) => {
    for (let n = first; performance.now() < end; n++) {
      const { name, path, status, init } = requests[n % requests.length]!;
      const start = performance.now();
      try {
        const address = path.startsWith("/cdn-cgi") ? new URL(path, base) : `${base}${path}`;
        const response = await fetch(address, init);
        await response.arrayBuffer();
        if (response.status !== status) errors.push(`${name}: ${response.status}`);
      } catch (error) {
        errors.push(`${name}: ${(error as Error).cause ?? error}`);
      }
      latencies.get(name)!.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  return { latencies, errors };
}

function memoryMegabytes({ pid }: ChildProcess): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)])) / 1_024;
}

function percentile(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

function printLatencies(name: string, values: readonly number[]): void {
  const sorted = [...values].sort((a, b) => a - b);
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) => percentile(sorted, share).padStart(8));
  console.log(`${name.padEnd(24)} ${String(sorted.length).padStart(8)} ${p50} ${p95} ${p99} ${max}`);
}

const { child, base } = await start();
try {
  const requests = await prepare(base);
  await load(base, requests, warmUpSeconds);
  const before = memoryMegabytes(child);
  const half = await load(base, requests, seconds / 2);
  const between = memoryMegabytes(child);
  const rest = await load(base, requests, seconds / 2);
  const after = memoryMegabytes(child);
  console.log(`${"milliseconds".padEnd(24)}    count      p50      p95      p99      max`);
  const all: number[] = [];
  for (const { name } of requests) {
    const values = [...half.latencies.get(name)!, ...rest.latencies.get(name)!];
    printLatencies(name, values);
    all.push(...values);
  }
  printLatencies("all", all);
  console.log(`${Math.round(all.length / seconds)} requests a second from ${clients} clients`);
  console.log(
    `memory of the server: ${before.toFixed(0)} MB before, ${between.toFixed(0)} MB halfway, ${after.toFixed(0)} MB after`,
  );
  const errors = [...half.errors, ...rest.errors];
  console.log(`${errors.length} errors ${[...new Set(errors)].slice(0, 5).join(", ")}`);
  if (errors.length > 0) process.exitCode = 1;
} finally {
  child.kill();
}
