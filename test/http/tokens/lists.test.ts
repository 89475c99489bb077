/** Changing the lists of an account over HTTP: all or nothing, and custom rules see the change at once. */
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();
const phase = "http_request_firewall_custom";
const rule = { id: "r1", action: "block" as const, expression: "ip.src in $partners" };
const world = {
  accounts: [{ id: "a1" }],
  zones: [
    {
      id: "z1",
      account_id: "a1",
      name: "example.com",
      rulesets: [{ id: "entry", kind: "zone" as const, phase, rules: [rule] }],
    },
  ],
};
const path = "/rules/lists";

function openWith(options: EdgeOptions = {}) {
  const edge = createEdge({ world, clock: () => Date.UTC(2026, 0, 1), ...options });
  const account = clientOf(edge, "/accounts/a1");
  const actionOf = async (ip: string) =>
    (await edge.tokens.evaluate("z1", { method: "GET", url: "https://example.com/", ip })).action;
  const itemsOf = async (id: string): Promise<Json[]> =>
    (await account.ok("GET", `${path}/${id}/items`)).result;
  const create = async (name: string, kind: string): Promise<string> =>
    (await account.ok("POST", path, { name, kind })).result.id;
  return { edge, account, actionOf, itemsOf, create };
}

describe.each(Object.entries(kinds))("%s", (kind, place) => {
  test.skipIf(isMissing(kind))("a list is created, filled, changed, emptied and deleted", async () => {
    const { edge, account, actionOf, itemsOf, create } = openWith({ store: await place().open() });
    expect(await actionOf("192.0.2.7")).toBe("undecided");
    const id = await create("partners", "ip");
    expect((await account.ok("GET", `${path}/${id}`)).result).toMatchObject({
      name: "partners",
      num_items: 0,
    });
    expect(await actionOf("192.0.2.7")).toBe("allow");

    const { operation_id } = (await account.ok("POST", `${path}/${id}/items`, [{ ip: "192.0.2.0/24" }]))
      .result;
    expect((await account.ok("GET", `${path}/bulk_operations/${operation_id}`)).result).toEqual({
      id: operation_id,
      status: "completed",
      completed: "2026-01-01T00:00:00.000000Z",
    });
    expect(await actionOf("192.0.2.7")).toBe("block");

    await account.ok("POST", `${path}/${id}/items`, [
      { ip: "203.0.113.7", comment: "one" },
      { ip: "192.0.2.0/24" },
    ]);
    const items = await itemsOf(id);
    expect(items.map(({ ip }) => ip)).toEqual(["192.0.2.0/24", "203.0.113.7"]);
    await account.ok("DELETE", `${path}/${id}/items`, { items: [{ id: items[0].id }] });
    expect(await itemsOf(id)).toMatchObject([{ id: items[1].id, ip: "203.0.113.7" }]);
    expect(await actionOf("192.0.2.7")).toBe("allow");
    await account.ok("PUT", `${path}/${id}/items`, [{ ip: "2001:db8::/32" }]);
    expect((await itemsOf(id)).map(({ ip }) => ip)).toEqual(["2001:db8::/32"]);
    expect((await account.ok("PUT", `${path}/${id}`, { description: "Ours." })).result.description).toBe(
      "Ours.",
    );

    expect((await account.ok("DELETE", `${path}/${id}`)).result).toEqual({ id });
    expect(await actionOf("192.0.2.7")).toBe("undecided");
    await edge.close();
  });
});

test("names of hosts and numbers of systems", async () => {
  const { account, itemsOf, create } = openWith();
  const hosts = await create("hosts", "hostname");
  await account.ok("PUT", `${path}/${hosts}/items`, [
    { hostname: { url_hostname: "*.a.example" } },
    { hostname: { url_hostname: "*.b.example", exclude_exact_hostname: false } },
  ]);
  expect((await itemsOf(hosts)).map(({ hostname }) => hostname.url_hostname)).toEqual([
    "*.a.example",
    "*.b.example",
    "b.example",
  ]);
  const systems = await create("systems", "asn");
  await account.ok("PUT", `${path}/${systems}/items`, [{ asn: 64_500 }]);
  expect(await itemsOf(systems)).toMatchObject([{ asn: 64_500 }]);
});

