/** A simple model of the port's queries, and random queries to compare stores with it. */
import type { PlainCondition, PlainOrder, PlainQuery } from "../../store/argument-checks.ts";
import { pick, type Thing, thing } from "./probe.ts";

/** Compares by code point: a simple version of the stores' comparison. */
function compareCodePoints(a: string, b: string): number {
  const [x, y] = [Array.from(a, (c) => c.codePointAt(0)!), Array.from(b, (c) => c.codePointAt(0)!)];
  const differing = x.findIndex((c, i) => c !== y[i]);
  return differing === -1 ? x.length - y.length : x[differing]! - (y[differing] ?? -1);
}

export type Value = string | number | boolean | null;

function compare(a: Value, b: Value): number {
  return typeof a === "string" ? compareCodePoints(a, b as string) : Number(a) - Number(b);
}

export const memberOf = (record: Thing, field: string): Value =>
  (record as unknown as Record<string, Value>)[field] ?? null;

/** The conditions of the port, implemented a second time as simply as possible. */
const meanings: Record<PlainCondition["op"], (found: Value, value: never) => boolean> = {
  eq: (found, value: Value) => found === value,
  ne: (found, value: Value) => found !== null && found !== value,
  lt: (found, value: Value) => found !== null && value !== null && compare(found, value) < 0,
  lte: (found, value: Value) => found !== null && value !== null && compare(found, value) <= 0,
  gt: (found, value: Value) => found !== null && value !== null && compare(found, value) > 0,
  gte: (found, value: Value) => found !== null && value !== null && compare(found, value) >= 0,
  in: (found, values: Value[]) => values.some((value) => value === found),
  contains: (found, value: string) => typeof found === "string" && found.indexOf(value) !== -1,
};

/** The ids that a query finds among all things. */
export function modelFind(
  all: readonly Thing[],
  { where = [], order = [], offset = 0, limit, after }: PlainQuery,
): string[] {
  const compareRows = (a: Thing, b: Thing) => {
    for (const { field, direction } of order) {
      const c = compare(memberOf(a, field), memberOf(b, field));
      if (c !== 0) return direction === "asc" ? c : -c;
    }
    return compareCodePoints(a.id, b.id);
  };
  const members = after && [...order.map((o, i) => [o.field, after[i]]), ["id", after.at(-1)]];
  const position = members && (Object.fromEntries(members) as Thing);
  const found = all.filter((t) => where.every((c) => meanings[c.op](memberOf(t, c.field), c.value as never)));
  const rest = position ? found.filter((t) => compareRows(t, position) > 0) : found;
  return rest
    .sort(compareRows)
    .slice(offset, limit === undefined ? undefined : offset + limit)
    .map((t) => t.id);
}

const names = ["", "a", "A", "ab", "b", "é", "\uff61", "😀", "😀a", "%", "a_b", "\\", "\0", "\u0001"];

/** Random things with few distinct values, so that orders have ties and conditions match. */
export function randomThings(random: () => number, count: number): Thing[] {
  const maybe = <T>(value: T) => pick(random, [value, value, null]);
  const things = Array.from({ length: count }, (_, i) =>
    thing(`${pick(random, names)}${i}`, {
      name: pick(random, names),
      rank: Math.floor(random() * 6) - 2,
      on: random() < 0.5,
      owner: maybe(pick(random, ["o", "p", "é", "😀"])),
      weight: random() < 0.5 ? null : i + 0.5,
    }),
  );
  return things;
}

const operands: Record<string, readonly Value[]> = {
  id: names,
  name: names,
  rank: [-2, -1.5, 0, 1, 3, 1e300],
  on: [true, false],
  owner: ["o", "é", "😀", "", null],
  weight: [0.5, 7.5, 1e9, null],
};
const fields = Object.keys(operands);
const operators = Object.keys(meanings) as PlainCondition["op"][];

export function randomCondition(random: () => number): PlainCondition {
  const field = pick(random, fields);
  const values = operands[field]!;
  const op = pick(random, operators);
  if (op === "in") return { field, op, value: values.filter(() => random() < 0.4) };
  if (op !== "contains") return { field, op, value: pick(random, values) };
  return { field: pick(random, ["name", "owner", "id"]), op, value: pick(random, names) };
}

function randomOrder(random: () => number): PlainOrder[] {
  const chosen = ["name", "rank", "on", "id"].filter(() => random() < 0.4);
  const shuffled = random() < 0.5 ? chosen : chosen.reverse();
  return shuffled.map((field) => ({ field, direction: pick(random, ["asc", "desc"] as const) }));
}

export function randomQuery(random: () => number, all: readonly Thing[]): PlainQuery {
  const order = randomOrder(random);
  const last = pick(random, all);
  return {
    where: [0, 1, 2].filter(() => random() < 0.4).map(() => randomCondition(random)),
    order,
    ...(random() < 0.3 ? { offset: Math.floor(random() * 20) } : {}),
    ...(random() < 0.5 ? { limit: Math.floor(random() * 20) } : {}),
    ...(random() < 0.4 ? { after: [...order.map((o) => memberOf(last, o.field)), last.id] } : {}),
  };
}
