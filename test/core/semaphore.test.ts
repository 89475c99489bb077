/** The gate before decoding and rendering, and the memory of what was rendered. */
import { describe, expect, test } from "vitest";
import { createGate } from "../../src/core/semaphore.ts";
import { createRenditions } from "../../src/service/images/delivery/renditions.ts";

/** Work that ends when it is told to. */
function pending() {
  let finish = () => {};
  let fail = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = () => reject(new Error("failed"));
  });
  return { promise, finish, fail };
}

describe("a gate", () => {
  test("lets so many run at a time, in the order in which they came", async () => {
    const gate = createGate(2);
    const started: number[] = [];
    const works = [pending(), pending(), pending(), pending()];
    const runs = works.map((work, i) =>
      gate.run(() => {
        started.push(i);
        return work.promise;
      }),
    );
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    expect([gate.isFull(2), gate.isFull(3)]).toEqual([true, false]);
    works[1]!.finish();
    await runs[1];
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1, 2]);
    works[0]!.finish();
    works[2]!.finish();
    works[3]!.finish();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
    expect(gate.isFull(0)).toBe(false);
  });

  test("gives the place on when work fails", async () => {
    const gate = createGate(1);
    const [bad, good] = [pending(), pending()];
    const first = gate.run(() => bad.promise);
    const second = gate.run(() => good.promise);
    bad.fail();
    await expect(first).rejects.toThrow("failed");
    good.finish();
    await second;
    expect(await gate.run(async () => 5)).toBe(5);
  });

  test("has at least one place", async () => {
    expect(await createGate(0).run(async () => "through")).toBe("through");
  });
});

describe("renditions", () => {
  const rendition = (size: number) => ({ bytes: new Uint8Array(size), contentType: "image/png" });

  test("are made once at a time, and again after a failure", async () => {
    const renditions = createRenditions(1e6);
    let made = 0;
    const make = async () => {
      made++;
      await Promise.resolve();
      if (made === 1) throw new Error("not now");
      return rendition(10);
    };
    const both = await Promise.allSettled([renditions.get("a", make), renditions.get("a", make)]);
    expect([made, ...both.map((b) => b.status)]).toEqual([1, "rejected", "rejected"]);
    expect(renditions.peek("a")).toBeUndefined();
    const kept = await renditions.get("a", make);
    expect([made, renditions.peek("a")]).toEqual([2, kept]);
    expect(await renditions.get("a", make)).toBe(kept);
    expect(made).toBe(2);
  });

  test("take no more memory than they may, and leave in the order of their last use", async () => {
    const renditions = createRenditions(3 * 2_024);
    for (const key of ["a", "b", "c"]) await renditions.get(key, async () => rendition(1_000));
    renditions.peek("a");
    await renditions.get("d", async () => rendition(1_000));
    expect(["a", "b", "c", "d"].filter((key) => renditions.peek(key))).toEqual(["a", "c", "d"]);
    await renditions.get("huge", async () => rendition(10_000));
    expect(["a", "c", "d", "huge"].filter((key) => renditions.peek(key))).toEqual(["a", "c", "d"]);
    await renditions.get("e", async () => rendition(3_000));
    expect(["a", "c", "d", "e"].filter((key) => renditions.peek(key))).toEqual(["d", "e"]);
  });
});
