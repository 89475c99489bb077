/** The paths that a template matches, percent-encoded or not, as an automaton. */

import { normalizePath, type Segment, variable } from "../../zone/path-template.ts";
import { type Automaton, dead } from "./dfa.ts";

interface Place {
  /** -1 before the first slash. */
  readonly segment: number;
  /** How much of a literal has been read; of a variable 0 or 1. */
  readonly read: number;
  /** The beginning of what may be a percent-encoded character. */
  readonly pending: string;
}

/** Tells whether a template matches a path as `URL` gives it. */
export function templateShape(segments: readonly Segment[]): Automaton {
  const numbers = new Map<string, number>();
  const places: (Place & { readonly accepted: number })[] = [];

  function numberOf(place: Place | undefined): number {
    if (place === undefined) return dead;
    const key = `${place.segment} ${place.read} ${place.pending}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const end = feed(segments, place, place.pending);
    const isWhole = end?.segment === segments.length - 1 && isComplete(segments[end.segment], end.read);
    numbers.set(key, places.length);
    return places.push({ ...place, accepted: isWhole ? 1 : 0 }) - 1;
  }

  const literals = segments.filter((segment): segment is string => segment !== variable);
  return {
    start: numberOf({ segment: -1, read: 0, pending: "" }),
    step: (state, unit) => (state === dead ? dead : numberOf(step(segments, places[state]!, unit))),
    output: (state) => (state === dead ? 0 : places[state]!.accepted),
    units: new Set([
      "/",
      "%",
      ..."0123456789abcdefABCDEF",
      ...unsafeUnits,
      ...literals.flatMap((text) => text.split("")),
    ]),
  };
}

/** Characters that a path can have and that are compared percent-encoded. */
const unsafeUnits = '[]|^`{}"<>\\';

function step(segments: readonly Segment[], place: Place, unit: string): Place | undefined {
  const { pending } = place;
  if (pending === "" && unit === "%") return { ...place, pending: unit };
  if (pending === "") return feed(segments, place, unit);
  if (!/[0-9A-Fa-f]/.test(unit)) {
    const after = feed(segments, place, pending);
    return after && step(segments, after, unit);
  }
  return pending.length === 1 ? { ...place, pending: pending + unit } : feed(segments, place, pending + unit);
}

/** Reads a piece of the path that is whole by itself. */
function feed(segments: readonly Segment[], place: Place, piece: string): Place | undefined {
  let at: Place | undefined = { ...place, pending: "" };
  for (const unit of normalizePath(piece)) at = at && take(segments, at, unit);
  return at;
}

function take(segments: readonly Segment[], { segment, read }: Place, unit: string): Place | undefined {
  const current = segment === -1 ? "" : segments[segment];
  if (unit === "/") {
    const isOver = isComplete(current, read) && segment + 1 < segments.length;
    return isOver ? { segment: segment + 1, read: 0, pending: "" } : undefined;
  }
  if (segment === -1) return undefined;
  if (current === variable) return { segment, read: 1, pending: "" };
  return current?.[read] === unit ? { segment, read: read + 1, pending: "" } : undefined;
}

function isComplete(segment: Segment | undefined, read: number): boolean {
  return segment === variable ? read === 1 : read === (segment?.length ?? 0);
}
