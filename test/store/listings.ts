/** The statements that a listing or a count consists of, for looking at their plans. */
import type { PlainCondition, PlainQuery } from "../../src/store/argument-checks.ts";
import type { PlainDefinition } from "../../src/store/definition.ts";
import type { SqlDialect, Statement } from "../../src/store/sql/engines/engine.ts";
import {
  countRows,
  findRows,
  type Walker,
  windowRows,
} from "../../src/store/sql/statements/keyset-pagination.ts";
import { createStatements } from "../../src/store/sql/statements/statements.ts";

/** What is needed to know the statements of a collection. */
export interface Listed {
  readonly definition: PlainDefinition;
  readonly dialect: SqlDialect;
  readonly scope: string;
}

/** All statements that finding takes when every one of them finds nothing. */
export function statementsOfFind(listed: Listed, query: PlainQuery): Promise<Statement[]> {
  return noted(listed, (walker) => findRows(walker, query), true);
}

/** The statements of a count, those of its second window included. */
export function statementsOfCount(listed: Listed, where: readonly PlainCondition[]): Promise<Statement[]> {
  return noted(listed, (walker) => countRows(walker, where), false);
}

const anyPlace = new Proxy({}, { get: () => 1 });

async function noted(
  { definition, dialect, scope }: Listed,
  work: (walker: Walker) => Promise<unknown>,
  isFind: boolean,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const run: Walker["run"] = async (statement) => {
    const isFirst = statements.push(statement) === 1;
    if (statement.sql.includes("count(")) return { rows: [{ count: isFirst ? windowRows : 0 }], changed: 0 };
    // The place at the end of the first window; whatever stands there does for a plan.
    return { rows: statements.length === 2 && !isFind ? [anyPlace] : [], changed: 0 };
  };
  await work({ run, statements: createStatements(definition, dialect), definition, scope, windowRows });
  return statements;
}
