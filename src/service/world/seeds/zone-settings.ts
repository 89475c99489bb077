/** Settings of a world's zones, seeded once. */
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
import { type ZoneSettingName, zoneSettingNames } from "../../../schemas/zones.ts";
import { checkSettingValue, storeSetting } from "../../images/zones/zone-settings.ts";
import type { WorldPart } from "../part.ts";
import type { Seed } from "../report.ts";
import { seededFrom } from "./seeded.ts";

type Values = readonly (readonly [name: ZoneSettingName, value: string])[];

/** Settings of the world's zones. */
export const zoneSettingsPart: WorldPart = ({ zones = [] }, { clock }) => {
  const problems: CodedDiagnostic[] = [];
  const seeds = new Map<string, Values>();
  for (const [i, { id, settings }] of zones.entries()) {
    if (!settings) continue;
    const values = zoneSettingNames.flatMap((name) => {
      const value = settings[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    for (const [name, value] of values)
      problems.push(...checkSettingValue(name, value, pointer("zones", i, "settings", name)));
    seeds.set(id, values);
  }
  return {
    problems,
    seeded: seededFrom({
      owners: "zones",
      seeds,
      count: (tx, zone) => tx.count("zone_settings", zone),
      create: async (tx, zone, values) => {
        for (const [name, value] of values) await storeSetting(tx, zone, name, value, clock());
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
};
