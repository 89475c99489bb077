/** Shared parts of the benchmarks of workers: a store with accounts, a broker of their own, pictures, and processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import pg from "pg";
import sharp from "sharp";
import { createEdge, type Edge } from "../src/edge.ts";
import type { WorkQueue } from "../src/queue/port.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../src/store/sql/postgres.ts";
import type { BenchTask } from "./worker-process.ts";

export const connectionString = process.env["EDGEPROOF_POSTGRES_URL"] ?? "";
if (connectionString === "") throw new Error("EDGEPROOF_POSTGRES_URL must name a database");

/** A store in a schema and a folder of its own, and a schema for queues. */
export interface BenchStore {
  readonly options: PostgresStoreOptions;
  readonly edge: Edge;
  readonly queueAddress: (name: string) => string;
  remove(): Promise<void>;
}

/** @param accounts each has a logo query */
export async function openBenchStore(accounts: readonly string[], logo: Uint8Array): Promise<BenchStore> {
  const schema = `bench_${process.pid}`;
  const blobFolder = mkdtempSync(join(tmpdir(), "edgeproof-bench-"));
  const options = { connectionString, schema, blobFolder };
  const edge = createEdge({
    store: await openPostgresStore(options),
    world: { accounts: accounts.map((id) => ({ id })) },
  });
  const image_data = Buffer.from(logo).toString("base64");
  for (const account of accounts)
    await edge.brand.logos.queries.create(account, { tag: "l", similarity_threshold: 0.9, image_data });
  const separator = connectionString.includes("?") ? "&" : "?";
  return {
    options,
    edge,
    queueAddress: (name) => `${connectionString}${separator}schema=${schema}_queue&name=${name}`,
    remove: async () => {
      await edge.close();
      const client = new pg.Client({ connectionString });
      await client.connect();
      for (const name of [schema, `${schema}_queue`])
        await client.query(`drop schema if exists "${name}" cascade`);
      await client.end();
      rmSync(blobFolder, { recursive: true, force: true });
    },
  };
}

/** A broker of its own. */
export interface BenchBroker {
  readonly url: string;
  /** CPU of the broker so far, in milliseconds. */
  cpuMs(): number;
  remove(): void;
}

/** Starts `nats-server` on a free port. */
export async function startBenchBroker(): Promise<BenchBroker> {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-nats-"));
  const words = ["--addr", "127.0.0.1", "--port", "-1", "--jetstream", "--store_dir", folder];
  const child = spawn("nats-server", [...words, "--ports_file_dir", folder], { stdio: "ignore" });
  const ports = join(folder, `nats-server_${child.pid}.ports`);
  for (;;) {
    await sleep(50);
    try {
      const { nats } = JSON.parse(readFileSync(ports, "utf8")) as { nats: readonly string[] };
      return {
        url: nats[0] ?? "",
        cpuMs: () => cpuMsOf(child.pid ?? 0),
        remove: () => {
          child.kill("SIGKILL");
          rmSync(folder, { recursive: true, force: true });
        },
      };
    } catch {
      if (child.exitCode !== null) throw new Error("nats-server has ended");
    }
  }
}

/** Ticks of the clock in /proc are a hundredth of a second on Linux. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** A small screenshot of a page: lines of text and blocks, 640 x 400 pixels. */
export function drawPage(seed: number): Promise<Uint8Array> {
  const random = randomOf(seed);
  const color = () => `hsl(${Math.floor(random() * 360)} 60% ${30 + Math.floor(random() * 50)}%)`;
  const lines = Array.from({ length: 34 }, (_, i) => {
    const text = Array.from({ length: 9 }, () =>
      random()
        .toString(36)
        .slice(2, 2 + random() * 9),
    ).join(" ");
    return `<text x="${40 + random() * 200}" y="${120 + i * 19}" font-size="14" fill="#333">${text}</text>`;
  });
  const blocks = Array.from({ length: 12 }, () => {
    const [x, y, w, h] = [random() * 1_100, random() * 700, 30 + random() * 240, 20 + random() * 120];
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="6" fill="${color()}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><g transform="scale(0.5)"><rect width="1280" height="800" fill="#fff"/>${blocks.join("")}${lines.join("")}</g></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
}

function randomOf(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** A running worker. */
export interface BenchWorker {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[];
  /** Waits for a line of this type. */
  until(type: string): Promise<Record<string, unknown>>;
  readonly ended: Promise<unknown>;
}

const script = join("node_modules/.cache", `edgeproof-bench-worker-${process.pid}.mjs`);

/** Writes the script of workers as one file, which starts several times as fast. @returns a function that removes it */
export function bundleWorker(): () => void {
  const entryPoints = [fileURLToPath(new URL("./worker-process.ts", import.meta.url))];
  buildSync({
    entryPoints,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile: script,
  });
  return () => rmSync(script, { force: true });
}

export function startBenchWorker(task: BenchTask): BenchWorker {
  const env = { ...process.env, VIPS_CONCURRENCY: "1" };
  const child = spawn(process.execPath, ["--expose-gc", script, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  const lines: Record<string, unknown>[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) lines.push(JSON.parse(part));
  });
  const ended = once(child, "close");
  const until = async (type: string) => {
    for (;;) {
      const found = lines.find((line) => line["type"] === type);
      if (found) return found;
      if (child.exitCode !== null) throw new Error(`a worker ended before it said ${type}`);
      await sleep(5);
    }
  };
  return { child, lines, until, ended };
}

/** Waits until nothing waits in the queue and nothing is taken. */
export async function untilEmpty(queue: WorkQueue): Promise<void> {
  for (;;) {
    const { waiting, taken } = await queue.status();
    if (waiting + taken === 0) return;
    await sleep(20);
  }
}
