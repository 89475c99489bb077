/**
 * Scanned pictures in steps: a picture is described once, without any account, and then stored for each account in a
 * transaction of its own.
 */
import {
  anyValue,
  arrayOf,
  aString,
  aUint8Array,
  type KindsOf,
  objectWith,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../../../core/arguments.ts";
import { type Result, success } from "../../../core/result.ts";
import { keepSuccess } from "../../../core/work/keep-success.ts";
import { MissingBlobError, type WriteTransaction } from "../../../store/port.ts";
import type { ServiceContext } from "../../context.ts";
import { ownSettings } from "../settings/account-settings.ts";
import { writeAtRevision } from "../write-at-revision.ts";
import {
  type CompiledLogoQueries,
  type FoundQuery,
  findLogos,
  type LogoQueryCompiler,
  searchForAll,
} from "./compiled-logo-queries.ts";
import { createBlobRemoval, putPicture } from "./logo-blobs.ts";
import { storeLogoMatches, storeScan } from "./logo-store.ts";
import { type PictureLimits, rejectionOf } from "./picture.ts";
import type { LoadDetectors } from "./picture-search.ts";
import { checkScan, type DescribedScan, describeScan, scanId } from "./scan-record.ts";

/** How a picture is stored. */
export interface StorePictureOptions {
  /** Default true. False: a picture without a match is not stored, so that lookback does not find it. */
  readonly retain?: boolean;
  /** Ends the search early. */
  readonly signal?: AbortSignal;
  /**
   * Called with the milliseconds of each step: describing the picture (with the search, for several accounts), and storing
   * it for one account (with the search, when it is the only one).
   */
  readonly onStep?: (step: "describe" | "store", ms: number) => void;
}

const storeMembers: KindsOf<StorePictureOptions> = { retain: anyValue, signal: anyValue, onStep: anyValue };
const aScan = objectWith({ picture: objectWith({ bytes: aUint8Array, contentType: aString }) });
const storeOptions = optionsOf<StorePictureOptions>("pictures.store", storeMembers);
const observeOptions = optionsOf<StorePictureOptions>("pictures.observe", storeMembers);

/** The outcome of a picture in one account. */
export interface StoredPicture {
  /** Whether the account did not have the picture before. */
  readonly isNew: boolean;
  /** Whether a query has a match with the picture. */
  readonly isMatch: boolean;
  /** Matches that are new. */
  readonly added: number;
  /** Why the account does not take the picture: its size is above the limits stored with the account. Else absent. */
  readonly rejected?: string;
}

/** The outcome of a picture that was not stored. */
export const notStored: StoredPicture = { isNew: false, isMatch: false, added: 0 };

/** Scanned pictures, one at a time. */
export interface PictureService {
  /**
   * Decodes and describes a picture. Uses processor time only: it reads and writes nothing, and knows no account.
   *
   * @param record a `ScanRecord`; another value, or a bad, oversized, truncated or animated file, is a failure with one
   * problem of code 7001
   * @param limits by default those of the edge; `store` checks those of the account
   */
  describe(record: unknown, limits?: PictureLimits): Promise<Result<DescribedScan>>;
  /**
   * Searches a described picture for the logos of an account, and stores it with its matches in one transaction. A
   * second call stores nothing.
   *
   * @throws {ApiError} when a world does not have the account, or this process must not use it (`AccountSettingsError`)
   * @throws the abort reason of `signal`
   */
  store(account: string, scan: DescribedScan, options?: StorePictureOptions): Promise<StoredPicture>;
  /**
   * Stores a picture for each of several accounts, and describes it at most once; not at all when every account has
   * stored it and searched it for all of its logos. The results are in the order of the accounts.
   *
   * @param record as for `describe`, under the limits stored with the accounts
   * @throws {ApiError} when a world does not have one of the accounts, or this process must not use it
   * (`AccountSettingsError`); nothing is stored then
   * @throws the abort reason of `signal`; some of the accounts may have the picture
   */
  observe(
    accounts: readonly string[],
    record: unknown,
    options?: StorePictureOptions,
  ): Promise<Result<readonly StoredPicture[]>>;
  /**
   * Whether every one of several accounts has stored a picture. Describes nothing.
   *
   * @param record as for `describe`, under the limits stored with the accounts; an invalid one is not stored
   * @throws {ApiError} as `observe`
   */
  isStored(accounts: readonly string[], record: unknown): Promise<boolean>;
}

export function pictureService(
  context: ServiceContext,
  compile: LogoQueryCompiler,
  load: LoadDetectors,
): PictureService {
  const removeUnclaimed = createBlobRemoval(context.store.blobs);
  async function storeOne(
    account: string,
    scan: DescribedScan,
    put: PutPicture,
    options: StorePictureOptions,
  ): Promise<StoredPicture> {
    const outcome = await storeForAccount(context, compile, load, account, scan, put, options);
    await removeUnclaimed();
    return outcome;
  }
  /** The compiled queries of accounts, and what is known of a picture without its pixels. */
  async function check(accounts: readonly string[], record: unknown) {
    requireArgument("accounts", accounts, arrayOf(aString));
    const compiled = new Map<string, CompiledLogoQueries>();
    for (const account of new Set(accounts)) compiled.set(account, await compile(account));
    const limits = largestLimits([...compiled.values()]);
    return { compiled, limits, checked: checkScan(context, limits, record) };
  }
  return {
    describe: async (record, limits = ownSettings(context).pictures) => {
      const checked = checkScan(context, limits, record);
      return checked.ok ? describeScan(context.compute, checked.value, limits) : checked;
    },
    store: async (account, scan, options = {}) => {
      requireArguments({ options: [options, storeOptions], scan: [scan, aScan] });
      return storeOne(account, scan, createPut(context, scan), options);
    },
    observe: async (accounts, record, options = {}) => {
      requireArgument("options", options, observeOptions);
      const results = new Map<string, StoredPicture>();
      const { compiled, limits, checked } = await check(accounts, record);
      if (!checked.ok) return checked;
      const id = scanId(checked.value);
      for (const [account, queries] of compiled) {
        const known = await findStored(context, account, id, queries, options);
        if (known) results.set(account, known);
      }
      const missing = [...compiled.keys()].filter((account) => !results.has(account));
      if (missing.length > 0) {
        const { onStep = () => {} } = options;
        const describedAt = performance.now();
        const scan = await describeScan(context.compute, checked.value, limits, options.signal);
        if (!scan.ok) return scan;
        const queries = missing.flatMap((account) => compiled.get(account) ?? []);
        if (queries.length > 1) await searchForAll(scan.value, queries, load, options.signal);
        onStep("describe", performance.now() - describedAt);
        const put = createPut(context, scan.value);
        for (const account of missing) {
          const storedAt = performance.now();
          results.set(account, await storeOne(account, scan.value, put, options));
          onStep("store", performance.now() - storedAt);
        }
      }
      return success(accounts.map((account) => results.get(account) ?? notStored));
    },
    isStored: async (accounts, record) => {
      const { checked } = await check(accounts, record);
      if (!checked.ok) return false;
      const id = scanId(checked.value);
      return context.store.read(async (tx) => {
        for (const account of accounts) if (!(await tx.get("brand_logo_scans", account, id))) return false;
        return true;
      });
    },
  };
}

/** The limits under which every picture is described that one of the accounts takes. */
function largestLimits(accounts: readonly CompiledLogoQueries[]): PictureLimits {
  const pictures = accounts.map(({ settings }) => settings.pictures);
  return {
    maxBytes: Math.max(0, ...pictures.map(({ maxBytes }) => maxBytes)),
    maxPixels: Math.max(1, ...pictures.map(({ maxPixels }) => maxPixels)),
  };
}

/** The stored picture of one call: put when it is first needed, and again when it was removed before it was claimed. */
interface PutPicture {
  /** The key of the picture. */
  put(): Promise<string>;
  /** The next `put` puts the picture again. */
  forget(): void;
}

function createPut({ store }: ServiceContext, { picture }: DescribedScan): PutPicture {
  const { get, forget } = keepSuccess(() => putPicture(store.blobs, picture));
  return { put: get, forget };
}

/** How often a picture is put that was removed before it was claimed. */
const maxPuts = 5;

/** Maximum number of ids in a condition. */
const maxIds = 500;

/** The outcome of a picture that is stored and was searched for all logos of the account; undefined for another one. */
function findStored(
  { store }: ServiceContext,
  account: string,
  id: string,
  { queries, newest }: CompiledLogoQueries,
  { retain = true }: StorePictureOptions,
): Promise<StoredPicture | undefined> {
  return store.read(async (tx) => {
    const scan = await tx.get("brand_logo_scans", account, id);
    const isSearched = scan?.searched_query !== undefined && scan.searched_query >= newest;
    if (!isSearched || (retain && scan.position === 0)) return undefined;
    const ids = [...queries.keys()].map((queryId) => `${queryId} ${id}`);
    for (let from = 0; from < ids.length; from += maxIds) {
      const where = [{ field: "id", op: "in", value: ids.slice(from, from + maxIds) }] as const;
      const [match] = await tx.find("brand_logo_matches", account, { where, limit: 1 });
      if (match) return { isNew: false, isMatch: true, added: 0 };
    }
    return notStored;
  });
}

/** Searches for logos before the transaction, and again when the queries have changed in the meantime. */
async function storeForAccount(
  context: ServiceContext,
  compile: LogoQueryCompiler,
  load: LoadDetectors,
  account: string,
  described: DescribedScan,
  put: PutPicture,
  options: StorePictureOptions,
): Promise<StoredPicture> {
  const { store } = context;
  const { retain = true, signal } = options;
  const { scan, picture } = described;
  let key: string | undefined;
  for (let puts = 0; ; ) {
    const compiled = await compile(account);
    const rejected = rejectionOf(picture, compiled.settings.pictures);
    if (rejected !== undefined) return { ...notStored, rejected };
    const found = await findLogos(described, compiled, load, signal);
    signal?.throwIfAborted();
    const known = await store.read((tx) => tx.get("brand_logo_scans", account, scan.id));
    if (!known && found.length === 0 && !retain) return notStored;
    if (!known && key === undefined) {
      puts++;
      key = await put.put();
    }
    const blob = key !== undefined && { blob: key };
    const facts = { ...scan, scope: account, searched_query: compiled.newest, ...blob };
    try {
      const added = await writeAtRevision(context, account, "logos", compiled, (tx) =>
        storeWithMatches(tx, facts, found, retain),
      );
      if (added) return { isNew: !known, isMatch: found.length > 0, ...added };
    } catch (error) {
      if (!(error instanceof MissingBlobError) || puts >= maxPuts) throw error;
      put.forget();
      key = undefined;
    }
  }
}

/** Returns undefined when the picture was deleted in the meantime, so that its bytes have to be put. */
async function storeWithMatches(
  tx: WriteTransaction,
  facts: Parameters<typeof storeScan>[1],
  found: readonly FoundQuery[],
  retain: boolean,
): Promise<Pick<StoredPicture, "added"> | undefined> {
  const scan = await storeScan(tx, facts, retain);
  if (!scan) return undefined;
  const pairs = found.map((each) => ({ ...each, scan }));
  return { added: await storeLogoMatches(tx, facts.scope, pairs) };
}
