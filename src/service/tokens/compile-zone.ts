/** Compiles a zone with the system's clock and the defaults of a profile, unless options say otherwise. */

import { isPatternEngineMissed, loadPatternEngine } from "#pattern-engine";
import { platformVerifier } from "#verify-node";
import { anyValue, optionsOf, requireArgument } from "../../core/arguments.ts";
import { type Profile, type ProfileSettings, profiles } from "../../core/profiles.ts";
import { verifierMembers } from "../../engine/tokens/jwt/verifier.ts";
import { compileZone as compileZoneAt, type Zone, type ZoneOptions } from "../../engine/tokens/zone/zone.ts";
import { readingMembers, type ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { quote } from "../../errors.ts";

/**
 * Options of {@link compileZone}; the default clock is `Date.now`. The rows of `profiles` are options, too. In a browser or a
 * worker the default of `verifier` is `jose`.
 */
export interface CompileZoneOptions extends Omit<ZoneOptions, "clock"> {
  /** Defaults of the other options: those of the specification, or those of the real service. Default `spec`. */
  readonly profile?: Profile;
  /** Returns the time of an evaluation, in milliseconds since 1970. Default `Date.now`. */
  readonly clock?: ZoneOptions["clock"];
}

/** The rows of the profile table that a zone has as options. */
const rows = [
  "precedence",
  "headerCase",
  "restrictions",
  "invalidKeys",
  "sharedSecrets",
  "clockToleranceSeconds",
  "verifier",
  "urlNormalization",
] as const satisfies readonly (keyof CompileZoneOptions)[];

type ZoneDefaults = Pick<ProfileSettings, (typeof rows)[number]>;

/** The options of a zone in a profile. In a browser or a worker `verifier` is `jose`. */
export function zoneDefaults(profile: Profile): ZoneDefaults {
  const entries = rows.map((row) => [row, profiles[profile][row]] as const);
  const defaults = Object.fromEntries(entries) as unknown as ZoneDefaults;
  return platformVerifier === undefined ? defaults : { ...defaults, verifier: platformVerifier };
}

const zoneOptions = optionsOf<CompileZoneOptions>("compileZone", {
  ...readingMembers,
  ...verifierMembers,
  profile: anyValue,
  clock: anyValue,
  precedence: anyValue,
});

/**
 * Compiles a zone: configurations, rules in order, and the operations of the API.
 *
 * @example
 * ```ts
 * const zone = await compileZone({ configs: [], rules: [], operations: [] });
 * const verdict = await zone.evaluate({ method: "GET", url: "https://api.example.com/users" });
 * verdict.outcome; // => "not_an_operation"
 * ```
 * @throws InvalidInputError (as a rejection) with every problem that {@link checkZone} finds
 * @throws TypeError (as a rejection) for an option that does not exist
 */
export async function compileZone(input: ZoneInput, options: CompileZoneOptions = {}): Promise<Zone> {
  requireArgument("options", options, zoneOptions);
  const { profile = "spec", clock = Date.now } = options;
  if (typeof profile !== "string" || !Object.hasOwn(profiles, profile))
    throw new TypeError(`\`profile\` must be "spec" or "provider"; found ${quote(profile)}.`);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const all = { ...zoneDefaults(profile), ...Object.fromEntries(given), clock };
  try {
    return await compileZoneAt(input, all);
  } catch (error) {
    if (!isPatternEngineMissed()) throw error;
    await loadPatternEngine();
    return compileZoneAt(input, all);
  }
}
