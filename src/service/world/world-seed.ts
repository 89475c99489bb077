/** A world that is validated at once and applied later, as a whole or without its invalid parts. */
import { type CodedDiagnostic, InvalidInputError } from "../../errors.ts";
import type { InvalidRules, ServiceContext } from "../context.ts";
import { type ApplyOptions, applyWorld } from "./apply.ts";
import type { World } from "./schema.ts";
import { createValidParts, type OnLeftOut, ownerOfRules } from "./valid-parts.ts";
import { type PreparedWorld, prepareWorld } from "./world.ts";

/** A world that can be applied. */
export interface WorldSeed {
  /** Applies it to the store of a context. @throws {InvalidInputError} */
  readonly apply: (context: ServiceContext, options: ApplyOptions) => Promise<void>;
  /** The zones and accounts whose rules were left out, and why. */
  readonly invalidRules: InvalidRules;
}

/**
 * Validates a world; without `onLeftOut` every part must be valid.
 *
 * @throws {InvalidInputError} with every problem and its pointer
 */
export function createWorldSeed(world: World, context: ServiceContext, onLeftOut?: OnLeftOut): WorldSeed {
  const invalid = { zones: new Map(), accounts: new Map() } satisfies Record<
    keyof InvalidRules,
    Map<string, readonly CodedDiagnostic[]>
  >;
  const valid =
    onLeftOut &&
    createValidParts(world, (part, problems) => {
      const { owners, index } = ownerOfRules(part) ?? {};
      const owner = owners && world[owners]?.[index ?? -1];
      if (owner) invalid[owners].set(owner.id, [...(invalid[owners].get(owner.id) ?? []), ...problems]);
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
    invalidRules: invalid,
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
