/**
 * The longest time for which each endpoint keeps the main thread, by processor time, on a small and on a maximal request, in
 * a process with one worker thread. Fails above 50 ms beyond an idle process, for an endpoint without requests, and for a
 * request that is not answered with success. `--only <part of an id>` limits it.
 */
import { parseArgs } from "node:util";
import { createEdge } from "edgeproof";
import { endpoints } from "../src/http/endpoints/endpoints.ts";
import { longestBlock } from "./blocks/probe.ts";
import { loadsOf, type MakeRequest, sizes } from "./blocks/requests.ts";

/** Milliseconds beyond an idle process. */
const maxBlockMs = 50;
/** Time in which the control process does nothing, in milliseconds. */
const idleMs = 2_000;

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const edge = createEdge({
  threads: 1,
  ingest: true,
  world: {
    accounts: [{ id: "a0" }, { id: "a1" }],
    zones: [
      { id: "z0", name: "example.org" },
      { id: "z1", name: "example.com" },
    ],
  },
});

const idle = await longestBlock(() => new Promise((resume) => setTimeout(resume, idleMs)));
const loads = await loadsOf(edge);
console.log(
  `full zone and account: ${Object.entries(sizes)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ")}; idle ${idle.toFixed(1)} ms`,
);
console.log(`${"endpoint".padEnd(34)} ${"small".padStart(8)} ${"maximal".padStart(8)}  ms of processor time`);

async function measure(id: string, make: MakeRequest): Promise<number> {
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
}

const failures: string[] = [];
/** Deletions are last: other requests need the records. */
const isLast = (id: string) => (id.endsWith(".delete") ? 1 : 0);
for (const { id } of endpoints.toSorted((a, b) => isLast(a.id) - isLast(b.id))) {
  if (!id.includes(values.only)) continue;
  const load = loads[id];
  if (!load) {
    failures.push(`${id}: no requests in bench/blocks/requests.ts`);
    continue;
  }
  const small = await measure(id, load.small);
  const maximal = await measure(id, load.maximal);
  const isLong = Math.max(small, maximal) > idle + maxBlockMs;
  if (isLong) failures.push(`${id}: ${Math.max(small, maximal).toFixed(1)} ms`);
  console.log(
    `${id.padEnd(34)} ${small.toFixed(1).padStart(8)} ${maximal.toFixed(1).padStart(8)}  ${isLong ? "TOO LONG " : ""}${load.note ?? ""}`,
  );
}
await edge.close();
for (const failure of failures) console.log(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
