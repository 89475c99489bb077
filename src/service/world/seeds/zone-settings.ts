/** Settings of a world's zones, seeded once. */
import { zoneSettingNames } from "../../../schemas/zones.ts";
import type { ServiceContext } from "../../context.ts";
import { bumpRevision } from "../../tokens/revision.ts";
import { printUrlNormalization, urlNormalizationId } from "../../tokens/url-normalization.ts";
import { storeZoneSetting } from "../../zones.ts";
import type { ParsedWorld, SeedPart } from "../part.ts";
import type { Seed } from "../report.ts";
import { seededFrom } from "./seeded.ts";

/** The values of settings by the ids of their records. */
type Values = readonly (readonly [id: string, value: string])[];

/** Settings of the world's zones. */
export function zoneSettingsPart({ zones = [] }: ParsedWorld, { clock }: ServiceContext): SeedPart {
  const seeds = new Map<string, Values>();
  for (const { id, settings = {}, url_normalization: normalization } of zones) {
    const values: [id: string, value: string][] = [];
    for (const name of zoneSettingNames) {
      const value = settings[name];
      if (value === undefined) continue;
      values.push([name, value]);
    }
    if (normalization) values.push([urlNormalizationId, printUrlNormalization(normalization)]);
    if (values.length > 0) seeds.set(id, values);
  }
  return {
    seeded: seededFrom({
      owners: "zones",
      seeds,
      count: (tx, zone) => tx.count("zone_settings", zone),
      create: async (tx, zone, values) => {
        for (const [name, value] of values) await storeZoneSetting(tx, zone, name, value, clock());
        await bumpRevision(tx, zone);
      },
      lists: (zone, values) => [
        {
          things: "settings",
          world: values.map(([id, value]): Seed => ({ id, value })),
          stored: async (tx) =>
            (await tx.find("zone_settings", zone)).map(({ id, value }) => ({ id, value })),
          isOpen: true,
        },
      ],
    }),
  };
}
