/** Results of a validation: order, defaults, updates, notes, hostile bodies. */
import { checks, compileFacts, type Facts, validateApp, validateCompiled } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { pointersOf } from "../../../src/core/diagnostic.ts";
import {
  byName,
  direct,
  networkId,
  staticEdge,
  virtual,
  world,
} from "../../../src/engine/proxy/checks/samples.ts";
import { notesOf } from "../../../src/service/proxy/notes.ts";
import { normalized } from "./bodies.ts";

const codes = (body: unknown, facts: Facts = world) =>
  validateApp(body, facts).violations.map((violation) => violation.code);

test("the example of validateApp", () => {
  const { violations } = validateApp({
    protocol: "tcp/443",
    dns: { name: "www.example.com" },
    origin_direct: ["tcp://2001:db8::1:443"],
  });
  expect(violations[0]?.code).toBe(11002);
  expect(violations[0]?.fix).toEqual([
    { op: "replace", path: "/origin_direct/0", value: "tcp://[2001:db8::1]:443" },
  ]);
});

test("the example of validateCompiled", () => {
  expect(validateCompiled(direct, compileFacts({ plan: "add-on" })).app?.tls).toBe("off");
});

test("the example of the catalogue", () => {
  expect(checks.find((check) => check.id === "origin-brackets")?.code).toBe(11002);
});

describe("the normalized application", () => {
  test("has its defaults", () => {
    expect(validateApp(direct, world).app).toEqual({
      protocol: "tcp/22",
      dns: { name: "ssh.example.com", type: "CNAME" },
      traffic_type: "direct",
      origin_direct: ["tcp://192.0.2.1:22"],
      edge_ips: { type: "dynamic", connectivity: "all" },
      smart_routing: false,
      ip_firewall: false,
      proxy_protocol: "off",
      tls: "off",
    });
  });

  test("has no member without a default that was not sent", () => {
    expect(Object.keys(normalized(byName))).not.toContain("origin_direct");
    expect(normalized({ ...byName, origin_direct: [] })).not.toHaveProperty("origin_direct");
    expect(normalized(byName).origin_dns).toEqual({ name: "origin.example.com", ttl: 1200, type: "" });
  });

  test("derives dns.type from the type of the edge addresses", () => {
    expect(normalized({ ...direct, dns: { name: "a.example.com" } }).dns.type).toBe("CNAME");
    expect(normalized({ ...staticEdge, dns: { name: "a.example.com" } }).dns.type).toBe("ADDRESS");
  });

  test("shares nothing with the body", () => {
    const body = structuredClone(staticEdge) as unknown as {
      origin_direct: string[];
      edge_ips: { ips: string[] };
    };
    const { app } = validateApp(body, world);
    body.origin_direct[0] = "changed";
    body.edge_ips.ips[0] = "changed";
    expect(app).toEqual(validateApp(staticEdge, world).app);
  });
});

