/** Every statement of a request names its scope, so that a server that distributes tables by scope reads one partition. */
import { join } from "node:path";
import Database from "libsql";
import ThreadedDatabase from "libsql/promise";
import { expect, test } from "vitest";
import { createRulesets } from "../../../src/service/tokens/rulesets/stored-rulesets.ts";
import { collectionNames, collections } from "../../../src/store/collections.ts";
import { folderBlobs } from "../../../src/store/sql/blobs/folder.ts";
import type { RunStatement, SqlEngine } from "../../../src/store/sql/engines/engine.ts";
import { createSqliteEngine } from "../../../src/store/sql/engines/sqlite-engine.ts";
import { openSqlStore } from "../../../src/store/sql/sql-store.ts";
import { drawings, paint, png as pngOf } from "../../engine/logo/drawings.ts";
import { clientOf } from "../../support/client.ts";
import { imageSetting } from "../../support/images.ts";
import { configBody, ruleBody, testKeys } from "../../support/keys.ts";
import { temporaryFolder } from "../open.ts";

/** Blobs are read by key, which contains the account. */
const keyed = /"_blobs"/;

/** Records all statements. */
function recording(engine: SqlEngine, statements: Set<string>): SqlEngine {
  const noted =
    (run: RunStatement): RunStatement =>
    (statement) => {
      statements.add(statement.sql);
      return run(statement);
    };
  return {
    ...engine,
    read: (work) => engine.read((run) => work(noted(run))),
    write: (work) => engine.write((run) => work(noted(run))),
  };
}

test("every statement of a request names the scope that it reads or changes", async () => {
  const path = join(await temporaryFolder(), "scoped.db");
  const statements = new Set<string>();
  const engine = await createSqliteEngine(
    { Database, ThreadedDatabase },
    { path, create: true, lockWaitMs: 1000 },
  );
  const store = await openSqlStore(recording(engine, statements), collections, folderBlobs(`${path}.blobs`));
  const { edge, client: images, upload, post, at } = imageSetting({ store, limits: { lookbackAtOnce: 0 } });
  // The first use updates the settings of all accounts.
  await edge.store.read(async () => {});
  statements.clear();

  const tokens = clientOf(edge, "/zones/z1/token_validation");
  const config = (await tokens.ok("POST", "/config", configBody([(await testKeys()).es256]))).result.id;
  const bodies = ["a", "b", "c"].map((title) => ruleBody(`is_jwt_valid("${config}")`, { title }));
  const { result: rules } = await tokens.ok("POST", "/rules/bulk", bodies);
  await tokens.ok("PATCH", `/rules/${rules[0].id}`, { position: { index: 3 } });
  await tokens.ok("GET", "/rules?enabled=true&per_page=2");
  await tokens.ok("DELETE", `/rules/${rules[1].id}`);
  const changed = { description: "", version: "1", last_updated: "2026-01-01T00:00:00Z" };
  const ruleset = { id: "r1", name: "default", phase: "http_request_firewall_custom", rules: [], ...changed };
  await edge.store.write(async (tx) => {
    await createRulesets(tx, "zones", "z1", [{ ...ruleset, kind: "zone" }]);
    await createRulesets(tx, "accounts", "default", [{ ...ruleset, id: "r2", kind: "root" }]);
  });
  await edge.tokens.evaluate("z1", { method: "GET", url: "https://api.example.com/" });

  const settings = clientOf(edge, "/zones/z1/settings");
  await settings.ok("PATCH", "/transformations", { value: "on" });
  await settings.ok("GET", "/transformations");

  const apps = clientOf(edge, "/zones/z1/app_service/apps");
  const app = {
    protocol: "tcp/22",
    dns: { type: "CNAME", name: "ssh.example.com" },
    origin_direct: ["tcp://192.0.2.1:22"],
  };
  const { id } = (await apps.ok("POST", "", app)).result;
  await apps.ok("GET", "?order=dns");
  await apps.ok("DELETE", `/${id}`);

  const brand = clientOf(edge, "/accounts/a1/intel/v2/brand-protection");
  const query = (pattern: string) => ({ tag: pattern, string_matches: [{ pattern, max_edit_distance: 0 }] });
  await brand.ok("POST", "/domain/queries", query("paypal"));
  await edge.brand.observe("a1", ["paypal-1.example", "paypal-2.example", "other.example"]);
  await brand.ok("POST", "/domain/queries", query("pal"));
  const listed = await brand.ok("GET", "/domain/matches?query_id=1&include_domain_id=true");
  await brand.ok("POST", `/queries/1/matches/${listed.matches[0].domain_id}/dismiss`);
  for (const rest of ["1,2", "1&domain_search=2", "1&offset=1&orderBy=domain"])
    await brand.ok("GET", `/domain/matches?query_id=${rest}`);
  await brand.ok("PATCH", "/domain/queries/1", query("paypal-1"));
  await brand.ok("DELETE", "/domain/queries/2");
  const logo = await pngOf(paint(drawings["stairs"]!, { side: 64 }));
  const searched = { image_data: logo.toString("base64"), similarity_threshold: 0.75, tag: "ours" };
  await brand.ok("POST", "/logo/queries", searched);
  await edge.brand.observeImages("a1", [{ image: logo, domain: "a.example" }]);
  await brand.ok("POST", "/logo/queries", { ...searched, tag: "again" });
  await brand.ok("GET", "/logo/matches?query_id=1");
  const lookback = async () => (await brand("GET", "/logo/queries?id=2")).headers.get("edgeproof-lookback");
  await expect.poll(lookback, { timeout: 30_000 }).toBe("done");

  const { variants } = await upload({ id: "x", creator: "ada" });
  expect((await at(variants[0])).status).toBe(200);
  await post("/v2/direct_upload", { id: "d" });
  for (const rest of ["/v1?creator=ada", "/v2?per_page=1", "/v1/stats", "/v1/keys"])
    await images.ok("GET", rest);
  await images.ok("PATCH", "/v1/x", { creator: "eve" });
  await images.ok("DELETE", "/v1/x");
  await edge.close();

  const touched = [...statements].filter((sql) => !keyed.test(sql));
  for (const name of collectionNames.filter((n) => !/facts|operations|api_tokens|segments/.test(n)))
    expect(
      touched.some((sql) => sql.includes(`"${name}"`)),
      name,
    ).toBe(true);
  for (const sql of touched) {
    const names = /^insert/.test(sql) ? /^insert into "\w+" \("scope"/ : /where .*"scope" = \?/;
    expect(sql).toMatch(names);
  }
});
