/**
 * The world file: one JSON document that seeds everything that no endpoint of the specification can create.
 * Each area defines its members in its own file.
 */
import * as z from "zod";
import { type Profile, profiles } from "../../core/profiles.ts";
import { type ZonePlan, zonePlans } from "../../engine/tokens/rulesets/input/zone-facts.ts";
import { accountBrandWorld } from "../../schemas/brand.ts";
import { accountImagesWorld } from "../../schemas/images.ts";
import { accountProxyWorld, dnsRecords, orphanedEdgeIps, zoneProxyWorld } from "../../schemas/proxy.ts";
import { listsWorld, rulesetsWorld } from "../../schemas/rulesets.ts";
import { tokenValidationWorld } from "../../schemas/tokens.ts";
import { urlNormalization, zoneSettingsWorld } from "../../schemas/zones.ts";
import { permissions } from "../permissions.ts";
import { undecidedParts } from "./undecided.ts";

const identifier = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, `_` and `-`")
  .describe("1 to 64 letters, digits, `_` and `-`.");

const account = z
  .strictObject({
    id: identifier,
    name: z.string().optional().describe("Display name. Default: the id."),
    proxy: accountProxyWorld.optional(),
    brand: accountBrandWorld.optional(),
    images: accountImagesWorld.optional(),
    rulesets: rulesetsWorld.optional(),
    lists: listsWorld.optional(),
  })
  .describe("An account with its plan, brand protection, image hosting, custom rules and lists.");

const zone = z
  .strictObject({
    id: identifier,
    name: z.string().optional().describe("The zone's domain, such as `example.com`. Default: the id."),
    account_id: identifier.optional().describe("Default: the only account, or one named `default`."),
    plan: z
      .enum(Object.keys(zonePlans) as [ZonePlan, ...ZonePlan[]])
      .optional()
      .describe(
        "The plan of the zone, which custom rules read as `cf.zone.plan`, and which limits the rules. Without it both are unknown.",
      ),
    token_validation: tokenValidationWorld.optional(),
    rulesets: rulesetsWorld.optional(),
    proxy: zoneProxyWorld.optional(),
    dns_records: dnsRecords.optional(),
    settings: zoneSettingsWorld.optional(),
    url_normalization: urlNormalization.optional(),
  })
  .describe("A zone and its configuration.");

/** An API token of a world. */
export const apiToken = z
  .strictObject({
    token: z.string().min(1).describe("The token after `Bearer`."),
    name: z.string().optional().describe("Display name."),
    permissions: z.array(z.enum(permissions)),
    zones: z.array(identifier).optional().describe("Ids of the zones that it may use."),
    accounts: z
      .array(identifier)
      .optional()
      .describe("Ids of the accounts that it may use, with all their zones."),
  })
  .describe(
    "An API token. Without `zones` and `accounts` it may use all. When the list is empty, every token is accepted.",
  );

const profileNames = Object.keys(profiles) as [Profile, ...Profile[]];

export const worldSchema = z
  .strictObject({
    $schema: z.string().optional().describe("Address of this schema, for completion in editors."),
    profile: z
      .enum(profileNames)
      .optional()
      .describe(
        "Defaults of all settings: those of the specification (`spec`, the default) or of the real service. An option of the command line or of `createEdge` has precedence.",
      ),
    accounts: z.array(account).optional().describe("When the list is not empty, no other account exists."),
    zones: z.array(zone).optional().describe("When the list is not empty, no other zone exists."),
    api_tokens: z.array(apiToken).optional(),
    orphaned_edge_ips: orphanedEdgeIps.optional(),
    undecided: undecidedParts.optional(),
  })
  .describe("The accounts, zones and API tokens that edgeproof simulates.");

/** A world as written in a world file, before defaults are filled in. */
export type World = z.input<typeof worldSchema>;
