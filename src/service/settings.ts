/**
 * The two profiles: one table of defaults. Every row is an option of its own, so that a user can hold a
 * simulator against the specification, against the real service, or against anything between.
 */

import type { MatchOptions } from "../engine/brand/model.ts";
import { quote } from "../errors.ts";

/** Everything in which the profiles differ, and what is an option in both. */
export interface Settings {
  /** The words that the specification neutralised: its own, or the provider's. */
  readonly wireNames: "spec" | "provider";
  /** Restrictions that the specification does not state and safety does not need: said in `messages`, or enforced. */
  readonly restrictions: "note" | "enforce";
  /** Keys that are not exactly one of the three shapes: refused, or dropped, defaulted and inferred with a note. */
  readonly invalidKeys: "reject" | "adjust";
  /** Several rules covering one operation: all are evaluated in order, or the first enabled one decides. */
  readonly precedence: "all" | "first";
  /** Tolerance for exp and nbf, in seconds. */
  readonly clockToleranceSeconds: number;
  /** Token configurations in a zone. */
  readonly configsPerZone: number;
  /** Header names in token sources: any letter case, or lower case only. */
  readonly headerCase: "any" | "lower";
  /** Patterns of fewer than 5 code points: any distance from 0 to 3, or 0 only. */
  readonly shortPatterns: "any" | "exact";
  /** Custom image ids may be UUIDs and may require signatures, or neither. */
  readonly customImageIds: "any" | "plain";
  /** How far ahead a direct upload may expire, in seconds. */
  readonly uploadExpirySeconds: { readonly min: number; readonly max: number };
  /** Values that the feed did not give: empty values of the specification's type, or null. */
  readonly absentValues: "empty" | "null";
  /** How domain names are compared with patterns; an account of the world may differ. The same in both profiles. */
  readonly brand: MatchOptions;
  /** The status of missing or malformed credentials. */
  readonly authFailureStatus: 400 | 401;
  /**
   * Two bodies that the specification shows without the usual envelope: as it says, or enveloped as the
   * provider's client library expects them from version 7.2 on. The same in both profiles.
   */
  readonly envelopes: "spec" | "everywhere";
  /** Errors of a proxy application: the first, as every real answer has it, or all of the phase that found one. */
  readonly proxyErrors: "first" | "all";
  /** Which library verifies signatures: node's own crypto, or jose. Their outcomes are the same. */
  readonly verifier: "node" | "jose";
}

export type Profile = "spec" | "provider";

/** The table. `spec` follows the specification, `provider` the real service (`observed`). */
export const profiles: Readonly<Record<Profile, Settings>> = {
  spec: {
    wireNames: "spec",
    restrictions: "note",
    invalidKeys: "reject",
    precedence: "all",
    clockToleranceSeconds: 0,
    configsPerZone: 1_000,
    headerCase: "any",
    shortPatterns: "any",
    customImageIds: "any",
    uploadExpirySeconds: { min: 0, max: Number.POSITIVE_INFINITY },
    absentValues: "empty",
    brand: {},
    authFailureStatus: 401,
    envelopes: "spec",
    proxyErrors: "first",
    verifier: "node",
  },
  provider: {
    wireNames: "provider",
    restrictions: "enforce",
    invalidKeys: "adjust",
    precedence: "first",
    clockToleranceSeconds: 60,
    configsPerZone: 4,
    headerCase: "lower",
    shortPatterns: "exact",
    customImageIds: "plain",
    uploadExpirySeconds: { min: 120, max: 21_600 },
    absentValues: "null",
    brand: {},
    authFailureStatus: 400,
    envelopes: "spec",
    proxyErrors: "first",
    verifier: "node",
  },
};

/** What a row can be, where it is one of a few words or numbers. */
const choices = {
  wireNames: ["spec", "provider"],
  restrictions: ["note", "enforce"],
  invalidKeys: ["reject", "adjust"],
  precedence: ["all", "first"],
  headerCase: ["any", "lower"],
  shortPatterns: ["any", "exact"],
  customImageIds: ["any", "plain"],
  absentValues: ["empty", "null"],
  authFailureStatus: [400, 401],
  envelopes: ["spec", "everywhere"],
  proxyErrors: ["first", "all"],
  verifier: ["node", "jose"],
} as const satisfies { readonly [Row in keyof Settings]?: readonly Settings[Row][] };

/** @throws {TypeError | RangeError} for a row that cannot be so */
function checkRow(name: string, value: unknown): void {
  if (Object.hasOwn(choices, name)) {
    const allowed: readonly unknown[] = choices[name as keyof typeof choices];
    if (allowed.includes(value)) return;
    const listed = allowed.map((choice) => JSON.stringify(choice)).join(" or ");
    throw new TypeError(`${name} is ${quote(value)}; it must be ${listed}`);
  }
  if (name === "clockToleranceSeconds" && !(Number.isFinite(value) && Number(value) >= 0))
    throw new RangeError(`${name} is ${quote(value)}; it must be a number of seconds from 0`);
  if (name === "configsPerZone" && !(Number.isSafeInteger(value) && Number(value) >= 0))
    throw new RangeError(`${name} is ${quote(value)}; it must be an integer from 0`);
}

/**
 * The profile's defaults with the caller's own rows over them.
 *
 * @throws {TypeError | RangeError} for an unknown profile, or a row that cannot be so
 */
export function resolveSettings(profile: Profile = "spec", own: Partial<Settings> = {}): Settings {
  const base = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  if (!base) throw new TypeError(`profile is \`${profile}\`; it must be "spec" or "provider"`);
  const given = Object.entries(own).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(base, name),
  );
  for (const [name, value] of given) checkRow(name, value);
  return { ...base, ...Object.fromEntries(given) };
}
