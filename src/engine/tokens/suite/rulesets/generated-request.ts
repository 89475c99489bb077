/** Requests of an analysis as requests of a suite. */

import type { BoundConfigs } from "../../analysis/bound-expression.ts";
import type { PlainRequest } from "../../analysis/requests/concretize.ts";
import type { PlaceholderToken } from "../../analysis/requests/placeholder-token.ts";
import type { SuiteToken } from "../suite-token.ts";

/** A request of an analysis. */
interface FoundRequest {
  readonly request: PlainRequest;
  readonly placeholderTokens: readonly PlaceholderToken[];
}

/** A request whose tokens are valid. */
export interface ValidRequest {
  readonly request: PlainRequest;
  readonly tokens: readonly SuiteToken[];
}

/** The request with tokens of the zone's keys; undefined when one is of a key that no configuration has. */
export function toSuiteTokens(
  { request, placeholderTokens }: FoundRequest,
  configs: BoundConfigs,
): ValidRequest | undefined {
  const owned = [...configs.values()].flatMap((config) => config.keys.map((key) => ({ config, key })));
  const tokens = placeholderTokens.flatMap(({ value, publicKey, claims }): SuiteToken[] => {
    const owner = owned.find(({ key }) => key.publicKey === publicKey);
    if (owner === undefined) return [];
    const { kid, alg } = owner.key;
    const token = { placeholder: value, config: owner.config.id, kid, alg, state: "valid" } as const;
    return [claims === undefined ? token : { ...token, claims }];
  });
  return tokens.length < placeholderTokens.length ? undefined : { request, tokens };
}

/** Whether no token has a time, so that the request can be sent at any. */
export function isTimeless({ tokens }: ValidRequest): boolean {
  return tokens.every(({ claims = {} }) => !("exp" in claims || "nbf" in claims));
}
