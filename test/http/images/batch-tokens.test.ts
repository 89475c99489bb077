/** Batch tokens: valid on hosts `batch.*` at the listed paths for an hour, and nowhere else. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EdgeOptions } from "../../../src/edge.ts";
import { endpoints } from "../../../src/http/endpoints/endpoints.ts";
import { anyPermission } from "../../../src/http/requests/authentication.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { formOf, imageSetting, origin, png } from "../../support/images.ts";
import { isOverSocket } from "../../support/is-over-socket.ts";
import { runs } from "../../support/runs.ts";

const start = Date.UTC(2026, 0, 31);

async function batchSetting(options: EdgeOptions = {}) {
  const time = { now: start };
  const setting = imageSetting({ clock: () => time.now, ...options });
  const { token, expiresAt } = (await setting.client.ok("GET", "/v1/batch_token")).result;
  const send = (url: string, { headers, ...init }: RequestInit = {}, bearer: string = token) =>
    setting.edge.fetch(
      new Request(url, { ...init, headers: { authorization: `Bearer ${bearer}`, ...headers } }),
    );
  const batch = (path: string, init?: RequestInit, bearer?: string) =>
    send(`https://batch.edge.test${path}`, init, bearer);
  return { ...setting, time, token: token as string, expiresAt, send, batch };
}

const json = (method: string, body: object): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

// The host of a request is that of the socket.
describe.skipIf(isOverSocket)("a batch token", () => {
  test("uploads, lists, reads, edits, deletes and creates drafts on a batch host, in its own account", async () => {
    const { batch, client, at } = await batchSetting();
    const form = async (id: string) => formOf({ file: await png(), id });
    const made = await batch("/images/v1", { method: "POST", body: await form("a/b") });
    const { result } = await jsonOf(made);
    expect(result.id).toBe("a/b");
    expect((await at(new URL(result.variants[0]).pathname)).status).toBe(200);
    expect((await jsonOf(await batch("/images/v1"))).result.images).toHaveLength(1);
    expect((await jsonOf(await batch("/images/v2?per_page=1"))).result.images).toHaveLength(1);
    const edited = await jsonOf(await batch("/images/v1/a/b", json("PATCH", { metadata: { n: 1 } })));
    expect(edited.result.meta).toEqual({ n: 1 });
    expect((await client.ok("GET", "/v1/a/b")).result.meta).toEqual({ n: 1 });
    expect((await batch("/images/v1/a%2Fb")).status).toBe(200);
    expect((await batch("/images/v1/a/b", { method: "DELETE" })).status).toBe(200);
    const draft = await batch("/images/v2/direct_upload", { method: "POST" });
    const { uploadURL } = (await jsonOf(draft)).result;
    const filled = await at(uploadURL, { method: "POST", body: formOf({ file: await png() }) });
    expect(filled.status).toBe(200);
  });

  test("expires after an hour, by the clock", async () => {
    const { batch, time, expiresAt } = await batchSetting();
    expect(Date.parse(expiresAt)).toBe(start + 3_600_000);
    time.now = start + 3_599_999;
    expect((await batch("/images/v1")).status).toBe(200);
    time.now = start + 3_600_000;
    await expectFailure(await batch("/images/v1"), { status: 403, code: 10000 });
  });

  test("outlives a restart of the process on its store, and ends with its account", async () => {
    const store = createMemoryStore();
    const { token } = await batchSetting({ store, world: { accounts: [{ id: "a1" }, { id: "a2" }] } });
    const url = "https://batch.edge.test/images/v1";
    const again = await batchSetting({ store });
    expect((await again.send(url, {}, token)).status).toBe(200);
    const other = imageSetting({ store, clock: () => start, world: { accounts: [{ id: "a2" }] } }, "a2");
    const response = await other.edge.fetch(
      new Request(url, { headers: { authorization: `Bearer ${token}` } }),
    );
    await expectFailure(response, { status: 403, code: 10000 });
  });

  test("needs the permission to change images", async () => {
    const api_tokens = [{ token: "reads", permissions: ["images:read" as const] }];
    const { edge } = imageSetting({ world: { accounts: [{ id: "a1" }], api_tokens } });
    const url = `${origin}/client/v4/accounts/a1/images/v1/batch_token`;
    const response = await edge.fetch(new Request(url, { headers: { authorization: "Bearer reads" } }));
    await expectFailure(response, { status: 403, code: 9109 });
  });

  test.each([
    "/images/v1/stats",
    "/images/v1/keys",
    "/images/v1/variants",
    "/images/v1/variants/public",
    "/images/v1/config",
    "/images/v1/batch_token",
    "/images/v1/a/blob",
    "/images/v2/other",
  ])("does not open %s of a batch host: 404, 7003", async (path) => {
    const { batch } = await batchSetting();
    await expectFailure(await batch(path), { status: 404, code: 7003 });
  });

  test("another or no token is rejected on a batch host", async () => {
    const { batch, edge, token } = await batchSetting();
    const rejected = { status: 403, code: 10000 };
    for (const wrong of [
      "t",
      token.replace("a1", "a2"),
      `${token.slice(0, -1)}${token.endsWith("0") ? 1 : 0}`,
    ])
      await expectFailure(await batch("/images/v1", {}, wrong), rejected);
    const none = await edge.fetch(new Request("https://batch.edge.test/images/v1"));
    await expectFailure(none, { status: 401, code: 9106 });
  });

  const guarded = endpoints.filter(({ permission }) => permission !== undefined);

  test.each(["open", "listed"])(
    "no other endpoint accepts it, on any host, tokens being %s",
    async (kind) => {
      const api_tokens = [{ token: "t", permissions: ["images:write" as const] }];
      const world = kind === "open" ? {} : { world: { accounts: [{ id: "a1" }], api_tokens } };
      const { send } = await batchSetting(world);
      const ids: Readonly<Record<string, string>> = {
        account_id: "a1",
        zone_id: "z1",
        intel: "intel",
        app_service: "app_service",
      };
      const prefixes = ["/client/v4", "/client/v4/", "", "/client/v4/client/v4"];
      let rejected = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...guarded),
          fc.constantFrom(
            origin,
            "https://batch.edge.test",
            "https://edge.test:8443",
            "https://xbatch.edge.test",
          ),
          fc.constantFrom(...prefixes),
          fc.constantFrom("x", "00000000-0000-4000-8000-000000000001", "1"),
          async ({ method, path }, host, prefix, id) => {
            const filled = path.replaceAll(/\{(\w+)\+?\}/g, (_all, name: string) => ids[name] ?? id);
            const { status } = await send(`${host}${prefix}${filled}`, { method });
            expect([401, 403, 404]).toContain(status);
            if (status === 403) rejected++;
          },
        ),
        { numRuns: runs(2_000, 200) },
      );
      expect(rejected).toBeGreaterThan(0);
      expect(guarded.some(({ permission }) => permission === anyPermission)).toBe(true);
    },
  );
});
