/** A change through one process governs the verdicts of all others from the moment it is acknowledged. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { hasty, postgresUrl, temporarySchemas } from "../../store/open.ts";
import { bundled } from "../../support/bundled.ts";
import { clientOf } from "../../support/client.ts";
import { configBody, ruleBody, testKeys } from "../../support/keys.ts";
import type { Sight, WitnessTask } from "../stores/witness.ts";

const script = fileURLToPath(new URL("../stores/witness.ts", import.meta.url));
const witnesses = 4;
const rounds = 6;

async function startWitness(task: WitnessTask) {
  const child = spawn(process.execPath, [bundled(script), JSON.stringify(task)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready");
  return {
    look: async (): Promise<Sight> => {
      child.stdin.write("look\n");
      return JSON.parse((await lines.next()).value);
    },
    end: async () => {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

describe.skipIf(postgresUrl === undefined)("four other processes", () => {
  const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

  test("apply every change of rules and queries from their next request on", {
    timeout: 60_000,
  }, async () => {
    const place = { connectionString: hasty(postgresUrl!), schema: nextSchema() };
    const edge = createEdge({ store: await openPostgresStore(place) });
    const tokens = clientOf(edge, "/zones/z1/token_validation");
    const brand = clientOf(edge, "/accounts/a1/intel/v2/brand-protection/domain");
    const others = await Promise.all(
      Array.from({ length: witnesses }, (_, witness) => startWitness({ ...place, witness })),
    );
    const seen = () => Promise.all(others.map(({ look }) => look()));
    const by = (sight: Sight) => Array(witnesses).fill(sight);

    const { es256 } = await testKeys();
    const config = (await tokens.ok("POST", "/config", configBody([es256]))).result.id;
    const block = ruleBody(`is_jwt_valid("${config}")`, { action: "block" });
    const [{ action: open }] = (await seen()) as [Sight];
    const rule = (await tokens.ok("POST", "/rules", block)).result.id;
    const [{ action: blocked }] = (await seen()) as [Sight];
    expect(blocked).not.toBe(open);

    const query = (pattern: string) => ({
      tag: pattern,
      string_matches: [{ pattern, max_edit_distance: 0 }],
      search_lookback: false,
    });
    for (let round = 1; round <= rounds; round++) {
      await tokens.ok("PATCH", `/rules/${rule}`, { enabled: false });
      await brand.ok("POST", "/queries", query("paypal"));
      expect(await seen()).toEqual(by({ action: open, matches: 1 }));
      await brand.ok("PATCH", `/queries/${round}`, query("microsoft"));
      await tokens.ok("PATCH", `/rules/${rule}`, { enabled: true });
      expect(await seen()).toEqual(by({ action: blocked, matches: 0 }));
    }
    await Promise.all(others.map(({ end }) => end()));
    await edge.close();
  });
});
