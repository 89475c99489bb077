/** The records and sequences of a memory store. */
import { aString, requireArgument } from "../../core/arguments.ts";
import { assertSequenceCount, definitionIn } from "../argument-checks.ts";
import type { Definitions } from "../definition.ts";
import type { SequenceState } from "../port.ts";
import { createTable, type Table, type Undo } from "./table.ts";

export interface MemoryData {
  /** The table of a collection in a scope, for reading: an empty one is not added to the data. */
  peekTable(collection: string, scope: string): Table;
  /** The table of a collection in a scope, for writing. */
  tableOf(collection: string, scope: string): Table;
  /** The scopes with a record of a collection, in no order. */
  scopesOf(collection: string): string[];
  /** The sequences, in no order. */
  sequenceStates(): SequenceState[];
  /** Reserves numbers of a sequence and returns the first of them. */
  reserve(scope: string, name: string, count: number): { readonly first: number; readonly undo: Undo };
  clear(): void;
}

export function createMemoryData(definitions: Definitions): MemoryData {
  const tables = new Map<string, Table>();
  const sequences = new Map<string, number>();

  /** A table without records for each collection, for reads of scopes that have none. */
  const empty = new Map<string, Table>();

  const emptyTable = (collection: string): Table => {
    const table = empty.get(collection) ?? createTable(definitionIn(definitions, collection));
    empty.set(collection, table);
    return table;
  };
  const peekTable = (collection: string, scope: string) => {
    requireArgument("scope", scope, aString);
    return tables.get(`${collection} ${scope}`) ?? emptyTable(collection);
  };

  return {
    peekTable,
    tableOf: (collection, scope) => {
      const table =
        tables.get(`${collection} ${scope}`) ?? createTable(definitionIn(definitions, collection));
      tables.set(`${collection} ${scope}`, table);
      return table;
    },
    scopesOf: (collection) => {
      const start = `${definitionIn(definitions, collection).name} `;
      const filled = [...tables].filter(([key, { all }]) => key.startsWith(start) && all.rows.size > 0);
      return filled.map(([key]) => key.slice(start.length));
    },
    sequenceStates: () =>
      [...sequences].flatMap(([key, last]) => {
        const [scope, name] = JSON.parse(key) as [string, string];
        return last > 0 ? [{ scope, name, last }] : [];
      }),
    reserve: (scope, name, count) => {
      assertSequenceCount(count);
      const key = JSON.stringify([scope, name]);
      const last = sequences.get(key) ?? 0;
      sequences.set(key, last + count);
      return { first: last + 1, undo: () => sequences.set(key, last) };
    },
    clear: () => tables.clear(),
  };
}
