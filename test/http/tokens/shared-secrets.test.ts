/** Shared secrets over HTTP: accepted with the profile provider, used by evaluations, and in no answer or record. */
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import type { HmacAlgorithm } from "../../../src/engine/tokens/model.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { mintToken } from "../../../src/testing/tokens/mint.ts";
import { readPrivateKey } from "../../../src/testing/tokens/private-keys.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { configBody, ruleBody, testKeys } from "../../support/keys.ts";
import { leaksIn, markedKey, markedSecret } from "../../support/marked-secret.ts";

const key = markedKey();
const { k: _, ...shown } = key;
const body = (...keys: readonly object[]) => configBody([], { credentials: { keys } });

interface Setting {
  readonly edge: Edge;
  readonly client: Client;
  /** Everything that the edge reported. */
  readonly records: string[];
}

function provider(options: EdgeOptions = {}): Setting {
  const records: string[] = [];
  const record = (value: unknown) =>
    records.push(value instanceof Error ? `${value.stack}` : JSON.stringify(value));
  const edge = createEdge({
    profile: "provider",
    wireNames: "spec",
    onNote: record,
    onError: record,
    onAnswer: record,
    onVerdict: record,
    world: { zones: [{ id: "z1", name: "example.com" }] },
    ...options,
  });
  return { edge, client: clientOf(edge, "/zones/z1/token_validation"), records };
}

test("no answer to a create, a read, a list, an edit and a replacement has the secret; evaluations use it", async () => {
  const { edge, client, records } = provider();
  const created = await client.ok("POST", "/config", body(key));
  const { id } = created.result;
  const answers = [
    created,
    await client.ok("GET", `/config/${id}`),
    await client.ok("GET", "/config"),
    await client.ok("PATCH", `/config/${id}`, { title: "Other" }),
    await client.ok("PUT", `/config/${id}/credentials`, { keys: [(await testKeys()).es256.jwk, key] }),
    await client.ok("PUT", `/config/${id}/credentials`, { keys: [key] }),
  ];
  expect(leaksIn(JSON.stringify(answers))).toEqual([]);
  expect(created.result.credentials.keys).toEqual([shown]);
  expect(answers.at(-1).keys).toEqual([shown]);
  await client.ok("POST", "/rules", ruleBody(`is_jwt_valid("${id}")`));
  const signer = await readPrivateKey(JSON.stringify(key));
  const evaluate = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return edge.tokens.evaluate("z1", { method: "GET", url: "https://api.example.com/", headers });
  };
  const token = await mintToken(signer, { sub: "ada" });
  const verdicts = [await evaluate(token), await evaluate(`${token.slice(0, -2)}AA`), await evaluate(token)];
  expect(verdicts.map(({ action }) => action)).toEqual(["allow", "block", "allow"]);
  const printed = verdicts.map((verdict) => JSON.stringify(verdict) + verdict.explain());
  expect(leaksIn([...printed, ...records].join("\n"))).toEqual([]);
  expect(records.length).toBeGreaterThan(5);
  const configs = await edge.tokens.configs.list("z1");
  expect(leaksIn(JSON.stringify(configs))).toEqual([]);
});

describe("an invalid secret is rejected, and the answer has no part of it", () => {
  const lengths: readonly (readonly [HmacAlgorithm, number])[] = [
    ["HS256", 32],
    ["HS384", 48],
    ["HS512", 64],
  ];
  test.each(lengths)("%s with less than %i bytes", async (alg, bytes) => {
    const { client, records } = provider();
    const { id } = (await client.ok("POST", "/config", body(key))).result;
    const short = randomBytes(bytes - 1).toString("base64url");
    const response = await client("PUT", `/config/${id}/credentials`, { keys: [{ ...key, alg, k: short }] });
    const text = await response.text();
    expect([response.status, JSON.parse(text).errors]).toEqual([
      400,
      [expect.objectContaining({ source: { pointer: "/keys/0/k" } })],
    ]);
    expect(text).not.toContain(short.slice(0, 10));
    // Nothing changed.
    expect((await client.ok("GET", `/config/${id}`)).result.credentials.keys).toEqual([shown]);
    expect(leaksIn(records.join("\n"))).toEqual([]);
  });

  test.each([
    ["padding", { ...key, k: `${markedSecret}=` }],
    ["another type", { ...key, k: [markedSecret] }],
    ["a member more", { ...key, K: markedSecret, alg: "HS999", d: markedSecret }],
    ["the type of a public key", { ...key, kty: "RSA" }],
    ["a missing kid", { ...key, kid: undefined }],
  ])("%s", async (_what, invalid) => {
    const { client, records } = provider();
    for (const text of [JSON.stringify(body(invalid)), `${JSON.stringify(body(key))}x`]) {
      const response = await client("POST", "/config", text);
      expect(response.status).toBe(400);
      expect(leaksIn((await response.text()) + records.join("\n"))).toEqual([]);
    }
  });

  test("with the profile spec every shared secret, and the message names the profile that accepts it", async () => {
    const { client } = provider({ profile: "spec" });
    const response = await client("POST", "/config", body(key));
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringContaining("profile `provider` accepts")]);
    expect(JSON.parse(text).errors[0].source).toEqual({ pointer: "/credentials/keys/0/kty" });
    expect(leaksIn(text)).toEqual([]);
    const accepting = provider({ profile: "spec", sharedSecrets: "accept" });
    expect((await accepting.client.ok("POST", "/config", body(key))).result.credentials.keys).toEqual([
      shown,
    ]);
  });
});

test("a world that differs from the store in a secret only is noted without it", async () => {
  const id = "52973293-cb04-4a97-8f55-e7d2ad1107dd";
  const world = (k: string) => {
    const config = {
      id,
      token_sources: ['http.request.headers["x"][0]'],
      credentials: { keys: [{ ...key, k }] },
    };
    return { zones: [{ id: "z1", name: "example.com", token_validation: { configs: [config] } }] };
  };
  const store = createMemoryStore();
  const first = provider({ store, world: world(markedSecret) });
  await first.client.ok("GET", "/config");
  const next = provider({ store, world: world(Buffer.alloc(64, 5).toString("base64url")) });
  await next.client.ok("GET", "/config");
  expect(next.records.join("\n")).toContain("configuration");
  expect(leaksIn([...first.records, ...next.records].join("\n"))).toEqual([]);
});
