/** The zone of a request: the one whose name its host equals or ends in (`observed`). */
import { isInZone, type TransformationMode } from "../../../engine/images/request/source-origins.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import { isRemoved, worldScope, type ZoneRecord } from "../../../store/records/world.ts";
import { settingOf } from "./zone-settings.ts";

/** A zone with what it transforms. */
export interface TransformingZone {
  readonly name: string;
  readonly mode: TransformationMode;
  /** The list of other sources, as it was set. */
  readonly origins: string;
}

/** The zone with a name or an id, or that of a host; the longest name counts. Undefined when no zone of the store has it. */
export async function findZone(
  tx: ReadTransaction,
  wanted: { readonly zone?: string | undefined; readonly host: string },
): Promise<TransformingZone | undefined> {
  const zones = (await tx.find("zones", worldScope)).filter((zone) => !isRemoved(zone));
  const found = wanted.zone === undefined ? byHost(zones, wanted.host) : byName(zones, wanted.zone);
  if (!found) return undefined;
  return {
    name: found.name.toLowerCase(),
    mode: (await settingOf(tx, found.id, "transformations")) as TransformationMode,
    origins: await settingOf(tx, found.id, "transformations_allowed_origins"),
  };
}

function byHost(zones: readonly ZoneRecord[], host: string): ZoneRecord | undefined {
  return zones
    .filter(({ name }) => isInZone(host, name))
    .reduce<ZoneRecord | undefined>(
      (best, zone) => (best && best.name.length >= zone.name.length ? best : zone),
      undefined,
    );
}

function byName(zones: readonly ZoneRecord[], name: string): ZoneRecord | undefined {
  return (
    zones.find(({ id }) => id === name) ??
    zones.find((zone) => zone.name.toLowerCase() === name.toLowerCase())
  );
}
