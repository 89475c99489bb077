/** The schemas of zones: responses, and the filters of their lists (`observed`). */
import * as z from "zod";
import { transformationModes } from "../engine/images/request/source-origins.ts";
import { pageQuery, timestamp } from "./envelope.ts";

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

/** Filters of the list of zones. */
export const zoneQuery = pageQuery.extend({
  name: z.string().optional().describe("Exactly this domain, in any letter case."),
});

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
