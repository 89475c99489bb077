/**
 * Schemas of proxy applications: requests, responses, and the proxy members of a world file. The members of applications
 * are `observed`; the specification names only those of its errors. The engine's model is the type of each record, and
 * test/schemas/proxy.test.ts keeps schema and type equal. The engine validates requests; their schema documents them.
 */
import * as z from "zod";
import { plans } from "../engine/proxy/facts/facts.ts";
import {
  connectivities,
  dnsTypes,
  edgeIpTypes,
  originDnsTypes,
  proxyProtocols,
  tlsModes,
  trafficTypes,
} from "../engine/proxy/model.ts";
import { answerMembers } from "../engine/proxy/read/decode.ts";
import { appOrderFields } from "../store/records/proxy.ts";
import { pageQueryOf, pageSizes, timestamp } from "./envelope.ts";
import { formatOf, inWorld, member, notGiven, resource, shapeOf } from "./member.ts";
import { anInteger, oneOf, optional, withDefault } from "./parameters.ts";
import { providerNames } from "./provider-names.ts";

const dns = z.strictObject({ name: z.string(), type: z.enum(dnsTypes) });
const givenDns = z.object({ name: z.string(), type: dns.shape.type.nullish() });

const originDns = z.strictObject({
  name: z.string(),
  ttl: z.int().optional(),
  type: z.enum(originDnsTypes),
});
const givenOriginDns = z.object({
  name: z.string(),
  ttl: z.int().nullish(),
  type: originDns.shape.type.nullish(),
});

const edgeIps = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("dynamic"), connectivity: z.enum(connectivities) }),
  z.strictObject({ type: z.literal("static"), ips: z.array(z.string()) }),
]);
const edgeIpsChange = z.object({
  type: z.enum(edgeIpTypes).optional(),
  connectivity: z.enum(connectivities).nullish(),
  ips: z.array(z.string()).nullish(),
});

/** A member with a default, to which null resets it. */
function defaulted<S extends z.ZodType>(
  help: string,
  schema: S,
  usual: z.output<S>,
  also: readonly string[] = [],
) {
  return member(help, schema.nullish(), { answer: schema, usual, also });
}

/** A member that null clears. */
function clearable<S extends z.ZodType>(help: string, schema: S) {
  return member(help, schema.nullish(), { answer: schema.optional() });
}

/** Proxy applications. */
export const applicationResource = resource(
  "zone",
  {
    id: member("32 hexadecimal digits. Default: a new one.", z.string().optional(), {
      ...notGiven,
      answer: z.string().regex(/^[0-9a-f]{32}$/),
      imported: false,
    }),
    protocol: member("`tcp/22`, `udp/1000-2000`, `ssh`, `rdp` or `minecraft`.", z.string(), {
      change: z.string().optional(),
    }),
    dns: member("The DNS record on which clients reach the application.", givenDns, {
      answer: dns,
      change: givenDns.partial().optional(),
    }),
    origin_direct: clearable("Origins by address, such as `tcp://192.0.2.1:22`.", z.array(z.string())),
    origin_dns: member("The origin by name, instead of `origin_direct`.", givenOriginDns.nullish(), {
      answer: originDns.optional(),
      change: givenOriginDns.partial().nullish(),
    }),
    origin_port: clearable(
      "Port of `origin_dns`, or a range such as `1000-2000`.",
      z.union([z.int(), z.string()]),
    ),
    virtual_network_id: clearable("UUID of the virtual network that contains the origin.", z.string()),
    traffic_type: defaulted("Kind of the proxied traffic.", z.enum(trafficTypes), "direct"),
    edge_ips: member("Addresses on which clients reach the application.", edgeIps.nullish(), {
      answer: edgeIps,
      change: edgeIpsChange.nullish(),
      usual: { type: "dynamic", connectivity: "all" },
    }),
    smart_routing: defaulted("Whether traffic takes the fastest route.", z.boolean(), false, [
      providerNames.smart_routing,
    ]),
    ip_firewall: defaulted("Whether the account's IP access rules apply.", z.boolean(), false),
    proxy_protocol: defaulted("How the origin gets the client's address.", z.enum(proxyProtocols), "off"),
    tls: defaulted("TLS between client, edge and origin.", z.enum(tlsModes), "off"),
  },
  { answers: answerMembers.filter((name) => name !== "id"), terraform: ["cloudflare_spectrum_application"] },
);

