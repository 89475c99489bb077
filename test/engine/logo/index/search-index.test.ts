import { describe, expect, test } from "vitest";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import { readLogoDescriptor } from "../../../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../../../src/engine/logo/features/compare.ts";
import type { LogoId } from "../../../../src/engine/logo/index/prefilter-table.ts";
import { createLogoIndex } from "../../../../src/engine/logo/index/search-index.ts";
import { InvalidInputError } from "../../../../src/errors.ts";
import { drawings, paint, png, solid } from "../drawings.ts";
import { randomBytes } from "../random.ts";
import { madeUp } from "../synthetic.ts";

const names = Object.keys(drawings);
const logo = (name: string) => paint(drawings[name]!, { side: 96 });
const copy = (name: string) => paint(drawings[name]!, { side: 120, margin: 0.2, ink: [180, 30, 30] });

test("pictures indexed, a logo sought: the lookback", async () => {
  const index = createLogoIndex();
  for (const name of names) index.add(name, describeRaster(copy(name), "scan"));
  for (const name of names) {
    const found = await index.search(describeRaster(logo(name), "query"), { threshold: 0.85 });
    expect(found.map(({ id }) => id)).toEqual([name]);
    expect(found[0]!.blockHash).toMatch(/^[0-9a-f]{64}$/);
    expect(found[0]!.blockDistance).toBeGreaterThan(0);
  }
});

test("logos indexed, a new picture held against them all, as a file", async () => {
  const index = createLogoIndex({ role: "query" });
  for (const name of names) index.add(name, describeRaster(logo(name), "query").bytes);
  const found = await index.search(await png(copy("wing")), { threshold: 0.85 });
  expect(found.map(({ id }) => id)).toEqual(["wing"]);
});

test("solid pictures are found by colour", async () => {
  const index = createLogoIndex();
  index.add("red", describeRaster(solid(5, 5, [255, 0, 0]), "scan"));
  index.add("logo", describeRaster(copy("wing"), "scan"));
  const found = await index.search(describeRaster(solid(9, 9, [255, 0, 0]), "query"), { threshold: 0.5 });
  expect(found.map(({ id, score }) => [id, score])).toEqual([["red", 1]]);
});

test("a copy none of whose views meets is found by its thumbnail", async () => {
  const thumb = randomBytes(1, 768);
  const copy = thumb.map((level) => level ^ 3);
  const gates = [randomBytes(2, 32), randomBytes(3, 32)] as const;
  for (const solid of [false, true]) {
    const index = createLogoIndex();
    index.add("copy", madeUp("scan", solid ? [] : [gates[0]], 1, 0, copy));
    index.add("other", madeUp("scan", solid ? [] : [gates[0]], 2, 0, randomBytes(4, 768)));
    const found = await index.search(madeUp("query", [gates[1]], 3, 0, thumb), { threshold: 0.9 });
    expect(found.map(({ id }) => id)).toEqual(["copy"]);
  }
});

test("20,000 descriptors stay with the loader; the index keeps about 150 bytes a picture", async () => {
  const count = 20_000;
  const views = 4;
  const gates = randomBytes(3, count * views * 32);
  const gatesOf = (n: number) =>
    Array.from({ length: views }, (_, v) => gates.subarray((n * views + v) * 32, (n * views + v + 1) * 32));
  let loads = 0;
  const load = (ids: readonly LogoId[]) => {
    loads += ids.length;
    return ids.map((id) => madeUp("scan", gatesOf(Number(id)), Number(id)).bytes);
  };
  const index = createLogoIndex({ load });
  for (let n = 0; n < count; n++) index.add(n, madeUp("scan", gatesOf(n), n));
  const query = madeUp("query", [gatesOf(12_345)[2]!], 12_345);
  const found = await index.search(query, { threshold: Number.MIN_VALUE });
  expect(found.map(({ id }) => id)).toContain(12_345);
  expect(loads).toBeGreaterThan(0);
  expect(loads).toBeLessThan(count / 20);
  expect(index.bytes / count).toBeLessThan(180);
}, 60_000);

