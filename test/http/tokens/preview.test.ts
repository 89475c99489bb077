/** The preview of a rule, and the author of a change. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { type Client, clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { configBody, ruleBody, type TestKeys, testKeys } from "../../support/keys.ts";
import { runs } from "../../support/runs.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();

let keys: TestKeys;
beforeAll(async () => {
  keys = await testKeys();
});

const operations = [
  { operation_id: "op1", method: "GET", host: "api.example.com", endpoint: "/orders" },
  { operation_id: "op2", method: "POST", host: "api.example.com", endpoint: "/orders" },
  { operation_id: "op3", method: "GET", host: "www.example.com", endpoint: "/users/{var1}" },
  { operation_id: "op4", method: "GET", host: "{hostVar1}.example.com", endpoint: "/status" },
];
const world = { zones: [{ id: "z1", token_validation: { operations } }] };

function zoneClient(options: EdgeOptions = { world }): Client {
  return clientOf(createEdge(options), "/zones/z1/token_validation");
}

const selector = {
  include: [{ host: ["API.example.com"] }],
  exclude: [{ operation_ids: ["op2"] }],
};

describe("the preview of a rule", () => {
  test("has every operation with its state, the numbers and the hosts, and stores nothing", async () => {
    const client = zoneClient();
    const body = await client.ok("POST", "/rules/preview", selector);
    const states = ["included", "excluded", "ignored", "included"];
    expect(body.result).toEqual({
      operations: operations.map((operation, i) => ({ ...operation, state: states[i] })),
      available_hosts: ["api.example.com", "www.example.com", "{hostvar1}.example.com"],
      selected_hosts: ["api.example.com", "{hostvar1}.example.com"],
      included: 2,
      excluded: 1,
      ignored: 1,
      total: 4,
    });
    expect(body.result_info).toEqual({ page: 1, per_page: 20, count: 4, total_count: 4, total_pages: 1 });
    expect((await client.ok("GET", "/rules")).result).toEqual([]);
  });

  test("of a rule is that of its selector", async () => {
    const client = zoneClient();
    const rule = ruleBody('http.host eq "api.example.com"', { selector });
    const { result } = await client.ok("POST", "/rules/preview", rule);
    expect(result).toEqual((await client.ok("POST", "/rules/preview", selector)).result);
    const wrong = { ...rule, expression: "http.host eq" };
    await expectFailure(await client("POST", "/rules/preview", wrong), {
      status: 400,
      code: 10400,
      pointer: "/expression",
    });
  });

  test("filters and pages choose operations, and leave the numbers", async () => {
    const client = zoneClient();
    const ids = async (query: string) => {
      const { result } = await client.ok("POST", `/rules/preview?${query}`, selector);
      expect([result.included, result.total]).toEqual([2, 4]);
      return result.operations.map((o: Json) => o.operation_id).join();
    };
    expect(await ids("state=included,excluded")).toBe("op1,op2,op4");
    expect(await ids("state=ignored&state=excluded")).toBe("op2,op3");
    expect(await ids("host=WWW.example.com")).toBe("op3");
    expect(await ids("hostname=api.example.com&method=post")).toBe("op2");
    expect(await ids("host=api.example.com&hostname=www.example.com")).toBe("");
    expect(await ids("endpoint=users,status")).toBe("op3,op4");
    expect(await ids("page=2&per_page=3")).toBe("op4");
  });

  test("rejects a body that is not a selector, and filters without a meaning", async () => {
    const client = zoneClient();
    const pointers: [unknown, string | undefined][] = [
      [[], ""],
      [{ include: "a" }, "/include"],
      [{ include: [{ host: [1] }] }, "/include/0/host/0"],
      [{ selector: 1 }, "/selector"],
    ];
    for (const [body, pointer] of pointers)
      await expectFailure(await client("POST", "/rules/preview", body), {
        status: 400,
        code: 10400,
        ...(pointer !== undefined && { pointer }),
      });
    for (const query of ["state=all", "state=", "host=", "per_page=0"])
      await expectFailure(await client("POST", `/rules/preview?${query}`, {}), { status: 400, code: 10400 });
    const unknown = clientOf(createEdge({ world }), "/zones/z2/token_validation");
    await expectFailure(await unknown("POST", "/rules/preview", {}), { status: 404, code: 10404 });
  });

  test("accepts what a rule can be stored with: its templates of hosts, and its configurations", async () => {
    const template = { include: [{ host: ["api.example.com", "{x}.other.com"] }] };
    const expression = 'is_jwt_valid("nothing")';
    const rule = ruleBody(expression, { selector: template });
    const { messages } = await zoneClient().ok("POST", "/rules/preview", template);
    expect(messages.map((m: Json) => m.source?.pointer)).toEqual(["/include/0/host/1"]);
    const provider = zoneClient({ world, profile: "provider" });
    for (const [body, pointer] of [
      [template, "/include/0/host/1"],
      [{ selector: template }, "/selector/include/0/host/1"],
      [{ selector, expression }, "/expression"],
      [rule, "/expression"],
    ] as const)
      await expectFailure(await provider("POST", "/rules/preview", body), {
        status: 400,
        code: 10400,
        pointer,
      });
    await expectFailure(await provider("POST", "/rules", rule), {
      status: 400,
      code: 10400,
      pointer: "/expression",
    });
  });

  test("reports hosts that cannot match, lists that are null, and a zone without a list of operations", async () => {
    const hosts = { include: [{ host: ["https://a"] }], exclude: null, other: 1 };
    const { messages } = await zoneClient({}).ok("POST", "/rules/preview", hosts);
    expect(messages.map((m: Json) => m.source?.pointer)).toEqual(["/other", "/include/0/host/0", undefined]);
    await expectFailure(await zoneClient({ profile: "provider" })("POST", "/rules/preview", hosts), {
      status: 400,
      code: 10400,
      pointer: "/include/0/host/0",
    });
  });

  test("law: a rule with the selector acts on requests to the operations that are included, and to no other", async () => {
    const hosts = fc.constantFrom("api.example.com", "www.example.com", "a.example.com", "other.com");
    const included = fc.array(hosts, { maxLength: 3 });
    const excluded = fc.subarray(operations.map((o) => o.operation_id));
    await fc.assert(
      fc.asyncProperty(included, excluded, async (host, operation_ids) => {
        const edge = createEdge({ world });
        const client = clientOf(edge, "/zones/z1/token_validation");
        const of = { include: [{ host }], exclude: [{ operation_ids }] };
        const { result } = await client.ok("POST", "/rules/preview", of);
        await client.ok("POST", "/rules", ruleBody('http.host eq "none"', { selector: of }));
        for (const { state, method, host: name, endpoint } of result.operations) {
          if (name.includes("{")) continue;
          const url = `https://${name}${endpoint.replace("{var1}", "1")}`;
          const { action } = await edge.tokens.evaluate("z1", { method, url });
          expect([state, action]).toEqual([state, state === "included" ? "block" : "allow"]);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("the author of a change", () => {
  const tokens = ["first", "second", ""].map((name) => ({
    token: `secret-${name}`,
    name,
    permissions: ["token_validation:write" as const],
  }));
  const by = (name: string) => ({ authorization: `Bearer secret-${name}` });

  async function ask(client: Client, name: string, method: string, path: string, body?: unknown) {
    const response = await client(method, path, body, by(name));
    expect(response.status).toBe(200);
    return ((await response.json()) as Json).result;
  }

  const kindNames = Object.keys(kinds).filter((kind) => !isMissing(kind));

  test.each(kindNames)("%s keeps the name of the API token that changed a rule last", async (kind) => {
    const store = await kinds[kind]!().open();
    const edge = createEdge({ store, profile: "provider", credentials: tokens });
    const client = clientOf(edge, "/zones/z1/token_validation");
    const { id } = await ask(client, "first", "POST", "/config", configBody([keys.es256]));
    const body = (title: string) => ruleBody(`is_jwt_valid("${id}")`, { title });
    const created = await ask(client, "first", "POST", "/rules", body("one"));
    const [bulk] = await ask(client, "second", "POST", "/rules/bulk", [body("two")]);
    expect([created.modified_by, bulk.modified_by]).toEqual(["first", "second"]);
    // A move changes the rule that it moves, and no other.
    await ask(client, "first", "PATCH", `/rules/${bulk.id}`, { position: { index: 1 } });
    const listed = await ask(client, "", "GET", "/rules");
    expect(listed.map((rule: Json) => [rule.title, rule.modified_by])).toEqual([
      ["two", "first"],
      ["one", "first"],
    ]);
    await ask(client, "second", "PATCH", "/rules/bulk", [{ id: created.id, enabled: false }]);
    expect((await ask(client, "", "GET", `/rules/${created.id}`)).modified_by).toBe("second");
    const nameless = await ask(client, "", "PATCH", `/rules/${created.id}`, { enabled: true });
    expect(nameless).not.toHaveProperty("modified_by");
    const spec = clientOf(createEdge({ store, credentials: tokens }), "/zones/z1/token_validation");
    expect((await ask(spec, "first", "GET", `/rules/${bulk.id}`)).modified_by).toBeUndefined();
    expect(JSON.stringify(listed)).not.toContain("secret");
    await edge.close();
  });

  test("a client cannot choose it", async () => {
    const client = zoneClient({ profile: "provider" });
    const rule = { ...ruleBody('http.host eq "a.com"'), modified_by: "me" };
    const { result, messages } = await client.ok("POST", "/rules", rule);
    expect(result).not.toHaveProperty("modified_by");
    expect(messages.map((m: Json) => m.source.pointer)).toEqual(["/modified_by"]);
  });
});
