/** The zones of the world file, with their accounts (`observed`, read-only). */

import { pageSizes } from "../schemas/envelope.ts";
import type { ReadTransaction } from "../store/port.ts";
import { isRemoved, worldScope, type ZoneRecord } from "../store/records/world.ts";
import { notFound, type ServiceContext } from "./context.ts";
import { type Page, type PageRequest, type PageRule, pageOf, readPage } from "./paging.ts";

const area = "shared";

/** Page sizes as those of token configurations (`chosen`). */
const pageRule: PageRule = { ...pageSizes.tokens, beyond: "clamp" };

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
      const slice = readPage(request, pageRule, area);
      const name = request.name?.toLowerCase();
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
