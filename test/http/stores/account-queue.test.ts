/** Writers of one account in several pools of PostgreSQL: they queue, and no write has to run again. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { hasty, postgresUrl, temporarySchemas } from "../../store/open.ts";
import { clientOf } from "../../support/client.ts";
import { type CountedWrites, countWrites } from "../../support/counting-store.ts";
import { formOf, png } from "../../support/images.ts";

const pools = 4;
const writesEach = 8;

describe.skipIf(postgresUrl === undefined)("PostgreSQL", () => {
  const nextSchema = temporarySchemas();

  /** Runs steps in all pools at the same time; returns the repeated runs of writes and the statuses. */
  async function contend(
    stepOf: (edge: ReturnType<typeof createEdge>, writer: number) => (i: number) => Promise<Response>,
  ) {
    const place = { connectionString: hasty(postgresUrl!), schema: nextSchema(), maxConnections: 2 };
    const counted: CountedWrites[] = [];
    for (let i = 0; i < pools; i++) counted.push(countWrites(await openPostgresStore(place)));
    const edges = counted.map(({ store }) => createEdge({ store }));
    const statuses: number[] = [];
    await Promise.all(
      edges.map(async (edge, writer) => {
        const step = stepOf(edge, writer);
        for (let i = 0; i < writesEach; i++) statuses.push((await step(i)).status);
      }),
    );
    for (const edge of edges) await edge.close();
    const repeated = counted.map(({ runs, queues }) => runs() - queues.length);
    return { repeated, statuses };
  }

  const calm = { repeated: Array(pools).fill(0), statuses: Array(pools * writesEach).fill(200) };

  test("uploads into one account queue: none runs again", { timeout: 120_000 }, async () => {
    const file = await png();
    const url = "https://edge.test/client/v4/accounts/a1/images/v1";
    const headers = { authorization: "Bearer t" };
    const done = await contend(
      (edge) => () => edge.fetch(new Request(url, { method: "POST", headers, body: formOf({ file }) })),
    );
    expect(done).toEqual(calm);
  });

  test("domain queries and feeds of one account queue: none runs again", { timeout: 120_000 }, async () => {
    const done = await contend((edge, writer) => {
      const client = clientOf(edge, "/accounts/a1/intel/v2/brand-protection");
      return async (i) => {
        await edge.brand.observe("a1", [`shop-${writer}-${i}.example`, `shop-${i}.example`]);
        const string_matches = [{ pattern: `shop-${writer}-${i}`, max_edit_distance: 1 }];
        return client("POST", "/domain/queries", { tag: `t-${writer}-${i}`, string_matches });
      };
    });
    expect(done).toEqual(calm);
  });
});
