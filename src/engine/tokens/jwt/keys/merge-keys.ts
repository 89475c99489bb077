/** Merges keys that a client sends into stored ones (`observed`: a key is identified by `alg` and `kid` together). */
import type { JwtKey } from "../../model.ts";
import { fillOmitted, readRawKey } from "./key-format.ts";

/** A key set to import, and the stored keys in it. */
export interface MergedKeys {
  /** The keys that were sent, in their order, over the members of their stored ones. */
  readonly keys: readonly unknown[];
  /** The stored key of each element; undefined for a new one. */
  readonly stored: readonly (JwtKey | undefined)[];
  /** The stored keys that were not sent: the set loses them (`observed`). */
  readonly removed: readonly JwtKey[];
}

/** The identity of a key in its set. */
export function identityOf({ alg, kid }: { readonly alg?: unknown; readonly kid?: unknown }): string {
  return JSON.stringify([alg, kid]);
}

/**
 * The keys that were sent, over stored ones: a member that is sent replaces the stored one, and a member that is left out is
 * kept. Elements that are not keys are as they were sent.
 *
 * @param mode `adjust`: a key without `alg` has that which an import fills in
 */
export function mergeKeys(
  stored: readonly JwtKey[],
  sent: readonly unknown[],
  mode: "reject" | "adjust",
): MergedKeys {
  const known = new Map(stored.map((key) => [identityOf(key), key]));
  const named = sent.map((value) => {
    const raw = readRawKey(value);
    const { alg, kid } = raw === undefined ? {} : mode === "adjust" ? fillOmitted(raw).raw : raw;
    return known.get(identityOf({ alg, kid }));
  });
  const keys = sent.map((value, i) => (named[i] ? { ...named[i], ...(value as object) } : value));
  return { keys, stored: named, removed: stored.filter((key) => !named.includes(key)) };
}
