/**
 * Lookback of logos over generated pictures of one view each: the cost of a picture one descriptor at a time, in batches,
 * and with segments, in SQLite and PostgreSQL (EDGEPROOF_POSTGRES_URL); then `--pictures` (default 1,000,000) in
 * PostgreSQL, finished by two processes of which one is killed, compared with one process. Fails when a target is missed.
 *
 * The views are those of drawn logos with 30 bits of each hash flipped. Pictures share 2,000 descriptors.
 */
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import sharp from "sharp";
import { createEdge, type Edge } from "../src/edge.ts";
import { describeLogo } from "../src/engine/logo/describe.ts";
import {
  type LogoDescriptor,
  readLogoDescriptor,
  readPrefilterData,
  writeLogoDescriptor,
} from "../src/engine/logo/descriptor.ts";
import { compareLogos } from "../src/engine/logo/features/compare.ts";
import { searchSegment, segmentEntry, writeSegment } from "../src/engine/logo/index/segment.ts";
import type { LookbackRange } from "../src/service/brand/lookback/lookback-runner.ts";
import type { Store } from "../src/store/port.ts";
import { descriptorKey } from "../src/store/records/brand.ts";
import { openPostgresStore } from "../src/store/sql/postgres.ts";
import { openSqliteStore } from "../src/store/sql/sqlite.ts";
import { storeScans } from "../test/service/brand/lookback/generated-scans.ts";
import { chooseLogos } from "./logos/collection.ts";

const { values } = parseArgs({
  options: { pictures: { type: "string", default: "1000000" }, schema: { type: "string" } },
});
const connectionString = process.env["EDGEPROOF_POSTGRES_URL"];
const pictures = Number(values.pictures);
/** Whole segments, so that no picture is left for a batch. */
const samplePictures = 5 * 4_096 - 1;
const oneByOne = 2_000;
const sharedDescriptors = 2_000;
const drawnLogos = 200;
/** Logos that are searched with segments. */
const searchedLogos = 9;
const threshold = 0.85;
const limits = { lookbackAtOnce: 0, denseLookback: 0 };
/** Minimum factors by which a picture is cheaper than one at a time, in processor time. */
const targets = { batches: 8, segments: 100 };

const png = (svg: string, side: number) =>
  sharp(Buffer.from(svg))
    .resize(side, side, { fit: "contain", background: "#ffffff" })
    .flatten({ background: "#ffffff" })
    .png()
    .toBuffer();

async function described(picture: Uint8Array, role: "query" | "scan"): Promise<LogoDescriptor> {
  const outcome = await describeLogo(picture, { role });
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value;
}

/** A picture with one of the views of a sample, of whose hash 30 bits are flipped. */
function perturbed(sample: LogoDescriptor, n: number): Uint8Array {
  const view = sample.views[n % sample.views.length]!;
  const prefilterHash = view.prefilterHash.slice();
  for (let i = 0; i < 30; i++) prefilterHash[(n * 7 + i * 13) % 32]! ^= 1 << ((n + i * 5) % 8);
  const digest = createHash("sha256").update(String(n)).digest();
  return writeLogoDescriptor({ ...sample, digest, views: [{ ...view, prefilterHash }] }).bytes;
}

/** Logos to search for, and descriptors of stored pictures. */
interface Generated {
  readonly queries: readonly Buffer[];
  readonly descriptors: readonly Uint8Array[];
}

async function generate(): Promise<Generated> {
  const logos = chooseLogos("tuning", searchedLogos + drawnLogos, 9);
  const samples: LogoDescriptor[] = [];
  for (const { svg } of logos) samples.push(await described(await png(svg, 128), "scan"));
  const withViews = samples.filter(({ views }) => views.length > 0);
  const descriptors = Array.from({ length: sharedDescriptors }, (_, n) =>
    perturbed(withViews[n % withViews.length]!, n),
  );
  return {
    queries: await Promise.all(logos.slice(0, searchedLogos).map(({ svg }) => png(svg, 256))),
    descriptors,
  };
}

