/** Expressions together with the configurations that they speak of, as an analysis sees them. */

import type { Expression, Leaf } from "../expression/ast.ts";
import type { ListedField } from "../expression/field.ts";
import type { JwtKey } from "../model.ts";
import type { ReadConfig } from "../zone/zone-input.ts";

/** A key as far as it matters here: which tokens it makes valid. */
export interface TokenKey {
  /** Equal for keys that make the same tokens valid. */
  readonly identity: string;
  readonly kid: string;
  readonly alg: string;
}

/** A configuration: where its token stands, and which keys make it valid. */
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
 * Configurations for expressions that come without: each with a header and a key of its own. `taken` has the header
 * names, in lower case, that the expressions compare.
 */
export function inventConfigs(ids: Iterable<string>, taken: ReadonlySet<string>): BoundConfigs {
  const configs = new Map<string, BoundConfig>();
  let number = 0;
  for (const id of ids) {
    if (configs.has(id)) continue;
    do number++;
    while (taken.has(inventedHeader(number)));
    const source = { name: "http.request.headers", key: inventedHeader(number), index: 0 } as const;
    const key = { identity: String(number), kid: id, alg: "ES256" };
    configs.set(id, { id, sources: [source], keys: [key] });
  }
  return configs;
}

/** The configuration of a leaf. @throws RangeError when it is not there */
export function configOf(leaf: Leaf, configs: BoundConfigs): BoundConfig | undefined {
  if (leaf.kind !== "token") return undefined;
  const config = configs.get(leaf.configId);
  if (config === undefined) throw new RangeError(`There is no token configuration ${leaf.configId}.`);
  return config;
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
  const { kid, alg, ...material } = key;
  const members = Object.entries({ kid, alg, ...material }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { identity: JSON.stringify(members), kid, alg };
}
