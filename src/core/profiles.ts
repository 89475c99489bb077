/**
 * The two profiles as one table of data: `spec` follows the specification, `provider` the real service (`observed`).
 * This module imports nothing, so that any part of the project can read the table.
 */

/** Name of a set of defaults. */
export type Profile = "spec" | "provider";

/** The options that have a default in each profile. */
export interface ProfileSettings {
  /** Neutral names of the specification, or the provider's own names, in paths, members and headers. */
  readonly wireNames: "spec" | "provider";
  /**
   * Restrictions that the specification does not state and safety does not need: reported in `messages`, or
   * enforced.
   */
  readonly restrictions: "note" | "enforce";
  /**
   * Keys that do not match exactly one of the key formats: rejected, or adjusted with a note (members
   * dropped, defaulted or inferred).
   */
  readonly invalidKeys: "reject" | "adjust";
  /** Shared secrets as keys (`kty` is `oct`, HS256 to HS512): rejected, as the specification has none, or accepted. */
  readonly sharedSecrets: "reject" | "accept";
  /** Several rules that match one operation: all are evaluated in order, or the first enabled one decides. */
  readonly precedence: "all" | "first";
  /** Tolerance for `exp` and `nbf`, in seconds from 0. */
  readonly clockToleranceSeconds: number;
  /** Maximum number of token configurations in a zone, from 0. */
  readonly configsPerZone: number;
  /** The name of the API token that changed a rule last, `modified_by`: not shown, or shown with the rule. */
  readonly ruleAuthors: "hidden" | "shown";
  /** Header names in token sources: any letter case, or lower case only. */
  readonly headerCase: "any" | "lower";
  /** Paths of URLs before rules read them, in a zone without a setting of its own: as sent, or normalized. */
  readonly urlNormalization: "none" | "rfc3986" | "cloudflare";
  /** Patterns of fewer than 5 code points: any edit distance from 0 to 3, or 0 only. */
  readonly shortPatterns: "any" | "exact";
  /** Custom image ids: may be UUIDs and may require signatures, or neither. */
  readonly customImageIds: "any" | "plain";
  /** The variant `public` of every account: can be deleted, or is kept. */
  readonly publicVariant: "deletable" | "kept";
  /** Options of a variant: all that are required, or one side, and defaults of the others. */
  readonly variantSides: "both" | "one";
  /** HEIC uploads, whose header alone is read and which have no renditions: rejected, or accepted. */
  readonly heic: "reject" | "accept";
  /** Time until a direct upload expires, in seconds. */
  readonly uploadExpirySeconds: {
    /** Minimum, in seconds from 0. */
    readonly min: number;
    /** Maximum, in seconds; may be infinite. */
    readonly max: number;
  };
  /** Values that the feed left out: empty values of the specification's type, or null. */
  readonly absentValues: "empty" | "null";
  /** Status of responses to missing or malformed credentials. */
  readonly authFailureStatus: 400 | 401;
  /**
   * Two bodies that the specification shows without the usual envelope: as specified, or enveloped as the
   * provider's client library expects them from version 7.2 on. The same in both profiles.
   */
  readonly envelopes: "spec" | "everywhere";
  /**
   * Pages of a list of proxy applications: only when the request names a page, as with the real service (`observed`), or
   * always, for client libraries whose iterators start without a page. The same in both profiles.
   */
  readonly appsPaging: "requested" | "always";
  /** Errors of a proxy application: the first, as in every real response, or all of the phase that found one. */
  readonly proxyErrors: "first" | "all";
  /** Library that verifies signatures: Node's own crypto, or jose. Their outcomes are the same. */
  readonly verifier: "node" | "jose";
}

/** The defaults of both profiles. */
export const profiles: Readonly<Record<Profile, ProfileSettings>> = {
  spec: {
    wireNames: "spec",
    restrictions: "note",
    invalidKeys: "reject",
    sharedSecrets: "reject",
    precedence: "all",
    clockToleranceSeconds: 0,
    configsPerZone: 1_000,
    ruleAuthors: "hidden",
    headerCase: "any",
    urlNormalization: "none",
    shortPatterns: "any",
    customImageIds: "any",
    publicVariant: "deletable",
    variantSides: "both",
    heic: "reject",
    uploadExpirySeconds: { min: 0, max: Number.POSITIVE_INFINITY },
    absentValues: "empty",
    authFailureStatus: 401,
    envelopes: "spec",
    appsPaging: "requested",
    proxyErrors: "first",
    verifier: "node",
  },
  provider: {
    wireNames: "provider",
    restrictions: "enforce",
    invalidKeys: "adjust",
    sharedSecrets: "accept",
    precedence: "first",
    clockToleranceSeconds: 60,
    configsPerZone: 32,
    ruleAuthors: "shown",
    headerCase: "lower",
    urlNormalization: "cloudflare",
    shortPatterns: "exact",
    customImageIds: "plain",
    publicVariant: "kept",
    variantSides: "one",
    heic: "accept",
    uploadExpirySeconds: { min: 120, max: 21_600 },
    absentValues: "null",
    authFailureStatus: 400,
    envelopes: "spec",
    appsPaging: "requested",
    proxyErrors: "first",
    verifier: "node",
  },
};
