/** Random proxy applications for property tests: valid, and wrong in exactly one way. */
import type fastCheck from "fast-check";
import type { Arbitrary } from "fast-check";
import { checks, type Facts, type ValidateOptions } from "../engine/proxy/index.ts";

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

/** Arbitraries of proxy applications. */
export interface ProxyArbitraries {
  /** Valid wherever nothing is known of the account. */
  readonly app: Arbitrary<AppBody>;
  readonly wrongApp: Arbitrary<WrongApp>;
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
export function proxyArbitraries(fc: typeof fastCheck): ProxyArbitraries {
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

  return { app, wrongApp };
}
