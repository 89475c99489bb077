import { describe, expect, test } from "vitest";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import { readLogoDescriptor } from "../../../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../../../src/engine/logo/features/compare.ts";
import type { LogoId } from "../../../../src/engine/logo/index/prefilter-table.ts";
import { createLogoIndex } from "../../../../src/engine/logo/index/search-index.ts";
import { InvalidInputError } from "../../../../src/errors.ts";
import { drawings, paint, png, solid } from "../drawings.ts";
import { randomBytes } from "../random.ts";
import { syntheticDescriptor } from "../synthetic.ts";

const names = Object.keys(drawings);
const logo = (name: string) => paint(drawings[name]!, { side: 96 });
const copy = (name: string) => paint(drawings[name]!, { side: 120, margin: 0.2, foreground: [180, 30, 30] });

/** The descriptors of all drawings, made once. */
const copies = new Map(names.map((name) => [name, describeRaster(copy(name), "scan")]));
const logos = new Map(names.map((name) => [name, describeRaster(logo(name), "query")]));

test("an index of pictures finds the pictures of a new logo", async () => {
  const index = createLogoIndex();
  for (const [name, picture] of copies) index.add(name, picture);
  for (const [name, query] of logos) {
    const found = await index.search(query, { threshold: 0.85 });
    expect(found.map(({ id }) => id)).toEqual([name]);
    expect(found[0]!.blockHash).toMatch(/^[0-9a-f]{64}$/);
    expect(found[0]!.blockDistance).toBeGreaterThan(0);
  }
});

test("an index of logos finds the logo in a new image file", async () => {
  const index = createLogoIndex({ role: "query" });
  for (const [name, { bytes }] of logos) index.add(name, bytes);
  const found = await index.search(await png(copy("wing")), { threshold: 0.85 });
  expect(found.map(({ id }) => id)).toEqual(["wing"]);
});

test("an index finds solid pictures by color", async () => {
  const index = createLogoIndex();
  index.add("red", describeRaster(solid(5, 5, [255, 0, 0]), "scan"));
  index.add("logo", copies.get("wing")!);
  const found = await index.search(describeRaster(solid(9, 9, [255, 0, 0]), "query"), { threshold: 0.5 });
  expect(found.map(({ id, score }) => [id, score])).toEqual([["red", 1]]);
});

test("an index finds a copy by its thumbnail when no pair of views is comparable", async () => {
  const thumbnail = randomBytes(1, 768);
  const copy = thumbnail.map((level) => level ^ 3);
  const hashes = [randomBytes(2, 32), randomBytes(3, 32)] as const;
  for (const solid of [false, true]) {
    const index = createLogoIndex();
    index.add("copy", syntheticDescriptor("scan", solid ? [] : [hashes[0]], 1, 0, copy));
    index.add("other", syntheticDescriptor("scan", solid ? [] : [hashes[0]], 2, 0, randomBytes(4, 768)));
    const found = await index.search(syntheticDescriptor("query", [hashes[1]], 3, 0, thumbnail), {
      threshold: 0.9,
    });
    expect(found.map(({ id }) => id)).toEqual(["copy"]);
  }
});

test("an index with a loader keeps about 150 bytes a picture and loads few of 20,000 descriptors", async () => {
  const count = 20_000;
  const views = 4;
  const hashes = randomBytes(3, count * views * 32);
  const hashesOf = (n: number) =>
    Array.from({ length: views }, (_, v) => hashes.subarray((n * views + v) * 32, (n * views + v + 1) * 32));
  let loads = 0;
  const load = (ids: readonly LogoId[]) => {
    loads += ids.length;
    return ids.map((id) => syntheticDescriptor("scan", hashesOf(Number(id)), Number(id)).bytes);
  };
  const index = createLogoIndex({ load });
  for (let n = 0; n < count; n++) index.add(n, syntheticDescriptor("scan", hashesOf(n), n));
  const query = syntheticDescriptor("query", [hashesOf(12_345)[2]!], 12_345);
  const found = await index.search(query, { threshold: Number.MIN_VALUE });
  expect(found.map(({ id }) => id)).toContain(12_345);
  expect(loads).toBeGreaterThan(0);
  expect(loads).toBeLessThan(count / 20);
  expect(index.bytes / count).toBeLessThan(180);
}, 60_000);

