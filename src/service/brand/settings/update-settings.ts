/** Updates the settings of all accounts to the options of an edge, at its first use. */
import { addTo } from "../../../core/groups.ts";
import { quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import { type BrandSettingsRecord, brandScope } from "../../../store/records/brand.ts";
import { isRemoved, worldScope } from "../../../store/records/world.ts";
import type { ServiceContext } from "../../context.ts";
import type { AccountSettingsAccess } from "../../settings.ts";
import { describeChanges } from "../../world/report.ts";
import {
  isNewer,
  ownSettings,
  type PictureSettings,
  recordOf,
  storeSettings,
  valuesOf,
} from "./account-settings.ts";

interface Change {
  readonly before: BrandSettingsRecord | undefined;
  readonly after: BrandSettingsRecord;
}

/** Whether `updateSettings` would change anything. */
export async function hasOutdatedSettings(tx: ReadTransaction, context: ServiceContext): Promise<boolean> {
  return (await findChanges(tx, context)).length > 0;
}

/**
 * Stores the options that were given to the edge with every account, its defaults with accounts without settings, and
 * its versions. Accounts of a newer edgeproof stay as they are: calls for them are rejected.
 *
 * @returns one line for each kind of change to settings that were stored before
 */
export async function updateSettings(
  tx: WriteTransaction,
  context: ServiceContext,
): Promise<readonly string[]> {
  const accounts = new Map<string, string[]>();
  for (const { before, after } of await findChanges(tx, context)) {
    await storeSettings(tx, after, before);
    if (!before) continue;
    const line = changesOf(before, after);
    addTo(accounts, line, after.id);
  }
  return [...accounts].map(([line, ids]) => `changed the settings of ${listed(ids)}: ${line}`);
}

async function findChanges(tx: ReadTransaction, context: ServiceContext): Promise<readonly Change[]> {
  const { access, given } = context.accountSettings;
  if (access === "read") return [];
  const own = ownSettings(context);
  const stored = new Map((await tx.find("brand_settings", brandScope)).map((record) => [record.id, record]));
  const changes: Change[] = [];
  for (const account of await accountsOf(tx, stored.keys())) {
    const before = stored.get(account);
    if (before && isNewer(before)) continue;
    const { names, pictures } = before ? valuesOf(before) : own;
    const after = recordOf(account, {
      names: given.brand ?? names,
      pictures: changedBy(given.limits, pictures),
    });
    if (!before || changesOf(before, after) !== "") changes.push({ before, after });
  }
  return changes;
}

/** Picture settings with the limits that were given. */
function changedBy(
  { logoBytes, logoPixels }: AccountSettingsAccess["given"]["limits"],
  { maxBytes, maxPixels }: PictureSettings,
): PictureSettings {
  return {
    maxBytes: logoBytes ?? maxBytes,
    maxPixels: logoPixels ?? maxPixels,
  };
}

/** The accounts that the world lists, or that have settings or queries; not those that the world has removed. */
async function accountsOf(tx: ReadTransaction, known: Iterable<string>): Promise<readonly string[]> {
  const accounts = new Set([...known, ...(await tx.scopes("brand_states"))]);
  for (const record of await tx.find("accounts", worldScope)) {
    if (isRemoved(record)) accounts.delete(record.id);
    else accounts.add(record.id);
  }
  return [...accounts];
}

/** The members that differ; empty when none does. */
function changesOf(before: BrandSettingsRecord, after: BrandSettingsRecord): string {
  const { names: oldNames, ...old } = before;
  const { names, ...now } = after;
  return [describeChanges(oldNames, names), describeChanges(old, now)]
    .filter((text) => text !== "")
    .join(", ");
}

/** Accounts that are named in a line. */
const maxNamed = 3;

function listed(ids: readonly string[]): string {
  if (ids.length === 1) return `account ${quote(ids[0])}`;
  const named = ids.slice(0, maxNamed).map(quote).join(", ");
  return `${ids.length} accounts (${named}${ids.length > maxNamed ? ", ..." : ""})`;
}
