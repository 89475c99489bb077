/** Settings of a zone that decide on transformations (`observed`). */
import { oneOf, requireArgument } from "../../../core/arguments.ts";
import { parseAllowedOrigins } from "../../../engine/images/request/source-origins.ts";
import { ApiError, type CodedDiagnostic } from "../../../errors.ts";
import { type ZoneSettingName, zoneSettingChange, zoneSettingNames } from "../../../schemas/zones.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { ZoneSettingRecord } from "../../../store/records/world.ts";
import { type Notes, requireScope, type ServiceContext } from "../../context.ts";
import { decode } from "../../decode.ts";
import { storeZoneSetting } from "../../zones.ts";

/** A setting as the interface shows it. */
export interface ZoneSetting {
  /** Its name. */
  readonly id: ZoneSettingName;
  readonly value: string;
  /** Milliseconds since 1970; absent when it was never set. */
  readonly modifiedAt?: number;
}

/** Settings of zones. */
export interface ZoneSettingService {
  /** A setting, or its default. @throws {ApiError} for an unknown zone */
  get(zone: string, name: ZoneSettingName): Promise<ZoneSetting>;
  /** Changes a setting. @throws {ApiError} for an invalid body or an unknown zone */
  edit(zone: string, name: ZoneSettingName, body: unknown, notes?: Notes): Promise<ZoneSetting>;
}

/** The values of settings that were never set. */
const defaults: Readonly<Record<ZoneSettingName, string>> = {
  transformations: "off",
  transformations_allowed_origins: "",
};

const area = "shared";

const aSettingName = oneOf(...zoneSettingNames);

/** Creates the service. */
export function zoneSettingService({ store, clock }: ServiceContext): ZoneSettingService {
  return {
    get: (zone, name) =>
      store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        return show(name, await tx.get("zone_settings", zone, name));
      }),
    edit: async (zone, name, body, notes = []) => {
      requireArgument("name", name, aSettingName);
      const { value } = decode(zoneSettingChange(name), body, { area, notes });
      const [first, ...rest] = checkSettingValue(name, value, "/value");
      if (first) throw new ApiError(first, ...rest);
      return store.write(
        async (tx) => {
          await requireScope(tx, area, "zones", zone);
          return show(name, await storeZoneSetting(tx, zone, name, value, clock()));
        },
        { queue: zone },
      );
    },
  };
}

function show(name: ZoneSettingName, record: ZoneSettingRecord | undefined): ZoneSetting {
  return record
    ? { id: name, value: record.value, modifiedAt: record.modified_at }
    : { id: name, value: defaults[name] };
}

/** Problems that the schema does not find. @param at RFC 6901 pointer of the value */
export function checkSettingValue(
  name: ZoneSettingName,
  value: string,
  at: string,
): readonly CodedDiagnostic[] {
  if (name !== "transformations_allowed_origins") return [];
  const parsed = parseAllowedOrigins(value);
  return parsed.ok ? [] : parsed.problems.map((problem) => ({ ...problem, pointer: at }));
}

/** The value of a setting. */
export async function settingOf(tx: ReadTransaction, zone: string, name: ZoneSettingName): Promise<string> {
  return (await tx.get("zone_settings", zone, name))?.value ?? defaults[name];
}
