/** The parts of a world that are left out because they are invalid. */
import type { PlacedSource } from "../../../core/place.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import { zoneIndexOf } from "../../../service/world/valid-parts.ts";
import { printFault } from "../../output/places.ts";

/** A part that is left out. */
export interface LeftOut {
  /** RFC 6901 pointer into the world file. */
  readonly pointer: string;
  readonly problems: readonly CodedDiagnostic[];
}

/** The problems, each with its place in the file of `source`. */
export function formatPlaces(
  problems: readonly CodedDiagnostic[],
  source: PlacedSource | undefined,
): readonly string[] {
  return problems.map(({ pointer = "", message }) => {
    return source ? printFault({ at: source.place(pointer), message }) : `${pointer || "/"}: ${message}`;
  });
}

/** The problems of zones whose token validation is left out, by the id of the zone. */
export function invalidZones(
  leftOut: readonly LeftOut[],
  zones: readonly { readonly id: string }[],
): ReadonlyMap<string, readonly CodedDiagnostic[]> {
  return new Map(
    leftOut.flatMap(({ pointer, problems }) => {
      const zone = zones[zoneIndexOf(pointer) ?? -1];
      return zone ? [[zone.id, problems] as const] : [];
    }),
  );
}
