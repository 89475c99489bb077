/** Records that belong to no area: accounts, zones and API tokens, all in the scope `world`. */
import { defineCollection, type StoredRecord } from "../definition.ts";

/** The scope of records above zones and accounts. */
export const worldScope = "world";

export interface AccountRecord extends StoredRecord {
  readonly name: string;
}

export interface ZoneRecord extends StoredRecord {
  readonly name: string;
  readonly account_id: string;
}

/** An API token. `id` is its secret. */
export interface ApiTokenRecord extends StoredRecord {
  readonly name: string;
  readonly permissions: readonly string[];
  /** Ids of its zones and accounts; null means all. */
  readonly zones: readonly string[] | null;
  readonly accounts: readonly string[] | null;
}

export const accounts = defineCollection<AccountRecord>({ fields: {} });
export const zones = defineCollection<ZoneRecord>({
  fields: { name: "text", account_id: "text" },
  unique: [["name"]],
  indexes: [["account_id"]],
});
export const apiTokens = defineCollection<ApiTokenRecord>({ fields: {} });
