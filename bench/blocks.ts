/**
 * The longest time for which each endpoint keeps the main thread, by processor time, on a small and on a maximal request, in
 * a process with one worker thread; then the same of a world that is applied to a new store and to one that has it. Then the
 * processor time of the first logo query of a process against that of the second. Fails above 50 ms beyond an idle process,
 * above 1.5 times the second query, and for a request that is not answered with success. `--only <part of an id>` limits it;
 * `--store sqlite` uses a file instead of memory, with fewer matches.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEdge, type Store } from "edgeproof";
import { openSqliteStore } from "edgeproof/stores/sqlite";
import { type EndpointId, endpointDocuments } from "../src/http/documents/documents.ts";
import { firstQueries } from "./blocks/first-query.ts";
import { longestBlock, withoutSourceMaps } from "./blocks/probe.ts";
import {
  imageSource,
  type Load,
  loadsOf,
  type MakeRequest,
  picture,
  type Sizes,
  sizesByStore,
} from "./blocks/requests.ts";
import { createWorld, worldSizes } from "./blocks/world.ts";

/** Milliseconds beyond an idle process. */
const maxBlockMs = 50;
/** Processor time of the first logo query, as a multiple of that of the second. */
const maxFirst = 1.5;
/** Time in which the control process does nothing, in milliseconds. */
const idleMs = 2_000;

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, store: { type: "string", default: "memory" } },
});
const sizes = Object.entries(sizesByStore).find(([store]) => store === values.store)?.[1];
if (!sizes) throw new RangeError(`--store must be ${Object.keys(sizesByStore).join(" or ")}`);

const folder = mkdtempSync(join(tmpdir(), "edgeproof-blocks-"));
const failures: string[] = [];
let stores = 0;

async function openStore(): Promise<{ readonly store?: Store }> {
  if (values.store === "memory") return {};
  return { store: await openSqliteStore({ path: join(folder, `${++stores}.db`) }) };
}

const format = (sizesOf: Readonly<Record<string, number>> | Sizes) =>
  Object.entries(sizesOf)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ");

function report(id: string, small: number, maximal: number, note = ""): void {
  const isLong = Math.max(small, maximal) > idle + maxBlockMs;
  if (isLong) failures.push(`${id}: ${Math.max(small, maximal).toFixed(1)} ms`);
  const columns = [small, maximal].map((ms) => ms.toFixed(1).padStart(8)).join(" ");
  console.log(`${id.padEnd(34)} ${columns}  ${isLong ? "TOO LONG " : ""}${note}`);
}

withoutSourceMaps();
const idle = await longestBlock(() => new Promise((resume) => setTimeout(resume, idleMs)));
console.log(`store: ${values.store}; idle ${idle.toFixed(1)} ms`);
try {
  if (Object.keys(endpointDocuments).some((id) => id.includes(values.only))) await measureEndpoints(sizes);
  if ("world.apply".includes(values.only)) await measureWorlds();
  if ("first logo query".includes(values.only)) await measureFirstQuery();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

async function measureEndpoints(sizes: Sizes): Promise<void> {
  const edge = createEdge({
    ...(await openStore()),
    threads: 1,
    ingest: true,
    world: {
      accounts: [{ id: "a0" }, { id: "a1" }],
      zones: [
        { id: "z0", name: "example.org", settings: { transformations: "on" } },
        { id: "z1", name: "example.com", settings: { transformations: "on" } },
      ],
    },
    imageSource,
  });
  const measure = async (id: string, make: MakeRequest): Promise<number> => {
    const request = make();
    let status = 0;
    let body = Buffer.alloc(0);
    const block = await longestBlock(async () => {
      const response = await edge.fetch(request);
      status = response.status;
      body = Buffer.from(await response.arrayBuffer());
    });
    if (status >= 400) failures.push(`${id}: status ${status}, ${body.toString().slice(0, 300)}`);
    return block;
  };
  const loads = Object.entries(await loadsOf(edge, sizes)) as [EndpointId, Load][];
  console.log(`full zone and account: ${format(sizes)}`);
  console.log(
    `${"endpoint".padEnd(34)} ${"small".padStart(8)} ${"maximal".padStart(8)}  ms of processor time`,
  );
  // Deletions are last: other requests need the records.
  const isLast = ([id]: [EndpointId, Load]) => (id.endsWith(".delete") ? 1 : 0);
  for (const [id, { small, maximal, note }] of loads.toSorted((a, b) => isLast(a) - isLast(b)))
    if (id.includes(values.only)) report(id, await measure(id, small), await measure(id, maximal), note);
  await edge.close();
}

/** A world is validated by `createEdge`, before there are requests, and applied before the first one is answered. */
async function measureWorlds(): Promise<void> {
  const blocks: number[][] = [];
  for (const isFull of [false, true]) {
    const world = await createWorld(isFull);
    const own = await openStore();
    for (const [start, name] of ["world.apply", "world.apply again"].entries()) {
      const first = createEdge({ ...own, world });
      const { store } = first;
      const block = await longestBlock(() => store.read(async () => {}));
      blocks[start] = [...(blocks[start] ?? []), block];
      if (isFull)
        report(name, blocks[start][0]!, block, start === 0 ? `full world: ${format(worldSizes)}` : "");
      // The next one starts with the store of this one.
      Object.assign(own, { store });
    }
    await own.store?.close();
  }
}

async function measureFirstQuery(): Promise<void> {
  const shown = [await picture(120, 60, true), await picture(100, 80, true)];
  const { firstMs, secondMs } = await firstQueries(shown.map((bytes) => bytes.toString("base64")));
  const isSlow = firstMs > maxFirst * secondMs;
  const figures = `first logo query: ${firstMs.toFixed(0)} ms of processor time, the second ${secondMs.toFixed(0)} ms`;
  if (isSlow) failures.push(figures);
  console.log(`${figures}${isSlow ? ", TOO LONG" : ""}`);
}
