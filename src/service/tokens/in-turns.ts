/** Works on long lists of rules with other requests in between. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Rules in a turn of the event loop: some milliseconds with long expressions. `chosen` */
const rulesOfTurn = 50;

/** The results of work on each item, in their order. @throws what the work throws */
export async function mapInTurns<T, R>(
  items: readonly T[],
  work: (item: T, i: number) => R,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [i, item] of items.entries()) {
    results.push(work(item, i));
    if (i % rulesOfTurn === rulesOfTurn - 1) await nextTurn();
  }
  return results;
}
