/** The schemas of zones: responses, and the filters of their lists (`observed`). */
import * as z from "zod";
import { transformationModes } from "../engine/images/request/source-origins.ts";
import { zonePlans } from "../engine/tokens/rulesets/input/zone-facts.ts";
import {
  normalizationScopes,
  normalizationTypes,
  type UrlNormalization,
} from "../engine/tokens/zone/url-normalization.ts";
import { pageQuery, timestamp } from "./envelope.ts";
import { aText, optional } from "./parameters.ts";

/** A zone in responses. */
export const zone = z
  .strictObject({
    id: z.string(),
    name: z.string().describe("The zone's domain."),
    status: z.literal("active"),
    paused: z.literal(false),
    type: z.literal("full"),
    account: z.strictObject({ id: z.string(), name: z.string() }),
  })
  .meta({ id: "Zone" });

/** Members of zones in responses that configure nothing. */
export const zoneAnswers = [
  ...["status", "paused", "type", "owner", "meta", "tenant", "tenant_unit", "permissions", "cname_suffix"],
  ...["development_mode", "verification_key", "vanity_name_servers", "name_servers"],
  ...["original_name_servers", "original_registrar", "original_dnshost"],
  ...["created_on", "modified_on", "activated_on"],
] as const;

/** Objects of zones in responses: the member of a world file, and its value; undefined when the world has none of it. */
export const zoneObjects: Readonly<
  Record<string, { readonly name: string; readonly read: (object: object) => unknown }>
> = {
  account: { name: "account_id", read: (account) => ("id" in account ? account.id : undefined) },
  // Other plans, such as those of partners, are unknown.
  plan: {
    name: "plan",
    read: (plan) =>
      "legacy_id" in plan && Object.hasOwn(zonePlans, String(plan.legacy_id)) ? plan.legacy_id : undefined,
  },
};

/** Filters of the list of zones. */
export const zoneQuery = {
  ...pageQuery,
  name: optional(aText("a domain"), { description: "Exactly this domain, in any letter case." }),
};

/** The value of each setting of a zone (`observed`), and of one that was never set. */
export const zoneSettingValues = {
  transformations: z
    .enum(transformationModes)
    .describe(
      "Whether `/cdn-cgi/image/` transforms images: those of the zone and of the list (`on`), of every source (`open`), or none (`off`, the default).",
    ),
  transformations_allowed_origins: z
    .string()
    .describe(
      "Other sources, separated by commas: `example.com`, `*.example.com` with its subdomains, `example.com/photos` with a prefix of paths.",
    ),
} as const;

/** The name of a setting. */
export type ZoneSettingName = keyof typeof zoneSettingValues;

/** The names of the settings. */
export const zoneSettingNames = Object.keys(zoneSettingValues) as readonly ZoneSettingName[];

/** The settings of a zone in a world file. */
export const zoneSettingsWorld = z
  .strictObject(zoneSettingValues)
  .partial()
  .describe("Settings of the zone.");

/** The URL normalization of a zone: in responses, in the body of a change and in a world file. */
export const urlNormalization = z
  .strictObject({
    type: z
      .enum(normalizationTypes)
      .describe("`cloudflare` is RFC 3986, and `\\` and repeated `/` as one `/`."),
    scope: z
      .enum(normalizationScopes)
      .describe("Where: for rules (`incoming`), also for the origin (`both`), or nowhere."),
  })
  .describe(
    "How paths of URLs are normalized before rules read them. Default: that of the profile.",
  ) satisfies z.ZodType<UrlNormalization>;

/** The body of a change. */
export function zoneSettingChange<Name extends ZoneSettingName>(name: Name) {
  return z.object({ value: zoneSettingValues[name] });
}

/** A setting in responses. */
export function zoneSetting(name: ZoneSettingName) {
  return z.strictObject({
    id: z.literal(name),
    value: zoneSettingValues[name],
    editable: z.literal(true),
    modified_on: timestamp.nullable(),
  });
}
