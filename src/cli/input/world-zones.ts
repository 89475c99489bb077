/** A world file with its zones that have rules, which a command can select. */
import type { Profile } from "../../core/profiles.ts";
import type { WorldZone } from "../../service/world/rulesets/world-zones.ts";
import { UsageError } from "../command.ts";
import type { WorldSource } from "./imports/world-source.ts";

/** A world file with its zones. */
export interface WorldZones {
  readonly file: string;
  readonly source: WorldSource;
  /** That of the command line, else that of the file, else `spec`. */
  readonly profile: Profile;
  readonly zones: readonly WorldZone[];
  /** Ids of all zones, those without token validation included. */
  readonly ids: readonly string[];
}

/** The zones with rules, or one of them. @throws {UsageError} when it does not exist */
export function selectZones({ zones }: WorldZones, only: string | undefined): readonly WorldZone[] {
  const selected = zones.filter(({ id }) => only === undefined || id === only);
  if (only === undefined || selected.length > 0) return selected;
  const known = zones.map(({ id }) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(`no zone \`${only}\` has rules; zones with rules: ${known}`);
}
