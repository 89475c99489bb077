/** Hostile requests to every endpoint: always a response, never an internal error, never a partial change. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Profile } from "../../src/core/profiles.ts";
import { createEdge, type Edge } from "../../src/edge.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { collectionNames } from "../../src/store/collections.ts";
import { clientOf, type Json, jsonOf } from "../support/client.ts";
import { anyJson, damaged, nastyText } from "../support/hostile.ts";
import { validating } from "../support/interface.ts";
import { configBody, ruleBody, type TestKeys, testKeys } from "../support/keys.ts";
import { runs } from "../support/runs.ts";

let keys: TestKeys;
beforeAll(async () => {
  keys = await testKeys();
});

const scopes = ["z1", "a1", "world", "images"];

/** Everything that is stored in the scopes that the requests name. */
async function stateOf(edge: Edge): Promise<string> {
  return edge.store.read(async (tx) => {
    const parts: unknown[] = [];
    for (const name of collectionNames) for (const scope of scopes) parts.push(await tx.find(name, scope));
    return JSON.stringify(parts);
  });
}

interface Setting {
  readonly edge: Edge;
  readonly ids: Readonly<Record<string, string>>;
}

async function setUp(profile: Profile = "spec"): Promise<Setting> {
  const edge = createEdge({ profile, ingest: true, limits: { bodyBytes: 65_536 } });
  const client = clientOf(edge, "/zones/z1/token_validation");
  const config: Json = (await client.ok("POST", "/config", configBody([keys.es256]))).result;
  const rule: Json = (await client.ok("POST", "/rules", ruleBody(`is_jwt_valid("${config.id}")`))).result;
  // The first request of an account creates its default records.
  await clientOf(edge, "/accounts/a1/images").ok("GET", "/v1/keys");
  const images = { image_id: "x", variant_id: "public", signing_key_name: "default" };
  const app_id = "0".repeat(32);
  const ids = { zone_id: "z1", account_id: "a1", config_id: config.id, rule_id: rule.id, app_id, ...images };
  return { edge, ids };
}

function pathOf(template: string, ids: Readonly<Record<string, string>>): string {
  return template
    .replace("{intel}", "intel")
    .replace("{app_service}", "app_service")
    .replaceAll(/\{(\w+)\+?\}/g, (_all, name: string) => encodeURIComponent(ids[name] ?? "1"));
}

/** Asserts the guarantees of every response. */
async function check(response: Response, edge: Edge, before: string): Promise<void> {
  expect(response.status).toBeLessThan(500);
  expect([408, 409, 429]).not.toContain(response.status);
  if (response.status < 300) return;
  if (response.status === 304) return;
  const body = await jsonOf(response);
  expect(body).toMatchObject({ success: false, result: null, messages: [] });
  expect(body.errors[0]).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  expect(await stateOf(edge)).toBe(before);
}

const rows = endpoints.filter((e) => e.permission !== undefined);

const query = fc.array(
  fc.tuple(
    fc.oneof(
      nastyText,
      fc.constantFrom("page", "per_page", "id", "enabled", "host", "limit", "offset", "order"),
    ),
    nastyText,
  ),
  {
    maxLength: 4,
  },
);

describe("any request", () => {
  test.each(rows.map((row) => [row.id, row] as const))("%s", async (_id, row) => {
    const { edge, ids } = await setUp();
    await fc.assert(
      fc.asyncProperty(query, fc.option(anyJson), nastyText, fc.boolean(), async (pairs, body, text, raw) => {
        const before = await stateOf(edge);
        const url = new URL(`https://edge.test/client/v4${pathOf(row.path, ids)}`);
        for (const [name, value] of pairs) url.searchParams.append(name.toWellFormed(), value.toWellFormed());
        const sent = raw ? text : JSON.stringify(body);
        const init = {
          method: row.method,
          headers: { authorization: "Bearer t", "content-type": "application/json" },
        };
        const withBody =
          row.method === "GET" || sent === undefined ? init : { ...init, body: sent.toWellFormed() };
        await check(await validating(edge.fetch)(new Request(url, withBody)), edge, before);
      }),
      { numRuns: runs(25) },
    );
  });

  test("any path", async () => {
    const { edge } = await setUp();
    const segment = fc.oneof(
      nastyText,
      fc.constantFrom("zones", "accounts", "z1", "token_validation", "config", "rules", "bulk"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 6 }), fc.boolean(), async (segments, encode) => {
        const path = segments.map((s) => (encode ? encodeURIComponent(s.toWellFormed()) : s)).join("/");
        const request = new Request(`https://edge.test/client/v4/${path}`, {
          headers: { authorization: "Bearer t" },
        });
        await check(await validating(edge.fetch)(request), edge, await stateOf(edge));
      }),
      { numRuns: runs(200) },
    );
  });
});

