/**
 * The settings of a simulator. Every row of the profile table is an option of its own, so that a user can compare a
 * client with the specification, with the real service, or with anything between.
 */

import { type Profile, type ProfileSettings, profiles } from "../core/profiles.ts";
import type { MatchOptions } from "../engine/brand/model.ts";
import { alternatives, quote } from "../errors.ts";
import type { Limits } from "./limits.ts";

/** All settings: the rows of the profile table, and the options that no profile sets. */
export interface Settings extends ProfileSettings {
  /**
   * Comparison of domain names with patterns; an account of the world may differ. The same in both profiles. With a
   * store, it is stored with every account when it is given (`accountSettings`).
   */
  readonly brand: MatchOptions;
}

/** Allowed values of the rows that have a short list of them. */
export const settingChoices = {
  wireNames: ["spec", "provider"],
  restrictions: ["note", "enforce"],
  invalidKeys: ["reject", "adjust"],
  sharedSecrets: ["reject", "accept"],
  precedence: ["all", "first"],
  ruleAuthors: ["hidden", "shown"],
  headerCase: ["any", "lower"],
  urlNormalization: ["none", "rfc3986", "cloudflare"],
  shortPatterns: ["any", "exact"],
  customImageIds: ["any", "plain"],
  publicVariant: ["deletable", "kept"],
  variantSides: ["both", "one"],
  heic: ["reject", "accept"],
  absentValues: ["empty", "null"],
  authFailureStatus: [400, 401],
  envelopes: ["spec", "everywhere"],
  appsPaging: ["requested", "always"],
  proxyErrors: ["first", "all"],
  verifier: ["node", "jose"],
} as const satisfies { readonly [Row in keyof Settings]?: readonly Settings[Row][] };

const choicesByName = new Map<string, readonly unknown[]>(Object.entries(settingChoices));

/** @throws {TypeError | RangeError} when the row cannot have the value */
function checkRow(name: string, value: unknown): void {
  const allowed = choicesByName.get(name);
  if (allowed && !allowed.includes(value)) {
    const listed = alternatives(allowed.map((choice) => JSON.stringify(choice)));
    throw new TypeError(`${name} must be ${listed}; found ${quote(value)}`);
  }
  if (name === "clockToleranceSeconds" && !(Number.isFinite(value) && Number(value) >= 0))
    throw new RangeError(`${name} must be a number of seconds from 0; found ${quote(value)}`);
  if (name === "configsPerZone" && !(Number.isSafeInteger(value) && Number(value) >= 0))
    throw new RangeError(`${name} must be an integer from 0; found ${quote(value)}`);
}

/**
 * The profile's defaults with the caller's own rows over them.
 *
 * @throws {TypeError | RangeError} for an unknown profile, or a row that cannot have its value
 */
export function resolveSettings(profile: Profile = "spec", own: Partial<Settings> = {}): Settings {
  if (typeof profile !== "string" || !Object.hasOwn(profiles, profile)) {
    throw new TypeError(`profile must be "spec" or "provider"; found ${quote(profile)}`);
  }
  const defaults: Settings = { brand: {}, ...profiles[profile] };
  const given = Object.entries(own).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(defaults, name),
  );
  for (const [name, value] of given) checkRow(name, value);
  return { ...defaults, ...Object.fromEntries(given) };
}

/** Allowed values of the option `accountSettings`. */
export const settingsAccesses = ["update", "read"] as const;

/** `update`: stores the options that were given, and those of new accounts. `read`: only uses what is stored. */
export type SettingsAccess = (typeof settingsAccesses)[number];

/** The limits that are stored with accounts. */
export const storedLimits = ["logoBytes", "logoPixels"] as const satisfies (keyof Limits)[];

/** The access of an edge to the settings that are stored with accounts. */
export interface AccountSettingsAccess {
  readonly access: SettingsAccess;
  /** The options that were given, without defaults: stored with every account at the first use. */
  readonly given: {
    readonly brand?: MatchOptions;
    readonly limits: Partial<Pick<Limits, (typeof storedLimits)[number]>>;
  };
}

/** The options of an edge on which its access depends. */
interface AccessOptions {
  readonly accountSettings?: SettingsAccess | undefined;
  readonly brand?: MatchOptions | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly world?: unknown;
}

/** @throws {TypeError} for another value of `accountSettings`, and for options that an edge would store which only reads */
export function resolveAccess({
  accountSettings: access = "update",
  brand = {},
  limits = {},
  world,
}: AccessOptions): AccountSettingsAccess {
  if (!settingsAccesses.includes(access))
    throw new TypeError(`accountSettings must be "update" or "read"; found ${quote(access)}`);
  const hasBrand = Object.values(brand).some((value) => value !== undefined);
  const given = storedLimits.filter((name) => limits[name] !== undefined);
  const [excluded] = [
    ...(world === undefined ? [] : ["world"]),
    ...(hasBrand ? ["brand"] : []),
    ...given.map((name) => `limits.${name}`),
  ];
  if (access === "read" && excluded !== undefined)
    throw new TypeError(
      `\`${excluded}\` cannot be given with \`accountSettings: "read"\`, which stores none`,
    );
  return {
    access,
    given: {
      ...(hasBrand && { brand }),
      limits: Object.fromEntries(given.map((name) => [name, limits[name]])),
    },
  };
}
