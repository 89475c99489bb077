/** The schemas of proxy applications have the types of the engine's model, and accept what the engine stores. */
import { type App, validateApp } from "edgeproof/proxy";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import { byName, direct, staticEdge, virtual } from "../../src/engine/proxy/checks/samples.ts";
import { type accountProxyWorld, appSchema, proxyAppBody, proxyAppChange } from "../../src/schemas/proxy.ts";
import type { ProxyFactsRecord } from "../../src/store/records/proxy.ts";
import type { Plain } from "../support/model-type.ts";

// The compiler checks that the schemas have the types of an application and of the facts of an account.
expectTypeOf<Plain<z.output<typeof appSchema>>>().toEqualTypeOf<Plain<App>>();
expectTypeOf<Plain<z.output<typeof accountProxyWorld>>>().toEqualTypeOf<Plain<ProxyFactsRecord["facts"]>>();

describe.each([
  ["by address", direct],
  ["by name", byName],
  ["in a virtual network", virtual],
  ["with a static edge address", staticEdge],
])("an application %s", (_, body) => {
  test("matches the schema of request bodies", () => {
    expect(proxyAppBody.safeParse(body).success).toBe(true);
  });

  test("matches the schema of applications after validation", () => {
    const { app } = validateApp(body);
    expect(appSchema.parse(app)).toEqual(app);
  });
});

describe("the schema of a change", () => {
  const { app: stored } = validateApp(byName);
  const previous = { ...stored!, id: "0".repeat(32) };
  const accepts = (change: unknown) =>
    validateApp(change, {}, { mode: "merge", previous }).violations.length === 0;

  test.each([
    { traffic_type: null, smart_routing: null, ip_firewall: null, proxy_protocol: null, tls: null },
    { edge_ips: null, virtual_network_id: null, origin_direct: null },
    { dns: {} },
    { dns: { name: "other.example.com" } },
    { dns: { type: null } },
    { edge_ips: { connectivity: "ipv4" } },
    { edge_ips: { connectivity: null } },
    { edge_ips: { type: "dynamic", ips: null } },
    { origin_dns: { ttl: 600 } },
    { origin_dns: { ttl: null, type: null } },
    { origin_dns: null, origin_direct: ["tcp://192.0.2.1:22"], origin_port: null },
  ])("accepts %j, as the engine does", (change) => {
    expect(accepts(change)).toBe(true);
    expect(proxyAppChange.safeParse(change).success).toBe(true);
  });

  test.each([
    { protocol: null },
    { dns: null },
    { dns: { name: null } },
    { edge_ips: { type: null } },
    { edge_ips: { connectivity: "ipv5" } },
    { origin_dns: { name: null } },
    { tls: "on" },
  ])("rejects %j, as the engine does", (change) => {
    expect(accepts(change)).toBe(false);
    expect(proxyAppChange.safeParse(change).success).toBe(false);
  });
});
