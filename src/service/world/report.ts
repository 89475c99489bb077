/** The report of applying a world: one line for each difference between the world and the store. */

import { nextTurn } from "#next-turn";
import { addTo } from "../../core/groups.ts";
import { canonicalJson, type JsonObject } from "../../core/json-value.ts";
import { quote } from "../../errors.ts";

/** Collects the lines of one attempt at applying a world. */
export interface SeedLog {
  /** Adds one line, a sentence without a period. */
  note(line: string): void;
  /** Whether the store had no accounts, zones and API tokens at all, so that nothing of the world is a difference. */
  readonly isFirst: boolean;
  /** Whether lists of the world only add to those of the store. */
  readonly adds: boolean;
  /** Whether a zone or account is new to the store, so that its own contents are no differences. */
  isNew(kind: "accounts" | "zones", id: string): boolean;
}

/** A zone or an account with its id, for a line. */
export function nameOf(kind: "accounts" | "zones", id: string): string {
  return `${kind === "zones" ? "zone" : "account"} ${quote(id)}`;
}

/** The members of two objects that differ, such as "`plan` is now `x` (was `y`)"; empty when they are equal. */
export function describeChanges(before: object, after: object): string {
  const [old, now] = [before as JsonObject, after as JsonObject];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .filter((name) => !isSame(old[name], now[name]))
    .map((name) => describeChange(quote(name), old[name], now[name]))
    .join(", ");
}

function describeChange(name: string, before: unknown, after: unknown): string {
  if (before === undefined) return isScalar(after) ? `${name} is now ${quote(after)}` : `${name} was added`;
  if (after === undefined) return `${name} was removed`;
  if (!isScalar(before) || !isScalar(after)) return `${name} changed`;
  return `${name} is now ${quote(after)} (was ${quote(before)})`;
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Whether two JSON values are equal; the order of members does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** Something that the interface can create, as the world or the store has it. */
export interface Seed {
  /** Identifies it in both; absent when the world gives no id, so that only an equal value is the same. */
  readonly id?: string | undefined;
  readonly value: unknown;
}

/** Things that are compared in a turn of the event loop: some milliseconds. `chosen` */
const seedsOfTurn = 500;

/**
 * The line for things that were seeded once and then belong to the store; undefined when the store has exactly those
 * of the world.
 *
 * @param extra whether to count what only the store has
 */
export async function compareSeeds(
  owner: string,
  things: string,
  world: readonly Seed[],
  store: readonly Seed[],
  extra = true,
): Promise<string | undefined> {
  const left = new Set(store);
  const counts = { missing: 0, different: 0 };
  const byId = new Map(store.map((seed) => [seed.id, seed]));
  let compared = 0;
  const countTurn = async () => {
    if (++compared % seedsOfTurn === 0) await nextTurn();
  };
  for (const { id, value } of world) {
    if (id === undefined) continue;
    await countTurn();
    const found = byId.get(id);
    if (!found) counts.missing++;
    else {
      left.delete(found);
      if (!isSame(found.value, value)) counts.different++;
    }
  }
  const unnamed = world.filter(({ id }) => id === undefined);
  const byValue = new Map<string, Seed[]>();
  for (const seed of unnamed.length > 0 ? left : []) {
    await countTurn();
    const value = canonicalJson(seed.value);
    addTo(byValue, value, seed);
  }
  for (const { value } of unnamed) {
    await countTurn();
    const found = byValue.get(canonicalJson(value))?.pop();
    if (found) left.delete(found);
    else counts.missing++;
  }
  const parts = [
    counts.missing > 0 ? `${counts.missing} of the world missing` : "",
    counts.different > 0 ? `${counts.different} different` : "",
    extra && left.size > 0 ? `${left.size} not in the world` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? undefined : `${owner}: the store keeps its ${things} (${parts.join(", ")})`;
}
