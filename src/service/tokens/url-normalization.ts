/** The URL normalization of zones: a setting that every zone has, with the default of the profile (`observed`). */
import {
  defaultUrlNormalization,
  type UrlNormalization,
} from "../../engine/tokens/zone/url-normalization.ts";
import { urlNormalization } from "../../schemas/zones.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import { type Notes, requireScope, type ServiceContext } from "../context.ts";
import { decode } from "../decode.ts";
import { storeZoneSetting } from "../zones.ts";
import { bumpRevision } from "./revision.ts";

/** The URL normalization of zones. */
export interface UrlNormalizationService {
  /** The setting, or its default. @throws {ApiError} for an unknown zone */
  get(zone: string): Promise<UrlNormalization>;
  /** Replaces the setting. @throws {ApiError} for an invalid body or an unknown zone */
  replace(zone: string, body: unknown, notes?: Notes): Promise<UrlNormalization>;
  /** Returns to the default. @throws {ApiError} for an unknown zone */
  reset(zone: string): Promise<UrlNormalization>;
}

/** The id of the record, which has the setting as JSON. */
export const urlNormalizationId = "url_normalization";

const area = "tokens";

/** Creates the service. */
export function urlNormalizationService({ store, clock, settings }: ServiceContext): UrlNormalizationService {
  const byDefault = defaultUrlNormalization(settings.urlNormalization);
  const change = (zone: string, work: (tx: WriteTransaction) => Promise<UrlNormalization>) =>
    store.write(
      async (tx) => {
        await requireScope(tx, area, "zones", zone);
        await bumpRevision(tx, zone);
        return work(tx);
      },
      { queue: zone },
    );
  return {
    get: (zone) =>
      store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        return (await readUrlNormalization(tx, zone)) ?? byDefault;
      }),
    replace: async (zone, body, notes = []) => {
      const setting = decode(urlNormalization, body, { area, notes });
      return change(zone, async (tx) => {
        await storeZoneSetting(tx, zone, urlNormalizationId, printUrlNormalization(setting), clock());
        return setting;
      });
    },
    reset: (zone) =>
      change(zone, async (tx) => {
        await tx.delete("zone_settings", zone, urlNormalizationId);
        return byDefault;
      }),
  };
}

/** The setting of a zone; undefined when it was never changed. */
export async function readUrlNormalization(
  tx: ReadTransaction,
  zone: string,
): Promise<UrlNormalization | undefined> {
  const record = await tx.get("zone_settings", zone, urlNormalizationId);
  return record && (JSON.parse(record.value) as UrlNormalization);
}

/** The setting as the record has it. */
export function printUrlNormalization({ type, scope }: UrlNormalization): string {
  return JSON.stringify({ type, scope });
}
