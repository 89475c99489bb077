/** Every endpoint requires credentials and its own permission. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import type { Endpoint } from "../../src/http/endpoints/endpoint.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { anyPermission } from "../../src/http/requests/authentication.ts";
import { type Permission, permissions } from "../../src/service/permissions.ts";
import { expectFailure } from "../support/failure.ts";
import { validating } from "../support/interface.ts";
import { addressOf } from "../support/places.ts";

const world = {
  accounts: [{ id: "a1" }, { id: "a2" }],
  zones: [
    { id: "z1", account_id: "a1" },
    { id: "z2", account_id: "a2" },
  ],
};

const uuid = "00000000-0000-4000-8000-000000000000";
const ids = {
  zone_id: "z1",
  account_id: "a1",
  config_id: uuid,
  rule_id: uuid,
  app_id: "0".repeat(32),
  operation_id: "0".repeat(32),
  ruleset_id: "r1",
  ruleset_phase: "http_request_firewall_custom",
  ruleset_version: "1",
  list_id: "l1",
};

function ask(row: Endpoint, authorization: string | undefined, token?: object): Promise<Response> {
  const credentials = [{ token: "known", permissions: [], ...token }];
  const headers = { ...(authorization !== undefined && { authorization }) };
  const request = new Request(addressOf(row, ids), { method: row.method, headers });
  return validating(createEdge({ world, credentials }).fetch)(request);
}

/** Whether the credentials were accepted, whatever else is wrong with the request. */
async function isAdmitted(row: Endpoint, token: object): Promise<boolean> {
  const response = await ask(row, "Bearer known", token);
  if (response.status !== 403) return response.status !== 401;
  await expectFailure(response, { status: 403, code: 9109 });
  return false;
}

const isPrivate = (row: Endpoint): row is Endpoint & { permission: Permission } =>
  row.permission !== undefined && row.permission !== anyPermission;

test("only these endpoints need no credentials", () => {
  const open = endpoints.filter(({ permission }) => permission === undefined).map(({ id }) => id);
  const expected = [
    "document",
    "document.origin",
    "health",
    "images.binding.info",
    "images.binding.transform",
    "images.deliver",
    "images.drafts.fill",
    "images.transform",
    "live",
    "ready",
  ];
  expect(open.sort()).toEqual(expected);
});

test("only these endpoints need a known token and no permission", async () => {
  const rows = endpoints.filter(({ permission }) => permission === anyPermission);
  expect(rows.map(({ id }) => id)).toEqual(["zones.list", "zones.get"]);
  for (const row of rows) {
    await expectFailure(await ask(row, undefined), { status: 401, code: 9106 });
    await expectFailure(await ask(row, "Bearer unknown"), { status: 403, code: 10000 });
    expect(await isAdmitted(row, { permissions: [] })).toBe(true);
  }
});

test("every endpoint that changes something requires a write permission", () => {
  for (const { id, method, permission } of endpoints.filter(isPrivate)) {
    const reads = (method === "GET" && id !== "images.batchToken") || id === "tokens.rules.preview";
    expect(permission.endsWith(reads ? ":read" : ":write"), id).toBe(true);
  }
});

describe.each(endpoints.filter(isPrivate).map((row) => [row.id, row] as const))("%s", (_id, row) => {
  test("rejects requests with a missing, malformed or unknown token", async () => {
    await expectFailure(await ask(row, undefined), { status: 401, code: 9106 });
    await expectFailure(await ask(row, "Basic a:b"), { status: 401, code: 6003 });
    await expectFailure(await ask(row, "Bearer unknown"), { status: 403, code: 10000 });
  });

  test("accepts its own permission and the corresponding write permission, and no other", async () => {
    const enough = [row.permission, row.permission.replace(":read", ":write") as Permission];
    for (const permission of enough) expect(await isAdmitted(row, { permissions: [permission] })).toBe(true);
    const others = permissions.filter((permission) => !enough.includes(permission));
    expect(await isAdmitted(row, { permissions: others })).toBe(false);
  });

  test("rejects zones and accounts that the token does not have", async () => {
    const own = { permissions: [row.permission] };
    expect(await isAdmitted(row, { ...own, accounts: ["a1"] })).toBe(true);
    expect(await isAdmitted(row, { ...own, accounts: ["a2"] })).toBe(false);
    expect(await isAdmitted(row, { ...own, zones: ["z2"] })).toBe(false);
    expect(await isAdmitted(row, { ...own, zones: ["z1"] })).toBe(row.path.includes("{zone_id}"));
  });
});
