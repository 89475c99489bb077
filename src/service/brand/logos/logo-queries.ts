/** Logo queries: pictures with a threshold and a tag that is unique in the account. */
import { quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import { invalid, type Notes, notFound, requireScope, type ServiceContext } from "../../context.ts";
import { decode } from "../../decode.ts";
import { formatTimestamp } from "../../time.ts";
import { bumpRevision } from "../account-state.ts";
import { readId, readSwitch } from "../list-request.ts";
import { logoQueryCreate } from "../schemas.ts";
import { blobsOf, deletePicture, withPicture } from "./logo-blobs.ts";
import { type LogoLookback, lookBackForLogo, lookBackRestForLogo } from "./logo-lookback.ts";
import { storeLogoMatches } from "./logo-store.ts";
import { type Picture, readBase64, readPicture } from "./picture.ts";

const area = "brand";

/** The sequence of query ids. */
const sequenceName = "brand_logo_queries";

/** A query, with its picture when that was asked for. */
export interface ListedLogo {
  readonly query: LogoQueryRecord;
  readonly image?: Uint8Array;
}

export interface LogoQueryService {
  /** All queries, or the one with this id, oldest first. An id that no query has gives none. */
  list(
    account: string,
    request?: { readonly id?: string | undefined; readonly download?: string | undefined },
  ): Promise<readonly ListedLogo[]>;
  /** The query and all its matches appear at once. */
  create(account: string, body: unknown, notes?: Notes): Promise<LogoQueryRecord>;
  /** Removes a query, its picture and its matches. */
  delete(account: string, id: string): Promise<void>;
}

/** What the author of a query decides, the picture apart. */
export type LogoFields = Pick<LogoQueryRecord, "tag" | "similarity_threshold">;

export function logoQueryService(context: ServiceContext): LogoQueryService {
  const { store } = context;
  return {
    list: async (account, { id, download } = {}) => {
      const only = id === undefined ? undefined : readId("id", id);
      const withImages = readSwitch("download", download);
      const queries = await store.read(async (tx) => {
        await requireScope(tx, area, "accounts", account);
        const where = only === undefined ? [] : [{ field: "id", op: "eq", value: only } as const];
        const order = [{ field: "query_id", direction: "asc" }] as const;
        return tx.find("brand_logo_queries", account, { where, order });
      });
      return withImages ? readImages(context, queries) : queries.map((query) => ({ query }));
    },
    create: async (account, body, notes = []) => {
      const { image_data, search_lookback, ...fields } = decode(logoQueryCreate, body, { area, notes });
      await store.read((tx) => assertFree(context, tx, account, fields.tag));
      const picture = await pictureOf(context, image_data);
      const { descriptor } = picture;
      const logo = { descriptor, threshold: fields.similarity_threshold };
      const before = search_lookback ? await lookBackForLogo(store, account, logo) : undefined;
      const key = logoKey(context, account);
      return withPicture(store.blobs, key, picture, () =>
        store.write(async (tx) => {
          const query = await createLogoQuery(context, tx, account, fields, key, picture);
          const found = before ? await lookBackRestForLogo(store, tx, account, logo, before) : [];
          await storeFound(tx, account, query.query_id, found);
          return query;
        }),
      );
    },
    delete: async (account, id) => {
      const { store_path } = await store.write(async (tx) => {
        const query = await requireLogoQuery(tx, account, id);
        const { query_id } = query;
        await tx.deleteWhere("brand_logo_matches", account, [
          { field: "query_id", op: "eq", value: query_id },
        ]);
        await tx.delete("brand_logo_queries", account, query.id);
        await bumpRevision(tx, account, "logos");
        await tx.releaseBlobs(blobsOf(query.store_path));
        return query;
      });
      await deletePicture(store.blobs, store_path);
    },
  };
}

/** A fresh place for a logo's picture. */
export function logoKey({ ids }: ServiceContext, account: string): string {
  return `brand/${account}/logos/${ids.uuid()}`;
}

/** @throws {ApiError} 7002 when there is no such query, 7001 when the id is no number */
export async function requireLogoQuery(
  tx: ReadTransaction,
  account: string,
  id: string,
): Promise<LogoQueryRecord> {
  const key = readId("query_id", id);
  await requireScope(tx, area, "accounts", account);
  const query = await tx.get("brand_logo_queries", account, key);
  if (!query) throw notFound(area, "logo query", id);
  return query;
}

async function pictureOf({ limits }: ServiceContext, text: string): Promise<Picture> {
  const bytes = readBase64(text, limits.logoBytes);
  const picture = "fault" in bytes ? bytes : await readPicture(bytes.value, "query", limits);
  if ("fault" in picture) throw invalid(area, picture.fault, "/image_data");
  return picture.value;
}

/** Refuses a tag that is taken, and one query more than the account may have. */
async function assertFree(
  { limits }: ServiceContext,
  tx: ReadTransaction,
  account: string,
  tag: string,
): Promise<void> {
  await requireScope(tx, area, "accounts", account);
  const taken = await tx.count("brand_logo_queries", account, [{ field: "tag", op: "eq", value: tag }]);
  if (taken > 0) throw invalid(area, `The tag ${quote(tag)} is taken by another logo query.`, "/tag");
  const count = await tx.count("brand_logo_queries", account);
  const most = limits.logoQueriesPerAccount;
  if (count >= most)
    throw invalid(area, `The account has ${count} logo queries; it can have at most ${most}.`);
}

/** Stores a new query, without its matches. Its picture is stored already. */
export async function createLogoQuery(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { tag, similarity_threshold }: LogoFields,
  store_path: string,
  { contentType }: Pick<Picture, "contentType">,
): Promise<LogoQueryRecord> {
  await assertFree(context, tx, account, tag);
  const query_id = await tx.sequence(account, sequenceName);
  const uploaded_at = formatTimestamp(context.clock());
  const place = { scope: account, id: String(query_id), query_id, tag, similarity_threshold };
  const query = { ...place, uploaded_at, store_path, content_type: contentType };
  await tx.insert("brand_logo_queries", query);
  await tx.claimBlobs(blobsOf(store_path));
  await bumpRevision(tx, account, "logos");
  return query;
}

async function storeFound(
  tx: WriteTransaction,
  account: string,
  queryId: number,
  found: LogoLookback["found"],
): Promise<void> {
  await storeLogoMatches(
    tx,
    account,
    found.map(({ scan, score }) => ({ queryId, scan, score })),
  );
}

async function readImages(
  { store }: ServiceContext,
  queries: readonly LogoQueryRecord[],
): Promise<readonly ListedLogo[]> {
  const listed: ListedLogo[] = [];
  for (const query of queries) {
    const image = await store.blobs.get(query.store_path);
    // Gone means deleted since the list was read.
    if (image) listed.push({ query, image });
  }
  return listed;
}
