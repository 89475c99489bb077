/** The zones of the world file, with their accounts (`observed`, read-only). */

import { zoneQuery } from "../schemas/zones.ts";
import type { ReadTransaction, WriteTransaction } from "../store/port.ts";
import { isRemoved, worldScope, type ZoneRecord, type ZoneSettingRecord } from "../store/records/world.ts";
import { notFound, type ServiceContext } from "./context.ts";
import { type Page, type PageRequest, pageOf, sliceOf } from "./paging.ts";
import { acceptQuery } from "./query.ts";

const area = "shared";

/** Filter and page of a list. */
export interface ZoneListRequest extends PageRequest {
  /** Exactly this domain, in any letter case. */
  readonly name?: string | undefined;
}

/** A zone and its account. */
export interface ZoneWithAccount {
  readonly id: string;
  readonly name: string;
  readonly account: { readonly id: string; readonly name: string };
}

/** Reads zones. */
export interface ZoneService {
  /**
   * A page of the zones, by domain.
   *
   * @param mayUse whether the caller may use a zone of an account; others are left out
   * @throws {ApiError} for an invalid page
   */
  list(
    mayUse: (zone: string, account: string) => boolean,
    request?: ZoneListRequest,
  ): Promise<Page<ZoneWithAccount>>;
  /** A zone by its id. @throws {ApiError} when no list of zones has it */
  get(zone: string): Promise<ZoneWithAccount>;
}

/** Creates the service. */
export function zoneService({ store }: ServiceContext): ZoneService {
  return {
    list: (mayUse, request = {}) => {
      const query = acceptQuery(zoneQuery, request, area);
      const slice = sliceOf(query);
      const name = query.name?.toLowerCase();
      return store.read(async (tx) => {
        const zones = (await tx.find("zones", worldScope)).filter(
          (zone) =>
            !isRemoved(zone) &&
            (name === undefined || zone.name.toLowerCase() === name) &&
            mayUse(zone.id, zone.account_id),
        );
        const { items, info } = pageOf(zones.sort(byName), slice);
        return { info, items: await Promise.all(items.map((zone) => withAccount(tx, zone))) };
      });
    },
    get: (id) =>
      store.read(async (tx) => {
        const zone = await tx.get("zones", worldScope, id);
        if (!zone || isRemoved(zone)) throw notFound(area, "zone", id);
        return withAccount(tx, zone);
      }),
  };
}

function byName(a: ZoneRecord, b: ZoneRecord): number {
  return a.name < b.name ? -1 : 1;
}

/** An account that no list names has its id as its name. */
async function withAccount(
  tx: ReadTransaction,
  { id, name, account_id }: ZoneRecord,
): Promise<ZoneWithAccount> {
  const account = await tx.get("accounts", worldScope, account_id);
  return { id, name, account: { id: account_id, name: account?.name ?? account_id } };
}

/** Stores a setting of a zone, whether it exists or not. */
export async function storeZoneSetting(
  tx: WriteTransaction,
  zone: string,
  id: string,
  value: string,
  nowMs: number,
): Promise<ZoneSettingRecord> {
  const record: ZoneSettingRecord = { scope: zone, id, value, modified_at: nowMs };
  if (await tx.get("zone_settings", zone, id)) await tx.replace("zone_settings", record);
  else await tx.insert("zone_settings", record);
  return record;
}
