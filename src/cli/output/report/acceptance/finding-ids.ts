/** Identifies findings between runs, so that people and code hosts keep what they accepted. */
import { createHash } from "node:crypto";
import type { Location, Placed } from "../../../../core/diagnostic.ts";

/** The form of an id: a hash, and a number that is 1 unless findings are equal. */
export const findingId = /^[0-9a-f]{16}:[1-9]\d{0,8}$/;

/** The parts of a case that an id has. */
interface IdentifiedCase {
  readonly group: string;
  readonly name: string;
  readonly location: Location;
}

/**
 * Returns a function from findings to ids. An id consists of the rule, the case and the member of the case, not of files,
 * lines or indexes: it stays the same when other parts of the file change, and when the file moves. Equal ones are
 * numbered in their order.
 */
export function createIds(): (finding: Placed, identifiedCase: IdentifiedCase) => string {
  const counts = new Map<string, number>();
  return ({ rule, at }, { group, name, location }) => {
    const owner = group === location.file || group === at.file ? "" : group;
    const parts = [rule, owner, name, memberOf(at, location)];
    const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return `${hash}:${count}`;
  };
}

/** The pointer relative to the case. */
function memberOf({ pointer = "" }: Location, { pointer: base = "" }: Location): string {
  return pointer.startsWith(base) ? pointer.slice(base.length) : pointer;
}
