/** `edgeproof serve --data` is killed under load: what it has acknowledged is there, and nothing is half done. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../store/open.ts";
import { agePostgres, ageSqlite } from "../store/sql/age.ts";
import { edgeproof } from "../support/cli.ts";
import { clientOf, type Json } from "../support/client.ts";
import { formOf, imageSetting, png } from "../support/images.ts";
import { configBody, ruleBody, testKeys } from "../support/keys.ts";
import { runs } from "../support/runs.ts";
import { type ServeProcess, startServe } from "../support/serve-process.ts";

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

/** How often a server is killed, and after at most how many acknowledged writes. */
const rounds = runs(6, 2);
const longestLife = 60;
const longestPauseMs = 20;
const tokens = "/zones/z1/token_validation";
const images = "/accounts/a1/images";

/** Acknowledgements of a server. */
interface Acknowledged {
  readonly rules: string[];
  readonly images: string[];
  readonly dismissed: string[];
  readonly uploads: number[];
  moves: number;
}

const total = (a: Acknowledged) =>
  a.rules.length + a.images.length + a.uploads.length + a.dismissed.length + a.moves;

/** Whether some kind of write was never acknowledged. */
const isUnseen = ({ rules, images, dismissed, uploads, moves }: Acknowledged) =>
  [rules.length, images.length, dismissed.length, uploads.length, moves].includes(0);

interface Load {
  readonly server: ServeProcess;
  readonly round: number;
  readonly config: string;
  readonly seen: Acknowledged;
  readonly picture: Buffer;
  /** Names that can be dismissed. */
  readonly domains: readonly number[];
}

