/** Logo queries: pictures with a threshold, and a tag that is unique in the account. */
import { counted, quote } from "../../../errors.ts";
import { logoListParameters, logoQueryCreate } from "../../../schemas/brand.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import type { Compute } from "../../compute.ts";
import { invalid, type Notes, requireRecord, requireScope, type ServiceContext } from "../../context.ts";
import { decode } from "../../decode.ts";
import { acceptQuery } from "../../query.ts";
import { formatTimestamp } from "../../time.ts";
import { bumpRevision, inQueue } from "../account-state.ts";
import { readId } from "../list-request.ts";
import type { LookbackRunner } from "../lookback/lookback-runner.ts";
import { dropLookback, startLookback, withProgress } from "../lookback/pending-lookback.ts";
import { ensureSettings, readSettings } from "../settings/account-settings.ts";
import type { Detectors } from "./detectors.ts";
import { blobsOf, createBlobRemoval, deleteOwnBlobs, withPicture } from "./logo-blobs.ts";
import { storeLogoMatches } from "./logo-store.ts";
import { finishAtOnce, searchAtOnce } from "./lookback/search-at-once.ts";
import type { FoundScan } from "./lookback/search-pieces.ts";
import { type LogoPicture, type PictureLimits, readLogo } from "./picture.ts";

const area = "brand";

/** The sequence of query ids. */
const sequenceName = "brand_logo_queries";

/** A query, with its picture if it was requested. */
export interface ListedLogoQuery {
  readonly query: LogoQueryRecord;
  readonly image?: Uint8Array;
}

/** Queries for pictures that contain a logo. */
export interface LogoQueryService {
  /** All queries, or the one with this id, oldest first; an empty array for an unknown id. */
  list(
    account: string,
    request?: { readonly id?: string | undefined; readonly download?: boolean | undefined },
  ): Promise<readonly ListedLogoQuery[]>;
  /**
   * Creates a query and its matches in one transaction. With more than `lookbackAtOnce` stored pictures to search densely
   * the lookback of the returned query is pending, and matches are added as they are found.
   *
   * @throws the abort reason of `signal`; nothing is stored then
   */
  create(account: string, body: unknown, notes?: Notes, signal?: AbortSignal): Promise<LogoQueryRecord>;
  /** Removes a query, its picture and its matches, and ends its lookback. */
  delete(account: string, id: string): Promise<void>;
}

/** The members of a query that a request sets, without the picture. */
export type LogoFields = Pick<LogoQueryRecord, "tag" | "similarity_threshold">;

export function logoQueryService(
  context: ServiceContext,
  detectors: Detectors,
  runner: Pick<LookbackRunner, "start">,
): LogoQueryService {
  const { store } = context;
  const removeUnclaimed = createBlobRemoval(store.blobs);
  return {
    list: async (account, request = {}) => {
      const { id: key, download: withImages } = acceptQuery(logoListParameters, request, area);
      const queries = await store.read(async (tx) => {
        await requireScope(tx, area, "accounts", account);
        const where = key === undefined ? [] : [{ field: "id", op: "eq", value: key } as const];
        const order = [{ field: "query_id", direction: "asc" }] as const;
        const found = await tx.find("brand_logo_queries", account, { where, order });
        const shown = [];
        for (const query of found) shown.push(await withProgress(tx, "logos", query));
        return shown;
      });
      return withImages ? readImages(context, queries) : queries.map((query) => ({ query }));
    },
    create: async (account, body, notes = [], signal) => {
      const { image_data, search_lookback, ...fields } = decode(logoQueryCreate, body, { area, notes });
      const limits = await store.read(async (tx) => {
        await assertCreatable(context, tx, account, fields.tag);
        return (await readSettings(tx, context, account)).pictures;
      });
      const picture = await logoOf(context.compute, image_data, limits, signal);
      const { descriptor, detector } = picture;
      const target = { descriptor: descriptor.bytes, detector, threshold: fields.similarity_threshold };
      const search = { store, compute: context.compute, account, target, signal };
      const before = search_lookback ? await searchAtOnce(context, search) : undefined;
      const query = await withPicture(store.blobs, picture, (key) =>
        store.write(
          async (tx) => {
            const created = await createLogoQuery(context, tx, account, fields, key, picture);
            if (!before) return created;
            const { found, ...started } = await finishAtOnce(context, search, tx, before);
            await storeFound(tx, account, created.query_id, found);
            return startLookback(tx, "logos", created, context.clock(), started);
          },
          inQueue(account, "logos"),
        ),
      );
      detectors.keep(query, detector);
      if (query.lookback?.state === "pending") runner.start("logos", account, query.id);
      return query;
    },
    delete: async (account, id) => {
      const { store_path } = await store.write(
        async (tx) => {
          const query = await requireRecord(tx, "brand_logo_queries", account, readId("query_id", id));
          const { query_id } = query;
          await ensureSettings(tx, context, account);
          await tx.deleteWhere("brand_logo_matches", account, [
            { field: "query_id", op: "eq", value: query_id },
          ]);
          await tx.delete("brand_logo_queries", account, query.id);
          await dropLookback(tx, { part: "logos", scope: account, id: query.id });
          await bumpRevision(tx, account, "logos");
          await tx.releaseBlobs(blobsOf(query.store_path, "query"));
          return query;
        },
        inQueue(account, "logos"),
      );
      await deleteOwnBlobs(store.blobs, blobsOf(store_path, "query"));
      await removeUnclaimed();
    },
  };
}

