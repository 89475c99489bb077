/** Arbitraries of brand protection for property tests: valid input, and input with exactly one problem. */
import type { Arbitrary } from "fast-check";
import { recommendedRules } from "../../engine/brand/matching/match-rules.ts";
import { type MatchOptions, type MatchRule, matchModes, type StringMatch } from "../../engine/brand/model.ts";
import type { HostProblemReason } from "../../engine/brand/names/host.ts";
import type { DomainRecord } from "../../service/brand/domains/feed-record.ts";
import { drawPng } from "../pictures/drawing.ts";
import { gifPicture, pngPicture } from "../pictures/picture-samples.ts";
import { addFault, type InvalidBody, type MemberFault, patchFaults, patchOf } from "./body-faults.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";
import { matchingName, nearMiss } from "./names.ts";

/** The body of a domain query, as a client sends it. */
export interface DomainQueryBody {
  /** Name of the query, at least 1 character. */
  readonly tag: string;
  /** 1 to 5 patterns. */
  readonly string_matches: readonly StringMatch[];
  /** RFC 3339; not later than `max_time`. */
  readonly min_time?: string;
  /** RFC 3339. */
  readonly max_time?: string;
  /** Stored without an effect. */
  readonly scan?: boolean;
  /** Whether names that were observed before are searched. */
  readonly search_lookback?: boolean;
}

/** The body of a logo query, as a client sends it. */
export interface LogoQueryBody {
  /** Unique in the account, at least 1 character. */
  readonly tag: string;
  /** Base64 with or without the prefix of a data URI. */
  readonly image_data: string;
  /** Minimum score of a match, 0 to 1. */
  readonly similarity_threshold: number;
  /** Whether pictures that were scanned before are searched. */
  readonly search_lookback?: boolean;
}

/** A string that is not a host name. */
export interface InvalidHostName {
  /** The string. */
  readonly name: string;
  /** Why `normalizeHost` rejects it. */
  readonly reason: HostProblemReason;
}

/** Arbitraries of the inputs of brand protection. */
export interface BrandArbitraries {
  /** A pattern of at least five characters, which adds no note. */
  readonly stringMatch: Arbitrary<StringMatch>;
  /** How names are compared: every mode, lists of rules and `recommended`, with and without each switch. */
  readonly matchOptions: Arbitrary<MatchOptions>;
  /** The body of a new domain query. */
  readonly domainQuery: Arbitrary<DomainQueryBody>;
  /** The body of a new domain query with one problem. */
  readonly invalidDomainQuery: Arbitrary<InvalidBody>;
  /** The body that changes a domain query. */
  readonly domainQueryPatch: Arbitrary<Partial<DomainQueryBody>>;
  /** The body of a change of a domain query with one problem. */
  readonly invalidDomainQueryPatch: Arbitrary<InvalidBody>;
  /** A host name that can be observed. */
  readonly name: Arbitrary<string>;
  /** A string that is not a host name, and the reason. */
  readonly invalidName: Arbitrary<InvalidHostName>;
  /** A record of a feed of names. */
  readonly observation: Arbitrary<DomainRecord>;
  /** A record that `observe` counts and reports as invalid. */
  readonly invalidObservation: Arbitrary<unknown>;
  /** A name that contains the pattern with at most as many edits as it allows. */
  matchingName(match: StringMatch): Arbitrary<string>;
  /**
   * A name that misses the pattern by one edit in the plain channel; `confusables` can find it.
   *
   * @throws {RangeError} for a pattern without such a name
   */
  nearMiss(match: StringMatch): Arbitrary<string>;
  /** A drawing as a PNG file, valid as a logo. */
  readonly logo: Arbitrary<Uint8Array>;
  /** The body of a new logo query. */
  readonly logoQuery: Arbitrary<LogoQueryBody>;
  /** The body of a new logo query with one problem. */
  readonly invalidLogoQuery: Arbitrary<InvalidBody>;
}

/** The code of every rejection (`observed`). */
const code = 7001;

/**
 * Makes the arbitraries. The caller passes fast-check, which is an optional dependency.
 *
 * @example
 * ```ts
 * const fc = await import("fast-check");
 * const { nearMiss } = brandArbitraries(fc);
 * const match = { pattern: "paypal", max_edit_distance: 1 };
 * const matcher = compileQueries([{ query_id: 1, parameters: { string_matches: [match] } }]);
 * fc.sample(nearMiss(match), 20).flatMap((name) => matcher.match(name)); // => []
 * ```
 */
