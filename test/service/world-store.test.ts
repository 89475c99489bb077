/** A store that had another world: what follows the world, what stays, and what is reported. */
import { describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../src/edge.ts";
import { InvalidInputError } from "../../src/errors.ts";
import type { World } from "../../src/service/world/schema.ts";
import type { Store } from "../../src/store/port.ts";
import { exportStore } from "../../src/store/transfer/export.ts";
import { importStore } from "../../src/store/transfer/import.ts";
import { clientOf, type Json } from "../support/client.ts";
import { formOf, png } from "../support/images.ts";
import { configBody, ruleBody, testKeys } from "../support/keys.ts";
import { isMissing, type StorePlace, storeKinds } from "../support/stores.ts";

const kinds = await storeKinds();

interface Started {
  readonly edge: Edge;
  readonly lines: readonly string[];
  /** Status and code of a GET of the interface. */
  get(path: string, token?: string): Promise<string>;
}

/** Starts an edge on a store and applies its world. */
async function start(store: Store, world?: World, options: EdgeOptions = {}): Promise<Started> {
  const lines: string[] = [];
  const onNote = (line: string) => lines.push(line);
  const edge = createEdge({ ...options, store, onNote, ...(world && { world }) });
  await edge.store.read(async () => {});
  const get = async (path: string, token = "t") => {
    const response = await clientOf(edge)("GET", path, undefined, { authorization: `Bearer ${token}` });
    const code = response.status === 200 ? "" : ` ${((await response.json()) as Json).errors[0].code}`;
    return `${response.status}${code}`;
  };
  return { edge, lines, get };
}

const rules = (zone: string) => `/zones/${zone}/token_validation/rules`;
const all = ["token_validation:write", "proxy:write"] as const;
const token = (name: string, more: object = {}) => ({ token: name, name, permissions: [...all], ...more });
const unknownToken = "403 10000";

const app = (dns: string, more: object = {}) => ({
  protocol: "tcp/22",
  dns: { type: "CNAME", name: dns },
  origin_direct: ["tcp://192.0.2.1:22"],
  ...more,
});
const address = "203.0.113.7";
const fixed = (dns: string) =>
  app(dns, { dns: { type: "ADDRESS", name: dns }, edge_ips: { type: "static", ips: [address] } });

/** Uploads a picture to an account. */
async function upload({ edge }: Started, account: string): Promise<Json> {
  const headers = { authorization: "Bearer t" };
  const url = `https://edge.test/client/v4/accounts/${account}/images/v1`;
  const body = formOf({ file: await png() });
  return ((await (await edge.fetch(new Request(url, { method: "POST", headers, body }))).json()) as Json)
    .result;
}

for (const [kind, make] of Object.entries(kinds)) {
  describe.skipIf(isMissing(kind))(`a store in ${kind} that had a world`, () => {
    async function using(work: (store: Store, place: StorePlace) => Promise<void>): Promise<void> {
      const place = make();
      const store = await place.open();
      await work(store, place);
      await store.close();
    }

    test("rejects an API token that the world no longer lists, in every process, from the next start on", () =>
      using(async (store, place) => {
        const first = await start(store, { api_tokens: [token("old"), token("new")] });
        expect(first.lines).toEqual([]);
        expect(await first.get(rules("z1"), "old")).toBe("200");
        const other = await place.open();
        const second = await start(other, { api_tokens: [token("new"), token("newer")] });
        expect(second.lines).toEqual(["world: removed API token `old`", "world: added API token `newer`"]);
        for (const { get } of [first, second]) {
          expect(await get(rules("z1"), "old")).toBe(unknownToken);
          expect(await get(rules("z1"), "newer")).toBe("200");
        }
        if (other !== store) await other.close();
      }));

    test("applies reduced permissions and zones of an API token", () =>
      using(async (store) => {
        await start(store, { api_tokens: [token("t")] });
        const { get, lines } = await start(store, {
          api_tokens: [token("t", { permissions: ["proxy:read"], zones: ["z1"] })],
        });
        expect(lines).toEqual(["world: changed API token `t`: `permissions` changed, `zones` changed"]);
        expect(await get(rules("z1"))).toBe("403 9109");
        expect(await get("/zones/z1/app_service/apps")).toBe("200");
        expect(await get("/zones/z2/app_service/apps")).toBe("403 9109");
      }));

    test("keeps its API tokens when the world has no `api_tokens`, and when there is no world", () =>
      using(async (store) => {
        await start(store, { api_tokens: [token("t"), token("u")] });
        const without = await start(store, {});
        expect(without.lines).toEqual([
          "world: the world has no `api_tokens`; the store keeps those it has (2)",
        ]);
        expect(await without.get(rules("z1"), "other")).toBe(unknownToken);
        const none = await start(store);
        expect(none.lines).toEqual([]);
        expect([await none.get(rules("z1")), await none.get(rules("z1"), "other")]).toEqual([
          "200",
          unknownToken,
        ]);
      }));

    test("rejects every token when none is left, until every token is accepted again", () =>
      using(async (store) => {
        await start(store, { api_tokens: [token("t")] });
        const left =
          "world: no API token is left; every token is rejected until `--any-token` (`anyToken`) is set";
        const emptied = await start(store, { api_tokens: [] });
        expect(emptied.lines).toEqual(["world: removed API token `t`", left]);
        expect(await emptied.get(rules("z1"))).toBe(unknownToken);
        expect((await start(store, { api_tokens: [] })).lines).toEqual([left]);
        expect(await (await start(store, {})).get(rules("z1"))).toBe(unknownToken);
        expect(await (await start(store)).get(rules("z1"))).toBe(unknownToken);
        const open = await start(store, undefined, { anyToken: true });
        expect(open.lines).toEqual(["world: every token is accepted again"]);
        expect(await open.get(rules("z1"))).toBe("200");
        expect(await (await start(store, { api_tokens: [] })).get(rules("z1"))).toBe("200");
        await start(store, { api_tokens: [token("t")] });
        expect(await (await start(store, { api_tokens: [] })).get(rules("z1"))).toBe(unknownToken);
      }));

    test("rejects every token after an export and an import of a store without API tokens left", () =>
      using(async (store) => {
        await start(store, { api_tokens: [token("t")] });
        await start(store, { api_tokens: [] });
        const chunks: string[] = [];
        await exportStore(store, async (text) => void chunks.push(text));
        const copy = await make().open();
        await importStore(copy, async function* () {
          yield Buffer.from(chunks.join(""));
        });
        expect(await (await start(copy)).get(rules("z1"))).toBe(unknownToken);
        await copy.close();
      }));

    test("rejects `anyToken` while it has API tokens, and changes nothing", () =>
      using(async (store) => {
        await start(store, { api_tokens: [token("t")], zones: [{ id: "z1" }] });
        const rejected = start(store, { zones: [] }, { anyToken: true });
        await expect(rejected).rejects.toThrow(/`anyToken` needs a store without API tokens; it has 1/);
        await expect(rejected).rejects.toBeInstanceOf(InvalidInputError);
        const { get } = await start(store);
        expect([await get(rules("z1")), await get(rules("z1"), "other")]).toEqual(["200", unknownToken]);
      }));

    test("counts `credentials` as part of the world", () =>
      using(async (store) => {
        await start(store, { api_tokens: [token("t")] }, { credentials: [token("c")] });
        const { get, lines } = await start(store, undefined, { credentials: [token("c")] });
        expect(lines).toEqual(["world: removed API token `t`"]);
        expect([await get(rules("z1"), "c"), await get(rules("z1"), "t")]).toEqual(["200", unknownToken]);
      }));

    test("answers 404 for a removed zone, whose resources return with it and are not seeded again", () =>
      using(async (store) => {
        const { es256 } = await testKeys();
        const world: World = { zones: [{ id: "z1", name: "a.example" }, { id: "z2" }] };
        const first = await start(store, world);
        const client = clientOf(first.edge, "/zones/z1/token_validation");
        const config = (await client.ok("POST", "/config", configBody([es256]))).result.id;
        await client.ok("POST", "/rules", ruleBody(`is_jwt_valid("${config}")`));
        const removed = await start(store, { zones: [{ id: "z2", name: "a.example" }] });
        expect(removed.lines).toEqual([
          "world: removed zone `z1`",
          "world: changed zone `z2`: `name` is now `a.example` (was `z2`)",
        ]);
        for (const { get } of [first, removed]) expect(await get(rules("z1"))).toBe("404 10404");
        await expect(
          removed.edge.tokens.evaluate("z1", { method: "GET", url: "https://a.example/" }),
        ).rejects.toThrow("There is no zone `z1`");
        expect(await (await start(store, { zones: [] })).get(rules("z2"))).toBe("404 10404");
        const returned = await start(store, world);
        expect(returned.lines).toEqual([
          "world: added zone `z1` again, with the resources that the store has kept",
          "world: added zone `z2` again, with the resources that the store has kept",
        ]);
        expect(
          (await clientOf(returned.edge, "/zones/z1/token_validation").ok("GET", "/rules")).result,
        ).toHaveLength(1);
      }));

    test("keeps its zones and accounts when the world does not have the lists", () =>
      using(async (store) => {
        await start(store, { zones: [{ id: "z1" }, { id: "z2" }], accounts: [{ id: "a1" }] });
        const { get, lines } = await start(store, { api_tokens: [token("t")] });
        expect(lines).toEqual([
          "world: added API token `t`",
          "world: the world has no `accounts`; the store keeps those it has (1)",
          "world: the world has no `zones`; the store keeps those it has (2)",
        ]);
        expect([await get(rules("z1")), await get(rules("z3"))]).toEqual(["200", "404 10404"]);
      }));

    test("answers 404 for a removed account, on delivery and upload addresses too", () =>
      using(async (store) => {
        const first = await start(store, { accounts: [{ id: "a1" }, { id: "a2" }] });
        const client = clientOf(first.edge, "/accounts/a1/images");
        const image = await upload(first, "a1");
        const draft = (await client.ok("POST", "/v2/direct_upload")).result;
        const { edge, get } = await start(store, { accounts: [{ id: "a2" }] });
        expect(await get("/accounts/a1/images/v1/variants")).toBe("404 5404");
        expect((await edge.fetch(new Request(image.variants[0]))).status).toBe(404);
        const form = formOf({ file: await png() });
        const sent = await edge.fetch(new Request(draft.uploadURL, { method: "POST", body: form }));
        expect(sent.status).not.toBe(200);
        const again = await start(store, { accounts: [{ id: "a1" }, { id: "a2" }] });
        expect((await again.edge.fetch(new Request(image.variants[0]))).status).toBe(200);
      }));

    test("applies a changed plan, quota, host name, operation and brand option", () =>
      using(async (store) => {
        const world = (more: boolean): World => ({
          accounts: [
            {
              id: "a1",
              proxy: { plan: more ? "add-on" : "pay-as-you-go" },
              ...(more && { brand: { mode: "label" } }),
            },
          ],
          zones: [
            {
              id: "z1",
              name: "example.com",
              proxy: more
                ? { hostnames: ["ssh.example.com"], ipv4_quota: 3 }
                : { hostnames: ["old.example.com"] },
              token_validation: {
                operations: more
                  ? [{ operation_id: "o", method: "GET", host: "example.com", endpoint: "/" }]
                  : [],
              },
            },
            { id: "z2", name: "example.org" },
          ],
        });
        const first = await start(store, world(false));
        const brand = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };
        await clientOf(first.edge, "/accounts/a1/intel/v2/brand-protection/domain").ok(
          "POST",
          "/queries",
          brand,
        );
        const body = app("www.example.com", { traffic_type: "http", protocol: "tcp/80" });
        expect((await first.edge.proxy.apps.validate("z1", body)).violations.map((v) => v.code)).not.toEqual(
          [],
        );
        const found = await first.edge.tokens.evaluate("z1", { method: "GET", url: "https://example.com/" });
        const { edge, lines } = await start(store, world(true));
        expect(lines).toEqual([
          "world: changed the operations of zone `z1` (0 before, 1 now)",
          "world: changed account `a1`: `mode` is now `label`",
          "world: changed account `a1`: `plan` is now `add-on` (was `pay-as-you-go`)",
          "world: changed zone `z1`: `ipv4_quota` is now `3` (was `null`)",
          "world: removed host name `old.example.com` of zone `z1`",
          "world: added host name `ssh.example.com` of zone `z1`",
        ]);
        expect((await edge.proxy.apps.validate("z1", body)).violations).toEqual([]);
        expect(found.outcome).toBe("not_an_operation");
        const now = await first.edge.tokens.evaluate("z1", { method: "GET", url: "https://example.com/" });
        expect(now.outcome).toBe("no_rule");
        expect((await edge.brand.observe("a1", ["my-paypal.example"])).matched).toBe(0);
        expect((await start(store, world(true))).lines).toEqual([]);
      }));

    test("treats static addresses of a removed zone as orphaned, and its host names as free", () =>
      using(async (store) => {
        const zones = [
          { id: "z1", name: "example.com" },
          { id: "z2", name: "www.example.com" },
        ];
        const account = { id: "a1", proxy: { features: { edge_ips: true }, prefixes: ["203.0.113.0/24"] } };
        const first = await start(store, { accounts: [account], zones });
        const path = (zone: string) => `/zones/${zone}/app_service/apps`;
        const client = clientOf(first.edge);
        const old = (await client.ok("POST", path("z1"), fixed("host.www.example.com"))).result;
        const codes = async ({ edge }: Started, body: object) =>
          (await edge.proxy.apps.validate("z2", body)).violations.map((v) => v.code);
        expect(await codes(first, app("host.www.example.com"))).toEqual([16001]);
        const removed = await start(store, { accounts: [account], zones: zones.slice(1) });
        expect(await codes(removed, app("host.www.example.com"))).toEqual([]);
        const [violation] = (await removed.edge.proxy.apps.validate("z2", fixed("other.www.example.com")))
          .violations;
        expect([violation?.code, violation?.message]).toEqual([
          11033,
          expect.stringMatching(/deleted|orphan/),
        ]);
        const taken = (await client.ok("POST", path("z2"), app("host.www.example.com"))).result;
        await start(store, { accounts: [account], zones });
        expect(await codes(first, app("host.www.example.com"))).toEqual([]);
        await client.ok("DELETE", `${path("z2")}/${taken.id}`);
        expect(await codes(first, app("host.www.example.com"))).toEqual([16001]);
        await client.ok("DELETE", `${path("z1")}/${old.id}`);
        expect(await codes(first, fixed("host.www.example.com"))).toEqual([]);
      }));

    test("deletes resources of removed zones and accounts, and their blobs, only when it is pruned", () =>
      using(async (store) => {
        const world: World = {
          accounts: [{ id: "a1" }, { id: "a2" }],
          zones: [{ id: "z1", account_id: "a1" }],
        };
        const first = await start(store, world);
        const client = clientOf(first.edge);
        await client.ok("POST", rules("z1"), ruleBody('http.host eq "a"'));
        await client.ok("POST", "/zones/z1/app_service/apps", app("host.z1"));
        await upload(first, "a1");
        const keys = async () => {
          const found = [];
          for await (const key of store.blobs.keys()) found.push(key);
          return found.length;
        };
        await start(store, { accounts: [{ id: "a2" }], zones: [] });
        expect(await keys()).toBe(1);
        const pruned = await start(store, undefined, { prune: true });
        expect(pruned.lines).toEqual([
          expect.stringMatching(/^world: deleted the resources of zone `z1`.*records: 2/),
          expect.stringMatching(/^world: deleted the resources of account `a1`/),
        ]);
        expect([await keys(), await pruned.get(rules("z1"))]).toEqual([0, "404 10404"]);
        expect(await store.read((tx) => tx.count("proxy_hostnames", "registry"))).toBe(0);
        expect((await start(store, undefined, { prune: true })).lines).toEqual([
          "world: there are no resources of removed zones and accounts to delete",
        ]);
        const again = await start(store, world);
        expect((await clientOf(again.edge).ok("GET", rules("z1"))).result).toEqual([]);
        expect((await clientOf(again.edge).ok("GET", "/accounts/a1/images/v1")).result.images).toEqual([]);
      }));

    test("keeps what requests can change, and reports how it differs from the world", () =>
      using(async (store) => {
        const { es256 } = await testKeys();
        const config = "6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a11";
        const sources = ['http.request.headers["x"][0]'];
        const logo = (await png()).toString("base64");
        const world = (changed: boolean): World => ({
          accounts: [
            {
              id: "a1",
              brand: {
                queries: [
                  {
                    tag: changed ? "new" : "old",
                    string_matches: [{ pattern: "paypal", max_edit_distance: 0 }],
                  },
                ],
                observed: changed ? ["paypal.example", "other.example"] : ["paypal.example"],
                logo_queries: [{ tag: "l", similarity_threshold: changed ? 0.9 : 0.8, image: logo }],
              },
              images: {
                account_hash: changed ? "hash2" : "hash1",
                signing_keys: [{ name: "k", value: changed ? "v2" : "v1" }],
                variants: [
                  {
                    id: "v",
                    options: { fit: "crop", width: changed ? 20 : 10, height: 10, metadata: "none" },
                  },
                ],
              },
            },
          ],
          zones: [
            {
              id: "z1",
              token_validation: {
                configs: [
                  {
                    id: config,
                    title: changed ? "b" : "a",
                    token_sources: sources,
                    credentials: { keys: [es256.jwk] },
                  },
                ],
                rules: [
                  ruleBody(`is_jwt_valid("${config}")`, { action: changed ? "log" : "block" }),
                ] as never,
              },
            },
          ],
        });
        await start(store, world(false));
        expect((await start(store, world(false))).lines).toEqual([]);
        const { edge, lines } = await start(store, world(true));
        const counts = "(1 of the world missing, 1 not in the world)";
        expect(lines).toEqual([
          "world: changed account `a1`: `account_hash` is now `hash2` (was `hash1`)",
          "world: zone `z1`: the store keeps its token configurations (1 different)",
          `world: zone \`z1\`: the store keeps its token rules ${counts}`,
          `world: account \`a1\`: the store keeps its domain queries ${counts}`,
          "world: account `a1`: the store keeps its observed names (1 of the world missing)",
          "world: account `a1`: the store keeps its logo queries (1 different)",
          "world: account `a1`: the store keeps its variants (1 different)",
          "world: account `a1`: the store keeps its signing keys (1 different)",
        ]);
        const client = clientOf(edge);
        expect((await client.ok("GET", rules("z1"))).result[0].action).toBe("block");
        expect((await client.ok("GET", "/accounts/a1/images/v1/keys")).result.keys[0].value).toBe("v1");
      }));

    test("follows the list of orphaned edge addresses", () =>
      using(async (store) => {
        await start(store, { zones: [{ id: "z1" }], orphaned_edge_ips: ["192.0.2.7", "192.0.2.8"] });
        const changed = await start(store, {
          zones: [{ id: "z1" }],
          orphaned_edge_ips: ["192.0.2.8", "192.0.2.9"],
        });
        expect(changed.lines).toEqual([
          "world: removed orphaned edge address `192.0.2.7`",
          "world: added orphaned edge address `192.0.2.9`",
        ]);
        expect((await start(store, { zones: [{ id: "z1" }] })).lines).toEqual([
          "world: the world has no `orphaned_edge_ips`; the store keeps those it has (2)",
        ]);
        await start(store, { zones: [{ id: "z1" }], orphaned_edge_ips: [] });
        expect((await start(store, { zones: [{ id: "z1" }] })).lines).toEqual([]);
      }));

    test("swaps names and hashes of two zones and accounts", () =>
      using(async (store) => {
        const world = (a: string, b: string): World => ({
          accounts: [
            { id: "a1", images: { account_hash: a } },
            { id: "a2", images: { account_hash: b } },
          ],
          zones: [
            { id: "z1", name: a, account_id: "a1", proxy: { hostnames: [`h.${a}`] } },
            { id: "z2", name: b, account_id: "a1", proxy: { hostnames: [`h.${b}`] } },
          ],
        });
        await start(store, world("x", "y"));
        await start(store, world("y", "x"));
        expect((await start(store, world("y", "x"))).lines).toEqual([]);
      }));

    test("stays unchanged when the world does not fit it", () =>
      using(async (store) => {
        const removed = { id: "a1", images: { account_hash: "h" } };
        await start(store, { accounts: [removed], api_tokens: [token("t")] });
        await start(store, { accounts: [{ id: "a2" }] });
        const taken: World = {
          accounts: [{ id: "a2", images: { account_hash: "h" } }],
          api_tokens: [token("u")],
        };
        await expect(start(store, taken)).rejects.toThrow(
          /\/accounts\/0\/images\/account_hash: `h` must be unique/,
        );
        await expect(start(store, { zones: [{ id: "z", account_id: "a9" }] })).rejects.toThrow(
          /\/zones\/0\/account_id: There is no account `a9`; the accounts of the store are `a2`/,
        );
        expect(await (await start(store)).get(rules("z1"), "u")).toBe(unknownToken);
      }));
  });
}

test("a line that `onNote` rejects does not stop the start", async () => {
  const store = await kinds["memory"]!().open();
  await start(store, { zones: [{ id: "z1" }] });
  const onNote = () => {
    throw new Error("no terminal");
  };
  const edge = createEdge({ store, world: { zones: [] }, onNote });
  await edge.store.read(async () => {});
  expect(
    await store.read((tx) => tx.count("zones", "world", [{ field: "removed_at", op: "eq", value: null }])),
  ).toBe(0);
});
