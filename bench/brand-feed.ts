/** The cost of feeding a million names: time and memory a name, kept and not kept, and a lookback over all of them. No peer. */
import { createEdge, type Edge } from "edgeproof";
import { generateNames } from "./brand-names.ts";
import type { Rows } from "./harness.ts";

const count = 1_000_000;
const account = "bench";
const query = { tag: "bench", string_matches: [{ pattern: "monaco", max_edit_distance: 1 }] };

/** Names made as they are asked for, so that only the store keeps them. */
function* names(): Generator<string> {
  const seeds = Math.ceil(count / 10_000);
  for (let seed = 0; seed < seeds; seed++) yield* generateNames(10_000, seed + 1);
}

function usedBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function feed(retain: boolean): Promise<Edge> {
  const edge = createEdge();
  await edge.brand.queries.create(account, query);
  const before = usedBytes();
  const start = process.cpuUsage();
  let batches = 0;
  let peak = 0;
  const onProgress = () => {
    batches += 1;
    if (batches % 100 === 0) peak = Math.max(peak, usedBytes() - before);
  };
  const { records: fed, matches } = await edge.brand.observe(account, names(), { retain, onProgress });
  const { user, system } = process.cpuUsage(start);
  const bytes = usedBytes() - before;
  const mb = (value: number) => `${(value / 1e6).toFixed(1)} MB`;
  console.error(
    `brand: fed, retain ${retain}: ${fed} names, ${matches} matches, ${((user + system) / fed).toFixed(1)} us a name (collections included), ` +
      `${(bytes / fed).toFixed(0)} bytes a name, kept ${mb(bytes)}, peak between batches ${mb(peak)}`,
  );
  return edge;
}

/** The time of a lookback; there is nothing to compare with. */
export async function* benchBrandFeed(): Rows {
  await (await feed(false)).close();
  const edge = await feed(true);
  const start = process.cpuUsage();
  await edge.brand.queries.create(account, { ...query, tag: "lookback" });
  const { user, system } = process.cpuUsage(start);
  await edge.close();
  const ours = (1000 * (user + system)) / count;
  yield { what: "brand: lookback, a name", ours, peer: ours, ratio: 1, target: "report" };
}