async function logoOf(
  compute: Compute,
  text: string,
  limits: PictureLimits,
  signal: AbortSignal | undefined,
): Promise<LogoPicture> {
  const picture = await readLogo(compute, text, limits, signal);
  if (!picture.ok) throw invalid(area, picture.problems[0].message, "/image_data");
  return picture.value;
}

/** @throws {ApiError} for a tag of another query, and when the account has the maximum number of queries */
async function assertCreatable(
  { limits }: ServiceContext,
  tx: ReadTransaction,
  account: string,
  tag: string,
): Promise<void> {
  await requireScope(tx, area, "accounts", account);
  const taken = await tx.count("brand_logo_queries", account, [{ field: "tag", op: "eq", value: tag }]);
  if (taken > 0)
    throw invalid(
      area,
      `\`tag\` must be unique in the account; another logo query has ${quote(tag)}.`,
      "/tag",
    );
  const count = await tx.count("brand_logo_queries", account);
  const max = limits.logoQueriesPerAccount;
  if (count >= max)
    throw invalid(
      area,
      `An account can have at most ${counted(max, "logo query", "logo queries")}; found ${count}.`,
    );
}

/** Stores a new query without its matches. Its picture must be stored before. */
export async function createLogoQuery(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { tag, similarity_threshold }: LogoFields,
  store_path: string,
  { contentType, detector }: Pick<LogoPicture, "contentType" | "detector">,
): Promise<LogoQueryRecord> {
  await assertCreatable(context, tx, account, tag);
  await ensureSettings(tx, context, account);
  const query_id = await tx.sequence(account, sequenceName);
  const uploaded_at = formatTimestamp(context.clock());
  const record = { scope: account, id: String(query_id), query_id, tag, similarity_threshold };
  const { calibration } = detector;
  const query = { ...record, uploaded_at, store_path, content_type: contentType, calibration };
  await tx.insert("brand_logo_queries", query);
  await tx.claimBlobs(blobsOf(store_path, "query"));
  await bumpRevision(tx, account, "logos");
  return query;
}

async function storeFound(
  tx: WriteTransaction,
  account: string,
  queryId: number,
  found: readonly FoundScan[],
): Promise<void> {
  await storeLogoMatches(
    tx,
    account,
    found.map((each) => ({ queryId, ...each })),
  );
}

async function readImages(
  { store }: ServiceContext,
  queries: readonly LogoQueryRecord[],
): Promise<readonly ListedLogoQuery[]> {
  const listed: ListedLogoQuery[] = [];
  for (const query of queries) {
    const image = await store.blobs.get(query.store_path);
    // A missing picture was deleted after the list was read.
    if (image) listed.push({ query, image });
  }
  return listed;
}
