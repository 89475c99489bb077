/** A world that is validated at once and applied later, as a whole or without its invalid parts. */
import { type CodedDiagnostic, InvalidInputError } from "../../errors.ts";
import type { ServiceContext } from "../context.ts";
import { type ApplyOptions, applyWorld } from "./apply.ts";
import type { World } from "./schema.ts";
import { createValidParts, type OnLeftOut, zoneIndexOf } from "./valid-parts.ts";
import { type PreparedWorld, prepareWorld } from "./world.ts";

/** A world that can be applied. */
export interface WorldSeed {
  /** Applies it to the store of a context. @throws {InvalidInputError} */
  readonly apply: (context: ServiceContext, options: ApplyOptions) => Promise<void>;
  /** The zones whose token validation was left out, and why. */
  readonly invalidZones: ReadonlyMap<string, readonly CodedDiagnostic[]>;
}

/**
 * Validates a world; without `onLeftOut` every part must be valid.
 *
 * @throws {InvalidInputError} with every problem and its pointer
 */
export function createWorldSeed(world: World, context: ServiceContext, onLeftOut?: OnLeftOut): WorldSeed {
  const invalidZones = new Map<string, readonly CodedDiagnostic[]>();
  const valid =
    onLeftOut &&
    createValidParts(world, (part, problems) => {
      const zone = world.zones?.[zoneIndexOf(part) ?? -1];
      if (zone) invalidZones.set(zone.id, problems);
      onLeftOut(part, problems);
    });
  const orLeaveOut = (error: unknown) => {
    if (!(error instanceof InvalidInputError) || !valid?.leaveOut(error.problems)) throw error;
  };
  const prepare = (): PreparedWorld => {
    for (;;) {
      try {
        return prepareWorld(valid?.world() ?? world, context);
      } catch (error) {
        orLeaveOut(error);
      }
    }
  };
  let prepared = prepare();
  return {
    invalidZones,
    apply: async (applied, options) => {
      for (;;) {
        try {
          return await applyWorld(applied, prepared, options);
        } catch (error) {
          orLeaveOut(error);
          prepared = prepare();
        }
      }
    },
  };
}