/** The share of the generated pictures whose descriptors the prefilter has read. */
function shareOf(query: LogoDescriptor, descriptors: readonly Uint8Array[]): number {
  const entries = descriptors.map((bytes, i) => segmentEntry(i, readPrefilterData(bytes)));
  return searchSegment(writeSegment(entries), query)!.candidates.length / descriptors.length;
}

interface Cost {
  readonly "CPU us": number;
  readonly "wall us": number;
}

async function costOf(count: number, work: () => Promise<unknown>): Promise<Cost> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { "CPU us": (user + system) / count, "wall us": ((performance.now() - start) * 1_000) / count };
}

/** A lookback as it was: a page of records, then one descriptor after another. */
async function searchOneByOne(store: Store, query: LogoDescriptor): Promise<number> {
  let found = 0;
  for (let from = 1; from <= oneByOne; from += 100) {
    const where = [
      { field: "position", op: "gte", value: from },
      { field: "position", op: "lt", value: from + 100 },
    ] as const;
    const order = [{ field: "position", direction: "desc" }] as const;
    for (const { blob } of await store.read((tx) =>
      tx.find("brand_logo_scans", "sample", { where, order }),
    )) {
      const bytes = await store.blobs.get(descriptorKey(blob, "scan"));
      if (bytes && compareLogos(query, readLogoDescriptor(bytes)).score >= threshold) found++;
    }
  }
  return found;
}

async function createQuery(edge: Edge, account: string, picture: Buffer, tag: string): Promise<void> {
  const own = { tag, similarity_threshold: threshold, image_data: picture.toString("base64") };
  await edge.brand.logos.queries.create(account, own);
}

/** Creates a query whose lookback this process does not begin: after the write of the query, its reads never end. */
async function createPending(store: Store, account: string, picture: Buffer, tag: string): Promise<void> {
  let isWritten = false;
  const edge = createEdge({
    store: {
      ...store,
      read: (work, options) => (isWritten ? new Promise(() => {}) : store.read(work, options)),
      write: async (work, options) => {
        const result = await store.write(work, options);
        isWritten = true;
        return result;
      },
    },
    limits,
  });
  await createQuery(edge, account, picture, tag);
}

/** Costs of a picture in one store. @returns whether the targets are reached */
async function compareWays(name: string, store: Store, { queries, descriptors }: Generated) {
  await storeScans(store, "sample", descriptors, samplePictures);
  const edge = createEdge({ store: { ...store, close: async () => {} }, limits });
  const query = await described(queries[0]!, "query");
  await searchOneByOne(store, query);
  const one = await costOf(oneByOne, () => searchOneByOne(store, query));
  const costs: Cost[] = [];
  const shares: number[] = [];
  // The first lookback has no segments.
  for (const [i, picture] of [queries[0]!, ...queries].entries()) {
    await createPending(store, "sample", picture, String(i));
    costs.push(await costOf(samplePictures, () => edge.settled()));
    shares.push(100 * shareOf(await described(picture, "query"), descriptors));
  }
  const [batches, ...segments] = costs as [Cost, ...Cost[]];
  const row = (cost: Cost, share: number) => ({
    ...cost,
    factor: one["CPU us"] / cost["CPU us"],
    "candidates %": share,
  });
  const order = segments
    .map((cost, i) => row(cost, shares[i + 1]!))
    .sort((a, b) => a["CPU us"] - b["CPU us"]);
  const typical = order[order.length >> 1]!;
  console.log(`\n${name}: ${samplePictures} pictures, cost of one`);
  console.table({
    "one at a time": one,
    "in batches": row(batches, shares[0]!),
    "segments, cheapest logo": order[0],
    "segments, median logo": typical,
    "segments, dearest logo": order.at(-1),
  });
  if (row(batches, 0).factor < targets.batches || typical.factor < targets.segments) process.exitCode = 1;
  await edge.close();
}