export function brandArbitraries(fc: FastCheck): BrandArbitraries {
  assertFastCheck(fc, "brandArbitraries");
  const letters = fc.string({
    unit: fc.constantFrom(..."abcdefghijklmnoprstuvwy"),
    minLength: 5,
    maxLength: 12,
  });
  const pattern = fc.oneof(
    fc.constantFrom("paypal", "microsoft", "north-wind", "münchen", "пейпал", "example.shop"),
    letters,
  );
  const stringMatch = fc.record({ pattern, max_edit_distance: fc.integer({ min: 0, max: 3 }) });

  const domainQuery = domainQueryArbitrary(fc, stringMatch);
  // Without times: one of them could contradict the other one of the stored query.
  const domainQueryPatch = patchOf(fc, domainQuery, ["tag", "string_matches", "scan", "search_lookback"]);

  const logo = logoArbitrary(fc);
  const logoQuery = logoQueryArbitrary(fc, logo);

  const label = fc.constantFrom("www", "login", "north-wind", "shop-1", "bücher", "xn--bcher-kva", "_dmarc");
  const name = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom("com", "co.uk", "example"))
    .map(([labels, suffix]) => [...labels, suffix].join("."));

  const observation = observationArbitrary(fc, name);

  return {
    stringMatch,
    matchOptions: matchOptionsArbitrary(fc),
    domainQuery,
    invalidDomainQuery: broken(domainQuery, domainFaults),
    domainQueryPatch,
    invalidDomainQueryPatch: broken(domainQueryPatch, patchFaults(domainFaults, patchMembers)),
    name,
    invalidName: fc.tuple(name, fc.constantFrom(...nameFaults)).map(([good, breakName]) => breakName(good)),
    observation,
    invalidObservation: fc
      .tuple(observation, fc.constantFrom(...observationFaults))
      .map(([good, fault]) => (typeof fault === "object" && fault !== null ? { ...good, ...fault } : fault)),
    matchingName: (match) => matchingName(fc, match),
    nearMiss: (match) => nearMiss(fc, match),
    logo,
    logoQuery,
    invalidLogoQuery: broken(logoQuery, logoFaults),
  };

  function broken(bodies: Arbitrary<object>, faults: readonly MemberFault[]): Arbitrary<InvalidBody> {
    return fc.tuple(bodies, fc.constantFrom(...faults)).map(([body, fault]) => addFault(body, fault, code));
  }
}

function matchOptionsArbitrary(fc: FastCheck): Arbitrary<MatchOptions> {
  const mode = fc.constantFrom(...matchModes);
  const rule: Arbitrary<MatchRule> = fc.record(
    {
      mode,
      maxEdits: fc.nat(3),
      minLength: fc.nat(8),
      onlyWithEmbeddedSuffix: fc.boolean(),
      separators: fc.boolean(),
    },
    { requiredKeys: ["mode"] },
  );
  const rules = fc.oneof(fc.constant(recommendedRules), fc.array(rule, { minLength: 1, maxLength: 3 }));
  const switches = {
    transpositions: fc.boolean(),
    confusables: fc.boolean(),
    separators: fc.boolean(),
  };
  return fc.record(
    { mode: fc.oneof(mode, fc.constant("recommended" as const), rules), ...switches },
    { requiredKeys: [] },
  );
}

function domainQueryArbitrary(
  fc: FastCheck,
  stringMatch: Arbitrary<StringMatch>,
): Arbitrary<DomainQueryBody> {
  const times = fc
    .tuple(fc.nat(maxHours), fc.nat(maxHours))
    .map(([a, b]) => ({ min_time: timeOf(Math.min(a, b)), max_time: timeOf(Math.max(a, b)) }));
  return fc
    .tuple(
      fc.record({
        tag: fc.constantFrom("our name", "partner", "ü"),
        string_matches: fc.array(stringMatch, { minLength: 1, maxLength: 5 }),
      }),
      fc.record({ scan: fc.boolean(), search_lookback: fc.boolean() }, { requiredKeys: [] }),
      fc.oneof(fc.constant({}), times),
    )
    .map(([required, switches, bounds]): DomainQueryBody => ({ ...required, ...switches, ...bounds }));
}

function logoArbitrary(fc: FastCheck): Arbitrary<Uint8Array> {
  return fc
    .record({
      petals: fc.integer({ min: 2, max: 5 }),
      depth: fc.constantFrom(0.15, 0.25, 0.35),
      side: fc.constantFrom(48, 64),
    })
    .map(({ petals, depth, side }) => drawPng(flower(petals, depth), { side }));
}

function logoQueryArbitrary(fc: FastCheck, logo: Arbitrary<Uint8Array>): Arbitrary<LogoQueryBody> {
  return fc
    .tuple(
      fc.constantFrom("our logo", "the old logo"),
      logo,
      fc.constantFrom("", "data:image/png;base64,"),
      fc.constantFrom(0, 0.75, 0.85, 1),
      fc.record({ search_lookback: fc.boolean() }, { requiredKeys: [] }),
    )
    .map(([tag, bytes, beginning, similarity_threshold, rest]): LogoQueryBody => {
      return { tag, image_data: beginning + base64(bytes), similarity_threshold, ...rest };
    });
}

