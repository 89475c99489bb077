/** Tokens of generated requests: placeholders with the key and the state that the real token has. */

import {
  acceptsKey,
  type BoundConfig,
  type BoundConfigs,
  type TokenKey,
} from "../analysis/bound-expression.ts";
import type { Reason, TokenCheck } from "../model.ts";

/**
 * The states of tokens in suites. The states besides the reasons are the last second before `exp` counts, and the first
 * second after `nbf` does; `expired` and `not_yet_valid` are the seconds on the other side.
 */
export const suiteTokenStates = [
  "valid",
  "valid_before_exp",
  "valid_from_nbf",
  "malformed",
  "unsupported_header",
  "unknown_key",
  "algorithm_mismatch",
  "bad_signature",
  "expired",
  "not_yet_valid",
] as const;

/** The state of a token in a suite. */
export type SuiteTokenState = (typeof suiteTokenStates)[number];

/** A placeholder in the headers of a request, and the token that takes its place. */
export interface SuiteToken {
  /** The string to replace. */
  readonly placeholder: string;
  /** The id of a configuration that has the key. */
  readonly config: string;
  /** The `kid` of the key that signs the token. */
  readonly kid: string;
  /** The `alg` of that key. */
  readonly alg: string;
  /** The fault or the times of the token. */
  readonly state: SuiteTokenState;
  /** The claims of the token; absent when any will do. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The outcome of the check of a token in a state, by a configuration that has its key. */
export function reasonOfState(state: SuiteTokenState): Reason {
  return state.startsWith("valid") ? "valid" : (state as Reason);
}

/** A token of a request that is generated, with its key. */
export interface GeneratedToken {
  readonly placeholder: string;
  readonly key: TokenKey;
  readonly state: SuiteTokenState;
}

/** The tokens with their keys; undefined when a configuration has not the key of one. */
export function withKeys(tokens: readonly SuiteToken[], configs: BoundConfigs): GeneratedToken[] | undefined {
  const generated = tokens.flatMap(({ placeholder, config, kid, alg, state }) => {
    const key = configs.get(config)?.keys.find((tokenKey) => tokenKey.kid === kid && tokenKey.alg === alg);
    return key === undefined ? [] : [{ placeholder, key, state }];
  });
  return generated.length < tokens.length ? undefined : generated;
}

/** The outcome of the check of a string by a configuration. */
export function checkGenerated(
  config: BoundConfig,
  token: string,
  tokens: ReadonlyMap<string, GeneratedToken>,
): TokenCheck {
  const found = tokens.get(token);
  if (found === undefined) return { reason: "malformed" };
  const reason = reasonOfState(found.state);
  if (reason === "malformed" || reason === "unsupported_header" || acceptsKey(config, found.key))
    return { reason };
  return { reason: "unknown_key" };
}
