/** The statements of a listing or a count, for tests of their plans. */
import type { PlainCondition, PlainQuery } from "../../src/store/argument-checks.ts";
import type { PlainDefinition } from "../../src/store/definition.ts";
import type { SqlDialect, Statement } from "../../src/store/sql/engines/engine.ts";
import {
  chunkRows,
  countRows,
  findPositions,
  findRecords,
} from "../../src/store/sql/statements/keyset-pagination.ts";
import type { ListingSource } from "../../src/store/sql/statements/listing-source.ts";
import { createTable } from "../../src/store/sql/statements/table.ts";

/** A collection in one scope, and the dialect of its statements. */
export interface Listed {
  readonly definition: PlainDefinition;
  readonly dialect: SqlDialect;
  readonly scope: string;
}

/** All statements of a query whose statements return no rows. */
export function statementsOfFind(listed: Listed, query: PlainQuery): Promise<Statement[]> {
  return recorded(listed, (source) => findRecords(source, query), true);
}

/** All statements of the positions of a query whose statements return no rows. */
export function statementsOfPositions(listed: Listed, query: PlainQuery): Promise<Statement[]> {
  return recorded(listed, (source) => findPositions(source, query), true);
}

/** The statements of a count, including those of its second chunk. */
export function statementsOfCount(listed: Listed, where: readonly PlainCondition[]): Promise<Statement[]> {
  return recorded(listed, (source) => countRows(source, where), false);
}

const anyPlace = new Proxy({}, { get: () => 1 });

async function recorded(
  { definition, dialect, scope }: Listed,
  work: (source: ListingSource) => Promise<unknown>,
  isFind: boolean,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const run: ListingSource["run"] = async (statement) => {
    const isFirst = statements.push(statement) === 1;
    if (statement.sql.includes("count(")) return { rows: [{ count: isFirst ? chunkRows : 0 }], changed: 0 };
    // The position at the end of the first chunk; any values will do for a plan.
    return { rows: statements.length === 2 && !isFind ? [anyPlace] : [], changed: 0 };
  };
  await work({ run, table: createTable(definition, dialect), scope, chunkRows });
  return statements;
}
