/** The semaphore in front of decoding and rendering. */
import { describe, expect, test } from "vitest";
import { createSemaphore } from "../../src/core/semaphore.ts";

/** Work that the test ends. */
function pending() {
  let finish = () => {};
  let fail = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = () => reject(new Error("failed"));
  });
  return { promise, finish, fail };
}

describe("a semaphore of weights", () => {
  test("runs work that fits beside the running work, and never overtakes work that waits", async () => {
    const semaphore = createSemaphore(10);
    const started: string[] = [];
    const start = (name: string, weight: number) => {
      const work = pending();
      const run = semaphore.run(() => {
        started.push(name);
        return work.promise;
      }, weight);
      return { ...work, run };
    };
    const works = [
      start("six", 6),
      start("five", 5),
      start("one", 1),
      start("nothing", 0),
      start("huge", 99),
    ];
    await new Promise(setImmediate);
    expect(started).toEqual(["six"]);
    works[0]!.finish();
    await new Promise(setImmediate);
    expect(started).toEqual(["six", "five", "one", "nothing"]);
    for (const work of works.slice(1, 4)) work.finish();
    await new Promise(setImmediate);
    expect(started).toEqual(["six", "five", "one", "nothing", "huge"]);
    works[4]!.fail();
    await expect(works[4]!.run).rejects.toThrow("failed");
    expect(await semaphore.run(async () => "free", 10)).toBe("free");
  });
});

describe("a semaphore", () => {
  test("runs at most as many as allowed at a time, in the order of their arrival", async () => {
    const semaphore = createSemaphore(2);
    const started: number[] = [];
    const works = [pending(), pending(), pending(), pending()];
    const runs = works.map((work, i) =>
      semaphore.run(() => {
        started.push(i);
        return work.promise;
      }),
    );
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    expect([semaphore.isFull(2), semaphore.isFull(3)]).toEqual([true, false]);
    works[1]!.finish();
    await runs[1];
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1, 2]);
    works[0]!.finish();
    works[2]!.finish();
    works[3]!.finish();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
    expect(semaphore.isFull(0)).toBe(false);
  });

  test("passes the permit on when work fails", async () => {
    const semaphore = createSemaphore(1);
    const [bad, good] = [pending(), pending()];
    const first = semaphore.run(() => bad.promise);
    const second = semaphore.run(() => good.promise);
    bad.fail();
    await expect(first).rejects.toThrow("failed");
    good.finish();
    await second;
    expect(await semaphore.run(async () => 5)).toBe(5);
  });

  test("runs one at a time when 0 are allowed", async () => {
    expect(await createSemaphore(0).run(async () => "through")).toBe("through");
  });
});
