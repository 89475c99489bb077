/** The reads of a transaction as SQL statements. */
import {
  assertCounter,
  assertDistinct,
  assertPage,
  assertQuery,
  assertWhere,
  type PlainCondition,
  type PlainQuery,
} from "../argument-checks.ts";
import { maintainedCountFor } from "../maintained-counts.ts";
import type { Page, ReadTransaction } from "../port.ts";
import { countClaims } from "./blobs/blob-claims.ts";
import type { RunStatement } from "./engines/engine.ts";
import type { SqlContext, SqlSession } from "./session.ts";
import { equatedValues } from "./statements/counts.ts";
import { countDistinctRows } from "./statements/distinct.ts";
import { countRows, findPositions, findRecords } from "./statements/keyset-pagination.ts";
import { selectNextScope } from "./statements/listings.ts";
import { parseRecords, selectChanges, selectCount, selectRecord } from "./statements/records.ts";
import { sequenceStates } from "./statements/sequences.ts";
import type { Table } from "./statements/table.ts";

export function readOperations(
  { run }: SqlSession,
  { dialect, chunkRows, tableOf }: SqlContext,
): ReadTransaction {
  return {
    get: async (collection, scope, id) => {
      const { rows } = await run(selectRecord(tableOf(collection), scope, id));
      return parseRecords(rows)[0] as never;
    },
    find: async (collection, scope, query = {}) => {
      const table = tableOf(collection);
      assertQuery(table.definition, query as PlainQuery);
      return (await findRecords({ run, table, scope, chunkRows }, query as PlainQuery)) as never;
    },
    count: async (collection, scope, conditions = []) => {
      const table = tableOf(collection);
      const where = conditions as readonly PlainCondition[];
      assertWhere(table.definition, where);
      const fields = maintainedCountFor(table.definition, where);
      if (!fields) return countRows({ run, table, scope, chunkRows }, where);
      const { rows } = await run(selectCount(table, fields, equatedValues(table, scope, where)));
      return Number(rows[0]?.["count"] ?? 0);
    },
    positions: async (collection, scope, query = {}) => {
      const table = tableOf(collection);
      assertQuery(table.definition, query as PlainQuery);
      return findPositions({ run, table, scope, chunkRows }, query as PlainQuery);
    },
    countDistinct: async (collection, scope, field, where = []) => {
      const table = tableOf(collection);
      assertDistinct(table.definition, field);
      assertWhere(table.definition, where as readonly PlainCondition[]);
      return countDistinctRows({ run, table, scope, chunkRows }, field, where as readonly PlainCondition[]);
    },
    countClaims: (keys) => countClaims(run, dialect, keys),
    changes: async (collection, scope, field, values) => {
      const table = tableOf(collection);
      assertCounter(table.definition, field, values);
      const { rows } = await run(selectChanges(table, scope, field, values));
      return Number(rows[0]?.["count"] ?? 0);
    },
    scopes: async (collection, page = {}) => {
      const table = tableOf(collection);
      assertPage(page);
      return listScopes(run, table, page);
    },
    sequences: async (page = {}) => {
      assertPage(page);
      return sequenceStates(run, dialect, page);
    },
  };
}

/** One statement for each scope, by the index: the number of records in a scope does not matter. */
async function listScopes(
  run: RunStatement,
  table: Table,
  { after, limit = Number.POSITIVE_INFINITY }: Page<string>,
): Promise<string[]> {
  const found: string[] = [];
  while (found.length < limit) {
    const [first] = parseRecords((await run(selectNextScope(table, found.at(-1) ?? after))).rows);
    if (!first) break;
    found.push(first.scope);
  }
  return found;
}
