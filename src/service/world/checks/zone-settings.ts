/** Checks the settings of a world's zones. */
import { pointer } from "../../../errors.ts";
import { zoneSettingNames } from "../../../schemas/zones.ts";
import { checkSettingValue } from "../../images/zones/zone-settings.ts";
import type { WorldCheck } from "../part.ts";

/** Settings of zones; the schema checks the normalization of URLs. */
export const checkZoneSettings: WorldCheck<undefined> = ({ zones = [] }) => ({
  problems: zones.flatMap(({ settings = {} }, i) =>
    zoneSettingNames.flatMap((name) => {
      const value = settings[name];
      return value === undefined ? [] : checkSettingValue(name, value, pointer("zones", i, "settings", name));
    }),
  ),
  value: undefined,
});
