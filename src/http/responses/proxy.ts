/** What area D takes and shows; the members are `observed`, the specification names only those of its errors. */
import { z } from "zod";
import {
  connectivities,
  dnsTypes,
  originDnsTypes,
  proxyProtocols,
  tlsModes,
  trafficTypes,
} from "../../engine/proxy/model.ts";
import { pageQuery, timestamp } from "../../schemas/envelope.ts";

const edgeIps = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("dynamic"), connectivity: z.enum(connectivities) }),
  z.strictObject({ type: z.literal("static"), ips: z.array(z.string()) }),
]);
const originDns = z.strictObject({
  name: z.string(),
  ttl: z.int().optional(),
  type: z.enum(originDnsTypes),
});
const origin = {
  origin_direct: z.array(z.string()).optional(),
  origin_dns: originDns.optional(),
  origin_port: z.union([z.int(), z.string()]).optional(),
  virtual_network_id: z.string().optional(),
};
const switches = {
  traffic_type: z.enum(trafficTypes),
  edge_ips: edgeIps,
  smart_routing: z.boolean(),
  ip_firewall: z.boolean(),
  proxy_protocol: z.enum(proxyProtocols),
  tls: z.enum(tlsModes),
};
const dns = z.strictObject({ name: z.string(), type: z.enum(dnsTypes) });

export const proxyApp = z
  .strictObject({
    id: z.string().regex(/^[0-9a-f]{32}$/),
    protocol: z.string(),
    dns,
    ...origin,
    ...switches,
    created_on: timestamp,
    modified_on: timestamp,
  })
  .meta({ id: "ProxyApplication" });

/** The whole application, and changes to one: the engine decides, this says what it looks for. */
export const proxyAppBody = z
  .object({
    protocol: z.string().meta({ description: "`tcp/22`, `udp/1000-2000`, `ssh`, `rdp` or `minecraft`." }),
    dns: z.object({ name: z.string(), type: z.enum(dnsTypes).optional() }),
    ...origin,
    origin_dns: originDns.partial({ type: true }).optional(),
    ...z.object(switches).partial().shape,
  })
  .meta({ id: "ProxyApplicationBody" });
export const proxyAppChange = z
  .object(proxyAppBody.shape)
  .partial()
  .meta({ description: "Laid over the stored application; null clears a member." });

export const deletedApp = z.strictObject({ id: z.string() });

export const proxyAppQuery = pageQuery.extend({
  order: z.enum(["protocol", "app_id", "created_on", "modified_on", "dns"]).optional(),
  direction: z.enum(["asc", "desc"]).optional(),
});
