/** Replacing an entry point over HTTP: all of it or nothing, in every store; the zone is then evaluated by the new rules. */
import { describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();
const phase = "http_request_firewall_custom";
const entry = `/phases/${phase}/entrypoint`;
const world = {
  accounts: [
    { id: "a1", lists: [{ id: "l1", name: "office", kind: "ip" as const, items: ["192.0.2.0/24"] }] },
  ],
  zones: [
    {
      id: "z1",
      account_id: "a1",
      name: "example.com",
      rulesets: [{ id: "extra", kind: "custom" as const, phase, rules: [] }],
    },
  ],
};

function zoneOf(edge: Edge) {
  const client = clientOf(edge, "/zones/z1/rulesets");
  return {
    send: (body: unknown, query = "") => client("PUT", `${entry}${query}`, body),
    put: async (body: unknown, query = ""): Promise<Json> =>
      (await client.ok("PUT", `${entry}${query}`, body)).result,
    get: async (): Promise<Json> => (await client.ok("GET", entry)).result,
    list: async (): Promise<Json> => (await client.ok("GET", "")).result,
    missing: async () => (await client("GET", entry)).status === 404,
  };
}

const admins = { ref: "admins", action: "block", expression: 'http.request.uri.path eq "/admin"' };
const office = { ref: "office", action: "log", expression: "not ip.src in $office" };

describe.each(Object.entries(kinds))("%s", (kind, place) => {
  test.skipIf(isMissing(kind))("a rule keeps its id, and its version while it is equal", async () => {
    let now = Date.UTC(2026, 0, 1);
    const edge = createEdge({ store: await place().open(), world, clock: () => now });
    const zone = zoneOf(edge);
    expect(await zone.missing()).toBe(true);
    const first = await zone.put({ rules: [admins, office] });
    expect(first).toMatchObject({ kind: "zone", phase, name: "default", version: "1" });
    expect(first.rules).toMatchObject([
      { ...admins, version: "1", enabled: true },
      { ...office, version: "1" },
    ]);
    expect(first.id).toMatch(/^[0-9a-f]{32}$/);
    expect(await zone.get()).toEqual(first);
    expect((await zone.list()).map(({ id }: Json) => id)).toEqual(["extra", first.id]);

    now += 1_000;
    const [rule, otherRule] = first.rules;
    const { ref, ...byId } = rule;
    const second = await zone.put({ rules: [office, { ...byId, action: "log" }], description: "Second." });
    expect(second).toMatchObject({ id: first.id, version: "2", description: "Second." });
    expect(second.rules).toEqual([
      otherRule,
      { ...rule, action: "log", version: "2", last_updated: second.last_updated },
    ]);
    expect(second.last_updated).not.toBe(first.last_updated);

    const third = await zone.put({ name: "Ours" });
    expect(third).toEqual({ ...second, name: "Ours", version: "3", last_updated: third.last_updated });
    // A client can send back its last answer: only the version and the time of the ruleset change.
    expect(await zone.put(await zone.get())).toEqual({ ...third, version: "4" });
    expect(await zone.put({ rules: [] })).toMatchObject({ rules: [], version: "5" });
    await edge.close();
  });

  test.skipIf(isMissing(kind))("simultaneous changes are made one after another", async () => {
    const edge = createEdge({ store: await place().open(), world });
    const zone = zoneOf(edge);
    const count = 8;
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) => zone.put({ rules: [{ ...admins, description: `${i}` }] })),
    );
    expect(answers.map(({ version }) => Number(version)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, i) => i + 1),
    );
    expect(new Set(answers.map(({ rules }) => rules[0].id)).size).toBe(1);
    expect(await zone.get()).toEqual(answers.find(({ version }) => version === `${count}`));
    await edge.close();
  });
});

const memory = () => {
  const edge = createEdge({ world, clock: () => 0 });
  return { edge, zone: zoneOf(edge) };
};

describe("dry_run", () => {
  test("checks without a change: the result is null", async () => {
    const { zone } = memory();
    expect(await zone.put({ rules: [admins] }, "?dry_run=true")).toBe(null);
    expect(await zone.missing()).toBe(true);
    await expectFailure(await zone.send({ rules: [{ ...admins, action: "allow" }] }, "?dry_run=true"), {
      status: 400,
      code: 10400,
      pointer: "/rules/0/action",
    });
    expect(await zone.put({ rules: [admins] }, "?dry_run=false")).toMatchObject({ version: "1" });
    expect(await zone.put({ rules: [] }, "?dry_run=true")).toBe(null);
    expect((await zone.get()).rules).toHaveLength(1);
  });

  test.each(["1", "TRUE", "", "yes"])("%j is rejected", async (word) => {
    const { zone } = memory();
    const response = await zone.send({ rules: [] }, `?dry_run=${word}`);
    await expectFailure(response, {
      status: 400,
      code: 10400,
      message: /`dry_run` must be `true` or `false`/,
    });
  });
});

