/** Finds the key of a token by kid and alg together (`observed`), and explains which of the two did not match. */

import { quote } from "../../../../errors.ts";
import type { Algorithm, JwtKey, TokenCheck } from "../../model.ts";

/** Keys of one set, prepared for a verifier, by kid and alg. Maps, so that every kid is an ordinary one. */
export type KeyIndex<Key> = ReadonlyMap<string, ReadonlyMap<Algorithm, Key>>;

/** Prepares each key once. */
export function indexKeys<Key>(keys: readonly JwtKey[], prepare: (key: JwtKey) => Key): KeyIndex<Key> {
  const index = new Map<string, Map<Algorithm, Key>>();
  for (const key of keys) {
    const byAlg = index.get(key.kid) ?? new Map<Algorithm, Key>();
    index.set(key.kid, byAlg.set(key.alg, prepare(key)));
  }
  return index;
}

/** The rejection for a `kid` and `alg` that together name no key of the index. */
export function explainMissingKey(index: KeyIndex<unknown>, kid: string, alg: Algorithm): TokenCheck {
  const known = index.get(kid);
  if (known === undefined) {
    return { reason: "unknown_key", detail: `the kid ${quote(kid)} is not in the key set`, kid, alg };
  }
  const detail = `the kid ${quote(kid)} is known, but only under ${[...known.keys()].join(" and ")}, not ${alg}`;
  return { reason: "algorithm_mismatch", detail, kid, alg };
}
