/**
 * The world file: one JSON document that seeds everything an endpoint of the specification cannot create.
 * Each area adds its members in a file of its own.
 */
import { z } from "zod";
import { accountBrandWorld } from "../../schemas/brand.ts";
import { accountImagesWorld } from "../../schemas/images.ts";
import { accountProxyWorld, orphanedEdgeIps, zoneProxyWorld } from "../../schemas/proxy.ts";
import { tokenValidationWorld } from "../../schemas/tokens.ts";
import { permissions } from "../permissions.ts";

const identifier = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, `_` and `-`")
  .describe("1 to 64 letters, digits, `_` and `-`.");

const account = z
  .strictObject({
    id: identifier,
    name: z.string().optional().describe("For people. The id by default."),
    proxy: accountProxyWorld.optional(),
    brand: accountBrandWorld.optional(),
    images: accountImagesWorld.optional(),
  })
  .describe("An account: what its owner has bought, and what the world knows of it.");

const zone = z
  .strictObject({
    id: identifier,
    name: z.string().optional().describe("The zone's domain, such as `example.com`. The id by default."),
    account_id: identifier.optional().describe("By default the only account, or one named `default`."),
    token_validation: tokenValidationWorld.optional(),
    proxy: zoneProxyWorld.optional(),
  })
  .describe("A zone and its configuration.");

const apiToken = z
  .strictObject({
    token: z.string().min(1).describe("The text after `Bearer`."),
    name: z.string().optional().describe("For people."),
    permissions: z.array(z.enum(permissions)),
    zones: z.array(identifier).optional().describe("Ids of zones it may use."),
    accounts: z.array(identifier).optional().describe("Ids of accounts it may use, with all their zones."),
  })
  .describe(
    "An API token. Without `zones` and `accounts` it may use all. Without any API token, every one is accepted.",
  );

export const worldSchema = z
  .strictObject({
    $schema: z.string().optional(),
    accounts: z.array(account).optional().describe("When there is any, no other account exists."),
    zones: z.array(zone).optional().describe("When there is any, no other zone exists."),
    api_tokens: z.array(apiToken).optional(),
    orphaned_edge_ips: orphanedEdgeIps.optional(),
  })
  .describe("The world that edgeproof simulates.");

/** A world as its author writes it. */
export type World = z.input<typeof worldSchema>;

/** The JSON Schema (draft 2020-12) of a world file. */
export function worldJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(worldSchema, { io: "input" });
  return { $schema, title: "edgeproof world", ...schema };
}
