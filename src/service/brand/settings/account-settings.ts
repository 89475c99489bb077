/**
 * The settings that decide the matches of an account. They are stored with it, so that every process that works on the
 * account finds the same matches, whatever options it was started with.
 */
import { runCommand } from "../../../core/text/run-command.ts";
import type { MatchOptions } from "../../../engine/brand/model.ts";
import type { DecodeLimits } from "../../../engine/logo/decode/decode.ts";
import { logoDescriptorVersion } from "../../../engine/logo/descriptor.ts";
import { ApiError, problem, quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import { type BrandSettingsRecord, brandScope } from "../../../store/records/brand.ts";
import { genericCodes, requireScope, type ServiceContext } from "../../context.ts";
import { bumpRevision, readState } from "../account-state.ts";

/** Version of the records of brand protection, and of the searches that read them. */
const schemaVersion = 1;

/** The versions that two processes must have in common to work on one account. */
export interface BrandVersions {
  /** Of the descriptors of pictures; descriptors of different versions are never compared. */
  readonly descriptor: number;
  /** Of the records of brand protection. */
  readonly schema: number;
}

/** The versions of this edgeproof. */
export const ownVersions: BrandVersions = { descriptor: logoDescriptorVersion, schema: schemaVersion };

/** The limits of the pictures that an account accepts. */
export type PictureSettings = Required<DecodeLimits>;

/** The settings of an account. */
export interface BrandSettings {
  /** Comparison of names: that of the server, and over it that of the world's account. */
  readonly names: MatchOptions;
  /** Limits of pictures. */
  readonly pictures: PictureSettings;
}

/** The settings as a process sees them. */
export interface AccountSettings extends BrandSettings {
  /** Whether the account has them in the store, in the versions of this process. */
  readonly isStored: boolean;
}

/** Reads the stored settings of accounts. */
export interface BrandSettingsService {
  /**
   * The settings by which the names and pictures of an account are matched. Every other function of brand protection
   * uses them too, so that a worker need not call this one: it shows what they are, or the error before any work.
   *
   * @throws {ApiError} 7002 when a world does not have the account
   * @throws {AccountSettingsError} as it says
   */
  read(account: string): Promise<BrandSettings>;
}

/**
 * An account whose records this process must not use or change: another version of edgeproof has written them, or
 * nothing is stored that says how to match. Nothing of the call was stored. A worker keeps the task for later: the
 * account is usable again when all processes have the same version, and a server has started.
 */
export class AccountSettingsError extends ApiError {
  /** The account. */
  readonly account: string;
  /** The versions of the account; undefined when it has no settings. */
  readonly found: BrandVersions | undefined;
  /** The versions of this process. */
  readonly required: BrandVersions;

  /** @param found versions of the account; undefined when it has no settings */
  constructor(account: string, found: BrandVersions | undefined) {
    super(problem(genericCodes.brand.invalid, explain(account, found)));
    this.account = account;
    this.found = found;
    this.required = ownVersions;
  }
}

function explain(account: string, found: BrandVersions | undefined): string {
  if (!found)
    return `Account ${quote(account)} has no stored settings, so it is unknown how to match; start \`${runCommand} serve\` with the store and a world that lists the account, or create a query in the account.`;
  const older = found.descriptor < ownVersions.descriptor || found.schema < ownVersions.schema;
  const advice = older
    ? `start \`${runCommand} serve\` of this version with the store first`
    : "update this edgeproof to the version of the server";
  return `Account ${quote(account)} was written with ${describe(found)}; this edgeproof needs ${describe(ownVersions)}: ${advice}.`;
}

function describe({ descriptor, schema }: BrandVersions): string {
  return `descriptor version ${descriptor} and schema version ${schema}`;
}

export function brandSettingsService(context: ServiceContext): BrandSettingsService {
  return {
    read: async (account) => {
      const { names, pictures } = await context.store.read(async (tx) => {
        await requireScope(tx, "brand", "accounts", account);
        return readSettings(tx, context, account);
      });
      return { names, pictures };
    },
  };
}

/** The settings that an edge gives an account without any. */
export function ownSettings({ settings, limits }: ServiceContext): BrandSettings {
  return {
    names: settings.brand,
    pictures: {
      maxBytes: limits.logoBytes,
      maxPixels: limits.logoPixels,
    },
  };
}

/**
 * The settings of an account. An edge that may write them has its own for an account without any.
 *
 * @throws {AccountSettingsError} for an account of other versions; an edge that may write settings updates older ones
 */
export async function readSettings(
  tx: ReadTransaction,
  context: ServiceContext,
  account: string,
): Promise<AccountSettings> {
  const record = await tx.get("brand_settings", brandScope, account);
  const isStored = record !== undefined && isCurrent(record);
  const isWritable = context.accountSettings.access === "update" && !(record && isNewer(record));
  if (!isStored && !isWritable) throw new AccountSettingsError(account, record && versionsOf(record));
  const { names, pictures } = record ? valuesOf(record) : ownSettings(context);
  const { options } = await readState(tx, account, "domains");
  return { names: { ...names, ...options }, pictures, isStored };
}

/**
 * Stores the settings of an account that has none, or older versions. Every write that changes the queries of an
 * account calls this in its transaction.
 *
 * @returns the settings
 * @throws {AccountSettingsError} as `readSettings`
 */
export async function ensureSettings(
  tx: WriteTransaction,
  context: ServiceContext,
  account: string,
): Promise<BrandSettings> {
  const settings = await readSettings(tx, context, account);
  if (settings.isStored) return settings;
  const record = await tx.get("brand_settings", brandScope, account);
  await storeSettings(tx, recordOf(account, record ? valuesOf(record) : ownSettings(context)), record);
  return settings;
}

/** Stores the settings of an account; compiled queries of all processes are outdated from then on. */
export async function storeSettings(
  tx: WriteTransaction,
  record: BrandSettingsRecord,
  before: BrandSettingsRecord | undefined,
): Promise<void> {
  if (before) await tx.replace("brand_settings", record);
  else await tx.insert("brand_settings", record);
  for (const part of ["domains", "logos"] as const) await bumpRevision(tx, record.id, part);
}

/** The record of settings, in the versions of this process. */
export function recordOf(account: string, { names, pictures }: BrandSettings): BrandSettingsRecord {
  return {
    scope: brandScope,
    id: account,
    // Without members that are undefined, so that equal settings have equal records.
    names: JSON.parse(JSON.stringify(names)) as MatchOptions,
    max_bytes: pictures.maxBytes,
    max_pixels: pictures.maxPixels,
    descriptor_version: ownVersions.descriptor,
    schema_version: ownVersions.schema,
  };
}

/** The settings of a record, without the options of the account's own. */
export function valuesOf(record: BrandSettingsRecord): BrandSettings {
  const { names, max_bytes: maxBytes, max_pixels: maxPixels } = record;
  return { names, pictures: { maxBytes, maxPixels } };
}

function versionsOf(record: BrandSettingsRecord): BrandVersions {
  return { descriptor: record.descriptor_version, schema: record.schema_version };
}

function isCurrent(record: BrandSettingsRecord): boolean {
  const { descriptor, schema } = versionsOf(record);
  return descriptor === ownVersions.descriptor && schema === ownVersions.schema;
}

/** Whether a newer edgeproof has written a record. */
export function isNewer(record: BrandSettingsRecord): boolean {
  const { descriptor, schema } = versionsOf(record);
  return descriptor > ownVersions.descriptor || schema > ownVersions.schema;
}
