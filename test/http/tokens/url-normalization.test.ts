/** The URL normalization of zones over HTTP and in worlds: page "Custom rules", section "URL normalization". */
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import type { World } from "../../../src/service/world/schema.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { clientOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";

const path = "/zones/z1/url_normalization";
const rulesets = [
  {
    name: "entry",
    kind: "zone" as const,
    phase: "http_request_firewall_custom",
    rules: [{ action: "block" as const, expression: 'starts_with(http.request.uri.path, "/admin/")' }],
  },
];

function edgeOf(options: EdgeOptions = {}, zone: Partial<NonNullable<World["zones"]>[number]> = {}) {
  const world = { zones: [{ id: "z1", name: "example.com", rulesets, ...zone }] } satisfies World;
  const edge = createEdge({ world, ...options });
  const request = { method: "GET", url: "https://example.com/%61dmin/x" };
  return {
    edge,
    client: clientOf(edge),
    action: async () => (await edge.tokens.evaluate("z1", request)).action,
  };
}

describe("the URL normalization of a zone", () => {
  test("is that of the profile until it is changed, and after it is deleted", async () => {
    const provider = edgeOf({ profile: "provider" });
    expect((await provider.client.ok("GET", path)).result).toEqual({ type: "cloudflare", scope: "incoming" });
    expect(await provider.action()).toBe("block");
    const spec = edgeOf();
    expect((await spec.client.ok("GET", path)).result).toEqual({ type: "cloudflare", scope: "none" });
    expect(await spec.action()).toBe("allow");
    const changed = { type: "rfc3986", scope: "both" };
    expect((await spec.client.ok("PUT", path, changed)).result).toEqual(changed);
    expect((await spec.client.ok("GET", path)).result).toEqual(changed);
    expect(await spec.action()).toBe("block");
    expect((await spec.client.ok("DELETE", path)).result).toEqual({ type: "cloudflare", scope: "none" });
    expect(await spec.action()).toBe("allow");
    expect((await spec.client.ok("DELETE", path)).result).toEqual({ type: "cloudflare", scope: "none" });
  });

  test("is that of an option, and that of a world", async () => {
    expect(await edgeOf({ urlNormalization: "rfc3986" }).action()).toBe("block");
    expect(await edgeOf({ profile: "provider", urlNormalization: "none" }).action()).toBe("allow");
    const off = { type: "cloudflare", scope: "none" } as const;
    const { client, action } = edgeOf({ profile: "provider" }, { url_normalization: off });
    expect((await client.ok("GET", path)).result).toEqual(off);
    expect(await action()).toBe("allow");
    expect(() => createEdge({ urlNormalization: "on" as "none" })).toThrow(
      'urlNormalization must be "none", "rfc3986" or "cloudflare"; found `on`',
    );
  });

  test("belongs to the store once a world has set it; a difference is reported", async () => {
    const store = createMemoryStore();
    const set = { type: "rfc3986", scope: "incoming" } as const;
    await edgeOf({ store }, { url_normalization: set }).client.ok("GET", path);
    const notes: string[] = [];
    const other = { type: "cloudflare", scope: "both" } as const;
    const second = edgeOf(
      { store, onNote: (line: string) => notes.push(line) },
      { url_normalization: other },
    );
    expect((await second.client.ok("GET", path)).result).toEqual(set);
    expect(notes.join("\n")).toContain("zone `z1`: the store keeps its settings (1 different)");
  });

  test("has two members with few values, and a zone that exists", async () => {
    const { client } = edgeOf();
    for (const body of [
      {},
      { type: "cloudflare" },
      { type: "rfc", scope: "incoming" },
      { type: 1, scope: 2 },
      [],
    ])
      await expectFailure(await client("PUT", path, body), { status: 400, code: 10400 });
    for (const [method, body] of [["GET"], ["PUT", { type: "rfc3986", scope: "both" }], ["DELETE"]] as const)
      await expectFailure(await client(method, "/zones/none/url_normalization", body), {
        status: 404,
        code: 10404,
      });
  });
});
