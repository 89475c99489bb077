/** What a world file says of proxy applications: of an account, of a zone, and of zones that are gone. */
import { z } from "zod";

export const accountProxyWorld = z
  .strictObject({
    plan: z.enum(["pay-as-you-go", "add-on"]).optional().describe("Default `add-on`."),
    features: z
      .strictObject({ ftp: z.boolean(), edge_ips: z.boolean(), smart_routing: z.boolean() })
      .partial()
      .optional()
      .describe("What the account has. A feature left out is unknown, and its check is not evaluated."),
    prefixes: z.array(z.string()).optional().describe("CIDR prefixes that are allocated to the account."),
    protocols: z
      .strictObject({ allowed: z.array(z.string()), reserved: z.array(z.string()) })
      .partial()
      .optional()
      .describe(
        "Protocols such as `tcp/22` or `udp/1000-2000`: those of the plan, and those that nobody may use.",
      ),
    virtual_networks: z
      .array(z.strictObject({ id: z.string(), routes: z.array(z.string()) }))
      .optional()
      .describe("UUIDs, each with the CIDR prefixes that it routes."),
  })
  .describe("What the account has bought for proxy applications.");

export const zoneProxyWorld = z
  .strictObject({
    ipv4_quota: z.int().min(0).optional().describe("IPv4 addresses of the zone. Default: no limit."),
    hostnames: z
      .array(z.string())
      .optional()
      .describe("Names of applications that the zone has beside those created here."),
  })
  .describe("Proxy applications of a zone.");

export const orphanedEdgeIps = z
  .array(z.string())
  .describe("Edge addresses still held by applications of zones that were deleted.");
