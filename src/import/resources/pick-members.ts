/** Picks the members of a resource that the world file has, under the names of the world file. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";

/** The members of a kind of resource. */
export interface MemberTable {
  /** Path in the file, such as `parameters/min_time`, to name in the world. */
  readonly picked: Readonly<Record<string, string>>;
  /** Objects whose members the world has one level higher. */
  readonly groups: readonly string[];
  /** Members of the output that configure nothing, left out without a report. */
  readonly ignored: readonly string[];
}

/** The picked members, and what became of the others. */
export interface PickedMembers {
  readonly value: JsonObject;
  /** Pointer into `value` to pointer into the resource, where they differ. */
  readonly members: ReadonlyMap<string, string>;
  /** Names that are in neither list. */
  readonly others: readonly string[];
}

/** Members whose value is null are absent. */
export function pickMembers(resource: JsonObject, { picked, groups, ignored }: MemberTable): PickedMembers {
  const entries: [string, unknown][] = [];
  const members = new Map<string, string>();
  const others: string[] = [];
  for (const [name, given] of pathsOf(resource, groups)) {
    const target = Object.hasOwn(picked, name) ? picked[name] : undefined;
    if (target === undefined) {
      if (given !== null && !ignored.includes(name)) others.push(name);
    } else if (given !== null) {
      const from = pointer(...name.split("/"));
      entries.push([target, withoutNulls(given, pointer(target), from, members)]);
      if (target !== name) members.set(pointer(target), from);
    }
  }
  return { value: Object.fromEntries(entries), members, others };
}

/** The members by their path. */
function pathsOf(resource: JsonObject, groups: readonly string[]): readonly (readonly [string, unknown])[] {
  return Object.entries(resource).flatMap(([name, value]) =>
    groups.includes(name) && isJsonObject(value)
      ? Object.entries(value).map(([inner, member]) => [`${name}/${inner}`, member] as const)
      : [[name, value] as const],
  );
}

/** A copy without members and elements that are null; the new places of elements are added to `members`. */
function withoutNulls(value: unknown, at: string, from: string, members: Map<string, string>): unknown {
  if (Array.isArray(value)) return elementsWithoutNulls(value, at, from, members);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    kept.map(([name, member]) => {
      const path = pointer(name);
      return [name, withoutNulls(member, at + path, from + path, members)];
    }),
  );
}

function elementsWithoutNulls(
  list: readonly unknown[],
  at: string,
  from: string,
  members: Map<string, string>,
): readonly unknown[] {
  const kept: unknown[] = [];
  for (const [i, element] of list.entries()) {
    if (element === null) continue;
    const [target, source] = [at + pointer(kept.length), from + pointer(i)];
    if (target !== source && kept.length !== i) members.set(target, source);
    kept.push(withoutNulls(element, target, source, members));
  }
  return kept;
}
