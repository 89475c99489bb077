/** Zones and operations over HTTP: page "Shared by all areas", section "Zones". */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import type { World } from "../../../src/service/world/schema.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { type Client, clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";

const operations = [
  { operation_id: "o1", method: "GET", host: "api.example.com", endpoint: "/v1/orders" },
  { operation_id: "o2", method: "POST", host: "API.example.com", endpoint: "/v1/orders" },
  { operation_id: "o3", method: "get", host: "shop.example.com", endpoint: "/v1/carts/{var1}" },
];

const world = {
  accounts: [{ id: "a1", name: "Shop" }, { id: "a2" }],
  zones: [
    { id: "z2", name: "shop.example", account_id: "a2" },
    { id: "z1", name: "example.com", account_id: "a1", token_validation: { operations } },
    { id: "z3", name: "blog.example", account_id: "a2", token_validation: {} },
  ],
} satisfies World;

const first = {
  id: "z1",
  name: "example.com",
  status: "active",
  paused: false,
  type: "full",
  account: { id: "a1", name: "Shop" },
};

const clientWith = (options: Parameters<typeof createEdge>[0] = { world }): Client =>
  clientOf(createEdge(options));

const names = (body: Json) => body.result.map((zone: Json) => zone.name);
const operationIds = (body: Json) => body.result.map((operation: Json) => operation.operation_id);

describe("zones", () => {
  test("the list has every zone with its account, by domain, with result_info", async () => {
    const body = await clientWith().ok("GET", "/zones");
    expect(names(body)).toEqual(["blog.example", "example.com", "shop.example"]);
    expect(body.result[1]).toEqual(first);
    expect(body.result[2].account).toEqual({ id: "a2", name: "a2" });
    expect(body.result_info).toEqual({ page: 1, per_page: 20, count: 3, total_count: 3, total_pages: 1 });
  });

  test("name selects one exact domain in any letter case, and no part of one", async () => {
    const client = clientWith();
    expect((await client.ok("GET", "/zones?name=Example.COM")).result).toEqual([first]);
    expect((await client.ok("GET", "/zones?name=example")).result).toEqual([]);
    await expectFailure(await client("GET", "/zones?name="), { status: 400, code: 10400 });
  });

  test("pages have at most 50 zones, and one past the end is empty", async () => {
    const client = clientWith();
    const page = await client.ok("GET", "/zones?per_page=2&page=2");
    expect(names(page)).toEqual(["shop.example"]);
    expect((await client.ok("GET", "/zones?per_page=1000")).result_info.per_page).toBe(50);
    expect((await client.ok("GET", "/zones?page=9")).result).toEqual([]);
    await expectFailure(await client("GET", "/zones?page=0"), { status: 400, code: 10400 });
  });

  test("a zone is found by its id, and an unknown id is 404", async () => {
    const client = clientWith();
    expect((await client.ok("GET", "/zones/z1")).result).toEqual(first);
    await expectFailure(await client("GET", "/zones/z9"), { status: 404, code: 10404 });
    await expectFailure(await client("GET", "/zones/z%209"), { status: 400, code: 10400 });
  });

  test("HEAD is answered as GET, without a body", async () => {
    const client = clientWith();
    for (const path of ["/zones", "/zones/z1", "/zones/z1/api_gateway/operations"]) {
      const response = await client("HEAD", path);
      expect([response.status, await response.text()]).toEqual([200, ""]);
    }
  });

  test("other methods are not allowed", async () => {
    const response = await clientWith()("POST", "/zones", {});
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    await expectFailure(response, { status: 405, code: 10405 });
  });

  test("a token sees the zones that it may use, by zone and by account, without any permission", async () => {
    const as = (scope: object) =>
      clientWith({ world, credentials: [{ token: "t", permissions: [], ...scope }] });
    expect(names(await as({}).ok("GET", "/zones"))).toHaveLength(3);
    expect(names(await as({ zones: ["z1"] }).ok("GET", "/zones"))).toEqual(["example.com"]);
    const ofAccount = as({ accounts: ["a2"] });
    expect(names(await ofAccount.ok("GET", "/zones"))).toEqual(["blog.example", "shop.example"]);
    expect((await ofAccount.ok("GET", "/zones/z2")).result.id).toBe("z2");
    const rejected = await ofAccount("GET", "/zones/z1");
    expect(await rejected.clone().text()).toContain("The API token may not use zone z1.");
    await expectFailure(rejected, { status: 403, code: 9109 });
  });

  test("without a list of zones the list is empty and each zone is 404", async () => {
    const client = clientWith({});
    expect((await client.ok("GET", "/zones")).result).toEqual([]);
    await expectFailure(await client("GET", "/zones/z1"), { status: 404, code: 10404 });
  });

  test("a zone that the world removed is not listed, and is 404", async () => {
    const store = createMemoryStore();
    await clientWith({ world, store }).ok("GET", "/zones");
    const zones = world.zones.slice(1);
    const client = clientWith({ world: { ...world, zones }, store });
    expect(names(await client.ok("GET", "/zones"))).toEqual(["blog.example", "example.com"]);
    await expectFailure(await client("GET", "/zones/z2"), { status: 404, code: 10404 });
    await expectFailure(await client("GET", "/zones/z2/api_gateway/operations"), {
      status: 404,
      code: 10404,
    });
  });
});

