/** Lists of images: by pages (v1), and by continuation tokens with metadata filters (v2). Drafts are in neither. */
import { type CompiledFilters, parseMetadataFilters } from "../../../engine/images/metadata/filter.ts";
import { quote } from "../../../errors.ts";
import type { Condition, FieldValue, ReadTransaction } from "../../../store/port.ts";
import type { ImageRecord } from "../../../store/records/images.ts";
import { invalid, rejectAny, type ServiceContext } from "../../context.ts";
import { type PageRequest, type PageRule, pageInfo, type ResultInfo, readPage } from "../../paging.ts";
import { openAccount } from "../account.ts";
import { uploadedOnly } from "../uploads/image-records.ts";
import { type AddressParts, addressParts } from "../view.ts";
import { type Listing, type Place, printToken, readToken } from "./continuation.ts";

const area = "images";

/** Pages of v1 and v2 (`spec`; the defaults are `observed`). */
const pageRule: PageRule = { default: 100, max: 100, beyond: "reject" };
const tokenPageRule: PageRule = { default: 1_000, max: 1_000, beyond: "reject" };

/** Images read at a time where a filter looks at each. */
const batchSize = 500;

/** Behind every id: sequences are never shared, so a place needs no id of its own. */
const lastId = "\u{10ffff}";

export interface ListRequest extends PageRequest {
  /** The empty text: images without a creator. */
  readonly creator?: string | undefined;
}

export interface TokenListRequest {
  readonly creator?: string | undefined;
  readonly per_page?: string | undefined;
  readonly sort_order?: string | undefined;
  readonly continuation_token?: string | undefined;
  /** All query parameters, decoded; those that begin with `meta.` are filters. */
  readonly query?: Iterable<readonly [string, string]>;
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
  /** Goes on where the token says, whatever was added or deleted in between. */
  listFrom(account: string, request?: TokenListRequest): Promise<TokenPage>;
}

export function listingService(context: ServiceContext): ListingService {
  const { store } = context;
  return {
    list: async (account, request = {}) => {
      const slice = readPage(request, pageRule, area);
      await openAccount(context, account);
      return store.read(async (tx) => {
        const where = conditions(request.creator);
        const page = { where, order: order("desc"), offset: slice.offset, limit: slice.perPage };
        const images = await tx.find("images", account, page);
        const info = pageInfo(slice, images.length, await tx.count("images", account, where));
        return { ...(await addressParts(tx, account)), images, info };
      });
    },
    listFrom: async (account, request = {}) => {
      const { perPage } = readPage({ per_page: request.per_page }, tokenPageRule, area);
      const filters = readFilters(request.query ?? []);
      const sort = readSort(request.sort_order);
      const listing = { account, sort, creator: request.creator, filters: filters.filters };
      const { token_secret } = await openAccount(context, account);
      // Client libraries send the null of a last page, or of no page yet, as an empty text.
      const token = request.continuation_token || undefined;
      const place = token === undefined ? undefined : readToken(listing, token, token_secret);
      const left = context.limits.imagesPerListing - (place?.given ?? 0);
      return store.read(async (tx) => {
        const found = await findPage(tx, listing, filters, place, Math.min(perPage, left));
        const given = (place?.given ?? 0) + found.images.length;
        const goesOn = found.more && given < context.limits.imagesPerListing;
        const last = found.images.at(-1);
        const continuation_token =
          goesOn && last ? printToken(listing, { ...placeOf(last), given }, token_secret) : null;
        return { ...(await addressParts(tx, account)), images: found.images, continuation_token };
      });
    },
  };
}

function placeOf({ uploaded, sequence }: ImageRecord) {
  return { uploaded, sequence };
}

function readFilters(query: Iterable<readonly [string, string]>): CompiledFilters {
  const filters = parseMetadataFilters(query);
  if (!filters.ok) rejectAny(filters.problems);
  return filters as CompiledFilters;
}

function readSort(text: string | undefined): "asc" | "desc" {
  if (text === undefined) return "desc";
  if (text === "asc" || text === "desc") return text;
  throw invalid(area, `\`sort_order\` is ${quote(text)}; it must be \`asc\` or \`desc\`.`);
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

interface Found {
  readonly images: readonly ImageRecord[];
  /** Whether another image follows. */
  readonly more: boolean;
}

/** Reads on until the page is full and one image more is seen, or all were read. */
async function findPage(
  tx: ReadTransaction,
  { account, sort, creator }: Listing,
  { filters, matches }: CompiledFilters,
  from: Place | undefined,
  size: number,
): Promise<Found> {
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