describe("order", () => {
  test("a validation stops after the first phase with violations", () => {
    const bad = {
      ...direct,
      protocol: "tcp/23",
      origin_direct: ["tcp://10.0.0.5:23"],
      traffic_type: "ftp",
      tls: "on",
    };
    const facts: Facts = {
      protocols: { allowed: ["ssh"], reserved: [] },
      features: { ftp: false },
      hostnames: [],
    };
    expect(codes(bad, facts)).toEqual([10400]);
    expect(codes({ ...bad, tls: "off" }, facts)).toEqual([13002]);
    expect(codes({ ...bad, tls: "off" }, { ...facts, protocols: {} })).toEqual([11002]);
    const rerouted = { ...bad, tls: "off", origin_direct: ["tcp://192.0.2.1:23"] };
    expect(codes(rerouted, { ...facts, protocols: {} })).toEqual([11014]);
    expect(codes(rerouted, { ipv4: { quota: 0, used: 0 }, hostnames: [] })).toEqual([12005]);
  });

  test("all violations of a phase are returned, in the order of the specification", () => {
    const body = {
      ...byName,
      dns: { ...byName.dns, type: "ADDRESS" },
      origin_dns: { name: "1.2.3.4", ttl: 1 },
      virtual_network_id: "x",
    };
    expect(codes(body)).toEqual([11041, 11045, 11001, 11001, 11004]);
    const several = ["tcp://10.0.0.1:22", "tcp://192.0.2.1:22", "udp://10.0.0.2:22"];
    expect(
      validateApp({ ...direct, origin_direct: several }).violations.map((violation) => violation.pointer),
    ).toEqual(["/origin_direct/0", "/origin_direct/2", "/origin_direct/2"]);
  });

  test("with both origins the members of each are validated, and missing ones are not reported", () => {
    expect(codes({ ...direct, origin_dns: {} })).toEqual([11000]);
    expect(codes({ ...direct, origin_dns: { name: "1.2.3.4" } })).toEqual([11000, 11001]);
    expect(codes({ ...direct, ...byName, virtual_network_id: networkId })).toEqual([11000, 11041]);
  });
});

describe("without facts", () => {
  test("only checks that apply and need a missing fact are listed", () => {
    const { violations, notEvaluated, app } = validateApp(direct);
    expect(violations).toEqual([]);
    expect(app).toBeDefined();
    expect(notEvaluated).toEqual([
      { check: "protocol-outside-plan", code: 13002, needs: ["protocols.allowed"] },
      { check: "protocol-reserved", code: 13002, needs: ["protocols.reserved"] },
      { check: "hostname-other-zone", code: 16001, needs: ["hostnames"] },
      { check: "hostname-other-domain", code: 16001, needs: ["zones"] },
      { check: "hostname-outside-domains", code: 10400, needs: ["zones", "zone"] },
      { check: "ipv4-quota", code: 12005, needs: ["ipv4"] },
      { check: "hostname-ports-overlap", code: 10402, needs: ["apps"] },
    ]);
  });

  test("messages name the check and the fact", () => {
    expect(notesOf(validateApp(direct))[0]).toMatchObject({
      code: 10403,
      message:
        "The check `protocol-outside-plan` (13002) was not evaluated; it needs the missing facts `protocols.allowed`.",
    });
  });

  test("the zone is needed only when the result depends on it", () => {
    const { zone: _, ...anywhere } = world;
    const elsewhere = { ...anywhere, zoneOf: (name: string) => (name.startsWith("o") ? "z1" : undefined) };
    const needs = (facts: Facts, body: unknown = direct) =>
      validateApp(body, facts).notEvaluated.map(({ check, needs }) => [check, ...needs]);
    const outside = ["hostname-outside-domains", "zones", "zone"];
    expect(needs(elsewhere)).toEqual([outside]);
    expect(needs({ ...elsewhere, hostnames: [{ name: "ssh.example.com", zone: "z1" }] })).toEqual([
      ["hostname-other-zone", "zone"],
      outside,
    ]);
    expect(needs(elsewhere, byName)).toEqual([["origin-zone-other", "zone"], outside]);
    const held = { ...elsewhere, edge_ips: [{ ip: "198.51.100.10", zone: "z1" }] };
    expect(needs(held, staticEdge)).toEqual([outside, ["edge-ip-in-use", "zone"]]);
    expect(needs(anywhere)).toEqual([["hostname-other-domain", "zone"]]);
  });

  test("an exhausted quota is evaluated only when the host names are known", () => {
    const { hostnames: _, ...facts } = { ...world, ipv4: { quota: 1, used: 1 } };
    expect(validateApp(direct, facts).notEvaluated).toContainEqual({
      check: "ipv4-quota",
      code: 12005,
      needs: ["hostnames"],
    });
  });

  test("zoneOf alone is enough for the names that it knows", () => {
    const { zones: _, ...facts } = {
      ...world,
      zoneOf: (name: string) => (name === "o.example.net" ? "z2" : undefined),
    };
    const named = (name: string) => ({ ...byName, origin_dns: { name } });
    expect(codes(named("O.example.net."), facts)).toEqual([11050]);
    expect(validateApp(named("o.example.org"), facts).notEvaluated).toEqual([
      { check: "origin-zone-unknown", code: 11050, needs: ["zones"] },
      { check: "hostname-outside-domains", code: 10400, needs: ["zones"] },
    ]);
  });
});