describe("operations", () => {
  const path = "/zones/z1/api_gateway/operations";

  test("the list has the operations of the world in its order", async () => {
    const body = await clientWith().ok("GET", path);
    expect(body.result).toEqual(operations);
    expect(body.messages).toEqual([]);
    expect(body.result_info).toEqual({ page: 1, per_page: 20, count: 3, total_count: 3, total_pages: 1 });
  });

  test("pages follow the order", async () => {
    const client = clientWith();
    expect(operationIds(await client.ok("GET", `${path}?per_page=2`))).toEqual(["o1", "o2"]);
    expect(operationIds(await client.ok("GET", `${path}?per_page=2&page=2`))).toEqual(["o3"]);
    expect(operationIds(await client.ok("GET", `${path}?per_page=2&page=3`))).toEqual([]);
  });

  test.each([
    ["host=api.example.com", ["o1", "o2"]],
    ["host[]=API.EXAMPLE.COM&host[]=shop.example.com", ["o1", "o2", "o3"]],
    ["host=example.com", []],
    ["method=get", ["o1", "o3"]],
    ["method=GET,POST&host=api.example.com", ["o1", "o2"]],
    ["endpoint=carts", ["o3"]],
    ["endpoint=/v1&method=GET&per_page=1&page=2", ["o3"]],
  ])("%s selects %j", async (query, expected) => {
    const body = await clientWith().ok("GET", `${path}?${query}`);
    expect(operationIds(body)).toEqual(expected);
  });

  test("result_info of a filtered list counts what the filter selects", async () => {
    const { result_info: info } = await clientWith().ok("GET", `${path}?method=get&per_page=1`);
    expect(info).toEqual({ page: 1, per_page: 1, count: 1, total_count: 2, total_pages: 2 });
  });

  test("a zone without a list of operations has a message that says so", async () => {
    const { result, messages } = await clientWith().ok("GET", "/zones/z3/api_gateway/operations");
    expect(result).toEqual([]);
    expect(messages[0].message).toContain("`z3` has no list of operations");
  });

  test("the permission to read token validation is required", async () => {
    const as = (permissions: "images:read" | "token_validation:read") =>
      clientWith({ world, credentials: [{ token: "t", permissions: [permissions] }] })("GET", path);
    expect((await as("token_validation:read")).status).toBe(200);
    await expectFailure(await as("images:read"), { status: 403, code: 9109 });
  });
});
