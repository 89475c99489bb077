/**
 * Puts right what stores may list in another order: they look no further than the first 400 bytes of a text, so
 * that long ones with a common beginning can stand anyhow among themselves.
 */

/** Characters that are surely within the first 400 bytes, however a store writes them. */
const sureLength = 40;

/** Gives what comes in the order of `compare`. Only long texts of one beginning are kept back, to be sorted. */
export async function* inOrder<T>(
  items: AsyncIterable<T>,
  textOf: (item: T) => string,
  compare: (a: T, b: T) => number,
): AsyncGenerator<T, void, undefined> {
  let run: T[] = [];
  let beginning: string | undefined;
  for await (const item of items) {
    const text = textOf(item);
    const next = text.length > sureLength ? text.slice(0, sureLength) : undefined;
    if (next === undefined || next !== beginning) {
      yield* run.sort(compare);
      run = [];
    }
    beginning = next;
    run.push(item);
  }
  yield* run.sort(compare);
}
