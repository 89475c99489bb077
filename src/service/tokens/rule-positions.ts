/**
 * The numbers that order the rules of a zone. Neighbors may be any distance apart, so that a move changes one rule: it gets
 * a number between those of its new neighbors. When there is none, some rules around them are spread out.
 */
import { failure, type Result, success } from "../../core/result.ts";
import { type Position, wrongNeighbor } from "../../engine/tokens/zone/rule-order.ts";
import type { Query, ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { TokenRuleRecord } from "../../store/records/tokens.ts";
import { reversed } from "../paging.ts";

/** The order of evaluation. */
export const inOrder = { order: [{ field: "position", direction: "asc" }] } as const;

/** The order from the end. */
const fromEnd = { order: reversed<"token_rules">(inOrder.order) };

/** The place of a rule: its position, and its id for rules of one position. */
type Place = readonly [position: number, id: string];

/** The places around a new one; undefined at an end of the list. */
interface Gap {
  readonly before: Place | undefined;
  readonly after: Place | undefined;
}

/** Largest absolute value of a position: far more than a zone ever has rules. */
const maxPosition = 2 ** 32;
/** Rules on each side of a gap that are spread out first; twice as many until they have the minimum distance. `chosen` */
const spreadRules = 16;
/**
 * Minimum distance of the first rules that are spread out, four times as much for each doubling: few rules are spread out
 * often, and many seldom. Room for some more moves between two of them, since numbers are exact to 52 bits.
 */
const minDistance = 2 ** -32;
const minRelativeDistance = 2 ** -46;

/** The positions of this many new rules after the others. */
export async function positionsAtEnd(
  tx: WriteTransaction,
  zone: string,
  count: number,
): Promise<readonly number[]> {
  const [last] = await placesOf(tx, zone, { ...fromEnd, limit: 1 });
  let end = last ? Math.floor(last[0]) : 0;
  if (Math.abs(end) + count > maxPosition) end = await numberAll(tx, zone);
  return Array.from({ length: count }, (_, i) => end + i + 1);
}

/** The position that puts a rule at a place among the others. A failure has pointers relative to the position. */
export async function movedPosition(
  tx: WriteTransaction,
  zone: string,
  rule: TokenRuleRecord,
  position: Position,
): Promise<Result<number>> {
  const gap = await gapAt(tx, zone, rule, position);
  if (!gap.ok) return gap;
  const { before, after } = gap.value;
  if (isBetween(rule.position, gap.value) || (!before && !after)) return success(rule.position);
  const number = numberBetween(before?.[0], after?.[0]);
  return success(isBetween(number, gap.value) ? number : await spreadOut(tx, zone, rule, gap.value));
}

async function gapAt(
  tx: ReadTransaction,
  zone: string,
  rule: TokenRuleRecord,
  position: Position,
): Promise<Result<Gap>> {
  if ("index" in position) return success(await gapAtIndex(tx, zone, rule, position.index - 1));
  const [member, id] =
    "before" in position ? ["before" as const, position.before] : ["after" as const, position.after];
  const neighbor = id === rule.id ? undefined : await tx.get("token_rules", zone, id);
  if (!neighbor) return failure(wrongNeighbor(rule.id, member, id));
  const at = placeOf(neighbor);
  const order = member === "before" ? fromEnd : inOrder;
  const found = await placesOf(tx, zone, { ...order, after: cursor(order, at), limit: 2 });
  const other = found.find((place) => place[1] !== rule.id);
  return success(member === "before" ? { before: other, after: at } : { before: at, after: other });
}

/** The gap before the other rule of this index, from 0. */
async function gapAtIndex(
  tx: ReadTransaction,
  zone: string,
  rule: TokenRuleRecord,
  index: number,
): Promise<Gap> {
  const total = await tx.count("token_rules", zone);
  const at = Math.min(index, total - 1);
  // The two others are among three rules of the whole list, that has one more before them or after them.
  const first = Math.max(0, at - 1);
  const places = await placesAt(tx, zone, first, 3, total);
  const itself = placeOf(rule);
  const other = (i: number): Place | undefined => {
    const place = places[i - first];
    return place && isLess(place, itself) ? place : places[i + 1 - first];
  };
  return { before: at === 0 ? undefined : other(at - 1), after: other(at) };
}

/** The places of the rules from an index on, read from the nearer end of the list. */
async function placesAt(
  tx: ReadTransaction,
  zone: string,
  offset: number,
  count: number,
  total: number,
): Promise<readonly Place[]> {
  const limit = Math.min(count, total - offset);
  const rest = total - offset - limit;
  if (offset <= rest) return placesOf(tx, zone, { ...inOrder, offset, limit });
  return (await placesOf(tx, zone, { ...fromEnd, offset: rest, limit })).toReversed();
}

/** Spreads out the rules around a gap, and returns the position of the rule that belongs into it. */
async function spreadOut(
  tx: WriteTransaction,
  zone: string,
  { id }: TokenRuleRecord,
  gap: Gap,
): Promise<number> {
  for (let [count, min] = [spreadRules, minDistance]; ; count *= 2, min *= 4) {
    const lower = await othersFrom(tx, zone, id, gap.before, count + 1, fromEnd);
    const upper = await othersFrom(tx, zone, id, gap.after, count + 1, inOrder);
    const isAll = lower.length <= count && upper.length <= count;
    const [rulesBefore, rulesAfter] = [lower.slice(0, count).reverse(), upper.slice(0, count)];
    const size = rulesBefore.length + 1 + rulesAfter.length;
    const [start, end] = boundsOf(lower[count]?.position, upper[count]?.position, size + 1);
    const distance = (end - start) / (size + 1);
    const max = Math.max(-start, end);
    if (!isAll && (distance < Math.max(min, max * minRelativeDistance) || max > maxPosition)) continue;
    const at = (i: number) => start + distance * (i + 1);
    for (const [i, rule] of rulesBefore.entries()) await store(tx, rule, at(i));
    for (const [i, rule] of rulesAfter.entries()) await store(tx, rule, at(rulesBefore.length + 1 + i));
    return at(rulesBefore.length);
  }
}

/** The positions around rules that are spread out; beyond an end of the list, there is room for any number. */
function boundsOf(
  start: number | undefined,
  end: number | undefined,
  size: number,
): readonly [number, number] {
  if (start === undefined) return end === undefined ? [0, size] : [Math.ceil(end) - size, end];
  return [start, end ?? Math.floor(start) + size];
}

/** The rules from a place on in a direction, with that of the place itself, without the one that is moved. */
async function othersFrom(
  tx: ReadTransaction,
  zone: string,
  moved: string,
  place: Place | undefined,
  count: number,
  order: Pick<Query<"token_rules">, "order">,
): Promise<TokenRuleRecord[]> {
  if (!place) return [];
  const first = await tx.get("token_rules", zone, place[1]);
  const rest = await tx.find("token_rules", zone, { ...order, after: cursor(order, place), limit: count });
  const others = rest.filter(({ id }) => id !== moved);
  return (first ? [first, ...others] : others).slice(0, count);
}

/** Numbers all rules from 1 on, and returns the last number. */
async function numberAll(tx: WriteTransaction, zone: string): Promise<number> {
  const rules = await tx.find("token_rules", zone, inOrder);
  for (const [i, rule] of rules.entries()) await store(tx, rule, i + 1);
  return rules.length;
}

async function store(tx: WriteTransaction, rule: TokenRuleRecord, position: number): Promise<void> {
  if (rule.position !== position) await tx.replace("token_rules", { ...rule, position });
}

/** A number between two positions if there is one; the next integer beyond an end of the list. */
function numberBetween(before: number | undefined, after: number | undefined): number {
  if (before === undefined) return Math.ceil(after ?? 0) - 1;
  return after === undefined ? Math.floor(before) + 1 : before + (after - before) / 2;
}

function isBetween(number: number, { before, after }: Gap): boolean {
  const isInside =
    (before?.[0] ?? Number.NEGATIVE_INFINITY) < number && number < (after?.[0] ?? Number.POSITIVE_INFINITY);
  return isInside && Math.abs(number) <= maxPosition;
}

async function placesOf(
  tx: ReadTransaction,
  zone: string,
  query: Query<"token_rules">,
): Promise<readonly Place[]> {
  return (await tx.positions("token_rules", zone, query)).map((place) => [
    place[0] as number,
    place.at(-1) as string,
  ]);
}

const placeOf = ({ position, id }: TokenRuleRecord): Place => [position, id];

const isLess = (a: Place, b: Place) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

/** A place as `after` of an order, which may have the id as a key of its own. */
function cursor({ order = [] }: Pick<Query<"token_rules">, "order">, [position, id]: Place) {
  return order.length === 1 ? [position, id] : [position, id, id];
}
