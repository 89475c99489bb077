/** Every write of the interface names the queue of what it changes, so that stores need not run it again. */

import { mintKey } from "edgeproof/testing/tokens";
import { expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import { drawings, paint, png as pngOf } from "../engine/logo/drawings.ts";
import { clientOf, jsonOf } from "../support/client.ts";
import { countWrites } from "../support/counting-store.ts";
import { imageSetting, png } from "../support/images.ts";

test("images, drafts, keys and variants of an account have one queue", async () => {
  const { store, queues } = countWrites(createMemoryStore());
  const { client, upload, post, at } = imageSetting({ store });
  const { id } = await upload();
  await client.ok("PATCH", `/v1/${id}`, { metadata: { a: 1 } });
  await client.ok("DELETE", `/v1/${id}`);
  const draft = await jsonOf(await post("/v2/direct_upload", {}));
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(await png())]), "a.png");
  expect((await at(draft.result.uploadURL, { method: "POST", body: form })).status).toBe(200);
  await client.ok("PUT", "/v1/keys/second");
  await client.ok("DELETE", "/v1/keys/second");
  const options = { fit: "cover", metadata: "none", width: 10, height: 10 };
  await client.ok("POST", "/v1/variants", { id: "small", options });
  await client.ok("PATCH", "/v1/variants/small", { options: { ...options, width: 20 } });
  await client.ok("DELETE", "/v1/variants/small");
  expect(queues.length).toBeGreaterThanOrEqual(11);
  expect(new Set(queues)).toEqual(new Set(["a1 images"]));
});

test("each part of brand protection of an account has a queue", async () => {
  const { store, queues } = countWrites(createMemoryStore());
  const edge = createEdge({ store });
  const client = clientOf(edge, "/accounts/a1/intel/v2/brand-protection");
  const body = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] };
  await client.ok("POST", "/domain/queries", body);
  await edge.brand.observe("a1", ["paypa1.example", "paypal.example"]);
  const { matches } = await client.ok("GET", "/domain/matches?query_id=1&include_domain_id=true");
  await client.ok("PATCH", `/domain/queries/1`, { tag: "other" });
  await client.ok("POST", `/queries/1/matches/${matches[0].domain_id}/dismiss`);
  await client.ok("DELETE", "/domain/queries/1");
  expect(new Set(queues)).toEqual(new Set(["a1 brand domains"]));
  queues.length = 0;
  const logo = await pngOf(paint(drawings["stairs"]!, { side: 64 }));
  const image_data = logo.toString("base64");
  await client.ok("POST", "/logo/queries", { tag: "t", similarity_threshold: 1, image_data });
  await edge.brand.observeImages("a1", [{ image: logo, domain: "a.example" }]);
  await client.ok("DELETE", "/logo/queries/1");
  expect(queues).toHaveLength(3);
  expect(new Set(queues)).toEqual(new Set(["a1 brand logos"]));
});

test("settings and rulesets of a zone have its queue", async () => {
  const { store, queues } = countWrites(createMemoryStore());
  const client = clientOf(createEdge({ store }), "/zones/z1");
  await client.ok("PATCH", "/settings/transformations", { value: "on" });
  const { id } = (
    await client.ok("PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint", { rules: [] })
  ).result;
  const { rules } = (await client.ok("POST", `/rulesets/${id}/rules`, { action: "log", expression: "ssl" }))
    .result;
  await client.ok("PATCH", `/rulesets/${id}/rules/${rules[0].id}`, { enabled: false });
  await client.ok("DELETE", `/rulesets/${id}/rules/${rules[0].id}`);
  await client.ok("PUT", `/rulesets/${id}`, { rules: [] });
  expect((await client("DELETE", `/rulesets/${id}`)).status).toBe(204);
  await client.ok("POST", "/rulesets", { name: "n", kind: "custom", phase: "http_ratelimit" });
  expect(queues).toEqual(Array(8).fill("z1"));
});

test("configurations, rules and applications of a zone have one queue", async () => {
  const { store, queues } = countWrites(createMemoryStore());
  const client = clientOf(createEdge({ store }), "/zones/z1");
  const key = await mintKey("ES256");
  const { result } = await client.ok("POST", "/token_validation/config", {
    title: "IdP",
    description: "",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [key.jwk] },
  });
  const config = `/token_validation/config/${result.id}`;
  await client.ok("PATCH", config, { title: "Other" });
  await client.ok("PUT", `${config}/credentials`, { keys: [key.jwk] });
  const expression = `is_jwt_valid("${result.id}")`;
  const rule = { title: "r", description: "", action: "log", enabled: true, expression, selector: {} };
  const created = await client.ok("POST", "/token_validation/rules", rule);
  await client.ok("POST", "/token_validation/rules/bulk", [rule]);
  await client.ok("PATCH", `/token_validation/rules/${created.result.id}`, { title: "s" });
  await client.ok("DELETE", `/token_validation/rules/${created.result.id}`);
  const app = {
    protocol: "tcp/22",
    dns: { type: "CNAME", name: "ssh.example.com" },
    origin_direct: ["tcp://192.0.2.1:22"],
  };
  const { id } = (await client.ok("POST", "/app_service/apps", app)).result;
  await client.ok("PUT", `/app_service/apps/${id}`, app);
  await client.ok("DELETE", `/app_service/apps/${id}`);
  expect(queues).toHaveLength(10);
  expect(new Set(queues)).toEqual(new Set(["z1"]));
});
