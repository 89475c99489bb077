/**
 * The list of objects that no row of a blob names: those of puts in progress, and those to remove. An object is on the
 * list or named by a row at any time, so that none is forgotten, whatever is interrupted, and a bucket is never listed.
 */
import { sql } from "kysely";
import type { RunStatement, SqlDialect } from "../../engines/engine.ts";
import { objectColumn, objectTable, startedColumn } from "../../layout.ts";

/** In the place of the time when a put began: the object is to be removed, and cannot become the one of a blob any more. */
const toRemove = 0;

/** Adds the object of a put that begins. */
export async function listStarted(
  run: RunStatement,
  { builder }: SqlDialect,
  object: string,
  nowMs: number,
): Promise<void> {
  const row = { [objectColumn]: object, [startedColumn]: nowMs };
  await run(builder.insertInto(objectTable).values(row).compile());
}

/** Takes the object of a put from the list, for a row that names it. Returns false when it is to be removed. */
export async function takeStarted(
  run: RunStatement,
  { builder }: SqlDialect,
  object: string,
): Promise<boolean> {
  const take = builder.deleteFrom(objectTable).where(objectColumn, "=", object);
  return (await run(take.where(startedColumn, ">", toRemove).compile())).changed > 0;
}

/** Adds objects that are to be removed, in the transaction after which no row names them. */
export async function listToRemove(
  run: RunStatement,
  { builder }: SqlDialect,
  objects: readonly string[],
): Promise<void> {
  if (objects.length === 0) return;
  const rows = objects.map((object) => ({ [objectColumn]: object, [startedColumn]: toRemove }));
  await run(builder.insertInto(objectTable).values(rows).compile());
}

/** Objects to remove, and those of puts that began up to a time (milliseconds since 1970). */
export async function findRemovable(
  run: RunStatement,
  { builder }: SqlDialect,
  untilMs: number,
  limit: number,
): Promise<string[]> {
  const select = builder.selectFrom(objectTable).select(objectColumn);
  const { rows } = await run(select.where(startedColumn, "<=", untilMs).limit(limit).compile());
  return rows.map((row) => row[objectColumn] as string);
}

/** Decides that listed objects are to be removed, unless their put ended meanwhile. Returns those that are. */
export async function decideRemoval(
  run: RunStatement,
  dialect: SqlDialect,
  objects: readonly string[],
): Promise<string[]> {
  const update = dialect.builder.updateTable(objectTable).set({ [startedColumn]: toRemove });
  const { rows } = await run(update.where(isOneOf(dialect, objects)).returning(objectColumn).compile());
  return rows.map((row) => row[objectColumn] as string);
}

/** Takes removed objects from the list. */
export async function takeRemoved(
  run: RunStatement,
  dialect: SqlDialect,
  objects: readonly string[],
): Promise<void> {
  await run(dialect.builder.deleteFrom(objectTable).where(isOneOf(dialect, objects)).compile());
}

function isOneOf(dialect: SqlDialect, objects: readonly string[]) {
  return dialect.inKeys(sql.ref(objectColumn), sql`${dialect.bindSet(objects)}`);
}
