/**
 * A cache of compiled statements. Statements that differ only in their values share one SQL text: it is built once,
 * with a placeholder for each value, and then only bound. Building takes longer than SQLite takes to answer.
 */
import { type RawBuilder, sql } from "kysely";
import type { Statement } from "../engines/engine.ts";

/** A placeholder for a value that is bound when the statement runs. */
export type Operand = RawBuilder<never>;

/** The values of a statement in named groups. */
type Values = Readonly<Record<string, readonly unknown[]>>;

/** One operand for each value, in the same groups. */
export type Operands<V extends Values> = { readonly [G in keyof V]: OperandsOf<V[G]> };

type OperandsOf<G extends readonly unknown[]> = { readonly [I in keyof G]: Operand };

/**
 * Binds values to the statement of a key, which is built when the cache does not hold it.
 *
 * @param key equal for two calls only when they build the same SQL and their groups have the same sizes
 * @param isSingle whether the statement reads at most one row, by keys
 */
export type BindCached = <const V extends Values>(
  key: string,
  values: V,
  build: (operands: Operands<V>) => { compile(): Statement },
  isSingle?: boolean,
) => Statement;

/** Maximum number of statements in a cache; keys come from code, so that there are few. */
const maxStatements = 1000;

/** The value of a placeholder until it is bound: the index of its value. */
interface Slot {
  readonly slot: number;
}

interface CachedStatement {
  readonly sql: string;
  /** The index of the value of each parameter. */
  readonly slots: readonly number[];
}

export function createStatementCache(): BindCached {
  const cache = new Map<string, CachedStatement>();
  return (key, values, build, isSingle = false) => {
    let cached = cache.get(key);
    if (cached === undefined) {
      cached = compileCached(values, build);
      if (cache.size >= maxStatements) cache.clear();
      cache.set(key, cached);
    }
    const flat = flatten(values);
    return { sql: cached.sql, parameters: cached.slots.map((slot) => flat[slot]), isSingle };
  };
}

/** All values in order. `Array.prototype.flat` takes twenty times as long, a tenth of a read in SQLite. */
function flatten(values: Values): unknown[] {
  const flat: unknown[] = [];
  for (const group of Object.values(values)) for (const value of group) flat.push(value);
  return flat;
}

function compileCached<V extends Values>(
  values: V,
  build: (operands: Operands<V>) => { compile(): Statement },
): CachedStatement {
  let slot = 0;
  const groups = Object.entries(values).map(([name, group]) => [
    name,
    group.map(() => sql<never>`${{ slot: slot++ } satisfies Slot}`),
  ]);
  const compiled = build(Object.fromEntries(groups) as Operands<V>).compile();
  return {
    sql: compiled.sql,
    slots: (compiled.parameters as readonly Slot[]).map(({ slot }) => slot),
  };
}
