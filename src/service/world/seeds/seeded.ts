/** Resources that a world creates once, for the owners that have some in the world. */
import type { WriteTransaction } from "../../../store/port.ts";
import type { SeededList, SeededPart } from "../part.ts";

/** A part whose resources are in a map, by their owner. */
interface SeedsOf<Value> extends Pick<SeededPart, "owners" | "count"> {
  readonly seeds: ReadonlyMap<string, Value>;
  readonly create?: (tx: WriteTransaction, owner: string, seed: Value) => Promise<void>;
  readonly lists: (owner: string, seed: Value) => readonly SeededList[];
}

/** Owners without an entry have nothing to store or to compare. */
export function seededFrom<Value>({ owners, count, seeds, create, lists }: SeedsOf<Value>): SeededPart {
  return {
    owners,
    ...(count && { count }),
    create: async (tx, owner) => {
      const seed = seeds.get(owner);
      if (seed !== undefined) await create?.(tx, owner, seed);
    },
    lists: (owner) => {
      const seed = seeds.get(owner);
      return seed === undefined ? [] : lists(owner, seed);
    },
  };
}