/** Sends ranges to processes as a queue does: one at a time, and again when a process ended before it was done. */
async function shareRanges(
  schema: string,
  ranges: readonly LookbackRange[],
  killAfter: number,
): Promise<void> {
  const waiting = [...ranges];
  let finished = 0;
  const serve = async (child: ChildProcess, isKilled: boolean) => {
    const ended = once(child, "exit").then(() => undefined);
    await once(child, "message");
    for (let range = waiting.shift(); range; range = waiting.shift()) {
      child.send(range);
      if (isKilled && finished >= killAfter) {
        setTimeout(() => child.kill("SIGKILL"), 100);
      }
      if (!(await Promise.race([once(child, "message"), ended]))) {
        waiting.push(range);
        return;
      }
      finished++;
    }
    child.disconnect();
    await ended;
  };
  const start = () => fork(fileURLToPath(import.meta.url), ["--schema", schema]);
  await Promise.all([serve(start(), true), serve(start(), false)]);
  if (waiting.length > 0) await serve(start(), false);
}

async function matchesOf(
  store: Store,
  query_id: number,
): Promise<{ readonly count: number; readonly hash: string }> {
  const hash = createHash("sha256");
  let count = 0;
  const where = [{ field: "query_id", op: "eq", value: query_id }] as const;
  let after: readonly [string] | undefined;
  for (;;) {
    const page = await store.read((tx) =>
      tx.find("brand_logo_matches", "large", { where, limit: 1_000, ...(after && { after }) }),
    );
    for (const { domain, similarity_score, box } of page)
      hash.update(JSON.stringify([domain, similarity_score, box]));
    count += page.length;
    const last = page.at(-1);
    if (!last) return { count, hash: hash.digest("hex") };
    after = [last.id];
  }
}

async function compareProcesses(schema: string, store: Store, { queries, descriptors }: Generated) {
  const filling = performance.now();
  await storeScans(store, "large", descriptors, pictures);
  console.log(`\n${pictures} pictures stored in ${((performance.now() - filling) / 1_000).toFixed(0)} s`);
  const edge = createEdge({ store: { ...store, close: async () => {} }, limits });
  await createPending(store, "large", queries[1]!, "two processes");
  const start = performance.now();
  const ranges = await edge.brand.lookbacks.pendingRanges();
  await shareRanges(schema, ranges, Math.floor(ranges.length / 3));
  console.log(`two processes, one killed, in batches: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  await createPending(store, "large", queries[1]!, "one process");
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const before = process.memoryUsage().rss;
  const cost = await costOf(pictures, () => edge.settled());
  clearInterval(sampling);
  console.log(
    "one process, with segments, a picture:",
    cost,
    `memory +${((peak - before) / 2 ** 20).toFixed(0)} MB`,
  );
  const [two, one] = [await matchesOf(store, 1), await matchesOf(store, 2)];
  console.log(`matches: ${two.count} and ${one.count}, ${two.hash === one.hash ? "equal" : "DIFFERENT"}`);
  if (two.hash !== one.hash || (await edge.brand.lookbacks.pendingRanges()).length > 0) process.exitCode = 1;
  await edge.close();
}

async function searchRanges(schema: string): Promise<void> {
  const edge = createEdge({
    store: await openPostgresStore({ connectionString: connectionString!, schema }),
  });
  process.on("message", async (range: LookbackRange) => {
    process.send!(await edge.brand.lookbacks.searchRange(range));
  });
  process.on("disconnect", () => edge.close());
  process.send!("ready");
}

async function benchSqlite(generated: Generated): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-lookback-"));
  const store = await openSqliteStore({ path: join(folder, "bench.db") });
  await compareWays("SQLite", store, generated);
  await store.close();
  await rm(folder, { recursive: true });
}

async function benchPostgres(connectionString: string, generated: Generated): Promise<void> {
  const schema = `bench_${process.pid}`;
  const store = await openPostgresStore({ connectionString, schema });
  try {
    await compareWays("PostgreSQL", store, generated);
    if (pictures > 0) await compareProcesses(schema, store, generated);
  } finally {
    await store.close();
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`drop schema if exists "${schema}" cascade`);
    await client.end();
  }
}

async function main(): Promise<void> {
  const generated = await generate();
  if (connectionString !== undefined) await benchPostgres(connectionString, generated);
  await benchSqlite(generated);
}

await (values.schema === undefined ? main() : searchRanges(values.schema));
