/** Four processes over one PostgreSQL: what only one can have, one gets, and no quota is exceeded. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { hasty, postgresUrl, temporarySchemas } from "../../store/open.ts";
import { bundled } from "../../support/bundled.ts";
import { clientOf, type Json, jsonOf } from "../../support/client.ts";
import { imageSetting, png } from "../../support/images.ts";
import { configBody, ruleBody, testKeys } from "../../support/keys.ts";
import { configQuota, feed, imageQuota, ipv4Quota, movesEach, names, type RaceTask } from "./racer.ts";

const racers = 4;
const script = fileURLToPath(new URL("./racer.ts", import.meta.url));

interface Outcome {
  readonly won: Readonly<Record<string, number[]>>;
  readonly matches: number;
}

function start(task: RaceTask): { child: ChildProcess; lines: AsyncIterator<string> } {
  const child = spawn(process.execPath, [bundled(script), JSON.stringify(task)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** Starts all, lets them go at once, and gives what each has won. */
async function raceAll(tasks: readonly RaceTask[]): Promise<Outcome[]> {
  const started = tasks.map(start);
  for (const { lines } of started) expect((await lines.next()).value).toBe("ready");
  for (const { child } of started) child.stdin!.write("go\n");
  const outcomes = await Promise.all(
    started.map(async ({ lines }) => JSON.parse((await lines.next()).value)),
  );
  await Promise.all(started.map(({ child }) => child.exitCode ?? once(child, "exit")));
  return outcomes;
}

const world = {
  zones: [
    { id: "quota", name: "example.net", account_id: "same", proxy: { ipv4_quota: ipv4Quota } },
    { id: "moves", name: "example.org", account_id: "same" },
    ...Array.from({ length: racers }, (_, i) => ({ id: `name${i}`, name: `n${i}.test`, account_id: "same" })),
  ],
  accounts: ["same", "full", "feed"].map((id) => ({ id })),
};

describe.skipIf(postgresUrl === undefined)("four processes", () => {
  const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

  test("have exactly one winner of each race", { timeout: 120_000 }, async () => {
    const place = { connectionString: hasty(postgresUrl!), schema: nextSchema() };
    const store = await openPostgresStore(place);
    const edge = createEdge({ store, world });
    const keys = configBody([(await testKeys()).es256]);
    const moves = clientOf(edge, "/zones/moves/token_validation");
    const { id } = (await moves.ok("POST", "/config", keys)).result;
    const bodies = Array.from({ length: 8 }, (_, i) => ruleBody(`is_jwt_valid("${id}")`, { title: `${i}` }));
    const rules: string[] = (await moves.ok("POST", "/rules/bulk", bodies)).result.map((r: Json) => r.id);
    const { post } = imageSetting({ store }, "same");
    const uploads: string[] = [];
    for (let i = 0; i < 3; i++)
      uploads.push((await jsonOf(await post("/v2/direct_upload", {}))).result.uploadURL);
    const brand = "/accounts/feed/intel/v2/brand-protection";
    const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };
    await clientOf(edge).ok("POST", `${brand}/domain/queries`, query);
    await edge.brand.observe("feed", ["a-paypal.test", "b-paypal.test"]);
    const listed = await clientOf(edge).ok(
      "GET",
      `${brand}/domain/matches?query_id=1&include_domain_id=true`,
    );
    const dismissals = listed.matches.map((m: Json) => `${brand}/queries/1/matches/${m.domain_id}/dismiss`);

    const task = {
      ...place,
      rules,
      uploads,
      dismissals,
      picture: (await png()).toString("base64"),
      configBody: keys,
    };
    const outcomes = await raceAll(Array.from({ length: racers }, (_, racer) => ({ ...task, racer })));

    const won = (kind: string) => outcomes.flatMap((o) => o.won[kind] ?? []).sort((a, b) => a - b);
    const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
    expect(won("failed")).toEqual([]);
    expect(won("name")).toEqual(upTo(names));
    expect(won("ipv4")).toHaveLength(ipv4Quota);
    expect(won("config")).toHaveLength(configQuota);
    expect(won("upload")).toEqual(upTo(uploads.length));
    expect(won("image")).toEqual(upTo(2));
    expect(won("room")).toHaveLength(imageQuota);
    expect(won("dismissal")).toHaveLength(racers * dismissals.length);
    expect(won("move")).toHaveLength(racers * movesEach);
    expect(outcomes.reduce((sum, { matches }) => sum + matches, 0)).toBe(feed.length);

    await store.read(async (tx) => {
      const stored = await tx.find("token_rules", "moves");
      expect(stored.map(({ id }) => id).sort()).toEqual([...rules].sort());
      expect(new Set(stored.map(({ position }) => position)).size).toBe(rules.length);
      const matches = await tx.find("brand_domain_matches", "feed");
      expect(
        matches
          .filter((m) => m.dismissed)
          .map((m) => m.domain)
          .sort(),
      ).toEqual(["a-paypal.test", "b-paypal.test"]);
      expect(new Set(matches.map((m) => m.match_id)).size).toBe(feed.length + 2);
      expect(new Set((await tx.find("brand_domains", "feed")).map((d) => d.domain_id)).size).toBe(
        feed.length + 2,
      );
      expect(await tx.count("images", "same", [{ field: "draft", op: "eq", value: true }])).toBe(0);
      expect(await tx.count("images", "full")).toBe(imageQuota);
    });
    const blobs: string[] = [];
    for await (const key of store.blobs.keys()) blobs.push(key);
    expect(blobs).toHaveLength(uploads.length + 2 + imageQuota);
    await edge.close();
  });
});
