/** Numbers that are given once: a row for each named sequence. */
import { sql } from "kysely";
import type { Page, SequenceState } from "../../port.ts";
import type { RunStatement, SqlDialect, Statement } from "../engines/engine.ts";
import { sequenceLabel, sequenceTable } from "../layout.ts";
import { decodeText } from "./text.ts";

/** Takes numbers and gives the last of them as `last`. */
export function nextNumbers(
  { builder, encodeKey }: SqlDialect,
  scope: string,
  name: string,
  count: number,
): Statement {
  const label = JSON.stringify([scope, name]);
  const start = { scope: encodeKey(scope), name: encodeKey(name), last: count, [sequenceLabel]: label };
  return builder
    .insertInto(sequenceTable)
    .values(start)
    .onConflict((conflict) =>
      conflict.columns(["scope", "name"]).doUpdateSet({
        last: sql`${sql.ref(`${sequenceTable}.last`)} + ${count}`,
        [sequenceLabel]: label,
      }),
    )
    .returning("last")
    .compile();
}

/** The sequences behind a place, in order. */
export async function sequenceStates(
  run: RunStatement,
  { builder, encodeKey }: SqlDialect,
  { after, limit }: Page<Pick<SequenceState, "scope" | "name">>,
): Promise<SequenceState[]> {
  const select = builder
    .selectFrom(sequenceTable)
    .select(["scope", "name", "last", sequenceLabel])
    .orderBy("scope")
    .orderBy("name");
  const behind = after
    ? select.where(sql<boolean>`(scope, name) > (${encodeKey(after.scope)}, ${encodeKey(after.name)})`)
    : select;
  const { rows } = await run((limit === undefined ? behind : behind.limit(limit)).compile());
  return rows.map(stateOf);
}

function stateOf(row: Readonly<Record<string, unknown>>): SequenceState {
  const label = row[sequenceLabel] as string | null;
  // A row of an older edgeproof that nothing was taken from since.
  const names =
    label === null ? [row["scope"], row["name"]].map((t) => decodeText(t as string)) : JSON.parse(label);
  const [scope, name] = names as [string, string];
  return { scope, name, last: Number(row["last"]) };
}