function observationArbitrary(fc: FastCheck, name: Arbitrary<string>): Arbitrary<DomainRecord> {
  const facts = fc.record(
    {
      first_seen: fc.nat(maxHours).map(timeOf),
      registrar: fc.constantFrom("Example Registrar", ""),
      source: fc.constant("a feed"),
      public_scans: fc.constant({ submission_id: "scan-1" }),
      scan_status: fc.constantFrom("none" as const, "pending" as const, "finished" as const),
      scan_submission_id: fc.nat(),
    },
    { requiredKeys: [] },
  );
  return fc.tuple(name, facts).map(([domain, known]): DomainRecord => ({ domain, ...known }));
}

/** Times of queries are within about a year. */
const maxHours = 8_760;

function timeOf(hours: number): string {
  return new Date(Date.UTC(2026, 0, 1, hours)).toISOString();
}

/** A disc with petals. */
function flower(petals: number, depth: number) {
  return (x: number, y: number): boolean => {
    const [u, v] = [x - 0.5, y - 0.5];
    return (
      Math.hypot(u, v) < 0.35 + depth * 0.4 * Math.sin(petals * Math.atan2(v, u)) && Math.hypot(u, v) > 0.08
    );
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

const sharedFaults: readonly MemberFault[] = [
  { member: "tag", value: undefined },
  { member: "tag", value: "" },
  { member: "tag", value: 7 },
  { member: "search_lookback", value: "no" },
];

const good: StringMatch = { pattern: "paypal", max_edit_distance: 1 };

/** String matches of which one has another value of a member. */
function matchFault(member: "pattern" | "max_edit_distance", value: unknown): MemberFault {
  const at = `string_matches/1/${member}`;
  return { member: "string_matches", value: [good, { ...good, [member]: value }, good], at };
}

const domainFaults: readonly MemberFault[] = [
  ...sharedFaults,
  { member: "string_matches", value: undefined },
  { member: "string_matches", value: "paypal" },
  { member: "string_matches", value: [] },
  { member: "string_matches", value: Array.from({ length: 101 }, () => good) },
  { member: "string_matches", value: [good, "paypal"], at: "string_matches/1" },
  matchFault("pattern", undefined),
  matchFault("pattern", 1),
  matchFault("pattern", ""),
  matchFault("pattern", "p".repeat(201)),
  matchFault("max_edit_distance", undefined),
  matchFault("max_edit_distance", "1"),
  matchFault("max_edit_distance", 1.5),
  matchFault("max_edit_distance", -1),
  matchFault("max_edit_distance", 4),
  { member: "min_time", value: "yesterday" },
  { member: "min_time", value: 1_767_225_600 },
  { member: "max_time", value: "2026-13-01T00:00:00Z" },
  { member: "scan", value: "yes" },
];

const patchMembers = ["tag", "string_matches", "min_time", "max_time", "scan", "search_lookback"];

const shown = { width: 48, height: 48, color: [20, 60, 160] } as const;

const logoFaults: readonly MemberFault[] = [
  ...sharedFaults,
  { member: "image_data", value: undefined },
  { member: "image_data", value: "" },
  { member: "image_data", value: "not base64!" },
  { member: "image_data", value: base64(Buffer.from("<html>")) },
  { member: "image_data", value: base64(gifPicture(shown)) },
  { member: "image_data", value: base64(pngPicture(shown).subarray(0, 60)) },
  { member: "similarity_threshold", value: undefined },
  { member: "similarity_threshold", value: "0.85" },
  { member: "similarity_threshold", value: -0.01 },
  { member: "similarity_threshold", value: 1.01 },
];

/** Other values of a member of a record, or of the whole record. */
const observationFaults: readonly unknown[] = [
  7,
  null,
  "not a name",
  { domain: undefined },
  { domain: 7 },
  { domain: "" },
  { domain: "a..example" },
  { first_seen: "yesterday" },
  { first_seen: 1_767_225_600 },
  { registrar: 7 },
  { public_scans: "scan-1" },
  { public_scans: {} },
  { scan_status: "done" },
  { scan_submission_id: 1.5 },
];

/** One invalid name for each reason. */
const nameFaults: readonly ((good: string) => InvalidHostName)[] = [
  () => ({ name: "", reason: "empty" }),
  () => ({ name: " . ", reason: "empty" }),
  (name) => ({ name: `a b.${name}`, reason: "invalid_character" }),
  (name) => ({ name: `https://${name}/`, reason: "invalid_character" }),
  (name) => ({ name: `${name}:443`, reason: "invalid_character" }),
  (name) => ({ name: `.${name}`, reason: "empty_label" }),
  (name) => ({ name: `a..${name}`, reason: "empty_label" }),
  (name) => ({ name: `${"a".repeat(64)}.${name}`, reason: "label_too_long" }),
  (name) => ({ name: `${"a.".repeat(127)}${name}`, reason: "too_long" }),
];