test("an index compacts its rows after many removals and still finds the remaining entries", async () => {
  const index = createLogoIndex();
  const hashOf = (n: number) => randomBytes(n + 1, 32);
  for (let n = 0; n < 6000; n++) index.add(n, syntheticDescriptor("scan", [hashOf(n)], 1));
  const before = index.bytes;
  for (let n = 0; n < 5990; n++) expect(index.remove(n)).toBe(true);
  expect(index.size).toBe(10);
  expect(index.bytes).toBeLessThan(before);
  const found = await index.search(syntheticDescriptor("query", [hashOf(5995)], 1), { threshold: 1 });
  expect(found.map(({ id }) => id)).toContain(5995);
  expect(index.has(5995)).toBe(true);
  expect(index.has(3)).toBe(false);
});

test("a search leaves out an entry whose descriptor was deleted", async () => {
  const index = createLogoIndex({ load: (ids) => ids.map(() => undefined) });
  index.add("a", copies.get("wing")!);
  expect(await index.search(logos.get("wing")!, { threshold: 0 })).toEqual([]);
});

describe("an index throws for", () => {
  const scan = describeRaster(solid(2, 2, [0, 0, 0]), "scan");
  const query = describeRaster(solid(2, 2, [0, 0, 0]), "query");

  test("a descriptor of the wrong role", async () => {
    const index = createLogoIndex();
    expect(() => index.add("a", query)).toThrow(
      "`add` of this index takes a descriptor with role `scan`; found `query`.",
    );
    await expect(index.search(scan, { threshold: 0.5 })).rejects.toThrow(
      /`search` of this index takes a descriptor with role `query`; found `scan`/,
    );
  });

  test("a threshold or limit out of range", async () => {
    const index = createLogoIndex();
    for (const threshold of [-0.1, 1.1, Number.NaN, "0.5", null, true] as number[]) {
      await expect(index.search(query, { threshold })).rejects.toThrow(RangeError);
    }
    for (const limit of [-1, 1.5]) {
      await expect(index.search(query, { threshold: 0.5, limit })).rejects.toThrow(RangeError);
    }
  });

  test("a rejected image, with its problems", async () => {
    const outcome = createLogoIndex().search(Buffer.from("no image"), { threshold: 0.5 });
    await expect(outcome).rejects.toThrow(InvalidInputError);
    await expect(outcome).rejects.toMatchObject({ problems: [{ code: 7001 }] });
  });

  test.each([undefined, null, new Map(), { length: 1 }])("a loader that returns %j", async (loaded) => {
    const index = createLogoIndex({ load: () => loaded as never });
    index.add("a", scan);
    await expect(index.search(query, { threshold: 0 })).rejects.toThrow(
      new TypeError("`load` must return an array of 1 descriptor; found no array."),
    );
  });

  test("a loader that returns too few descriptors", async () => {
    const index = createLogoIndex({ load: () => [] });
    index.add("a", scan);
    await expect(index.search(query, { threshold: 0 })).rejects.toThrow(
      "`load` must return an array of 1 descriptor; found an empty array.",
    );
  });
});

describe("readLogoDescriptor", () => {
  const descriptor = describeRaster(logo("hooks"), "query");

  test("reads the descriptor that was written", () => {
    const bytes = Uint8Array.from(descriptor.bytes);
    expect(readLogoDescriptor(bytes)).toEqual({ ...descriptor, bytes });
    const scan = describeRaster(copy("hooks"), "scan");
    expect(compareLogos(readLogoDescriptor(bytes), scan)).toEqual(compareLogos(descriptor, scan));
  });

  test("reads a part of a larger buffer", () => {
    const padded = new Uint8Array(descriptor.bytes.length + 3);
    padded.set(descriptor.bytes, 3);
    expect(readLogoDescriptor(padded.subarray(3)).views).toEqual(descriptor.views);
  });

  test("rejects damaged bytes", () => {
    const { bytes } = descriptor;
    for (const bad of [
      new Uint8Array(),
      bytes.slice(0, 100),
      bytes.slice(0, -1),
      Uint8Array.from(bytes).fill(9, 0, 1),
    ]) {
      expect(() => readLogoDescriptor(bad)).toThrow(
        /not a logo descriptor of version 2; describe the picture again/,
      );
    }
  });
});