/** Works until the server is gone. */
async function work({ server, round, config, seen, picture, domains }: Load): Promise<void> {
  const send = async (method: string, path: string, body?: object): Promise<Json> => {
    const isForm = body instanceof FormData;
    const headers = {
      authorization: "Bearer t",
      ...(body && !isForm && { "content-type": "application/json" }),
    };
    const url = path.startsWith("/") ? `${server.url}/client/v4${path}` : path;
    const response = await fetch(url, {
      method,
      headers,
      body: isForm ? body : body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    return { status: response.status, ...(text.startsWith("{") && JSON.parse(text)) };
  };
  const forEver = async (step: (i: number) => Promise<void>) => {
    try {
      for (let i = 0; ; i++) await step(i);
    } catch {
      // The server is gone.
    }
  };
  await Promise.all([
    forEver(async (i) => {
      const body = ruleBody(`is_jwt_valid("${config}")`, { title: `${round}-${i}` });
      const { status, result } = await send("POST", `${tokens}/rules`, body);
      if (status === 200) seen.rules.push(result.id);
    }),
    forEver(async (i) => {
      const rule = seen.rules[(i * 7) % Math.max(1, seen.rules.length)];
      if (rule === undefined) return sleep(5);
      const position = { index: 1 + ((i * 3) % seen.rules.length) };
      if ((await send("PATCH", `${tokens}/rules/${rule}`, { position })).status === 200) seen.moves++;
    }),
    forEver(async (i) => {
      const id = `${round}-${i}`;
      if ((await send("POST", `${images}/v1`, formOf({ file: picture, id }))).status === 200)
        seen.images.push(id);
    }),
    forEver(async (i) => {
      const { result } = await send(
        "POST",
        `${images}/v2/direct_upload`,
        formOf({ id: `draft${round}-${i}` }),
      );
      const fill = () => send("POST", result.uploadURL, formOf({ file: picture }));
      const filled = await Promise.allSettled([fill(), fill()]);
      const won = filled.filter((f) => f.status === "fulfilled" && f.value.status === 200).length;
      if (won > 0) {
        seen.images.push(result.id);
        seen.uploads.push(won);
      }
    }),
    forEver(async (i) => {
      const id = domains[round * 200 + i];
      if (id === undefined) return sleep(5);
      const path = `/accounts/a1/intel/v2/brand-protection/queries/1/matches/${id}/dismiss`;
      if ((await send("POST", path)).status === 200) seen.dismissed.push(String(id));
    }),
  ]);
}

async function prepare(store: Store): Promise<{ config: string; domains: number[] }> {
  const edge = createEdge({ store });
  const { es256 } = await testKeys();
  const config = (await clientOf(edge, tokens).ok("POST", "/config", configBody([es256]))).result.id;
  const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };
  await clientOf(edge, "/accounts/a1/intel/v2/brand-protection/domain").ok("POST", "/queries", query);
  await edge.brand.observe(
    "a1",
    Array.from({ length: rounds * 200 }, (_, i) => `paypal-${i}.example`),
  );
  const matches = await store.read((tx) => tx.find("brand_domain_matches", "a1"));
  await edge.close();
  return { config, domains: matches.map((m) => m.domain_id) };
}

/** Looks at everything through another process, this one. */
async function check(store: Store, seen: Acknowledged, picture: Buffer): Promise<void> {
  const { client, edge } = imageSetting({ store });
  await store.read(async (tx) => {
    const rules = await tx.find("token_rules", "z1");
    expect(seen.rules.filter((id) => !rules.some((rule) => rule.id === id))).toEqual([]);
    const positions = new Set(rules.map((rule) => rule.position));
    expect(positions.size, "no two rules have one position").toBe(rules.length);
    const dismissed = new Set(
      (await tx.find("brand_domain_matches", "a1")).filter((m) => m.dismissed).map((m) => `${m.domain_id}`),
    );
    expect(seen.dismissed.filter((id) => !dismissed.has(id))).toEqual([]);
    const stored = await tx.find("images", "a1");
    expect(seen.images.filter((id) => !stored.some((image) => image.id === id && !image.draft))).toEqual([]);
    for (const image of stored) expect(image.draft, image.id).toBe(image.original === undefined);
  });
  expect(
    seen.uploads.every((won) => won === 1),
    "an upload address is used once",
  ).toBe(true);
  for (const { id } of (await client.ok("GET", "/v2?per_page=1000")).result.images) {
    const response = await client("GET", `/v1/${id}/blob`);
    expect(Buffer.from(await response.arrayBuffer()).equals(picture), `the bytes of ${id}`).toBe(true);
  }
  await edge.close();
}

/** A day later, a store holds the blobs of its images and no others, whatever the killed processes had begun. */
async function checkLeft(open: () => Promise<Store>, age: () => Promise<void>): Promise<void> {
  await age();
  const store = await open();
  const kept: string[] = [];
  for await (const key of store.blobs.keys()) kept.push(key);
  const stored = await store.read((tx) => tx.find("images", "a1"));
  expect(kept).toEqual(stored.flatMap((image) => image.original?.blob ?? []).sort());
  await store.close();
}

async function survive(data: string, open: () => Promise<Store>, age: () => Promise<void>): Promise<void> {
  const { config, domains } = await prepare(await open());
  const picture = await png();
  const seen: Acknowledged = { rules: [], images: [], dismissed: [], uploads: [], moves: 0 };
  for (let round = 0; round < rounds; round++) {
    const server = await startServe(data);
    const before = total(seen);
    const working = work({ server, round, config, seen, picture, domains });
    const enough = before + 10 + Math.floor(Math.random() * longestLife);
    while (total(seen) < enough || isUnseen(seen)) await sleep(2);
    await sleep(Math.random() * longestPauseMs);
    await server.kill();
    await working;
    await check(await open(), seen, picture);
  }
  await checkLeft(open, age);
}

describe("a server that is killed under load loses no acknowledged write", () => {
  test("in SQLite", { timeout: 180_000 }, async () => {
    const path = join(folder, "edge.db");
    await survive(
      path,
      () => openSqliteStore({ path }),
      async () => ageSqlite(path),
    );
  });

  test.skipIf(postgresUrl === undefined)("in PostgreSQL", { timeout: 180_000 }, async () => {
    const schema = nextSchema();
    await survive(
      `${postgresUrl}?schema=${schema}`,
      () => openPostgresStore({ connectionString: postgresUrl!, schema }),
      () => agePostgres(schema),
    );
  });
});

test("serve reports why it cannot open a store", async () => {
  const { code, err } = await edgeproof([
    "serve",
    "--data",
    "postgres://unknown:secret@127.0.0.1:1/none?schema=s",
  ]);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/cannot open postgres:\/\/unknown:\*\*\*@127\.0\.0\.1:1/),
  ]);
});
