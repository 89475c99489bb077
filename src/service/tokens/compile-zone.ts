/** Compiles a zone with the system's clock, unless another one is given. */
import { compileZone as compileZoneAt, type Zone, type ZoneOptions } from "../../engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";

/** Options of {@link compileZone}; the default clock is `Date.now`. */
export type CompileZoneOptions = Omit<ZoneOptions, "clock"> & Partial<Pick<ZoneOptions, "clock">>;

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
 */
export function compileZone(input: ZoneInput, options: CompileZoneOptions = {}): Promise<Zone> {
  return compileZoneAt(input, { ...options, clock: options.clock ?? Date.now });
}