const { id, ...stored } = shapeOf(applicationResource, "answer");

/** An application with its defaults. */
export const appSchema = z.strictObject(stored);

const given = { id, created_on: timestamp, modified_on: timestamp };

/** An application in a response; that of a pay-as-you-go account has only the members that it may send. */
export const proxyApp = z
  .union([
    z.strictObject({ ...stored, ...given }),
    z
      .strictObject({
        protocol: stored.protocol,
        dns: stored.dns,
        origin_direct: stored.origin_direct,
        ...given,
      })
      .describe("Of a pay-as-you-go account."),
  ])
  .meta({ id: "ProxyApplication" });

/** The body of PATCH: null clears every member that has a default or is optional. */
export const proxyAppChange = z.object(shapeOf(applicationResource, "change")).meta({
  id: "ProxyApplicationChange",
  description:
    "Merged into the stored application, `dns`, `origin_dns` and `edge_ips` member by member; null clears a member.",
});

/** The body of POST and PUT: a member that is null counts as missing. */
export const proxyAppBody = z
  .object(shapeOf(applicationResource, "create"))
  .meta({ id: "ProxyApplicationBody", description: "Null members count as missing." });

/** The result of DELETE. */
export const deletedApp = z.strictObject({ id: z.string() });

const orders = Object.keys(appOrderFields) as (keyof typeof appOrderFields)[];

/** The query of a list; one without a page can have all applications. */
export const proxyAppQuery = {
  ...pageQueryOf(pageSizes.proxy),
  page: optional(anInteger({ min: 1 })),
  order: withDefault(oneOf(...orders), "dns"),
  direction: withDefault(oneOf("asc", "desc"), "asc"),
};

/** Facts about an account in a world file. */
export const accountProxyWorld = z
  .strictObject({
    plan: z.enum(plans).optional().describe("Default `add-on`."),
    features: z
      .strictObject({ ftp: z.boolean(), edge_ips: z.boolean(), smart_routing: z.boolean() })
      .partial()
      .optional()
      .describe("Features of the account. A missing feature is unknown, and its check is not evaluated."),
    prefixes: z.array(z.string()).optional().describe("CIDR prefixes that are allocated to the account."),
    protocols: z
      .strictObject({ allowed: z.array(z.string()), reserved: z.array(z.string()) })
      .partial()
      .optional()
      .describe(
        "Protocols such as `tcp/22` or `udp/1000-2000`: those of the plan, and those that the service reserves.",
      ),
    virtual_networks: z
      .array(z.strictObject({ id: z.string(), routes: z.array(z.string()) }))
      .optional()
      .describe("Virtual networks: UUIDs and the CIDR prefixes of their routes."),
  })
  .describe("Plan, features and resources of the account for proxy applications.");

/** An application of a world file; the engine validates it. */
const worldApplication = inWorld(
  z.record(z.string(), z.unknown()).meta({
    description: "A proxy application, as a request creates it.",
    ...formatOf(z.strictObject(shapeOf(applicationResource, "world"))),
  }),
  applicationResource,
);

/** Facts about a zone and its applications in a world file. */
export const zoneProxyWorld = z
  .strictObject({
    ipv4_quota: z.int().min(0).optional().describe("IPv4 addresses of the zone. Default: no limit."),
    hostnames: z
      .array(z.string())
      .optional()
      .describe("Host names of existing applications of the zone, which requests cannot see."),
    applications: z.array(worldApplication).optional(),
  })
  .describe("Proxy applications of a zone.");

/** DNS records of a zone in a world file. */
export const dnsRecords = z
  .array(
    z.strictObject({
      name: z.string().describe("The whole name, such as `www.example.com`."),
      type: z.string().optional().describe("Such as `A`."),
      proxied: z
        .boolean()
        .optional()
        .describe("Whether requests to the name go through the edge. Default false."),
    }),
  )
  .describe("DNS records of the zone: a proxied one on the host name of an application is a finding.");

/** Edge addresses of orphaned applications in a world file. */
export const orphanedEdgeIps = z
  .array(z.string())
  .describe("Edge addresses in use by applications of deleted zones.");
