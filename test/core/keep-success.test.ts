/** Values that are made once: a failure is never kept. */
import { describe, expect, test } from "vitest";
import { keepSuccess } from "../../src/core/work/keep-success.ts";

/** Makes 1, 2, 3... for the calls whose turn is not in `failing`. */
function counter(...failing: readonly number[]) {
  let calls = 0;
  return keepSuccess(async () => {
    calls += 1;
    if (failing.includes(calls)) throw new Error(`attempt ${calls} failed`);
    return calls;
  });
}

describe("keepSuccess", () => {
  test("makes the value once, for callers that come while it is made too", async () => {
    const { get } = counter();
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    expect(await get()).toBe(1);
  });

  test("reports a failure to every caller of the attempt, and the next call tries again", async () => {
    const { get } = counter(1, 2);
    const both = [get(), get()].map((value) => value.catch((error: Error) => error.message));
    expect(await Promise.all(both)).toEqual(["attempt 1 failed", "attempt 1 failed"]);
    await expect(get()).rejects.toThrow("attempt 2 failed");
    expect(await get()).toBe(3);
  });

  test("reports an error that is thrown at once as a rejection, and tries again", async () => {
    let calls = 0;
    const { get } = keepSuccess((): Promise<number> => {
      if (++calls === 1) throw new Error("at once");
      return Promise.resolve(calls);
    });
    await expect(get()).rejects.toThrow("at once");
    expect(await get()).toBe(2);
  });

  test("makes a forgotten value again, and the failure of a forgotten attempt does not end the next one", async () => {
    const { get, forget } = counter(1);
    const first = get();
    forget();
    const second = get();
    await expect(first).rejects.toThrow("attempt 1 failed");
    expect([await second, await get()]).toEqual([2, 2]);
  });
});
