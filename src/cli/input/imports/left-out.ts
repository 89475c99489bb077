/** The parts of a world that are left out because they are invalid. */
import type { PlacedSource } from "../../../core/place.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import { accountOfZone } from "../../../service/world/account-of-zone.ts";
import { ownerOfRules } from "../../../service/world/valid-parts.ts";
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

/** The problems of zones whose rules, or those of their account, are left out, by the id of the zone. */
export function invalidZones(
  leftOut: readonly LeftOut[],
  { zones = [], accounts = [] }: Listed,
): ReadonlyMap<string, readonly CodedDiagnostic[]> {
  const ids = accounts.map(({ id }) => id);
  const invalid = new Map<string, readonly CodedDiagnostic[]>();
  for (const { pointer, problems } of leftOut) {
    const { owners, index = -1 } = ownerOfRules(pointer) ?? {};
    const concerned = zones.filter(({ account_id }, i) =>
      owners === "accounts"
        ? accountOfZone(account_id, ids) === ids[index]
        : owners === "zones" && i === index,
    );
    for (const { id } of concerned) invalid.set(id, [...(invalid.get(id) ?? []), ...problems]);
  }
  return invalid;
}

/** The zones and accounts of a world, left-out parts included. */
interface Listed {
  readonly zones?: readonly { readonly id: string; readonly account_id?: string | undefined }[] | undefined;
  readonly accounts?: readonly { readonly id: string }[] | undefined;
}
