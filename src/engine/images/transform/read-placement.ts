/** Reads where an overlay is drawn, and how (members `observed`). */
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { problem, quote } from "../../../errors.ts";
import { compositions, type OverlayPlacement } from "./overlays.ts";
import { choice, either, flag, integer, number, type ValueKind } from "./values.ts";

/** Maximum of a distance from a side, in pixels (chosen). */
const maxDistance = 12_000;

const distance = integer(0, maxDistance);

/** The members; an entry that is missing does not compile. */
const placementMembers = {
  opacity: number(0, 1),
  repeat: either(flag, choice("x", "y")),
  top: distance,
  left: distance,
  bottom: distance,
  right: distance,
  composite: choice(...(Object.keys(compositions) as (keyof typeof compositions)[])),
} as const satisfies { readonly [Name in keyof OverlayPlacement]-?: ValueKind<unknown> };

/** The names of the members. */
export const placementNames: readonly string[] = Object.keys(placementMembers);

/** Sides of which one counts for each axis. */
const opposite = [
  ["top", "bottom"],
  ["left", "right"],
] as const;

/** Reads a placement; other members are those of the overlay's own transformation. Problems have code 9401. */
export function readPlacement(value: unknown): Result<OverlayPlacement> {
  if (!isJsonObject(value))
    return failure(problem(9401, `The options of an overlay must be an object; found ${quote(value)}.`));
  const placement: { [name: string]: unknown } = {};
  for (const [name, kind] of Object.entries(placementMembers)) {
    const member = value[name] ?? undefined;
    if (member === undefined || member === false) continue;
    const read = kind.read(member);
    if (read === undefined)
      return failure(
        problem(9401, `\`${name}\` of an overlay must be ${kind.allowed}; found ${quote(member)}.`),
      );
    placement[name] = read;
  }
  for (const [first, second] of opposite)
    if (placement[first] !== undefined && placement[second] !== undefined)
      return failure(problem(9401, `An overlay must have \`${first}\` or \`${second}\`; it has both.`));
  return success(placement);
}
