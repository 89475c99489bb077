/** Makes the requests of an analysis real: puts valid tokens where texts stand for them. */
import type { PlainRequest } from "../../engine/tokens/analysis/requests/concretize.ts";
import type { StandIn } from "../../engine/tokens/analysis/requests/placeholder-token.ts";
import { type MintedKey, mintToken } from "./mint.ts";

/** A counterexample or a difference that an analysis has found. */
export interface Shown {
  readonly request: PlainRequest;
  readonly standIns: readonly StandIn[];
}

/**
 * Gives a request that an analysis has found, with valid tokens of your keys in it.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256", "key-1");
 * const source = 'http.request.headers["authorization"][0]';
 * const configs = [{ id: "idp", token_sources: [source], credentials: { keys: [key.jwk] } }];
 * const compared = compareExpressions('is_jwt_valid("idp")', 'http.host eq ""', { configs });
 * if (compared.result !== "different") throw new Error("they differ");
 * const request = await fillStandIns(compared.counterexample, [key]);
 * request.headers[0]?.[1].startsWith("Bearer eyJ"); // => true
 * ```
 * @throws {RangeError} when the key of a token is not among those given
 */
export async function fillStandIns(
  { request, standIns }: Shown,
  keys: readonly MintedKey[],
): Promise<PlainRequest> {
  const tokens = new Map<string, string>();
  for (const { text, kid, alg } of standIns) {
    const key = keys.find(({ jwk }) => jwk.kid === kid && jwk.alg === alg);
    if (key === undefined)
      throw new RangeError(`A token needs the key with kid \`${kid}\` and alg \`${alg}\`; give it.`);
    tokens.set(text, await mintToken(key));
  }
  const fill = (value: string) =>
    [...tokens].reduce((text, [standIn, token]) => text.replace(standIn, token), value);
  return { ...request, headers: request.headers.map(([name, value]) => [name, fill(value)] as const) };
}
