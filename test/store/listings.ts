/** The statements that a listing or a count consists of, for looking at their plans. */
import type { PlainCondition, PlainQuery } from "../../src/store/argument-checks.ts";
import type { PlainDefinition } from "../../src/store/definition.ts";
import type { SqlDialect, Statement } from "../../src/store/sql/engines/engine.ts";
import {
  chunkRows,
  countRows,
  findRows,
  type ListingSource,
} from "../../src/store/sql/statements/keyset-pagination.ts";
import { createTable } from "../../src/store/sql/statements/table.ts";

/** What is needed to know the statements of a collection. */
export interface Listed {
  readonly definition: PlainDefinition;
  readonly dialect: SqlDialect;
  readonly scope: string;
}

/** All statements that finding takes when every one of them finds nothing. */
export function statementsOfFind(listed: Listed, query: PlainQuery): Promise<Statement[]> {
  return noted(listed, (source) => findRows(source, query), true);
}

/** The statements of a count, those of its second window included. */
export function statementsOfCount(listed: Listed, where: readonly PlainCondition[]): Promise<Statement[]> {
  return noted(listed, (source) => countRows(source, where), false);
}

const anyPlace = new Proxy({}, { get: () => 1 });

async function noted(
  { definition, dialect, scope }: Listed,
  work: (source: ListingSource) => Promise<unknown>,
  isFind: boolean,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const run: ListingSource["run"] = async (statement) => {
    const isFirst = statements.push(statement) === 1;
    if (statement.sql.includes("count(")) return { rows: [{ count: isFirst ? chunkRows : 0 }], changed: 0 };
    // The place at the end of the first window; whatever stands there does for a plan.
    return { rows: statements.length === 2 && !isFind ? [anyPlace] : [], changed: 0 };
  };
  await work({ run, table: createTable(definition, dialect), scope, chunkRows });
  return statements;
}
