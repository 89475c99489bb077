/**
 * Continuation tokens: where a listing goes on. Opaque to the caller, authenticated with the account's secret,
 * and of use for the listing that they came from only: same account, order and filters.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ApiError } from "../../../errors.ts";

/** What a listing is of; every page of it has the same. */
export interface Listing {
  readonly account: string;
  readonly sort: "asc" | "desc";
  readonly creator: string | undefined;
  /** The metadata filters; their order does not matter. */
  readonly filters: readonly unknown[];
}

/** The last image given, and how many were given before the next page. */
export interface Place {
  readonly uploaded: string;
  readonly sequence: number;
  readonly given: number;
}

export function printToken(listing: Listing, place: Place, secret: string): string {
  const body = Buffer.from(JSON.stringify([place.uploaded, place.sequence, place.given]));
  return `${body.toString("base64url")}.${authenticate(listing, body, secret).toString("base64url")}`;
}

/** @throws {ApiError} 5400 for a token that was not given out for this listing */
export function readToken(listing: Listing, token: string, secret: string): Place {
  const [, body = "", code = ""] = /^([\w-]{1,256})\.([\w-]{43})$/.exec(token) ?? [];
  const bytes = Buffer.from(body, "base64url");
  const given = Buffer.from(code, "base64url");
  const expected = authenticate(listing, bytes, secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notOurs();
  // An encoding that ends in other bits than it was given out with is not ours either.
  if (bytes.toString("base64url") !== body || given.toString("base64url") !== code) throw notOurs();
  const [uploaded, sequence, count] = JSON.parse(bytes.toString()) as [string, number, number];
  return { uploaded, sequence, given: count };
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

function notOurs(): ApiError {
  const message =
    "The `continuation_token` is none that this listing gave: it must come from the same account, sort order and filters.";
  return new ApiError({ code: 5400, message });
}