describe("ignored members", () => {
  test("are dropped, and listed in order", () => {
    const body = { ...direct, zeta: 1, alpha: { beta: 2 }, dns: { ...direct.dns, ttl: 5 }, id: "x" };
    const { app, warnings } = validateApp(body, world);
    expect(app).toEqual(normalized(direct));
    expect(warnings).toMatchObject(
      ["/alpha", "/dns/ttl", "/zeta"].map((pointer) => ({
        code: 10401,
        message: `The member \`${pointer.slice(1).replace("/", ".")}\` is ignored.`,
        pointer,
      })),
    );
  });

  test("edge addresses keep only the members of their type", () => {
    const mixed = { ...direct, edge_ips: { type: "dynamic", ips: ["198.51.100.10"] } };
    const { app, warnings } = validateApp(mixed, world);
    expect(app?.edge_ips).toEqual({ type: "dynamic", connectivity: "all" });
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/edge_ips/ips"]);
  });

  test("10012 has one pointer for each member", () => {
    const body = { ...direct, b: 1, a: 2, dns: { ...direct.dns, c: 3 }, tls: "off" };
    const { violations } = validateApp(body, { plan: "pay-as-you-go" });
    expect(violations.map((violation) => [violation.code, pointersOf(violation)])).toEqual([
      [10012, ["/a", "/b", "/dns/c"]],
      [10012, ["/tls"]],
    ]);
  });

  test("members of the add-on are not removed by a patch", () => {
    for (const body of [byName, { ...direct, tls: "strict" }])
      expect(validateApp(body, { plan: "pay-as-you-go" }).violations[0]?.fix).toBeUndefined();
  });
});

describe("updates", () => {
  const stored = normalized({ ...direct, tls: "full" });

  test("a whole body replaces the stored application", () => {
    expect(validateApp(direct, world, { previous: stored }).app).toEqual(normalized(direct));
  });

  test("a change is merged into the stored application", () => {
    const { app } = validateApp({ tls: null, dns: { name: "b.example.com" } }, world, {
      previous: stored,
      mode: "merge",
    });
    expect(app).toEqual({ ...stored, tls: "off", dns: { name: "b.example.com", type: "CNAME" } });
  });

  test("a change needs the stored application", () => {
    expect(() => validateApp({}, {}, { mode: "merge" })).toThrow(TypeError);
  });

  test("a change that is not an object is rejected", () => {
    expect(validateApp(null, world, { previous: stored, mode: "merge" }).violations[0]?.rule).toBe(
      "body-not-an-object",
    );
  });

  test("without ids, an update of the only application of its protocol is allowed", () => {
    const facts = { ...world, plan: "pay-as-you-go", apps: [{ protocol: "ssh" }] } as const;
    expect(validateApp(direct, facts, { previous: normalized(direct) }).violations).toEqual([]);
    expect(codes(direct, facts)).toEqual([11034]);
  });
});

test("the default access check can be replaced", () => {
  const body = { ...direct, origin_direct: ["tcp://10.0.0.5:22"] };
  expect(codes(body, { ...world, originAccess: () => undefined })).toEqual([]);
  const { violations } = validateApp(direct, { originAccess: () => "an address of the test" });
  expect(violations[0]?.message).toContain("an address of the test");
});

