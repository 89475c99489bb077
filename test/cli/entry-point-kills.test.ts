/** A server is killed while entry points are replaced: each is wholly one of its versions, and none that was acknowledged is lost. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../src/edge.ts";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../store/open.ts";
import { clientOf, type Json } from "../support/client.ts";
import { runs } from "../support/runs.ts";
import { startServe } from "../support/serve-process.ts";

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

/** How often a server is killed. */
const kills = runs(10, 4);
const longestLifeMs = 250;
const zones = ["z1", "z2"];
const world = { zones: zones.map((id) => ({ id, name: `${id}.example` })) };
const entry = "/phases/http_request_firewall_custom/entrypoint";

/** Rules of each kind. */
const each = 20;

/** The rules of version `n`: some are always equal, some change each time, some are only in every second version. */
function rulesOf(n: number) {
  const action = n % 2 === 0 ? "block" : "log";
  const rules = (kind: string, content: object) =>
    Array.from({ length: each }, (_, i) => ({
      ref: `${kind} ${i}`,
      action,
      expression: `http.request.uri.path eq "/${kind}/${i}"`,
      description: "",
      enabled: true,
      ...content,
    }));
  return [
    ...rules("equal", { action: "block" }),
    ...rules("changed", { description: `${n}` }),
    ...rules(action, {}),
  ];
}

/** The last acknowledged version of a zone, and the last that was sent. */
interface Known {
  readonly zone: string;
  acknowledged: Json;
  sent: number;
}

/** Replaces the entry point until the server is gone. */
async function putOn(url: string, known: Known): Promise<void> {
  const path = `${url}/client/v4/zones/${known.zone}/rulesets${entry}`;
  const headers = { authorization: "Bearer t", "content-type": "application/json" };
  for (let n = Number(known.acknowledged.version) + 1; ; n++) {
    known.sent = n;
    const body = JSON.stringify({ rules: rulesOf(n), description: `${n}` });
    const response = await fetch(path, { method: "PUT", headers, body }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response === undefined || text === undefined) return;
    expect([response.status, text]).toEqual([200, expect.any(String)]);
    known.acknowledged = JSON.parse(text).result;
  }
}

/** Checks the stored entry point; it is then the acknowledged one. */
async function check(edge: Edge, known: Known): Promise<void> {
  const { acknowledged: before, sent, zone } = known;
  const found: Json = (await clientOf(edge, `/zones/${zone}/rulesets`).ok("GET", entry)).result;
  const n = Number(found.version);
  expect([Number(before.version), sent]).toContain(n);
  if (n === Number(before.version)) expect(found).toEqual(before);
  expect([found.id, found.description]).toEqual([before.id, `${n}`]);
  const written = found.rules.map(({ id, version, last_updated, ...rule }: Json) => rule);
  expect(written).toEqual(rulesOf(n));
  const idsBefore = new Map(before.rules.map(({ ref, id }: Json) => [ref, id]));
  for (const { ref, id, version } of found.rules) {
    if (idsBefore.has(ref)) expect([ref, id]).toEqual([ref, idsBefore.get(ref)]);
    expect([ref, version]).toEqual([ref, ref.startsWith("changed") ? `${n}` : "1"]);
  }
  expect(new Set(found.rules.map(({ id }: Json) => id)).size).toBe(3 * each);
  const url = `https://${zone}.example/changed/3`;
  expect((await edge.tokens.evaluate(zone, { method: "GET", url })).custom?.action).toBe(
    n % 2 === 0 ? "block" : "log",
  );
  known.acknowledged = found;
}

async function survive(data: string, open: () => Promise<Store>): Promise<void> {
  const first = createEdge({ store: await open(), world });
  const all = await Promise.all(
    zones.map(async (zone): Promise<Known> => {
      const body = { rules: rulesOf(1), description: "1" };
      const put = await clientOf(first, `/zones/${zone}/rulesets`).ok("PUT", entry, body);
      return { zone, acknowledged: put.result, sent: 1 };
    }),
  );
  await first.close();
  let replaced = 0;
  for (let i = 0; i < kills; i++) {
    const versions = all.map(({ acknowledged }) => Number(acknowledged.version));
    const server = await startServe(data);
    const putting = Promise.all(all.map((known) => putOn(server.url, known)));
    while (all.some(({ acknowledged }, j) => Number(acknowledged.version) === versions[j])) await sleep(1);
    await sleep(Math.random() * longestLifeMs);
    await server.kill();
    await putting;
    const edge = createEdge({ store: await open() });
    for (const known of all) await check(edge, known);
    await edge.close();
    replaced += all.reduce(
      (sum, { acknowledged }, j) => sum + Number(acknowledged.version) - versions[j]!,
      0,
    );
  }
  expect(replaced).toBeGreaterThan(2 * kills);
}

describe("an entry point of a server that is killed is wholly one of its versions", () => {
  test("in SQLite", { timeout: 300_000 }, async () => {
    const path = join(folder, "edge.db");
    await survive(path, () => openSqliteStore({ path }));
  });

  test.skipIf(postgresUrl === undefined)("in PostgreSQL", { timeout: 300_000 }, async () => {
    const schema = nextSchema();
    await survive(`${postgresUrl}?schema=${schema}`, () =>
      openPostgresStore({ connectionString: postgresUrl!, schema }),
    );
  });
});
