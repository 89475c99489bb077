/** A process of its own that answers each line with the verdict and the matches that it sees at that moment. */
import { createInterface } from "node:readline/promises";
import { createEdge } from "../../../src/edge.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";

/** The task of a witness. */
export interface WitnessTask {
  readonly connectionString: string;
  readonly schema: string;
  readonly witness: number;
}

/** The observed calls. */
export interface Sight {
  readonly action: string;
  /** How many queries a name matches. */
  readonly matches: number;
}

const task = JSON.parse(process.argv[2] ?? "null") as WitnessTask | null;
if (task) {
  const { witness, ...place } = task;
  const edge = createEdge({ store: await openPostgresStore({ ...place, maxConnections: 2 }) });
  let names = 0;
  process.stdout.write("ready\n");
  for await (const _line of createInterface({ input: process.stdin })) {
    const { action } = await edge.tokens.evaluate("z1", { method: "GET", url: "https://api.example.com/" });
    const name = `paypal-${witness}-${names++}.example`;
    const { matches } = await edge.brand.observe("a1", [name], { retain: false });
    process.stdout.write(`${JSON.stringify({ action, matches } satisfies Sight)}\n`);
  }
  await edge.close();
}