describe("rejected, without a change", () => {
  test.each<[string, unknown, string, number?]>([
    ["no array", {}, ""],
    ["no item", [], ""],
    ["an item of another kind", [{ ip: "192.0.2.1" }, { asn: 1 }], "/1"],
    ["a host in place of an address", [{ ip: "192.0.2.1" }, { ip: "a.example" }], "/1/ip"],
    ["a network with host bits", [{ ip: "192.0.2.1/24" }], "/0/ip"],
  ])("items: %s", async (_name, body, pointer, code = 10400) => {
    const { account, itemsOf, create } = openWith();
    const id = await create("partners", "ip");
    await account.ok("PUT", `${path}/${id}/items`, [{ ip: "203.0.113.7" }]);
    for (const method of ["PUT", "POST"])
      await expectFailure(await account(method, `${path}/${id}/items`, body), { status: 400, code, pointer });
    expect((await itemsOf(id)).map(({ ip }) => ip)).toEqual(["203.0.113.7"]);
  });

  test("the id of an item that the list does not have", async () => {
    const { account, itemsOf, create } = openWith();
    const id = await create("partners", "ip");
    await account.ok("PUT", `${path}/${id}/items`, [{ ip: "203.0.113.7" }]);
    const [{ id: item }] = await itemsOf(id);
    const response = await account("DELETE", `${path}/${id}/items`, {
      items: [{ id: item }, { id: "none" }],
    });
    await expectFailure(response, { status: 404, code: 10404, pointer: "/items/1/id" });
    expect(await itemsOf(id)).toHaveLength(1);
  });

  test.each([
    ["a name with capitals", { name: "Partners", kind: "ip" }, "/name"],
    ["a name with a dot at an end", { name: "a.", kind: "ip" }, "/name"],
    ["an unknown kind", { name: "a", kind: "redirect" }, "/kind"],
    ["a name that is taken", { name: "taken", kind: "asn" }, "/name"],
  ])("a list: %s", async (_name, body, pointer) => {
    const { account, create } = openWith();
    await create("taken", "ip");
    await expectFailure(await account("POST", path, body), { status: 400, code: 10400, pointer });
    expect((await account.ok("GET", path)).result).toHaveLength(1);
  });

  test("more lists and items than the limits", async () => {
    const { account, create, itemsOf } = openWith({ limits: { listsPerAccount: 1, itemsPerList: 2 } });
    const id = await create("a", "asn");
    const another = await account("POST", path, { name: "b", kind: "asn" });
    await expectFailure(another, { status: 400, code: 10400, message: /at most 1 lists; this one has 1/ });
    await account.ok("POST", `${path}/${id}/items`, [{ asn: 1 }, { asn: 2 }]);
    await account.ok("POST", `${path}/${id}/items`, [{ asn: 2 }]);
    const third = await account("POST", `${path}/${id}/items`, [{ asn: 3 }]);
    await expectFailure(third, { status: 400, code: 10400, message: /at most 2 items; it would have 3/ });
    expect(await itemsOf(id)).toHaveLength(2);
  });

  test.each([
    ["PUT", "/none", {}],
    ["DELETE", "/none", undefined],
    ["POST", "/none/items", [{ asn: 1 }]],
    ["GET", `/bulk_operations/${"f".repeat(32)}`, undefined],
    ["GET", `/bulk_operations/${"0".repeat(32)}`, undefined],
  ])("%s of %s, which does not exist", async (method, at, body) => {
    const { account } = openWith();
    await expectFailure(await account(method, path + at, body), { status: 404, code: 10404 });
  });
});

test("the id of a list is compared as it is written: letters of another case name no list", async () => {
  const lists = [{ id: "Partners", name: "partners", kind: "ip" as const, items: [] }];
  const edge = createEdge({ world: { accounts: [{ id: "a1", lists }] } });
  const account = clientOf(edge, "/accounts/a1");
  expect((await account.ok("GET", `${path}/Partners`)).result.name).toBe("partners");
  for (const method of ["GET", "DELETE"])
    await expectFailure(await account(method, `${path}/partners`), { status: 404, code: 10404 });
  await account.ok("DELETE", `${path}/Partners`);
  expect((await account.ok("GET", path)).result).toEqual([]);
});
