/** Random input of domain and logo queries for property tests: valid, and wrong in exactly one way. */
import type { Arbitrary } from "fast-check";
import type { StringMatch } from "../../engine/brand/model.ts";
import type { HostProblemReason } from "../../engine/brand/names/host.ts";
import { drawPng } from "../pictures/drawing.ts";
import { gifPicture, pngPicture } from "../pictures/picture-samples.ts";
import { addFault, type InvalidBody, type MemberFault, patchFaults, patchOf } from "./body-faults.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";
import { matchingName, nearMiss } from "./names.ts";

/** The body of a domain query, as a client sends it. */
export interface DomainQueryBody {
  readonly tag: string;
  readonly string_matches: readonly StringMatch[];
  /** RFC 3339. */
  readonly min_time?: string;
  readonly max_time?: string;
  readonly scan?: boolean;
  readonly search_lookback?: boolean;
}

/** The body of a logo query, as a client sends it. */
export interface LogoQueryBody {
  readonly tag: string;
  /** Base64, with a data URI's beginning or without. */
  readonly image_data: string;
  readonly similarity_threshold: number;
  readonly search_lookback?: boolean;
}

/** A text that is no host name, and why. */
export interface WrongName {
  readonly name: string;
  readonly reason: HostProblemReason;
}

/** What a feed can say of a name. */
export interface Observation {
  readonly domain: string;
  /** RFC 3339. */
  readonly first_seen?: string;
  readonly registrar?: string;
  readonly source?: string;
  readonly public_scans?: { readonly submission_id: string };
  readonly scan_status?: "none" | "pending" | "finished";
  readonly scan_submission_id?: number;
}

/** Arbitraries of every input of brand protection. */
export interface BrandArbitraries {
  /** A pattern of five characters or more, so that no note is made about it. */
  readonly stringMatch: Arbitrary<StringMatch>;
  readonly domainQuery: Arbitrary<DomainQueryBody>;
  readonly wrongDomainQuery: Arbitrary<InvalidBody>;
  /** The body that changes a domain query. */
  readonly domainQueryPatch: Arbitrary<Partial<DomainQueryBody>>;
  readonly wrongDomainQueryPatch: Arbitrary<InvalidBody>;
  /** A host name that can be observed. */
  readonly name: Arbitrary<string>;
  readonly wrongName: Arbitrary<WrongName>;
  /** What a feed says of a name, as `observe` takes it. */
  readonly observation: Arbitrary<Observation>;
  /** One that `observe` counts as bad, and tells. */
  readonly wrongObservation: Arbitrary<unknown>;
  /** A name that the pattern is found in: so many edits away as it allows, or fewer. */
  matchingName(match: StringMatch): Arbitrary<string>;
  /**
   * A name that misses the pattern by a single edit. For plain comparison: `confusables` may see letters as alike.
   *
   * @throws {RangeError} for a pattern that has no such name
   */
  nearMiss(match: StringMatch): Arbitrary<string>;
  /** A drawing as a PNG file, fit to be a logo. */
  readonly logo: Arbitrary<Uint8Array>;
  readonly logoQuery: Arbitrary<LogoQueryBody>;
  readonly wrongLogoQuery: Arbitrary<InvalidBody>;
}

/** The code of every refusal (`observed`). */
const code = 7001;

/**
 * Makes the arbitraries. fast-check is given, not imported, so that nobody needs it who does not use it.
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

  const times = fc
    .tuple(fc.nat(maxHours), fc.nat(maxHours))
    .map(([a, b]) => ({ min_time: timeOf(Math.min(a, b)), max_time: timeOf(Math.max(a, b)) }));
  const domainQuery = fc
    .tuple(
      fc.record({
        tag: fc.constantFrom("our name", "partner", "ü"),
        string_matches: fc.array(stringMatch, { minLength: 1, maxLength: 5 }),
      }),
      fc.record({ scan: fc.boolean(), search_lookback: fc.boolean() }, { requiredKeys: [] }),
      fc.oneof(fc.constant({}), times),
    )
    .map(([required, switches, bounds]): DomainQueryBody => ({ ...required, ...switches, ...bounds }));

  // Times are left alone: one of them may contradict the other one of the query that is there.
  const domainQueryPatch = patchOf(fc, domainQuery, ["tag", "string_matches", "scan", "search_lookback"]);

  const logo = fc
    .record({
      petals: fc.integer({ min: 2, max: 5 }),
      depth: fc.constantFrom(0.15, 0.25, 0.35),
      side: fc.constantFrom(48, 64),
    })
    .map(({ petals, depth, side }) => drawPng(flower(petals, depth), { side }));
  const logoQuery = fc
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

  const label = fc.constantFrom("www", "login", "north-wind", "shop-1", "bücher", "xn--bcher-kva", "_dmarc");
  const name = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom("com", "co.uk", "example"))
    .map(([labels, suffix]) => [...labels, suffix].join("."));

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
  const observation = fc
    .tuple(name, facts)
    .map(([domain, known]): Observation => ({ domain, ...known }) as Observation);

  return {
    stringMatch,
    domainQuery,
    wrongDomainQuery: broken(domainQuery, domainFaults),
    domainQueryPatch,
    wrongDomainQueryPatch: broken(domainQueryPatch, patchFaults(domainFaults, patchMembers)),
    name,
    wrongName: fc.tuple(name, fc.constantFrom(...nameFaults)).map(([good, breakName]) => breakName(good)),
    observation,
    wrongObservation: fc
      .tuple(observation, fc.constantFrom(...observationFaults))
      .map(([good, fault]) => (typeof fault === "object" && fault !== null ? { ...good, ...fault } : fault)),
    matchingName: (match) => matchingName(fc, match),
    nearMiss: (match) => nearMiss(fc, match),
    logo,
    logoQuery,
    wrongLogoQuery: broken(logoQuery, logoFaults),
  };

  function broken(bodies: Arbitrary<object>, faults: readonly MemberFault[]): Arbitrary<InvalidBody> {
    return fc.tuple(bodies, fc.constantFrom(...faults)).map(([body, fault]) => addFault(body, fault, code));
  }
}

/** Times of queries lie within about a year. */
const maxHours = 8_760;

function timeOf(hours: number): string {
  return new Date(Date.UTC(2026, 0, 1, hours)).toISOString();
}

/** A disc whose edge goes in and out. */
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

/** One string match among good ones, with another value at a member. */
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

/** Another value for a member of what a feed says, or for all of it. */
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

/** One way each in which a host name can be wrong. */
const nameFaults: readonly ((good: string) => WrongName)[] = [
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
