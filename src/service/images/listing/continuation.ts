/**
 * Continuation tokens: the position where the next page of a listing begins. They are opaque to the client,
 * authenticated with the account's secret, and valid only for the same account, order and filters.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ApiError, problem } from "../../../errors.ts";

/** The parameters of a listing, the same for each of its pages. */
export interface Listing {
  readonly account: string;
  readonly sort: "asc" | "desc";
  readonly creator: string | undefined;
  /** The metadata filters; their order does not matter. */
  readonly filters: readonly unknown[];
}

/** The last image of a page, and the number of images on it and all pages before. */
export interface ListPosition {
  readonly uploaded: string;
  readonly sequence: number;
  readonly listed: number;
}

export function printToken(listing: Listing, position: ListPosition, secret: string): string {
  const body = Buffer.from(JSON.stringify([position.uploaded, position.sequence, position.listed]));
  return `${body.toString("base64url")}.${authenticate(listing, body, secret).toString("base64url")}`;
}

/** @throws {ApiError} 5400 for a token that was not issued for this listing */
export function readToken(listing: Listing, token: string, secret: string): ListPosition {
  const [, body = "", code = ""] = /^([\w-]{1,256})\.([\w-]{43})$/.exec(token) ?? [];
  const bytes = Buffer.from(body, "base64url");
  const found = Buffer.from(code, "base64url");
  const expected = authenticate(listing, bytes, secret);
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) throw foreignToken();
  // Base64url decodes several strings to the same bytes; only the issued one is valid.
  if (bytes.toString("base64url") !== body || found.toString("base64url") !== code) throw foreignToken();
  // Authenticated, so it has the type that `printToken` wrote.
  const [uploaded, sequence, listed] = JSON.parse(bytes.toString()) as [string, number, number];
  return { uploaded, sequence, listed };
}

function authenticate(
  { account, sort, creator, filters }: Listing,
  body: Uint8Array,
  secret: string,
): Buffer {
  const sorted = filters.map((filter) => JSON.stringify(filter)).sort();
  const about = createHash("sha256")
    .update(JSON.stringify([account, sort, creator ?? null, sorted]))
    .digest();
  return createHmac("sha256", secret).update(about).update(body).digest();
}

function foreignToken(): ApiError {
  const message =
    "`continuation_token` must come from a listing with the same account, sort order and filters.";
  return new ApiError(problem(5400, message));
}
