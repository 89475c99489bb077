/** Lists of images: by pages (v1), and by continuation tokens with metadata filters (v2). Drafts are in neither. */
import { type CompiledFilters, parseMetadataFilters } from "../../../engine/images/metadata/filter.ts";
import { ApiError } from "../../../errors.ts";
import { imageListQuery, imageTokenListQuery } from "../../../schemas/images.ts";
import type { QueryPair } from "../../../schemas/parameters.ts";
import type { Condition, FieldValue, ReadTransaction } from "../../../store/port.ts";
import type { ImageRecord } from "../../../store/records/images.ts";
import type { ServiceContext } from "../../context.ts";
import { findPage, maxShortOffset, type PageRequest, type ResultInfo, sliceOf } from "../../paging.ts";
import { acceptQuery } from "../../query.ts";
import { openAccount } from "../account.ts";
import { uploadedOnly } from "../uploads/image-records.ts";
import { type AddressParts, addressParts } from "../view.ts";
import { type Listing, type ListPosition, printToken, readToken } from "./continuation.ts";

const area = "images";

/** Number of images read at a time when filters are evaluated. */
const batchSize = 500;

/** After every id: sequences are unique, so a position needs no id. */
const lastId = "\u{10ffff}";

export interface ListRequest extends PageRequest {
  /** The empty string: images without a creator. */
  readonly creator?: string | undefined;
}

export interface TokenListRequest {
  /** The empty string: images without a creator. */
  readonly creator?: string | undefined;
  /** 1 to 1,000, the default. */
  readonly per_page?: number | undefined;
  /** By the time of the upload. Default `desc`. */
  readonly sort_order?: "asc" | "desc" | undefined;
  /** That of the page before. Default, and the empty string: the first page. */
  readonly continuation_token?: string | undefined;
  /** Filters by metadata: names such as `meta.place.city[eq]`, each with its value. */
  readonly meta?: Iterable<QueryPair> | undefined;
}

export interface ImagePage extends AddressParts {
  readonly images: readonly ImageRecord[];
  readonly info: ResultInfo;
}

export interface TokenPage extends AddressParts {
  readonly images: readonly ImageRecord[];
  /** Null on the last page. */
  readonly continuation_token: string | null;
}

export interface ListingService {
  /** Newest first. */
  list(account: string, request?: ListRequest): Promise<ImagePage>;
  /** Continues at the token's position, whatever was added or deleted meanwhile. */
  listFrom(account: string, request?: TokenListRequest): Promise<TokenPage>;
}

export function listingService(context: ServiceContext): ListingService {
  const { store } = context;
  return {
    list: async (account, request = {}) => {
      const query = acceptQuery(imageListQuery, request, area);
      const slice = sliceOf(query);
      await openAccount(context, account);
      const long = slice.offset > maxShortOffset;
      return store.read(
        async (tx) => {
          const page = { where: conditions(query.creator), order: order("desc") };
          const { items: images, info } = await findPage(tx, "images", account, page, slice);
          return { ...(await addressParts(tx, account)), images, info };
        },
        { long },
      );
    },
    listFrom: async (account, request = {}) => {
      const query = acceptQuery(imageTokenListQuery, request, area);
      const { creator, sort_order: sort } = query;
      const filters = readFilters(query.meta);
      const listing = { account, sort, creator, filters: filters.filters };
      const { token_secret } = await openAccount(context, account);
      const token = query.continuation_token || undefined;
      const position = token === undefined ? undefined : readToken(listing, token, token_secret);
      const left = context.limits.imagesPerListing - (position?.listed ?? 0);
      const long = filters.filters.length > 0;
      return store.read(
        async (tx) => {
          const found = await findFrom(tx, listing, filters, position, Math.min(query.per_page, left));
          const listed = (position?.listed ?? 0) + found.images.length;
          const continues = found.more && listed < context.limits.imagesPerListing;
          const last = found.images.at(-1);
          const continuation_token =
            continues && last ? printToken(listing, positionAfter(last, listed), token_secret) : null;
          return { ...(await addressParts(tx, account)), images: found.images, continuation_token };
        },
        { long },
      );
    },
  };
}

function positionAfter({ uploaded, sequence }: ImageRecord, listed: number): ListPosition {
  return { uploaded, sequence, listed };
}

function readFilters(query: Iterable<QueryPair>): CompiledFilters {
  const filters = parseMetadataFilters(query);
  if (filters.ok) return filters.value;
  throw new ApiError(...filters.problems);
}

function conditions(creator: string | undefined): Condition<"images">[] {
  if (creator === undefined) return [...uploadedOnly];
  return [...uploadedOnly, { field: "creator", op: "eq", value: creator === "" ? null : creator }];
}

function order(direction: "asc" | "desc") {
  return [
    { field: "uploaded", direction },
    { field: "sequence", direction },
  ] as const;
}

interface FoundPage {
  readonly images: readonly ImageRecord[];
  /** Whether another image follows. */
  readonly more: boolean;
}

/** Reads until the page is full and another image is known to follow, or all are read. */
async function findFrom(
  tx: ReadTransaction,
  { account, sort, creator }: Listing,
  { filters, matches }: CompiledFilters,
  from: ListPosition | undefined,
  size: number,
): Promise<FoundPage> {
  const wanted = size + 1;
  const limit = filters.length === 0 ? wanted : batchSize;
  const query = { where: conditions(creator), order: order(sort), limit };
  const images: ImageRecord[] = [];
  let after: FieldValue[] | undefined = from && [from.uploaded, from.sequence, lastId];
  for (;;) {
    const batch = await tx.find("images", account, { ...query, ...(after && { after }) });
    images.push(...batch.filter(({ meta }) => matches(meta)));
    const last = batch.at(-1);
    if (images.length >= wanted) return { images: images.slice(0, size), more: true };
    if (batch.length < limit || !last) return { images, more: false };
    after = [last.uploaded, last.sequence, lastId];
  }
}
