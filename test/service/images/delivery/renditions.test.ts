/** The cache of rendered images. */
import { describe, expect, test } from "vitest";
import { createRenditions } from "../../../../src/service/images/delivery/renditions.ts";

describe("renditions", () => {
  const rendition = (size: number) => ({ bytes: new Uint8Array(size), contentType: "image/png" });

  test("are rendered once for requests at the same time, and again after a failure", async () => {
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

  test("stay within the memory limit; the least recently used are dropped first", async () => {
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

  test("keep no other memory than their bytes", async () => {
    const renditions = createRenditions(1e6);
    const bytes = new Uint8Array(10_000).subarray(100, 110).fill(7);
    await renditions.get("a", async () => ({ bytes, contentType: "image/png" }));
    const kept = renditions.peek("a")?.bytes;
    expect([kept, kept?.buffer.byteLength]).toEqual([bytes, 10]);
  });
});
