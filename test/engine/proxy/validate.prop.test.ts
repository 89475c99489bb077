/** Properties of validations, for valid applications and for ones with exactly one inserted fault. */
import {
  applyPatch,
  checks,
  compileFacts,
  type Facts,
  type ValidateOptions,
  validateApp,
  validateCompiled,
} from "edgeproof/proxy";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/core/diagnostic.ts";
import { networkId, world } from "../../../src/engine/proxy/checks/samples.ts";
import { runs } from "../../support/runs.ts";
import { rows } from "./bodies.ts";

type Body = Record<string, unknown>;

const facts = compileFacts(world);
const port = fc.integer({ min: 1, max: 65_535 });
const transport = fc.constantFrom("tcp", "udp");
const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9_-]{0,8}[a-z0-9])?$/);
const ownName = label.map((name) => `${name}.example.com`);
const publicHost = fc.oneof(
  fc.nat({ max: 255 }).map((n) => `203.0.113.${n}`),
  fc.nat({ max: 0xffff }).map((n) => `[2001:db8::${n.toString(16)}]`),
);

/** A protocol and a function that writes as many origin ports. */
const ports = fc.oneof(
  fc.tuple(port, port).map(([edge, origin]) => ({ edge: `${edge}`, origin: `${origin}` })),
  fc
    .tuple(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 60_000 }),
      fc.integer({ min: 1, max: 60_000 }),
    )
    .map(([width, edge, origin]) => ({
      edge: `${edge}-${edge + width}`,
      origin: `${origin}-${origin + width}`,
    })),
);

const extras = fc.record(
  {
    traffic_type: fc.constantFrom("direct", "http", "https", "ftp"),
    smart_routing: fc.boolean(),
    ip_firewall: fc.boolean(),
    proxy_protocol: fc.constantFrom("off", "v1", "v2", "simple"),
    tls: fc.constantFrom("off", "flexible", "full", "strict"),
  },
  { requiredKeys: [] },
);

const dynamic = fc.record(
  { type: fc.constant("dynamic"), connectivity: fc.constantFrom("all", "ipv4", "ipv6") },
  { requiredKeys: ["type"] },
);

const direct: fc.Arbitrary<Body> = fc
  .tuple(transport, ports, fc.array(publicHost, { minLength: 1, maxLength: 3 }), ownName, extras)
  .map(([scheme, { edge, origin }, hosts, name, more]) => ({
    protocol: `${scheme}/${edge}`,
    dns: { name, type: "CNAME" },
    origin_direct: hosts.map((host) => `${scheme}://${host}:${origin}`),
    ...more,
  }));

const byName: fc.Arbitrary<Body> = fc
  .tuple(transport, ports, ownName, ownName, fc.integer({ min: 600, max: 2_147_483_647 }), dynamic, extras)
  .map(([scheme, { edge, origin }, name, target, ttl, edge_ips, more]) => ({
    protocol: `${scheme}/${edge}`,
    dns: { name },
    origin_dns: { name: target, ttl },
    origin_port: origin,
    edge_ips,
    ...more,
  }));

const virtual: fc.Arbitrary<Body> = fc
  .tuple(port, port, fc.nat({ max: 255 }), ownName, extras)
  .map(([edge, origin, n, name, more]) => ({
    protocol: `tcp/${edge}`,
    dns: { name, type: "CNAME" },
    origin_direct: [`tcp://10.0.0.${n}:${origin}`],
    virtual_network_id: networkId,
    ...more,
  }));

const onStatic: fc.Arbitrary<Body> = fc
  .tuple(direct, fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 3 }))
  .map(([body, last]) => ({
    ...body,
    dns: { ...(body["dns"] as Body), type: "ADDRESS" },
    edge_ips: { type: "static", ips: last.map((n) => `198.51.100.${n}`) },
  }));

const valid = fc.oneof(direct, byName, virtual, onStatic);

/** One fault: the applications into which it can be inserted, and its expected code. */
interface Plant {
  readonly code: number;
  readonly into: fc.Arbitrary<Body>;
  readonly plant: (body: Body) => Body;
  readonly facts?: Partial<Facts>;
  readonly options?: ValidateOptions;
}

