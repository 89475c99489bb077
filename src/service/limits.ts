/** What a request or a zone may ask for at the most. All of them are options: `createEdge({ limits })`. */

import { imageLimits } from "../engine/images/limits.ts";

export interface Limits {
  /** A JSON request body, in bytes. */
  readonly bodyBytes: number;
  /** Nesting of a JSON request body. */
  readonly jsonDepth: number;
  /** A token's text, in bytes; a longer one is malformed. */
  readonly tokenBytes: number;
  /** Verdicts kept for repeated tokens, for each configuration. */
  readonly cachedTokens: number;
  /** Keys of one configuration. */
  readonly keysPerConfig: number;
  /** Rules of one zone. */
  readonly rulesPerZone: number;
  /** Rules in one bulk request. */
  readonly bulkRules: number;
  /** Zones whose compiled rules are kept. */
  readonly compiledZones: number;
  /** Accounts whose compiled domain queries and described logos are kept. */
  readonly compiledAccounts: number;
  /** Domain queries of one account. */
  readonly domainQueriesPerAccount: number;
  /** Logo queries of one account. */
  readonly logoQueriesPerAccount: number;
  /** A picture in area B, in bytes. */
  readonly logoBytes: number;
  /** A picture in area B, in pixels. */
  readonly logoPixels: number;
  /** The file of one image upload, in bytes (10 MB, `spec`). */
  readonly imageUploadBytes: number;
  /** An original of more bytes than this is served re-encoded as the base image. */
  readonly imageBaseBytes: number;
  /** Pixels of a delivered image, all frames counted. */
  readonly imageOutputPixels: number;
  /** Images that an account may store, where the world does not say. */
  readonly imagesPerAccount: number;
  /** Images that one listing of v2 gives over all of its pages (`spec`). */
  readonly imagesPerListing: number;
  /** Variants of one account. */
  readonly variantsPerAccount: number;
  /** Signing keys of one account. */
  readonly signingKeysPerAccount: number;
  /** Images that are rendered at a time, and uploads that are decoded at a time; at least one. */
  readonly concurrentRenders: number;
  /** Renderings that may wait for their turn; beyond them a delivery is refused. */
  readonly queuedRenders: number;
  /** Memory for images that were rendered, in bytes. */
  readonly renderedCacheBytes: number;
}

/** The defaults (`chosen`, but for those that a docstring marks otherwise). */
export const defaultLimits: Limits = {
  bodyBytes: 1_048_576,
  jsonDepth: 64,
  tokenBytes: 8_192,
  cachedTokens: 10_000,
  keysPerConfig: 64,
  rulesPerZone: 10_000,
  bulkRules: 1_000,
  compiledZones: 100,
  compiledAccounts: 100,
  domainQueriesPerAccount: 1_000,
  logoQueriesPerAccount: 1_000,
  logoBytes: 5_242_880,
  logoPixels: 25_000_000,
  imageUploadBytes: imageLimits.uploadBytes,
  imageBaseBytes: imageLimits.baseBytes,
  imageOutputPixels: imageLimits.outputPixels,
  imagesPerAccount: 100_000,
  imagesPerListing: 10_000,
  variantsPerAccount: 100,
  signingKeysPerAccount: 20,
  concurrentRenders: 4,
  queuedRenders: 256,
  renderedCacheBytes: 67_108_864,
};

/** Least values, where it is not 0: no verifier reads tokens of no length. */
const least: Readonly<Partial<Record<string, number>>> = { tokenBytes: 1 };

/** The defaults with the caller's own over them. @throws {RangeError} for what is no integer, or too small */
export function resolveLimits(own: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(own)) {
    if (!Object.hasOwn(defaultLimits, name)) throw new RangeError(`limits.${name} is not a limit`);
    const min = least[name] ?? 0;
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= min)) {
      throw new RangeError(`limits.${name} is \`${value}\`; it must be an integer of ${min} or more`);
    }
  }
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(given) };
}
