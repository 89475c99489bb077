/** `edgeproof/tokens`: token validation from request to verdict. */
import {
  compileZone as compileZoneAt,
  type Zone,
  type ZoneInput,
  type ZoneOptions,
} from "./engine/tokens/index.ts";

export * from "./engine/tokens/index.ts";

/** The options of {@link compileZone}; the clock is the system's when none is given. */
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
