/** The parts of a world that are left out because they are invalid. */
import type { JsonSource } from "../../core/json-source.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import { zoneIndexOf } from "../../service/world/valid-parts.ts";

/** A part that is left out. */
export interface LeftOut {
  /** RFC 6901 pointer into the world file. */
  readonly pointer: string;
  readonly problems: readonly CodedDiagnostic[];
}

/** The problems, each with its line, column and pointer. */
export function formatPlaces(
  problems: readonly CodedDiagnostic[],
  source: Pick<JsonSource, "locate"> | undefined,
): readonly string[] {
  return problems.map(({ pointer = "", message }) => {
    const { line, column } = source?.locate(pointer) ?? {};
    const place = line === undefined ? "" : `line ${line}, column ${column}, `;
    return `${place}${pointer || "/"}: ${message}`;
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
