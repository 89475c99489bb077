/** Random proxy applications for property tests: valid, and wrong in exactly one way. */
import type { Arbitrary } from "fast-check";
import { checks } from "../../engine/proxy/checks/catalogue.ts";
import type { Facts } from "../../engine/proxy/facts/facts.ts";
import type { ValidateOptions } from "../../engine/proxy/model.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";

/** The body of an application, as a client sends it. */
export type AppBody = Readonly<Record<string, unknown>>;

/** A body with one fault, and the world in which it is one. */
export interface WrongApp {
  readonly body: unknown;
  /** The only check that it violates. */
  readonly check: string;
  readonly code: number;
  readonly facts?: Facts;
  readonly options?: ValidateOptions;
}

/** Facts with one fault. */
export interface WrongFacts {
  readonly facts: unknown;
  /** Where the only problem is that `checkFacts` reports, and its code. */
  readonly pointer: string;
  readonly code: number;
}

/** Arbitraries of proxy applications and of what is known of their account. */
export interface ProxyArbitraries {
  /** Valid wherever nothing is known of the account. */
  readonly app: Arbitrary<AppBody>;
  readonly wrongApp: Arbitrary<WrongApp>;
  /** The body that changes an application, whatever its protocol and origins are. */
  readonly appPatch: Arbitrary<AppBody>;
  readonly facts: Arbitrary<Facts>;
  readonly wrongFacts: Arbitrary<WrongFacts>;
}

/** Highest port (RFC 6335). */
const maxPort = 65_535;

/** Most ports of a range that is made here. */
const maxSpan = 100;

/**
 * Makes the arbitraries. fast-check is given, not imported, so that nobody needs it who does not use it.
 *
 * @example
 * ```ts
 * const fc = await import("fast-check");
 * const { app } = proxyArbitraries(fc);
 * fc.sample(app, 20).flatMap((body) => validateApp(body).violations); // => []
 * ```
 */
export function proxyArbitraries(fc: FastCheck): ProxyArbitraries {
  assertFastCheck(fc, "proxyArbitraries");
  const ports = fc
    .tuple(fc.integer({ min: 1, max: maxPort - maxSpan }), fc.constantFrom(0, 0, 1, maxSpan))
    .map(([first, span]) => ({ first, last: first + span }));

  const address = fc.oneof(
    fc.nat({ max: 255 }).map((last) => `192.0.2.${last}`),
    fc.integer({ min: 1, max: 0xffff }).map((last) => `[2001:db8::${last.toString(16)}]`),
  );

  const name = fc.constantFrom("ssh", "mail", "game", "db").map((label) => `${label}.example.com`);

  /** Either kind of origin, with as many ports as the edge has. */
  function origin(scheme: string, first: number, last: number): Arbitrary<AppBody> {
    const range = first === last ? String(first) : `${first}-${last}`;
    return fc.oneof(
      address.map((host) => ({ origin_direct: [`${scheme}://${host}:${range}`] })),
      fc.record({
        origin_dns: fc.record(
          { name: fc.constant("origin.example.com"), ttl: fc.integer({ min: 600, max: 86_400 }) },
          { requiredKeys: ["name"] },
        ),
        origin_port: fc.constant(first === last ? first : range),
      }),
    );
  }

  const app = fc
    .tuple(fc.constantFrom("tcp", "udp"), ports, name)
    .chain(([scheme, { first, last }, dnsName]) => {
      const edge = first === last ? String(first) : `${first}-${last}`;
      const base = { protocol: `${scheme}/${edge}`, dns: { type: "CNAME", name: dnsName } };
      const more = fc.record({ ip_firewall: fc.boolean() }, { requiredKeys: [] });
      return fc
        .tuple(origin(scheme, first, last), more)
        .map(([parts, rest]) => ({ ...base, ...parts, ...rest }));
    });

  const wrongApp = fc.constantFrom(
    ...checks.map(({ id, code, bad }): WrongApp => ({ check: id, code, ...structuredClone(bad) })),
  );

  const appPatch = fc.record(
    { dns: name.map((dnsName) => ({ type: "CNAME", name: dnsName })), ip_firewall: fc.boolean() },
    { requiredKeys: [] },
  );

  const facts = anyFacts(fc);
  const wrongFacts = fc.tuple(facts, fc.constantFrom(...factFaults)).map(
    ([valid, [changed, pointer]]): WrongFacts => ({
      facts: { ...valid, ...changed },
      pointer,
      code: 10_400,
    }),
  );

  return { app, wrongApp, appPatch, facts, wrongFacts };
}

/** Facts that can be used, as a world file has them. */
function anyFacts(fc: FastCheck): Arbitrary<Facts> {
  const prefix = fc.constantFrom("192.0.2.0/24", "198.51.100.0/25", "2001:db8::/32");
  const protocol = fc.constantFrom("tcp/22", "udp/53", "tcp/1000-2000");
  const zone = fc.constantFrom("z1", "z2");
  const name = fc.constantFrom("ssh.example.com", "mail.example.net");
  const list = <T>(item: Arbitrary<T>) => fc.array(item, { maxLength: 3 });
  const some = <T>(members: { [K in keyof T]: Arbitrary<T[K]> }) => fc.record(members, { requiredKeys: [] });
  return some({
    plan: fc.constantFrom("add-on", "pay-as-you-go"),
    features: some({ ftp: fc.boolean(), edge_ips: fc.boolean(), smart_routing: fc.boolean() }),
    permissions: some({ ip_prefixes: fc.boolean() }),
    prefixes: list(prefix),
    protocols: some({ allowed: list(protocol), reserved: list(protocol) }),
    apps: list(fc.record({ id: fc.uuid(), protocol })),
    zone,
    zones: list(fc.record({ id: zone, name })),
    hostnames: list(fc.record({ name, zone, ipv4: fc.boolean() })),
    edge_ips: list(
      fc.record({ ip: fc.constantFrom("192.0.2.1", "2001:db8::1"), zone, deleted: fc.boolean() }),
    ),
    virtual_networks: list(fc.record({ id: fc.uuid(), routes: list(prefix) })),
    ipv4: fc.record({ quota: fc.nat(10), used: fc.nat(10) }),
  }) as Arbitrary<Facts>;
}

/** Another value for a member of facts, and where the problem is. */
const factFaults: readonly (readonly [changed: object, pointer: string])[] = [
  [{ plan: "free" }, "/plan"],
  [{ features: { ftp: "yes" } }, "/features/ftp"],
  [{ permissions: [] }, "/permissions"],
  [{ prefixes: ["192.0.2.0"] }, "/prefixes/0"],
  [{ prefixes: ["192.0.2.0/33"] }, "/prefixes/0"],
  [{ protocols: { allowed: ["tcp"] } }, "/protocols/allowed/0"],
  [{ apps: [{ id: "a" }] }, "/apps/0/protocol"],
  [{ zone: 1 }, "/zone"],
  [{ zones: [{ id: "z1" }] }, "/zones/0/name"],
  [{ hostnames: [{ name: "-", zone: "z1" }] }, "/hostnames/0/name"],
  [{ edge_ips: [{ ip: "192.0.2.256", zone: "z1" }] }, "/edge_ips/0/ip"],
  [{ virtual_networks: [{ id: "no-uuid", routes: [] }] }, "/virtual_networks/0/id"],
  [{ ipv4: { used: -1 } }, "/ipv4/used"],
  [{ plans: "add-on" }, "/plans"],
];
