/** Records that belong to no area: accounts, zones and API tokens, all in the scope `world`. */
import { defineCollection, type StoredRecord } from "../definition.ts";

/** The scope of records above zones and accounts. */
export const worldScope = "world";

/**
 * Accounts and zones that a world file no longer lists: their records stay, so that their resources can return with
 * them, and so that a list without entries is not mistaken for a missing list.
 */
export interface ListedRecord extends StoredRecord {
  /** When the world file stopped listing it, in milliseconds since 1970. Null or absent: it is listed. */
  readonly removed_at?: number | null;
  /** Whether its resources were deleted after that; when it returns, it is new. */
  readonly pruned?: boolean;
}

export interface AccountRecord extends ListedRecord {
  readonly name: string;
}

export interface ZoneRecord extends ListedRecord {
  /** Unique; of a removed zone, U+0000 and its id. */
  readonly name: string;
  readonly account_id: string;
  /** Absent when the world does not have it. */
  readonly plan?: string;
}

/**
 * `id` of the record in `api_tokens` that stays when the last API token was removed, so that the list is not mistaken
 * for a missing one. No bearer token and no token of a world file is empty.
 */
export const noTokenLeft = "";

/** An API token. `id` is its secret. */
export interface ApiTokenRecord extends StoredRecord {
  readonly name: string;
  readonly permissions: readonly string[];
  /** Ids of its zones and accounts; null means all. */
  readonly zones: readonly string[] | null;
  readonly accounts: readonly string[] | null;
}

/** A setting of a zone; `scope` is the zone, `id` the name of the setting. */
export interface ZoneSettingRecord extends StoredRecord {
  readonly value: string;
  /** When it was changed, in milliseconds since 1970. */
  readonly modified_at: number;
}

/** Whether the world file no longer lists a zone or an account. */
export function isRemoved({ removed_at = null }: ListedRecord): boolean {
  return removed_at !== null;
}

export const accounts = defineCollection<AccountRecord>({ fields: { removed_at: "number?" } });
export const zones = defineCollection<ZoneRecord>({
  fields: { name: "text", account_id: "text", removed_at: "number?" },
  unique: [["name"]],
  indexes: [["account_id"]],
});
export const zoneSettings = defineCollection<ZoneSettingRecord>({ fields: {} });
export const apiTokens = defineCollection<ApiTokenRecord>({ fields: {} });