const skip = { action: "skip", expression: "ssl" };
const regex = (i: number) => `http.host matches "a${i}"`;

test.each<[string, unknown, string, number?]>([
  ["no object", [], ""],
  ["rules of another type", { rules: {} }, "/rules"],
  ["a rule of another type", { rules: ["ssl"] }, "/rules/0"],
  ["no expression", { rules: [{ action: "log" }] }, "/rules/0/expression"],
  [
    "an expression with an error",
    { rules: [admins, { ...admins, ref: "b", expression: "ssl or" }] },
    "/rules/1/expression",
  ],
  ["a token test", { rules: [{ ...admins, expression: 'is_jwt_valid("a")' }] }, "/rules/0/expression"],
  [
    "65 regular expressions",
    { rules: [{ ...admins, expression: Array.from({ length: 65 }, (_, i) => regex(i)).join(" or ") }] },
    "/rules/0/expression",
  ],
  [
    "a list of another type",
    { rules: [{ ...admins, expression: "http.host in $office" }] },
    "/rules/0/expression",
  ],
  ["an earlier action", { rules: [{ ...admins, action: "bypass" }] }, "/rules/0/action"],
  ["logging without skip", { rules: [{ ...admins, logging: { enabled: true } }] }, "/rules/0/logging", 20018],
  [
    "a status of a response",
    {
      rules: [
        {
          ...admins,
          action_parameters: { response: { status_code: 500, content: "", content_type: "text/plain" } },
        },
      ],
    },
    "/rules/0/action_parameters/response/status_code",
  ],
  [
    "members of skip that exclude each other",
    { rules: [{ ...skip, action_parameters: { phase: "current", ruleset: "current" } }] },
    "/rules/0/action_parameters/ruleset",
  ],
  [
    "an unknown ruleset",
    { rules: [{ action: "execute", expression: "true", action_parameters: { id: "none" } }] },
    "/rules/0/action_parameters/id",
  ],
  ["an id that it does not have", { rules: [{ ...admins, id: "0".repeat(32) }] }, "/rules/0/id"],
  ["the same ref twice", { rules: [admins, admins] }, "/rules/1/ref"],
  ["another kind", { kind: "custom", rules: [] }, "/kind"],
  ["another phase in the body", { phase: "http_ratelimit", rules: [] }, "/phase"],
])("%s is rejected, and nothing is changed", async (_name, body, pointer, code = 10400) => {
  const { zone } = memory();
  const before = await zone.put({ rules: [admins, office] });
  await expectFailure(await zone.send(body), { status: 400, code, pointer });
  expect(await zone.get()).toEqual(before);
});

test("all problems are reported together", async () => {
  const { zone } = memory();
  const rules = [
    { ...admins, action: "bypass", expression: "ssl and" },
    { ...office, logging: {} },
  ];
  const { errors } = (await (await zone.send({ rules })).json()) as Json;
  expect(errors.map((error: Json) => error.source.pointer)).toEqual([
    "/rules/0/action",
    "/rules/0/expression",
    "/rules/1/logging",
  ]);
});

test("a phase whose expressions are not known cannot be changed, and a change needs the permission to write", async () => {
  const edge = createEdge({
    world: { ...world, api_tokens: [{ token: "r", permissions: ["rulesets:read" as const] }] },
  });
  const client = clientOf(edge, "/zones/z1/rulesets");
  const body = { rules: [] };
  expect((await client("PUT", entry, body, { authorization: "Bearer r" })).status).toBe(403);
  const put = (sent: object) =>
    clientOf(createEdge({ world }), "/zones/z1/rulesets")("PUT", "/phases/ddos_l4/entrypoint", sent);
  const message = /^Only rulesets of/;
  await expectFailure(await put(body), { status: 400, code: 10400, message });
  // The phase of the path has no place in the body.
  expect(((await (await put(body)).json()) as Json).errors[0]).not.toHaveProperty("source");
  const named = { ...body, phase: "ddos_l4" };
  await expectFailure(await put(named), { status: 400, code: 10400, message, pointer: "/phase" });
});