const nested = (body: Body, name: string) => body[name] as Body;
const firstOrigin = (body: Body) => (body["origin_direct"] as string[])[0] as string;
const without = (body: Body, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
const off = (feature: string): Partial<Facts> => ({ features: { ...world.features, [feature]: false } });
const bare = direct.map(({ protocol, dns, origin_direct }) => ({ protocol, dns, origin_direct }));
const payAsYouGo = { plan: "pay-as-you-go" } as const;

const plants: readonly Plant[] = [
  { code: 10012, into: bare, plant: (body) => ({ ...body, ip_firewall: false }), facts: payAsYouGo },
  { code: 10012, into: bare, plant: (body) => ({ ...body, colour: "red" }), facts: payAsYouGo },
  {
    code: 10012,
    into: bare,
    plant: (body) => ({ ...body, dns: { ...nested(body, "dns"), ttl: 1 } }),
    facts: payAsYouGo,
  },
  { code: 10400, into: valid, plant: (body) => without(body, "protocol") },
  { code: 10400, into: valid, plant: (body) => ({ ...body, protocol: `${body["protocol"]} ` }) },
  { code: 10400, into: valid, plant: (body) => ({ ...body, tls: "maybe" }) },
  { code: 10400, into: valid, plant: (body) => ({ ...body, dns: "ssh.example.com" }) },
  { code: 13002, into: valid, plant: (body) => body, facts: { protocols: { allowed: [], reserved: [] } } },
  {
    code: 11000,
    into: direct,
    plant: (body) => ({ ...body, origin_dns: { name: "o.example.com" }, origin_port: 22 }),
  },
  { code: 11000, into: direct, plant: (body) => ({ ...body, origin_direct: [] }) },
  { code: 11000, into: byName, plant: (body) => without(body, "origin_dns") },
  { code: 11001, into: byName, plant: (body) => without(body, "origin_port") },
  { code: 11001, into: byName, plant: (body) => ({ ...body, origin_dns: { name: "a..b" } }) },
  {
    code: 11001,
    into: byName,
    plant: (body) => ({ ...body, origin_dns: { ...nested(body, "origin_dns"), ttl: 599 } }),
  },
  { code: 11001, into: byName, plant: (body) => ({ ...body, origin_port: "1-65535" }) },
  {
    code: 11002,
    into: direct,
    plant: (body) => ({
      ...body,
      origin_direct: [
        firstOrigin(body)
          .replace(/[[\]]/g, "")
          .replace(/\/\/.*:/, "//2001:db8::1:"),
      ],
    }),
  },
  {
    code: 11002,
    into: direct,
    plant: (body) => ({ ...body, origin_direct: [firstOrigin(body).replace(/\/\/.*:/, "//127.0.0.1:")] }),
  },
  {
    code: 11002,
    into: direct,
    plant: (body) => ({
      ...body,
      origin_direct: [firstOrigin(body).replace(/^.../, (s) => (s === "tcp" ? "udp" : "tcp"))],
    }),
  },
  {
    code: 11002,
    into: direct,
    plant: (body) => ({ ...body, origin_direct: [firstOrigin(body).replace(/:[\d-]+$/, ":1-65535")] }),
  },
  {
    code: 11004,
    into: direct,
    plant: (body) => ({ ...body, dns: { ...nested(body, "dns"), type: "ADDRESS" } }),
  },
  {
    code: 11004,
    into: onStatic,
    plant: (body) => ({ ...body, dns: { ...nested(body, "dns"), type: "CNAME" } }),
  },
  { code: 11014, into: valid, plant: (body) => ({ ...body, traffic_type: "ftp" }), facts: off("ftp") },
  {
    code: 11026,
    into: valid,
    plant: (body) => ({ ...body, smart_routing: true }),
    facts: off("smart_routing"),
  },
  { code: 11018, into: onStatic, plant: (body) => body, facts: off("edge_ips") },
  { code: 11019, into: onStatic, plant: (body) => body, facts: { permissions: { ip_prefixes: false } } },
  {
    code: 11019,
    into: onStatic,
    plant: (body) => ({ ...body, edge_ips: { type: "static", ips: ["203.0.113.1"] } }),
  },
  {
    code: 11033,
    into: onStatic,
    plant: (body) => ({ ...body, edge_ips: { type: "static", ips: ["198.51.100.7"] } }),
    facts: { edge_ips: [{ ip: "198.51.100.7", zone: "z2" }] },
  },
  {
    code: 11034,
    into: bare,
    plant: (body) => ({ ...body, protocol: "ssh", origin_direct: ["tcp://192.0.2.1:22"] }),
    facts: { ...payAsYouGo, apps: [{ protocol: "tcp/22" }] },
  },
  { code: 11041, into: byName, plant: (body) => ({ ...body, virtual_network_id: networkId }) },
  {
    code: 11042,
    into: virtual,
    plant: (body) => ({ ...body, origin_direct: [firstOrigin(body), firstOrigin(body)] }),
  },
  { code: 11043, into: virtual, plant: (body) => ({ ...body, origin_direct: ["tcp://10.0.0.1:22-23"] }) },
  { code: 11043, into: virtual, plant: (body) => ({ ...body, origin_port: "22-23" }) },
  {
    code: 11044,
    into: virtual,
    plant: (body) => ({ ...body, virtual_network_id: networkId.replace("f", "0") }),
  },
  { code: 11044, into: virtual, plant: (body) => ({ ...body, origin_direct: ["tcp://172.16.0.1:22"] }) },
  { code: 11045, into: virtual, plant: (body) => ({ ...body, virtual_network_id: networkId.slice(1) }) },
  { code: 11050, into: byName, plant: (body) => ({ ...body, origin_dns: { name: "o.example.net" } }) },
  { code: 12005, into: direct, plant: (body) => body, facts: { ipv4: { quota: 3, used: 3 } } },
  {
    code: 16001,
    into: valid,
    plant: (body) => ({ ...body, dns: { ...nested(body, "dns"), name: "Taken.example.com" } }),
    facts: { hostnames: [{ name: "taken.example.com", zone: "z2" }] },
  },
];

const checkOf = ({ rule }: Diagnostic) => checks.find(({ id }) => id === rule);
const isRestriction = (diagnostic: Diagnostic) => checkOf(diagnostic)?.level === "restriction";
const phaseOf = (diagnostic: Diagnostic) => checkOf(diagnostic)?.phase;

describe("valid applications", () => {
  test("pass, and every check is evaluated", () => {
    fc.assert(
      fc.property(valid, (body) => {
        const { violations, warnings, notEvaluated, app } = validateCompiled(body, facts);
        expect(violations).toEqual([]);
        expect(notEvaluated).toEqual([]);
        expect(
          warnings.filter((warning) => warning.level !== "note" && phaseOf(warning) !== "restrictions"),
        ).toEqual([]);
        expect(app).toMatchObject(body);
      }),
    );
  });

  test("normalizing a second time changes nothing", () => {
    fc.assert(
      fc.property(valid, (body) => {
        const first = validateCompiled(body, facts);
        expect(validateCompiled(first.app, facts)).toEqual(first);
      }),
    );
  });

  test("pass also after printing and parsing as JSON", () => {
    fc.assert(
      fc.property(valid, fc.dictionary(fc.string(), fc.jsonValue()), (body, more) => {
        const sent = { ...more, ...body };
        const printed = JSON.parse(JSON.stringify(sent));
        expect(validateCompiled(printed, facts)).toEqual(validateCompiled(sent, facts));
        expect(validateCompiled(sent, facts).violations).toEqual([]);
      }),
    );
  });
});

describe("restrictions", () => {
  test("enforced, the violations are the warnings of the first phase that has one, and none is a restriction any more", () => {
    fc.assert(
      fc.property(valid, (body) => {
        const { warnings } = validateCompiled(body, facts);
        const restricted = warnings.filter(isRestriction);
        const enforced = validateCompiled(body, facts, { restrictions: "enforce" });
        const found = restricted.filter((diagnostic) => phaseOf(diagnostic) === phaseOf(restricted[0]!));
        expect(enforced.violations.map(({ rule }) => rule)).toEqual(found.map(({ rule }) => rule));
        expect(enforced.warnings.filter(isRestriction)).toEqual([]);
      }),
    );
  });
});

describe("an application with one fault gets exactly its code", () => {
  test.each(plants.map((plant, i) => [`${plant.code} (${i})`, plant] as const))("%s", (_, plant) => {
    const compiled = compileFacts({ ...world, ...plant.facts });
    fc.assert(
      fc.property(plant.into, (body) => {
        const { violations } = validateCompiled(plant.plant(body), compiled, plant.options);
        expect(violations.map((violation) => violation.code)).toEqual([plant.code]);
      }),
      { numRuns: runs(30) },
    );
  });

  test("every code that a single body can cause has a fault", () => {
    const planted = new Set(plants.map((plant) => plant.code));
    expect(rows.map((row) => row.code).filter((code) => !planted.has(code))).toEqual([]);
  });
});

/** Anything: values of all kinds under names that matter, and under names that do not. */
const odd = fc.oneof(fc.anything(), fc.constantFrom(null, undefined, "", "tcp/22", -1, 2 ** 40, [[]], {}));
const names = fc.constantFrom(
  ...[
    "protocol",
    "dns",
    "origin_direct",
    "origin_dns",
    "origin_port",
    "edge_ips",
    "tls",
    "virtual_network_id",
    "__proto__",
    "x",
  ],
);
const nearly = fc.tuple(valid, fc.array(fc.tuple(names, odd), { maxLength: 3 })).map(([body, changes]) => {
  const entries = [...Object.entries(body), ...changes];
  return Object.fromEntries(entries);
});
const anyBody = fc.oneof(
  fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
  nearly,
);

describe("any value", () => {
  test("is validated without an exception, and is either accepted or has violations", () => {
    fc.assert(
      fc.property(
        anyBody,
        fc.constantFrom(facts, compileFacts({}), compileFacts({ plan: "pay-as-you-go" })),
        (body, known) => {
          const { app, violations } = validateCompiled(body, known);
          expect(app === undefined).toBe(violations.length > 0);
          expect(new Set(violations.map(phaseOf)).size).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: runs(600) },
    );
  });

  test("is validated without an exception also as a change of a stored application", () => {
    fc.assert(
      fc.property(valid, anyBody, (stored, change) => {
        const previous = validateCompiled(stored, facts).app;
        if (!previous) throw new RangeError("the generator made an invalid body");
        const { app, violations } = validateCompiled(change, facts, { previous, mode: "merge" });
        expect(app === undefined).toBe(violations.length > 0);
      }),
      { numRuns: runs(300) },
    );
  });

  test("is not changed, and has the same result each time", () => {
    fc.assert(
      fc.property(nearly, (body) => {
        const before = structuredCloneable(body);
        const first = validateCompiled(body, facts);
        expect(validateCompiled(body, facts)).toEqual(first);
        if (before !== undefined) expect(body).toEqual(before);
      }),
    );
  });

  test("the order of members does not matter", () => {
    const shuffled = anyBody.chain((body) => {
      if (typeof body !== "object" || body === null || Array.isArray(body))
        return fc.constant([body, body] as const);
      const keys = Object.keys(body);
      return fc
        .shuffledSubarray(keys, { minLength: keys.length, maxLength: keys.length })
        .map((order) => [body, Object.fromEntries(order.map((key) => [key, (body as Body)[key]]))] as const);
    });
    fc.assert(
      fc.property(
        shuffled,
        fc.constantFrom(facts, compileFacts({ plan: "pay-as-you-go" })),
        ([body, other], known) => {
          expect(validateCompiled(other, known)).toEqual(validateCompiled(body, known));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test("a patch removes its violation, and a second application changes nothing", () => {
    const plantsWithBodies = fc.constantFrom(...plants).chain((plant) =>
      plant.into.map((body) => ({
        body: plant.plant(body),
        facts: compileFacts({ ...world, ...plant.facts }),
      })),
    );
    let patched = 0;
    fc.assert(
      fc.property(plantsWithBodies, ({ body, facts: known }) => {
        for (const { fix: patch, rule } of validateCompiled(body, known).violations) {
          if (!patch) continue;
          patched++;
          const fixed = applyPatch(body, patch);
          expect(validateCompiled(fixed, known).violations.map((violation) => violation.rule)).not.toContain(
            rule,
          );
          expect(applyPatch(fixed, patch)).toEqual(fixed);
        }
      }),
      { numRuns: runs(300, 300) },
    );
    expect(patched).toBeGreaterThan(0);
  });
});

function structuredCloneable(body: unknown): unknown {
  try {
    return structuredClone(body);
  } catch {
    return undefined;
  }
}

test("validateApp returns the same as validateCompiled with compiled facts", () => {
  for (const { body, facts: known, options } of rows) {
    expect(validateApp(body, known, options)).toEqual(validateCompiled(body, compileFacts(known), options));
  }
});
