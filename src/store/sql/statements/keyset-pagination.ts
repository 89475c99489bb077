/**
 * Lists and counts by statements of which none looks at more than a window of rows: a deep offset, or a search that no
 * index helps with, is many short statements and not one that holds everything up.
 */
import type { PlainCondition, PlainOrder, PlainQuery } from "../../argument-checks.ts";
import { indexField, type PlainDefinition } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";
import type { RunStatement } from "../engines/engine.ts";
import { stretchesOf } from "./conditions.ts";
import type { Part, Statements } from "./statements.ts";

/** Rows that one statement looks at. */
export const windowRows = 10_000;

type Rows = Awaited<ReturnType<RunStatement>>["rows"];

/** How statements are made and run. */
export interface Walker {
  readonly run: RunStatement;
  readonly statements: Statements;
  readonly definition: PlainDefinition;
  readonly scope: string;
  readonly windowRows: number;
}

/** The rows that a query finds. */
export async function findRows(walker: Walker, query: PlainQuery): Promise<Rows> {
  const { order = [], offset = 0, limit, after } = query;
  const { where, filter } = parted(query.where ?? []);
  const keys = withId(order);
  const parts = partsOf(walker, { where, keys, filter }, after && placeAfter(order, after));
  const [only, second] = parts;
  if (only && !second && filter.length === 0 && offset <= walker.windowRows)
    return (await walker.run(walker.statements.records(walker.scope, only, offset, limit))).rows;
  return walkRows(walker, parts, offset, limit ?? Number.POSITIVE_INFINITY);
}

/** How many rows there are for which conditions hold. */
export async function countRows(walker: Walker, conditions: readonly PlainCondition[]): Promise<number> {
  const { where, filter } = parted(conditions);
  const keys = withId(orderFor(walker.definition, where));
  let total = 0;
  await walk(walker, [{ where, keys, filter }], async (part) => {
    const size = await sizeOf(walker, part);
    total += size;
    return filter.length === 0 && size < walker.windowRows ? "ended" : "more";
  });
  return total;
}

async function walkRows(
  walker: Walker,
  parts: readonly Part[],
  offset: number,
  limit: number,
): Promise<Rows> {
  const { run, statements, scope } = walker;
  const found: Rows[number][] = [];
  let skip = offset;
  if (limit === 0) return found;
  await walk(walker, parts, async (part) => {
    const filtered = part.filter?.length ? part : undefined;
    if (skip > 0) {
      const size = await sizeOf(walker, part);
      if (size <= skip) {
        skip -= size;
        return !filtered && size < walker.windowRows ? "ended" : "more";
      }
    }
    const room = filtered ? walker.windowRows : walker.windowRows - skip;
    const asked = Math.min(limit - found.length, room);
    const { rows } = await run(statements.records(scope, part, skip, asked));
    skip = 0;
    found.push(...rows);
    if (found.length === limit) return "enough";
    return !filtered && rows.length < asked ? "ended" : "more";
  });
  return found;
}

/** What a look at a window says: nothing else is wanted, nothing stands behind the window in its part, or neither. */
type Look = "enough" | "ended" | "more";

/** Goes through parts of a listing in order, window by window. */
async function walk(
  { run, statements, scope, windowRows: size }: Walker,
  parts: readonly Part[],
  look: (window: Part) => Promise<Look>,
): Promise<void> {
  let rest = parts;
  for (let [part] = rest; part; [part] = rest) {
    const said = await look({ ...part, window: size });
    if (said === "enough") return;
    rest = rest.slice(1);
    if (said === "ended") continue;
    const [last] = (await run(statements.place(scope, part, size - 1))).rows;
    // Everything behind the last row of the window, in this part and in those that follow.
    if (last)
      rest = partsBehind(
        part,
        part.keys.map((key) => last[key.field]),
      );
  }
}

async function sizeOf({ run, statements, scope }: Walker, part: Part): Promise<number> {
  return Number((await run(statements.size(scope, part))).rows[0]!["count"]);
}

function partsOf(
  { statements }: Walker,
  part: Part,
  place: readonly FieldValue[] | undefined,
): readonly Part[] {
  return place === undefined ? [part] : partsBehind(part, statements.placeOf(part.keys, place));
}

function partsBehind(part: Part, place: readonly unknown[]): readonly Part[] {
  return stretchesOf(part.keys).map((stretch) => ({ ...part, behind: { stretch, place } }));
}

/** Takes the conditions that no index helps with apart. */
function parted(conditions: readonly PlainCondition[]) {
  const where = conditions.filter((c) => c.op !== "contains");
  return { where, filter: conditions.filter((c) => c.op === "contains") };
}

/** The order with the id as its last word; what stands behind the id decides nothing. */
function withId(order: readonly PlainOrder[]): PlainOrder[] {
  const id = order.findIndex((o) => o.field === "id");
  return id === -1 ? [...order, { field: "id", direction: "asc" }] : order.slice(0, id + 1);
}

/** The values of a place by the keys of the order. */
function placeAfter(order: readonly PlainOrder[], after: readonly FieldValue[]): FieldValue[] {
  return withId(order).map((key, i) => after[key.field === "id" ? order.length : i]!);
}

/** An order in which an index lists the rows that conditions equate: behind as many equated fields as there are. */
function orderFor(
  { indexes, fields: kinds }: PlainDefinition,
  where: readonly PlainCondition[],
): readonly PlainOrder[] {
  const equated = new Set(where.filter((c) => c.op === "eq").map((c) => c.field));
  let best: readonly PlainOrder[] = [];
  let most = 0;
  for (const index of indexes) {
    const fields = index.map(indexField);
    const rest = fields.findIndex(({ field }) => !equated.has(field));
    const length = rest === -1 ? fields.length : rest;
    const order = fields.slice(length);
    // No place can be named among rows that are ordered by null.
    if (length <= most || order.some(({ field }) => kinds[field]?.endsWith("?"))) continue;
    most = length;
    best = order;
  }
  return best;
}