test("the expressions of another phase are checked, and its rules are kept as they were sent", async () => {
  const edge = createEdge({ world });
  const client = clientOf(edge, "/zones/z1/rulesets");
  const path = "/phases/http_ratelimit/entrypoint";
  const limit = (counting_expression: string) => ({
    rules: [
      {
        ...admins,
        ratelimit: { characteristics: ["ip.src", "cf.colo.id"], period: 60, counting_expression },
      },
    ],
  });
  await expectFailure(await client("PUT", path, limit("http.response.code eq")), {
    status: 400,
    code: 10400,
    message: /^At line 1, column 22 of the expression: Expected an integer/,
    pointer: "/rules/0/ratelimit/counting_expression",
  });
  const { result, messages } = (await (
    await client("PUT", path, limit("http.response.code eq 401"))
  ).json()) as Json;
  expect(messages).toMatchObject([
    { message: expect.stringContaining("checked, not evaluated (4 expressions)") },
  ]);
  expect(result.rules).toMatchObject([{ ratelimit: { counting_expression: "http.response.code eq 401" } }]);
  expect((await client.ok("GET", path)).result).toEqual(result);
  const request = { method: "GET", url: "https://example.com/admin", ip: "192.0.2.1" };
  expect((await edge.tokens.evaluate("z1", request)).action).toBe("allow");
});

test("an unknown configuration is a note with the place in the expression", async () => {
  const { zone } = memory();
  const expression = 'lookup_json_string(http.request.jwt.claims["none"][0], "role") eq "a"';
  const { messages } = (await (await zone.send({ rules: [{ ...admins, expression }] })).json()) as Json;
  expect(messages).toMatchObject([{ source: { pointer: "/rules/0/expression" } }]);
});

test("the rules of an account are evaluated in its zones, at once", async () => {
  const { edge, zone } = memory();
  const account = clientOf(edge, "/accounts/a1/rulesets");
  const request = { method: "GET", url: "https://example.com/admin", ip: "192.0.2.1" };
  const actionOf = async () => (await edge.tokens.evaluate("z1", request)).action;
  expect(await actionOf()).toBe("allow");
  const { result } = await account.ok("PUT", entry, { rules: [admins] });
  expect(result.kind).toBe("root");
  expect(await actionOf()).toBe("block");
  await account.ok("PUT", entry, { rules: [{ ...admins, enabled: false }] });
  expect(await actionOf()).toBe("allow");
  await zone.put({ rules: [{ action: "managed_challenge", expression: "ip.src in $office" }] });
  expect(await actionOf()).toBe("challenge");
});

describe("a zone with a known plan", () => {
  const planned = { zones: [{ id: "z1", name: "example.com", plan: "pro" as const }] };
  const pattern = { ref: "p", action: "block", expression: 'http.host matches "^a"' };
  const message = "`matches` needs the plan Business or Enterprise; the zone has Pro.";

  test("in profile provider a rule that the plan does not have is rejected, and nothing changes", async () => {
    const zone = zoneOf(createEdge({ world: planned, profile: "provider" }));
    await expectFailure(await zone.send({ rules: [pattern] }), {
      status: 400,
      code: 10400,
      pointer: "/rules/0/expression",
      message: /^`matches` needs the plan Business or Enterprise; the zone has Pro\.$/,
    });
    expect(await zone.missing()).toBe(true);
    const many = Array.from({ length: 21 }, (_, i) => ({ ref: `${i}`, action: "block", expression: "ssl" }));
    const limit = { status: 400, code: 10400, pointer: "/rules/20" };
    await expectFailure(await zone.send({ rules: many }), limit);
    await zone.put({ rules: many.slice(1) });
  });

  test("in profile spec it is accepted with a message", async () => {
    const zone = zoneOf(createEdge({ world: planned }));
    const body = (await (await zone.send({ rules: [pattern] })).json()) as Json;
    expect(body.messages).toMatchObject([{ message: `The provider rejects this: ${message}` }]);
  });

  test("a world with such a rule is rejected in profile provider only", () => {
    const rulesets = [{ kind: "zone" as const, phase, rules: [pattern] }];
    const worldOf = (plan: "pro" | "business") => ({
      zones: [{ id: "z1", name: "example.com", plan, rulesets }],
    });
    const create = (plan: "pro" | "business", profile: "spec" | "provider") => () =>
      createEdge({ world: worldOf(plan) as never, profile });
    expect(create("pro", "provider")).toThrow(message);
    expect(create("business", "provider")).not.toThrow();
    expect(create("pro", "spec")).not.toThrow();
  });
});
