/**
 * Schemas of proxy applications: requests, responses, and the proxy members of a world file. The members of applications
 * are `observed`; the specification names only those of its errors. The engine's model is the type of each record, and
 * test/schemas/proxy.test.ts keeps schema and type equal. The engine validates requests; their schema documents them.
 */
import { z } from "zod";
import { plans } from "../engine/proxy/facts/facts.ts";
import {
  connectivities,
  dnsTypes,
  originDnsTypes,
  proxyProtocols,
  tlsModes,
  trafficTypes,
} from "../engine/proxy/model.ts";
import { appOrderFields } from "../store/records/proxy.ts";
import { pageQuery, timestamp } from "./envelope.ts";

const dns = z.strictObject({ name: z.string(), type: z.enum(dnsTypes) });

const originDns = z.strictObject({
  name: z.string(),
  ttl: z.int().optional(),
  type: z.enum(originDnsTypes),
});

const edgeIps = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("dynamic"), connectivity: z.enum(connectivities) }),
  z.strictObject({ type: z.literal("static"), ips: z.array(z.string()) }),
]);

/** An application with its defaults. */
export const appSchema = z.strictObject({
  protocol: z.string().meta({ description: "`tcp/22`, `udp/1000-2000`, `ssh`, `rdp` or `minecraft`." }),
  dns,
  origin_direct: z.array(z.string()).optional(),
  origin_dns: originDns.optional(),
  origin_port: z.union([z.int(), z.string()]).optional(),
  virtual_network_id: z.string().optional(),
  traffic_type: z.enum(trafficTypes),
  edge_ips: edgeIps,
  smart_routing: z.boolean(),
  ip_firewall: z.boolean(),
  proxy_protocol: z.enum(proxyProtocols),
  tls: z.enum(tlsModes),
});

/** An application in a response. */
export const proxyApp = z
  .strictObject({
    id: z.string().regex(/^[0-9a-f]{32}$/),
    ...appSchema.shape,
    created_on: timestamp,
    modified_on: timestamp,
  })
  .meta({ id: "ProxyApplication" });

const { type: dnsType } = dns.shape;
const { name: originName, ttl, type: originType } = originDns.shape;
const { origin_direct, origin_port, virtual_network_id } = appSchema.shape;

/** The body of PATCH: null clears every member that has a default or is optional. */
export const proxyAppChange = z
  .object({
    protocol: appSchema.shape.protocol,
    dns: z.object({ name: dns.shape.name, type: dnsType.nullable() }).partial(),
    origin_direct: origin_direct.unwrap().nullable(),
    origin_dns: z
      .object({ name: originName, ttl: ttl.unwrap().nullable(), type: originType.nullable() })
      .partial()
      .nullable(),
    origin_port: origin_port.unwrap().nullable(),
    virtual_network_id: virtual_network_id.unwrap().nullable(),
    traffic_type: appSchema.shape.traffic_type.nullable(),
    edge_ips: z
      .object({
        type: z.enum(["dynamic", "static"]),
        connectivity: z.enum(connectivities).nullable(),
        ips: z.array(z.string()).nullable(),
      })
      .partial()
      .nullable(),
    smart_routing: appSchema.shape.smart_routing.nullable(),
    ip_firewall: appSchema.shape.ip_firewall.nullable(),
    proxy_protocol: appSchema.shape.proxy_protocol.nullable(),
    tls: appSchema.shape.tls.nullable(),
  })
  .partial()
  .meta({
    id: "ProxyApplicationChange",
    description:
      "Merged into the stored application, `dns`, `origin_dns` and `edge_ips` member by member; null clears a member.",
  });

/** The body of POST and PUT: a member that is null counts as missing. */
export const proxyAppBody = z
  .object({
    ...proxyAppChange.shape,
    protocol: appSchema.shape.protocol,
    dns: z.object({ name: dns.shape.name, type: dnsType.nullable().optional() }),
    origin_dns: z
      .object({
        name: originName,
        ttl: ttl.unwrap().nullable().optional(),
        type: originType.nullable().optional(),
      })
      .nullable()
      .optional(),
    edge_ips: edgeIps.nullable().optional(),
  })
  .meta({ id: "ProxyApplicationBody", description: "Null members count as missing." });

/** The result of DELETE. */
export const deletedApp = z.strictObject({ id: z.string() });

const orders = Object.keys(appOrderFields) as [keyof typeof appOrderFields];

/** The query of a list. */
export const proxyAppQuery = pageQuery.extend({
  order: z.enum(orders).optional(),
  direction: z.enum(["asc", "desc"]).optional(),
});

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

/** The JSON Schema of an application in a world file. */
function worldApplicationFormat(): Record<string, unknown> {
  const id = z.string().meta({ description: "32 hexadecimal digits. Default: a new one." });
  const members = z.strictObject({ ...proxyAppBody.shape, id: id.optional() });
  const { $schema, ...format } = z.toJSONSchema(members, { io: "input" });
  return format;
}

/** An application of a world file; the engine validates it. */
const worldApplication = z.record(z.string(), z.unknown()).meta({
  description: "A proxy application, as a request creates it.",
  ...worldApplicationFormat(),
});

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

/** Edge addresses of orphaned applications in a world file. */
export const orphanedEdgeIps = z
  .array(z.string())
  .describe("Edge addresses in use by applications of deleted zones.");
