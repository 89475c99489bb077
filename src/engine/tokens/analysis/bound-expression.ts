/** Expressions together with the configurations that they reference. */

import { canonicalJson } from "../../../core/json-value.ts";
import type { ListedField } from "../expression/field.ts";
import type { Expression } from "../expression/tree.ts";
import { withoutSecret } from "../jwt/keys/key-format.ts";
import type { JwtKey } from "../model.ts";
import type { ReadConfig } from "../zone/zone-input.ts";

/** A key, reduced to the tokens that it makes valid. */
export interface TokenKey {
  /** Equal for keys that make the same tokens valid. Has the secret of a shared one: it is only compared. */
  readonly identity: string;
  readonly kid: string;
  readonly alg: string;
  /** The key without its secret, as JSON with sorted members; absent when it was invented. */
  readonly publicKey?: string;
}

/** A configuration: the sources of its token, and the keys that make it valid. */
export interface BoundConfig {
  readonly id: string;
  readonly sources: readonly ListedField[];
  readonly keys: readonly TokenKey[];
}

/** Configurations by id. */
export type BoundConfigs = ReadonlyMap<string, BoundConfig>;

/** Binds configurations that were read. */
export function bindConfigs(configs: readonly ReadConfig[]): BoundConfigs {
  return new Map(
    configs.map(({ id, sources, keys }) => [id, { id, sources, keys: keys.map(bindKey) }] as const),
  );
}

/**
 * Configurations for expressions that come without: each with a header and a key of its own. `usedHeaders` are the
 * header names, in lower case, that the expressions compare.
 */
export function inventConfigs(ids: Iterable<string>, usedHeaders: ReadonlySet<string>): BoundConfigs {
  const configs = new Map<string, BoundConfig>();
  let number = 0;
  for (const id of ids) {
    if (configs.has(id)) continue;
    do number++;
    while (usedHeaders.has(inventedHeader(number)));
    const source = { name: "http.request.headers", key: inventedHeader(number), index: 0 } as const;
    const key = { identity: String(number), kid: id, alg: "ES256" };
    configs.set(id, { id, sources: [source], keys: [key] });
  }
  return configs;
}

/** Whether a token signed with the key is valid for the configuration. */
export function acceptsKey(config: BoundConfig, { identity }: TokenKey): boolean {
  return config.keys.some((key) => key.identity === identity);
}

/** An expression with its configurations. */
export interface BoundExpression {
  readonly expression: Expression;
  readonly configs: BoundConfigs;
}

function inventedHeader(number: number): string {
  return `x-token-${number}`;
}

function bindKey(key: JwtKey): TokenKey {
  const { kid, alg } = key;
  return { identity: canonicalJson(key), kid, alg, publicKey: canonicalJson(withoutSecret(key)) };
}
