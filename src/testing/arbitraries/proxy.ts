/** Random proxy applications for property tests: valid ones, and ones with exactly one fault. */
import type { Arbitrary } from "fast-check";
import { checks } from "../../engine/proxy/checks/catalogue.ts";
import type { Facts } from "../../engine/proxy/facts/facts.ts";
import { maxPort } from "../../engine/proxy/grammar/port.ts";
import type { CheckLevel, ValidateOptions } from "../../engine/proxy/model.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";

/** The body of an application, as a client sends it. */
export type AppBody = Readonly<Record<string, unknown>>;

/** A body with one fault, and the facts and options with which it is one. */
export interface WrongApp {
  /** The body. */
  readonly body: unknown;
  /** The only check that it violates. */
  readonly check: string;
  /** Error code of the check. */
  readonly code: number;
  /** Facts for the validation. Default `{}`. */
  readonly facts?: Facts;
  /** Options for the validation. Default `{}`. */
  readonly options?: ValidateOptions;
}

/** Facts with one fault. */
export interface WrongFacts {
  /** The facts. */
  readonly facts: unknown;
  /** Pointer of the only problem that `checkFacts` reports. */
  readonly pointer: string;
  /** Code of that problem. */
  readonly code: number;
}

/** Arbitraries of proxy applications and of facts about their account. */
export interface ProxyArbitraries {
  /** Bodies of applications that are valid without facts, in both profiles. */
  readonly app: Arbitrary<AppBody>;
  /** Bodies that violate exactly one check: the bad examples of the catalogue. */
  readonly wrongApp: Arbitrary<WrongApp>;
  /**
   * Bodies that violate exactly one restriction of the real service: rejected in profile `provider`, accepted with a
   * warning in profile `spec`.
   */
  readonly restrictedApp: Arbitrary<WrongApp>;
  /** Bodies of PATCH requests that keep any application valid. */
  readonly appPatch: Arbitrary<AppBody>;
  /** Valid facts. */
  readonly facts: Arbitrary<Facts>;
  /** Facts with exactly one problem. */
  readonly wrongFacts: Arbitrary<WrongFacts>;
}

/** Maximum width of a generated range. */
const maxSpan = 100;

/**
 * Creates the arbitraries. fast-check is a parameter and not an import, so that only users of arbitraries need it.
 *
 * @throws TypeError when `fc` is not fast-check
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

  /** Either kind of origin, with as many ports as the protocol. */
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
      // The real service has no IP access rules for UDP.
      const more = fc.record(
        { ip_firewall: scheme === "tcp" ? fc.boolean() : fc.constant(false) },
        { requiredKeys: [] },
      );
      return fc
        .tuple(origin(scheme, first, last), more)
        .map(([parts, rest]) => ({ ...base, ...parts, ...rest }));
    });

  const badExamples = (level: CheckLevel) =>
    fc.constantFrom(
      ...checks
        .filter((check) => check.level === level)
        .map(({ id, code, bad }): WrongApp => ({ check: id, code, ...structuredClone(bad) })),
    );
  const wrongApp = badExamples("error");
  const restrictedApp = badExamples("restriction");

  const appPatch = fc.record(
    {
      dns: name.map((dnsName) => ({ type: "CNAME", name: dnsName })),
      edge_ips: fc.record({
        type: fc.constant("dynamic"),
        connectivity: fc.constantFrom("all", "ipv4", "ipv6"),
      }),
    },
    { requiredKeys: [] },
  );

  const facts = validFacts(fc);
  const wrongFacts = fc.tuple(facts, fc.constantFrom(...factFaults)).map(
    ([valid, [changed, pointer]]): WrongFacts => ({
      facts: { ...valid, ...changed },
      pointer,
      code: 10_400,
    }),
  );

  return { app, wrongApp, restrictedApp, appPatch, facts, wrongFacts };
}

/** Valid facts in the form of a JSON value. */
function validFacts(fc: FastCheck): Arbitrary<Facts> {
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
    apps: list(fc.record({ id: fc.uuid(), protocol, zone, hostname: name }, { requiredKeys: ["protocol"] })),
    zone,
    zones: list(fc.record({ id: zone, name })),
    other_zones: list(fc.record({ id: fc.constant("z3"), name })),
    hostnames: list(fc.record({ name, zone, ipv4: fc.boolean() })),
    edge_ips: list(
      fc.record({ ip: fc.constantFrom("192.0.2.1", "2001:db8::1"), zone, deleted: fc.boolean() }),
    ),
    virtual_networks: list(fc.record({ id: fc.uuid(), routes: list(prefix) })),
    ipv4: fc.record({ quota: fc.nat(10), used: fc.nat(10) }),
    dns_records: list(fc.record({ name, proxied: fc.boolean() })),
  }) as Arbitrary<Facts>;
}

/** An invalid value for a member of facts, and the pointer of its problem. */
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
  [{ other_zones: [{ name: "example.org" }] }, "/other_zones/0/id"],
  [{ hostnames: [{ name: "-", zone: "z1" }] }, "/hostnames/0/name"],
  [{ edge_ips: [{ ip: "192.0.2.256", zone: "z1" }] }, "/edge_ips/0/ip"],
  [{ virtual_networks: [{ id: "no-uuid", routes: [] }] }, "/virtual_networks/0/id"],
  [{ ipv4: { used: -1 } }, "/ipv4/used"],
  [{ plans: "add-on" }, "/plans"],
];
