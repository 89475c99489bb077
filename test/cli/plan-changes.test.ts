/** `edgeproof check` of Terraform plans: each change of a proxy application is the request that Terraform sends. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
const zoneId = "0da42c8d2132a9ddaf714f9e7c920711";

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

const app = (port: number, more: object = {}) => ({
  zone_id: zoneId,
  protocol: `tcp/${port}`,
  dns: { type: "CNAME", name: "game.shop.example" },
  origin_direct: [`tcp://192.0.2.1:${port}`],
  ...more,
});
const staticEdge = {
  dns: { type: "ADDRESS", name: "game.shop.example" },
  edge_ips: { type: "static", ips: ["198.51.100.7"], connectivity: null },
};
const stored = (values: object, id = "f68579455bd947efb65ffa1bcf33b52c") => ({
  id,
  edge_ips: { type: "dynamic", connectivity: "all", ips: null },
  ...values,
});

interface Change {
  readonly actions: readonly string[];
  readonly before?: object | null;
  readonly after?: object | null;
  readonly [member: string]: unknown;
}

/** The codes of the applications of a plan, by address. */
async function codesOf(changes: Readonly<Record<string, Change>>, world?: object, words: string[] = []) {
  const zone = {
    address: "cloudflare_zone.z",
    mode: "managed",
    type: "cloudflare_zone",
    name: "z",
    change: { actions: ["no-op"], after: { id: zoneId, name: "shop.example" } },
  };
  const resources = Object.entries(changes).map(([name, change]) => ({
    address: `cloudflare_spectrum_application.${name}`,
    mode: "managed",
    type: "cloudflare_spectrum_application",
    name,
    ...(change["previous_address"] !== undefined && { previous_address: change["previous_address"] }),
    change: { before: null, after: null, ...change },
  }));
  const plan = { format_version: "1.2", resource_changes: [zone, ...resources] };
  const facts = world ? ["--world", await file("facts.json", world)] : [];
  const path = await file("plan.json", plan);
  const { out } = await edgeproof(["check", path, ...facts, ...words, "--format", "json"]);
  const { diagnostics, cases } = JSON.parse(out) as {
    diagnostics: { level: string; code: number; pointer: string; message: string }[];
    cases: { kind: string; status: string }[];
  };
  return {
    errors: diagnostics
      .filter(({ level, code }) => level === "error" && code !== undefined)
      .map(({ code, pointer }) => `${code} ${pointer.split(".").at(-1)}`),
    messages: diagnostics.map(({ message }) => message),
    statuses: cases.filter(({ kind }) => kind === "application").map(({ status }) => status),
  };
}

const payAsYouGo = {
  accounts: [{ id: "a", proxy: { plan: "pay-as-you-go" } }],
  zones: [{ id: zoneId, name: "shop.example", account_id: "a" }],
};

describe("an application that changes from dynamic to static edge addresses", () => {
  const change = { before: stored(app(443)), after: app(443, staticEdge) };

  test("is 11004 as an update, and for what is moved or imported too", async () => {
    for (const more of [
      {},
      { previous_address: "cloudflare_spectrum_application.old" },
      { importing: { id: "x" } },
    ])
      expect((await codesOf({ s: { actions: ["update"], ...change, ...more } })).errors).toEqual(["11004 s"]);
  });

  test("is valid as a replacement in either order, and as a new application", async () => {
    for (const actions of [["delete", "create"], ["create", "delete"], ["create"]])
      expect((await codesOf({ s: { actions, ...change } })).errors).toEqual([]);
  });

  test("is 11004 with the attributes of version 4 of the provider", async () => {
    const before = stored({
      ...app(443),
      dns: [{ type: "CNAME", name: "game.shop.example" }],
      edge_ips: [{ type: "dynamic", connectivity: "all", ips: [] }],
    });
    const after = {
      ...app(443),
      dns: [{ type: "ADDRESS", name: "game.shop.example" }],
      edge_ips: [{ type: "static", connectivity: "", ips: ["198.51.100.7"] }],
    };
    expect((await codesOf({ s: { actions: ["update"], before, after } })).errors).toEqual(["11004 s"]);
  });

  test("is valid when it was ADDRESS before, which `before` may leave out with static addresses", async () => {
    const update = (edge: object) => {
      const before = stored({ ...app(443), dns: { name: "game.shop.example" }, ...edge });
      return codesOf({ s: { actions: ["update"], before, after: app(443, { ...staticEdge, tls: "full" }) } });
    };
    expect((await update({ edge_ips: staticEdge.edge_ips })).errors).toEqual([]);
    expect((await update({})).errors).toEqual(["11004 s"]);
  });

  test("is undecided when what it was before is sensitive, unless secrets are read", async () => {
    const sensitive = { s: { actions: ["update"], ...change, before_sensitive: { dns: true } } };
    const hidden = await codesOf(sensitive);
    expect([hidden.errors, hidden.statuses]).toEqual([[], ["undecided"]]);
    expect(hidden.messages.join()).toContain("`dns` is marked as sensitive");
    expect((await codesOf(sensitive, undefined, ["--with-secrets"])).errors).toEqual(["11004 s"]);
  });
});

describe("the applications of one plan", () => {
  const update = (before: number, after: number, id: string): Change => ({
    actions: ["update"],
    before: { ...app(before), id },
    after: app(after),
  });

  test("that do not change are no second applications of their protocol", async () => {
    const values = { ...app(22), id: "1" };
    const same = { actions: ["no-op"], before: values, after: values };
    expect((await codesOf({ a: same }, payAsYouGo)).errors).toEqual([]);
    const added = { actions: ["create"], after: app(22) };
    expect((await codesOf({ a: added, b: same }, payAsYouGo)).errors).toEqual(["11034 a"]);
  });

  test("free what they had: a deleted, a changed and a replaced one", async () => {
    const added = { actions: ["create"], after: app(22) };
    const before = { ...app(22), id: "1" };
    expect((await codesOf({ a: added, b: { actions: ["delete"], before } }, payAsYouGo)).errors).toEqual([]);
    expect((await codesOf({ a: added, b: update(22, 23, "1") }, payAsYouGo)).errors).toEqual([]);
    const replaced = { actions: ["delete", "create"], before, after: app(23) };
    expect((await codesOf({ a: added, b: replaced }, payAsYouGo)).errors).toEqual([]);
  });

  test("that are replaced by a new one before they are deleted hold what both need", async () => {
    const before = { ...app(22), id: "1" };
    const same = app(22, { origin_direct: ["tcp://192.0.2.2:22"] });
    const replace = (actions: readonly string[]) =>
      codesOf({ a: { actions, before, after: same } }, payAsYouGo);
    expect((await replace(["delete", "create"])).errors).toEqual([]);
    expect((await replace(["create", "delete"])).errors).toEqual(["11034 a"]);
  });

  test("can move one after another, and cannot swap, since each is a request of its own", async () => {
    const chain = { a: update(22, 23, "1"), b: update(23, 24, "2"), c: update(24, 25, "3") };
    expect((await codesOf(chain, payAsYouGo)).errors).toEqual([]);
    const swap = { a: update(22, 23, "1"), b: update(23, 22, "2") };
    expect((await codesOf(swap, payAsYouGo)).errors.toSorted()).toEqual(["11034 a", "11034 b"]);
  });

  test("have no note about ports of an application that has left them", async () => {
    const { messages } = await codesOf({ a: update(21, 22, "1"), b: update(22, 23, "2") });
    expect(messages.join()).not.toContain("overlap");
  });
});
