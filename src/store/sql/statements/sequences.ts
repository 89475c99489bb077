/** Sequences: a row for each, with its last number. */
import { sql } from "kysely";
import type { Page, SequenceState } from "../../port.ts";
import type { RunStatement, SqlDialect, Statement } from "../engines/engine.ts";
import { sequenceLabel, sequenceTable } from "../layout.ts";
import { decodeText } from "./text.ts";

/** Reserves the next numbers of a sequence and returns the last of them as `last`. */
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

/** A page of the sequences, in order. */
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
  const rest = after
    ? select.where(sql<boolean>`(scope, name) > (${encodeKey(after.scope)}, ${encodeKey(after.name)})`)
    : select;
  const { rows } = await run((limit === undefined ? rest : rest.limit(limit)).compile());
  return rows.map(stateOf);
}

function stateOf(row: Readonly<Record<string, unknown>>): SequenceState {
  const label = row[sequenceLabel] as string | null;
  // Null: an older edgeproof wrote the row, and no number was reserved since.
  const names =
    label === null ? [row["scope"], row["name"]].map((t) => decodeText(t as string)) : JSON.parse(label);
  const [scope, name] = names as [string, string];
  return { scope, name, last: Number(row["last"]) };
}
