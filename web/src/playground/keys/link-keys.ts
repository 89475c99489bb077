/** The keys and claims of a link. The engines check a key when it signs. */
import type { PlaygroundKey } from "../../../../src/workbench/playground-messages.ts";
import { memberOf, stringsOf } from "../tabs/link-members.ts";
import type { ClaimsForm } from "./claims-form.ts";

/** Maximum number of keys (`chosen`): a link has little room. */
export const maxKeys = 8;

/** The keys of a state; nothing without any. @throws {RangeError} */
export function readKeys(state: unknown): { readonly keys?: readonly PlaygroundKey[] } {
  const keys = memberOf(state, "keys");
  if (keys === undefined) return {};
  if (!Array.isArray(keys) || keys.length > maxKeys)
    throw new RangeError(`The state is damaged: \`keys\` must be an array of at most ${maxKeys} keys.`);
  return { keys: keys.map((key) => stringsOf(key, "alg", "kid", "jwk")) };
}

/** The form of a token; nothing without one. @throws {RangeError} */
export function readClaims(state: unknown): { readonly claims?: ClaimsForm } {
  const claims = memberOf(state, "claims");
  if (claims === undefined) return {};
  return { claims: stringsOf(claims, "sub", "iss", "aud", "exp", "nbf", "others") };
}