test("after many removals the rows are compacted and the rest is still found", async () => {
  const index = createLogoIndex();
  const gate = (n: number) => randomBytes(n + 1, 32);
  for (let n = 0; n < 6000; n++) index.add(n, madeUp("scan", [gate(n)], 1));
  const before = index.bytes;
  for (let n = 0; n < 5990; n++) expect(index.remove(n)).toBe(true);
  expect(index.size).toBe(10);
  expect(index.bytes).toBeLessThan(before);
  const found = await index.search(madeUp("query", [gate(5995)], 1), { threshold: 1 });
  expect(found.map(({ id }) => id)).toContain(5995);
  expect(index.has(5995)).toBe(true);
  expect(index.has(3)).toBe(false);
});

test("an entry whose descriptor is gone is left out", async () => {
  const index = createLogoIndex({ load: (ids) => ids.map(() => undefined) });
  index.add("a", describeRaster(copy("wing"), "scan"));
  expect(await index.search(describeRaster(logo("wing"), "query"), { threshold: 0 })).toEqual([]);
});

describe("misuse", () => {
  const scan = describeRaster(solid(2, 2, [0, 0, 0]), "scan");
  const query = describeRaster(solid(2, 2, [0, 0, 0]), "query");

  test("roles", async () => {
    const index = createLogoIndex();
    expect(() => index.add("a", query)).toThrow(
      "add takes a descriptor made with role `scan` here, not `query`.",
    );
    await expect(index.search(scan, { threshold: 0.5 })).rejects.toThrow(/role `query` here/);
  });

  test("thresholds and limits", async () => {
    const index = createLogoIndex();
    for (const threshold of [-0.1, 1.1, Number.NaN, "0.5", null, true] as number[]) {
      await expect(index.search(query, { threshold })).rejects.toThrow(RangeError);
    }
    for (const limit of [-1, 1.5]) {
      await expect(index.search(query, { threshold: 0.5, limit })).rejects.toThrow(RangeError);
    }
  });

  test("a refused image carries its problems", async () => {
    const outcome = createLogoIndex().search(Buffer.from("no image"), { threshold: 0.5 });
    await expect(outcome).rejects.toThrow(InvalidInputError);
    await expect(outcome).rejects.toMatchObject({ problems: [{ code: 7001 }] });
  });

  test.each([undefined, null, new Map(), { length: 1 }])("a loader that gives %j", async (loaded) => {
    const index = createLogoIndex({ load: () => loaded as never });
    index.add("a", scan);
    await expect(index.search(query, { threshold: 0 })).rejects.toThrow(
      new TypeError("The loader of a logo index gave no array of descriptors for 1 ids."),
    );
  });

  test("a loader that gives too little", async () => {
    const index = createLogoIndex({ load: () => [] });
    index.add("a", scan);
    await expect(index.search(query, { threshold: 0 })).rejects.toThrow("gave 0 descriptors for 1 ids");
  });
});

describe("descriptors as bytes", () => {
  const descriptor = describeRaster(logo("hooks"), "query");

  test("read back as they were", () => {
    const bytes = Uint8Array.from(descriptor.bytes);
    expect(readLogoDescriptor(bytes)).toEqual({ ...descriptor, bytes });
    const scan = describeRaster(copy("hooks"), "scan");
    expect(compareLogos(readLogoDescriptor(bytes), scan)).toEqual(compareLogos(descriptor, scan));
  });

  test("read from the middle of a larger buffer", () => {
    const padded = new Uint8Array(descriptor.bytes.length + 3);
    padded.set(descriptor.bytes, 3);
    expect(readLogoDescriptor(padded.subarray(3)).views).toEqual(descriptor.views);
  });

  test("damaged bytes are refused", () => {
    const { bytes } = descriptor;
    for (const bad of [
      new Uint8Array(),
      bytes.slice(0, 100),
      bytes.slice(0, -1),
      Uint8Array.from(bytes).fill(9, 0, 1),
    ]) {
      expect(() => readLogoDescriptor(bad)).toThrow(
        /not a logo descriptor of version 1; describe the picture again/,
      );
    }
  });
});
