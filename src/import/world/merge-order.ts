/** Joins the orders in which several files have the same things. */

/** One order, and two things that two lists have the other way round. */
export interface MergedOrder<T> {
  readonly order: readonly T[];
  readonly reversed: readonly (readonly [earlier: T, later: T, list: number])[];
}

/**
 * A thing that only a later list has is where that list has it: after the one before it, else before the one after it.
 *
 * @param lists each without repeated things
 */
export function mergeOrders<T>(lists: readonly (readonly T[])[]): MergedOrder<T> {
  const order: T[] = [];
  const reversed: (readonly [T, T, number])[] = [];
  for (const [i, list] of lists.entries()) {
    const places = new Map(order.map((item, at) => [item, at]));
    const known = list.filter((item) => places.has(item));
    const placeOf = (item: T | undefined) => (item === undefined ? -1 : (places.get(item) ?? -1));
    const wrong = known.findIndex((item, at) => at > 0 && placeOf(item) < placeOf(known[at - 1]));
    if (wrong > 0) reversed.push([known[wrong] as T, known[wrong - 1] as T, i]);
    if (wrong > 0) order.push(...list.filter((item) => !places.has(item)));
    else order.splice(0, order.length, ...interleave(order, list));
  }
  return { order, reversed };
}

/** Both lists as one: what they share is in the same order in both. */
function interleave<T>(order: readonly T[], list: readonly T[]): readonly T[] {
  const shared = new Set(order);
  const merged: T[] = [];
  let from = 0;
  const addUntil = (end: number) => {
    merged.push(...order.slice(from, end));
    from = end;
  };
  let isAfter = false;
  let waiting: T[] = [];
  for (const item of list) {
    if (!shared.has(item)) {
      if (isAfter) merged.push(item);
      else waiting.push(item);
      continue;
    }
    addUntil(order.indexOf(item, from));
    merged.push(...waiting);
    waiting = [];
    addUntil(from + 1);
    isAfter = true;
  }
  addUntil(order.length);
  return [...merged, ...waiting];
}
