/** Token configurations over HTTP: shapes of `spec`, decisions of the tokens page. */
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { seededIds } from "../../../src/service/ids.ts";
import { mintKey } from "../../../src/testing/tokens/mint.ts";
import { type Client, clientOf, type Json, jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { configBody, ruleBody, type TestKeys, testKeys } from "../../support/keys.ts";

let keys: TestKeys;
beforeAll(async () => {
  keys = await testKeys();
});

const instant = 1_699_461_917_236.841;

function zoneClient(options: EdgeOptions = {}): Client {
  const edge = createEdge({ clock: () => instant, ids: seededIds("t"), ...options });
  return clientOf(edge, "/zones/z1/token_validation");
}

async function createConfig(client: Client, change: object = {}): Promise<Json> {
  return (await client.ok("POST", "/config", configBody([keys.rs256, keys.es256], change))).result;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const absent = "00000000-0000-4000-8000-000000000000";

describe("create and read", () => {
  test("the response is the envelope with the whole configuration", async () => {
    const client = zoneClient();
    const body = await client.ok("POST", "/config", configBody([keys.rs256]));
    expect(Object.keys(body)).toEqual(["result", "success", "errors", "messages"]);
    expect(body).toMatchObject({ success: true, errors: [], messages: [] });
    expect(body.result).toEqual({
      id: expect.stringMatching(uuid),
      created_at: "2023-11-08T16:45:17.236841Z",
      last_updated: "2023-11-08T16:45:17.236841Z",
      title: "IdP",
      description: "the identity provider",
      token_type: "JWT",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [keys.rs256.jwk] },
    });
    expect((await client.ok("GET", `/config/${body.result.id}`)).result).toEqual(body.result);
    expect((await client.ok("GET", `/config/${body.result.id.toUpperCase()}`)).result).toEqual(body.result);
  });

  test("token_type is accepted in any letter case and stored as JWT", async () => {
    expect((await createConfig(zoneClient(), { token_type: "jwt" })).token_type).toBe("JWT");
  });

  test("private members of a key are neither stored nor returned", async () => {
    const client = zoneClient();
    const secret = { ...keys.rs256.jwk, d: "c2VjcmV0", p: "eA", use: "sig" };
    const { result } = await client.ok(
      "POST",
      "/config",
      configBody([], { credentials: { keys: [secret] } }),
    );
    expect(result.credentials.keys).toEqual([keys.rs256.jwk]);
    expect(JSON.stringify(await client.ok("GET", "/config"))).not.toContain("c2VjcmV0");
  });

  test("members of responses and unknown members are ignored with a note", async () => {
    const { result, messages } = await zoneClient().ok(
      "POST",
      "/config",
      configBody([keys.rs256], { id: absent, colour: "red" }),
    );
    expect(result.id).not.toBe(absent);
    expect(result).not.toHaveProperty("colour");
    expect(messages.map((m: Json) => m.source.pointer)).toEqual(["/id", "/colour"]);
  });

  test("requests with a fixed clock and id source have byte-identical responses", async () => {
    const run = async () => {
      const client = zoneClient();
      const texts: string[] = [];
      for (const [method, path, body] of [
        ["POST", "/config", configBody([keys.rs256])],
        ["GET", "/config", undefined],
        ["GET", "/nothing", undefined],
      ] as const) {
        const response = await client(method, path, body);
        texts.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`);
      }
      return texts.join("\n");
    };
    expect(await run()).toBe(await run());
  });
});

describe("invalid input is rejected with a pointer and changes nothing", () => {
  const key = (change: object) => ({ credentials: { keys: [{ ...keys.es256.jwk, ...change }] } });
  const cases: readonly [string, () => object, string][] = [
    ["no title", () => ({ title: undefined }), "/title"],
    ["a title that is not a string", () => ({ title: 5 }), "/title"],
    ["no credentials", () => ({ credentials: undefined }), "/credentials"],
    ["keys that are not an array", () => ({ credentials: { keys: {} } }), "/credentials/keys"],
    ["no key", () => ({ credentials: { keys: [] } }), "/credentials/keys"],
    ["another token type", () => ({ token_type: "PASETO" }), "/token_type"],
    ["an invalid source", () => ({ token_sources: ["http.request.body"] }), "/token_sources/0"],
    ["a point off its curve", () => key({ x: keys.es384.jwk.kid, y: "AA" }), "/credentials/keys/0/x"],
    ["an algorithm that is not one of the eight", () => key({ alg: "HS256" }), "/credentials/keys/0/alg"],
    [
      "the same key twice",
      () => ({ credentials: { keys: [keys.es256.jwk, keys.es256.jwk] } }),
      "/credentials/keys/1",
    ],
  ];

  test.each(cases)("%s", async (_name, change, pointer) => {
    const client = zoneClient();
    const response = await client("POST", "/config", configBody([keys.rs256], change()));
    await expectFailure(response, { status: 400, code: 10400 });
    const body = await jsonOf(await client("POST", "/config", configBody([keys.rs256], change())));
    expect(body.errors[0].source.pointer).toMatch(new RegExp(`^${pointer}`));
    expect((await client.ok("GET", "/config")).result).toEqual([]);
  });

  test("all problems are reported", async () => {
    const response = await zoneClient()("POST", "/config", { title: 1, description: 2 });
    const { errors } = await jsonOf(response);
    expect(errors.map((e: Json) => e.source.pointer)).toEqual(
      expect.arrayContaining(["/title", "/description", "/token_type", "/token_sources", "/credentials"]),
    );
  });
});

describe("edit", () => {
  test("PATCH changes the given members and responds with four members", async () => {
    let now = instant;
    const client = zoneClient({ clock: () => now });
    const { id } = await createConfig(client);
    now += 1_000;
    const { result } = await client.ok("PATCH", `/config/${id}`, { title: "New" });
    expect(result).toEqual({
      id,
      title: "New",
      description: "the identity provider",
      token_sources: ['http.request.headers["authorization"][0]'],
    });
    const stored = (await client.ok("GET", `/config/${id}`)).result;
    expect(stored).toMatchObject({
      title: "New",
      created_at: "2023-11-08T16:45:17.236841Z",
      last_updated: "2023-11-08T16:45:18.236841Z",
      credentials: { keys: [keys.rs256.jwk, keys.es256.jwk] },
    });
  });

  test("credentials and the type of tokens in an edit are ignored with a note that says what changes them", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const edit = { credentials: { keys: [] }, token_type: "JWT", other: 1 };
    const { messages } = await client.ok("PATCH", `/config/${id}`, edit);
    expect(messages.map((m: Json) => [m.code, m.source.pointer, m.message])).toEqual([
      [
        10401,
        "/credentials",
        "`credentials` is not changed here and was ignored; PUT or PATCH of `credentials` below this path changes it.",
      ],
      [10401, "/token_type", "`token_type` cannot be changed and was ignored; it is always `JWT`."],
      [10401, "/other", "`other` is not a known member and was ignored."],
    ]);
    expect((await client.ok("GET", `/config/${id}`)).result.credentials.keys).toHaveLength(2);
  });

  test("PUT replaces all credentials, and the response has no usual envelope", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const body = await client.ok("PUT", `/config/${id}/credentials`, { keys: [keys.es384.jwk] });
    expect(Object.keys(body)).toEqual(["errors", "keys", "messages", "success"]);
    expect(body).toEqual({ errors: [], keys: [keys.es384.jwk], messages: [], success: true });
    expect((await client.ok("GET", `/config/${id}`)).result.credentials).toEqual({ keys: [keys.es384.jwk] });
  });

  test("with envelopes everywhere the keys are in a result", async () => {
    const client = zoneClient({ envelopes: "everywhere" });
    const { id } = await createConfig(client);
    const body = await client.ok("PUT", `/config/${id}/credentials`, { keys: [keys.es384.jwk] });
    expect(body.result).toEqual({ keys: [keys.es384.jwk] });
  });

  test("invalid credentials change nothing", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const response = await client("PUT", `/config/${id}/credentials`, {
      keys: [keys.es384.jwk, { kty: "oct" }],
    });
    await expectFailure(response, { status: 400, code: 10400 });
    expect((await client.ok("GET", `/config/${id}`)).result.credentials.keys).toHaveLength(2);
  });
});

describe("PATCH of credentials", () => {
  const path = (id: string) => `/config/${id}/credentials`;

  test("a key with the kid and alg of a stored one replaces its members, and members left out are kept", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const other = await mintKey("ES256");
    const { crv, kty, ...named } = { ...other.jwk, kid: keys.es256.jwk.kid } as Record<string, unknown>;
    const body = await client.ok("PATCH", path(id), { keys: [named, keys.rs256.jwk] });
    expect(Object.keys(body)).toEqual(["errors", "keys", "messages", "success"]);
    const changed = { ...other.jwk, kid: keys.es256.jwk.kid };
    expect(body).toEqual({ errors: [], keys: [changed, keys.rs256.jwk], messages: [], success: true });
    expect((await client.ok("GET", `/config/${id}`)).result.credentials).toEqual({ keys: body.keys });
  });

  test("a kid with another alg is another key", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const same = { ...keys.es384.jwk, kid: keys.es256.jwk.kid };
    const { keys: stored } = await client.ok("PATCH", path(id), {
      keys: [same, keys.es256.jwk, keys.rs256.jwk],
    });
    expect(stored).toEqual([same, keys.es256.jwk, keys.rs256.jwk]);
  });

  test("keys that the body does not name are removed, and named in a message", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const body = await client.ok("PATCH", path(id), { keys: [keys.es384.jwk] });
    expect(body.keys).toEqual([keys.es384.jwk]);
    const message =
      "`keys` is the whole set: the stored keys `rs256` (RS256), `es256` (ES256) were removed, because the body does not name them.";
    expect(body.messages).toEqual([{ code: 10402, message, source: { pointer: "/keys" } }]);
  });

  test("a pair of kid and alg that is in the body twice, too many keys, and invalid keys change nothing", async () => {
    const client = zoneClient({ limits: { keysPerConfig: 2 } });
    const { id } = await createConfig(client);
    const { kid, alg } = keys.es256.jwk;
    const rejected = [
      [
        { kid, alg },
        { kid, alg },
      ],
      [keys.es384.jwk, keys.es256.jwk, keys.rs256.jwk],
      [],
      [{ kid, alg, kty: "OKP" }],
      [{ kid, alg, x: null }],
      [null],
    ];
    for (const sent of rejected)
      await expectFailure(await client("PATCH", path(id), { keys: sent }), { status: 400, code: 10400 });
    expect((await client.ok("GET", `/config/${id}`)).result.credentials.keys).toHaveLength(2);
    await expectFailure(await client("PATCH", path(absent), { keys: [keys.es256.jwk] }), {
      status: 404,
      code: 10404,
    });
  });

  test("a stored key that becomes invalid is rejected with both profiles, and a new one is dropped with provider", async () => {
    const client = zoneClient({ profile: "provider" });
    const { id } = await createConfig(client);
    const { kid, alg } = keys.es256.jwk;
    await expectFailure(await client("PATCH", path(id), { keys: [{ kid, alg, y: null }, keys.rs256.jwk] }), {
      status: 400,
      code: 10400,
      pointer: "/keys/0",
      message: /a stored key is not dropped/,
    });
    const body = await client.ok("PATCH", path(id), {
      keys: [{ kty: "OKP", kid: "o" }, keys.rs256.jwk, keys.es256.jwk],
    });
    expect(body.messages.map((m: Json) => m.code)).toEqual([110003]);
  });

  test("a key without alg is the stored one that the provider's default names", async () => {
    const client = zoneClient({ profile: "provider", envelopes: "everywhere" });
    const { id } = await createConfig(client);
    const { kid, kty, e } = keys.rs256.jwk as unknown as Record<string, string>;
    const body = await client.ok("PATCH", path(id), { keys: [{ kid, kty, e }, keys.es256.jwk] });
    expect([body.result.keys[0], body.messages]).toEqual([keys.rs256.jwk, []]);
  });

  test("law: a PATCH with the stored keys, whole or by their names alone, changes nothing", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const before = (await client.ok("GET", `/config/${id}`)).result.credentials.keys;
    for (const sent of [before, before.map(({ kid, alg }: Json) => ({ kid, alg }))])
      expect((await client.ok("PATCH", path(id), { keys: sent })).keys).toEqual(before);
  });
});

describe("delete", () => {
  test("DELETE removes the configuration and responds with its id", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    expect((await client.ok("DELETE", `/config/${id}`)).result).toEqual({ id });
    await expectFailure(await client("GET", `/config/${id}`), { status: 404, code: 10404 });
  });

  test("DELETE rejects a configuration that a rule uses", async () => {
    const client = zoneClient();
    const { id } = await createConfig(client);
    const rule = (await client.ok("POST", "/rules", ruleBody(`is_jwt_present("${id}")`))).result;
    const response = await client("DELETE", `/config/${id}`);
    await expectFailure(response, { status: 400, code: 10400, message: new RegExp(rule.id) });
    await client.ok("DELETE", `/rules/${rule.id}`);
    await client.ok("DELETE", `/config/${id}`);
  });

  test.each(["GET", "PATCH", "DELETE"])(
    "%s responds with 404 for an unknown id, and with 400 for an id that is not a UUID",
    async (method) => {
      const client = zoneClient();
      const body = method === "PATCH" ? {} : undefined;
      await expectFailure(await client(method, `/config/${absent}`, body), { status: 404, code: 10404 });
      await expectFailure(await client(method, "/config/one", body), { status: 400, code: 10400 });
    },
  );
});

describe("list", () => {
  test("all pages together are the whole list, in order of creation", async () => {
    const client = zoneClient();
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push((await createConfig(client, { title: `c${i}` })).id);
    const listed: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const { result, result_info } = await client.ok("GET", `/config?page=${page}&per_page=3`);
      listed.push(...result.map((c: Json) => c.id));
      expect(result_info).toEqual({
        page,
        per_page: 3,
        count: result.length,
        total_count: 7,
        total_pages: 3,
      });
    }
    expect(listed).toEqual(ids);
  });

  test("a page has 20 configurations by default and at most 50, and the response has the size", async () => {
    const client = zoneClient();
    expect((await client.ok("GET", "/config")).result_info.per_page).toBe(20);
    expect((await client.ok("GET", "/config?per_page=1000")).result_info.per_page).toBe(50);
  });

  test.each(["page=0", "page=-1", "page=1.5", "page=x", "page=", "per_page=0", "per_page=1e3"])(
    "%s is rejected",
    async (query) => {
      await expectFailure(await zoneClient()("GET", `/config?${query}`), { status: 400, code: 10400 });
    },
  );

  test("zones are isolated from each other", async () => {
    const edge = createEdge();
    const client = clientOf(edge, "/zones/z1/token_validation");
    const other = clientOf(edge, "/zones/z2/token_validation");
    const { id } = await createConfig(client);
    expect((await other.ok("GET", "/config")).result).toEqual([]);
    await expectFailure(await other("GET", `/config/${id}`), { status: 404, code: 10404 });
    await expectFailure(await other("DELETE", `/config/${id}`), { status: 404, code: 10404 });
    await expectFailure(await other("POST", "/rules", ruleBody(`is_jwt_valid("${id}")`)), {
      status: 400,
      code: 10400,
    });
  });
});

describe("the rows of the profile table", () => {
  test("configs in a zone: 1,000, or 32", async () => {
    const spec = zoneClient();
    const provider = zoneClient({ profile: "provider" });
    for (let i = 0; i < 32; i++) await Promise.all([createConfig(spec), createConfig(provider)]);
    await createConfig(spec);
    await expectFailure(await provider("POST", "/config", configBody([keys.rs256])), {
      status: 400,
      code: 10400,
    });
  });

  test("keys in a configuration: 64, or 16, or those of the option", async () => {
    const named = (count: number) =>
      configBody([], {
        credentials: { keys: Array.from({ length: count }, (_, i) => ({ ...keys.es256.jwk, kid: `k${i}` })) },
      });
    const counts = async (options: EdgeOptions, max: number) => {
      const client = zoneClient(options);
      await client.ok("POST", "/config", named(max));
      await expectFailure(await client("POST", "/config", named(max + 1)), {
        status: 400,
        code: 10400,
        pointer: "/credentials/keys",
      });
    };
    await counts({}, 64);
    await counts({ profile: "provider" }, 16);
    await counts({ profile: "provider", limits: { keysPerConfig: 17 } }, 17);
  });

  test("configs in a zone: an option of its own, exact at the limit", async () => {
    const client = zoneClient({ configsPerZone: 2 });
    await createConfig(client);
    await createConfig(client);
    await expectFailure(await client("POST", "/config", configBody([keys.rs256])), {
      status: 400,
      code: 10400,
      message: /at most 2/,
    });
  });

  test("keys that are not exactly one of the three formats: rejected, or adjusted with a message each", async () => {
    const { alg, ...withoutAlg } = keys.rs256.jwk;
    const odd = { credentials: { keys: [withoutAlg, { kty: "oct", kid: "o", k: "AA" }] } };
    await expectFailure(await zoneClient()("POST", "/config", configBody([], odd)), {
      status: 400,
      code: 10400,
    });
    const body = await zoneClient({ profile: "provider" }).ok("POST", "/config", configBody([], odd));
    expect(body.result.credentials.keys).toEqual([{ ...withoutAlg, alg: "RS256" }]);
    expect(body.messages.map((m: Json) => m.code)).toEqual([110003, 110003]);
    expect(body.messages[0].message).toBe('keys[0].alg was omitted and defaulted to "RS256" (kid "rs256")');
  });

  test("header names in token sources: any case, or lower case only", async () => {
    const upper = { token_sources: ['http.request.headers["Authorization"][0]'] };
    expect((await createConfig(zoneClient(), upper)).token_sources).toEqual(upper.token_sources);
    const response = await zoneClient({ profile: "provider" })(
      "POST",
      "/config",
      configBody([keys.rs256], upper),
    );
    await expectFailure(response, { status: 400, code: 10400, pointer: "/token_sources/0" });
  });

  test.each([
    ["an empty title", { title: "" }, "/title"],
    ["a title of 51 characters", { title: "x".repeat(51) }, "/title"],
    ["a description of 501 characters", { description: "x".repeat(501) }, "/description"],
    ["no token source", { token_sources: [] }, "/token_sources"],
    [
      "five token sources",
      { token_sources: Array(5).fill('http.request.headers["a"][0]') },
      "/token_sources",
    ],
  ])(
    "%s, which only the provider rejects, is accepted with a message or rejected",
    async (_name, change, pointer) => {
      const body = await zoneClient().ok("POST", "/config", configBody([keys.rs256], change));
      expect(body.messages).toEqual([
        { code: 10402, message: expect.stringMatching(/^The provider rejects this: /), source: { pointer } },
      ]);
      const response = await zoneClient({ profile: "provider" })(
        "POST",
        "/config",
        configBody([keys.rs256], change),
      );
      await expectFailure(response, { status: 400, code: 10400, pointer });
    },
  );

  test("strings at the provider's limits are accepted", async () => {
    const bounds = { title: "😀".repeat(50), description: "x".repeat(500) };
    expect((await createConfig(zoneClient({ profile: "provider" }), bounds)).title).toBe(bounds.title);
  });
});