test("13002 lists the edge ports that are not allowed", () => {
  const body = { ...direct, protocol: "tcp/20-30" };
  const { violations } = validateApp(body, { protocols: { allowed: ["tcp/22-24", "tcp/30"] } });
  expect(violations[0]?.message).toBe(
    "The protocol `tcp/20-30` is not available for the zone; its edge ports 20-21, 25-29 are not in the plan.",
  );
});

describe("hostile bodies", () => {
  const cyclic: Record<string, unknown> = { ...direct };
  cyclic["self"] = cyclic;
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["an array", []],
    ["a string", "{}"],
    ["a number", 1],
    ["a bigint", 1n],
    ["a symbol", Symbol("x")],
    ["a function", () => direct],
    ["a cycle", cyclic],
    ["a deep member", { ...direct, deep }],
    ["a deep origin", { ...direct, origin_direct: deep }],
    ["a bigint member", { ...direct, origin_port: 22n }],
    ["a symbol member", { ...direct, tls: Symbol("off") }],
    ["a symbol in an unknown member", { ...direct, x: [Symbol("off")] }],
    ["a bigint in a nested unknown member", { ...direct, dns: { ...direct.dns, x: 1n } }],
    ["an infinite ttl", { ...byName, origin_dns: { name: "a.example.com", ttl: Number.POSITIVE_INFINITY } }],
    ["NaN", { ...byName, origin_port: Number.NaN }],
    ["an inherited application", Object.create(direct)],
    ["an application in __proto__", JSON.parse(`{"__proto__":${JSON.stringify(direct)}}`)],
    ["a dns in __proto__", { ...direct, dns: JSON.parse('{"__proto__":{"name":"a.example.com"}}') }],
    ["a sparse array", { ...direct, origin_direct: new Array(5) }],
    ["an array of maximum length", { ...direct, origin_direct: new Array(2 ** 32 - 1) }],
    ["boxed strings", { ...direct, tls: Object("off") }],
    [
      "an accessor that throws",
      Object.defineProperty({ ...direct }, "tls", {
        enumerable: true,
        get: () => {
          throw new RangeError("no");
        },
      }),
    ],
    [
      "a revoked proxy",
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
    ],
  ])("%s violates the format", (_, body) => {
    const { violations } = validateApp(body, world);
    expect(violations.length).toBeGreaterThan(0);
    for (const violation of violations) expect(violation.code).toBe(10400);
  });

  test("an object that occurs twice is not a cycle", () => {
    const part = { a: 1 };
    expect(codes({ ...direct, x: [part, part] })).toEqual([]);
  });

  test("values are shortened in messages", () => {
    const { violations } = validateApp({ ...direct, origin_direct: ["x".repeat(1_000_000)], tls: "off" });
    expect(violations[0]?.message.length).toBeLessThan(300);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${"k".repeat(500)}${i}`, i]));
    const unknown = validateApp({ ...direct, ...many }, { plan: "pay-as-you-go" }).violations[0];
    expect(unknown?.related?.length).toBe(499);
    expect(unknown?.message.length).toBeLessThan(700);
  });

  test("addresses in virtual networks must be well-formed", () => {
    expect(codes({ ...virtual, origin_direct: ["tcp://0x7f.1:22"] })).toEqual([11002]);
  });

  test("in a virtual network a range of edge ports is 11002, and a range of origin ports is only 11043", () => {
    const ranged = { ...virtual, protocol: "tcp/22-23" };
    const { violations } = validateApp(ranged, world);
    expect(violations.map(({ code, rule }) => [code, rule])).toEqual([[11002, "origin-range-width"]]);
    expect(codes({ ...ranged, origin_direct: ["tcp://10.0.0.5:22-23"] })).toEqual([11043]);
    expect(codes({ ...ranged, origin_direct: ["tcp://10.0.0.5:22-24"] })).toEqual([11043]);
    expect(codes({ ...virtual, origin_direct: ["tcp://10.0.0.5:22-24"] })).toEqual([11043]);
  });
});