const deep = 20_000;

/** Bodies that are not JSON or too large, and the expected status. */
const impossible: readonly (readonly [what: string, body: string | Uint8Array, status: number])[] = [
  ["arrays without end", "[".repeat(deep), 400],
  ["arrays of 20,000 levels", "[".repeat(deep) + "]".repeat(deep), 400],
  ["objects of 20,000 levels", `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`, 413],
  ["an end that is missing", '{"title":"a"', 400],
  ["a word", "nope", 400],
  ["nothing", "", 400],
  ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), 400],
  ["too many bytes", `"${"a".repeat(65_537)}"`, 413],
];

describe("a body that is not JSON is rejected, and changes nothing", () => {
  const takers = rows.filter((row) => row.request);
  test.each(takers.map((row) => [row.id, row] as const))("%s", async (_id, row) => {
    const { edge, ids } = await setUp();
    const before = await stateOf(edge);
    const url = `https://edge.test/client/v4${pathOf(row.path, ids)}`;
    const send = (body: string | Uint8Array, type: string) => {
      const headers = { authorization: "Bearer t", "content-type": type };
      const init = { method: row.method, headers, body: body as string };
      return validating(edge.fetch)(new Request(url, init));
    };
    for (const [what, body, status] of impossible) {
      const response = await send(body, "application/json");
      // A body with a picture in it may be larger than others.
      expect(response.status, what).toBe(row.id === "brand.logos.queries.create" ? 400 : status);
      await check(response, edge, before);
    }
    for (const type of ["text/plain", "multipart/form-data; boundary=a", "application/x-json", "json", ";"]) {
      const response = await send("{}", type);
      expect(response.status, type).toBe(400);
      await check(response, edge, before);
    }
  });
});

describe("a form that is cut off anywhere is rejected", () => {
  const takers = endpoints.filter((row) => row.form && row.permission);
  test.each(takers.map((row) => [row.id, row] as const))("%s", async (_id, row) => {
    const { edge, ids } = await setUp();
    const before = await stateOf(edge);
    const file = 'Content-Disposition: form-data; name="file"; filename="a.png"';
    const field = 'Content-Disposition: form-data; name="creator"';
    const whole = `--b\r\n${field}\r\n\r\nme\r\n--b\r\n${file}\r\n\r\nnot a picture\r\n--b--`;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
        const headers = { authorization: "Bearer t", "content-type": "multipart/form-data; boundary=b" };
        const init = { method: row.method, headers, body: whole.slice(0, length) };
        const request = new Request(`https://edge.test/client/v4${pathOf(row.path, ids)}`, init);
        const response = await validating(edge.fetch)(request);
        expect(response.status).toBe(400);
        await check(response, edge, before);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe("a valid body with one damaged value", () => {
  test.each([
    ["POST", "/config", () => configBody([keys.es256, keys.rs256])],
    ["PATCH", "/config/{config_id}", () => ({ title: "t", token_sources: ['http.request.headers["a"][0]'] })],
    ["PUT", "/config/{config_id}/credentials", () => ({ keys: [keys.es384.jwk, keys.ps256.jwk] })],
    ["POST", "/rules", () => ruleBody('http.host eq "a"')],
    ["POST", "/rules/bulk", () => [ruleBody('http.host eq "a"'), ruleBody('http.host eq "b"')]],
    ["PATCH", "/rules/{rule_id}", () => ({ ...ruleBody('http.host eq "a"'), position: { index: 1 } })],
    [
      "PATCH",
      "/rules/bulk",
      (id: string) => [
        { id, enabled: false },
        { id, position: { index: 1 } },
      ],
    ],
  ] as const)("%s %s", async (method, path, valid) => {
    for (const profile of ["spec", "provider"] as const) {
      const { edge, ids } = await setUp(profile);
      const client = clientOf(edge, "/zones/z1/token_validation");
      await fc.assert(
        fc.asyncProperty(damaged(valid(ids["rule_id"]!)), async (body) => {
          const before = await stateOf(edge);
          await check(await client(method, pathOf(path, ids), body ?? null), edge, before);
        }),
        { numRuns: runs(60) },
      );
    }
  });
});
