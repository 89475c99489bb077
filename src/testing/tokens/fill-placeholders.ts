/** Replaces the placeholder tokens in the requests of an analysis by valid tokens. */
import type { PlainRequest } from "../../engine/tokens/analysis/requests/concretize.ts";
import type { PlaceholderToken } from "../../engine/tokens/analysis/requests/placeholder-token.ts";
import { type MintedKey, mintToken } from "./mint.ts";

/** A counterexample of `compareExpressions` or `implies`, or a difference of `compareZones`. */
export interface RequestWithPlaceholders {
  /** The request, with placeholders in its headers. */
  readonly request: PlainRequest;
  /** The placeholders to replace. */
  readonly placeholderTokens: readonly PlaceholderToken[];
}

/**
 * Replaces each placeholder token of a request by a valid token, signed with the key that it needs.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256", "key-1");
 * const source = 'http.request.headers["authorization"][0]';
 * const configs = [{ id: "idp", token_sources: [source], credentials: { keys: [key.jwk] } }];
 * const compared = compareExpressions('is_jwt_valid("idp")', 'http.host eq ""', { configs });
 * if (compared.result !== "different") throw new Error("they differ");
 * const request = await fillPlaceholderTokens(compared.counterexample, [key]);
 * request.headers[0]?.[1].startsWith("Bearer eyJ"); // => true
 * ```
 * @throws {RangeError} when `keys` has no key with the `kid` and `alg` of a placeholder
 */
export async function fillPlaceholderTokens(
  { request, placeholderTokens }: RequestWithPlaceholders,
  keys: readonly MintedKey[],
): Promise<PlainRequest> {
  const tokens = new Map<string, string>();
  for (const { value, kid, alg } of placeholderTokens) {
    const key = keys.find(({ jwk }) => jwk.kid === kid && jwk.alg === alg);
    if (key === undefined)
      throw new RangeError(`\`keys\` must have the key with kid \`${kid}\` and alg \`${alg}\`.`);
    tokens.set(value, await mintToken(key));
  }
  const fill = (value: string) =>
    [...tokens].reduce((filled, [placeholder, token]) => filled.replace(placeholder, token), value);
  return { ...request, headers: request.headers.map(([name, value]) => [name, fill(value)] as const) };
}
