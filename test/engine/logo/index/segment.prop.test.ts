/** Segments: what they find, compared with comparing every picture. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPrefilterData, writeLogoDescriptor } from "../../../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../../../src/engine/logo/features/compare.ts";
import { createLogoIndex } from "../../../../src/engine/logo/index/search-index.ts";
import {
  emptySegmentEntry,
  searchSegment,
  segmentEntry,
  segmentVersion,
  writeSegment,
} from "../../../../src/engine/logo/index/segment.ts";
import { randomBytes } from "../random.ts";
import { syntheticDescriptor } from "../synthetic.ts";

/** Hashes that are often close to each other, because few bytes vary. */
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => bytes.map((b, i) => (i < 18 ? (i * 37) % 256 : b)));

/** Pictures of which several have the same pixels, aspect, or color, and some have no foreground. */
const contents = fc.record({
  hashes: fc.array(hash, { maxLength: 4 }),
  kind: fc.nat(30),
  aspect: fc.integer({ min: -4, max: 4 }),
  drawing: fc.nat(3),
  pixels: fc.option(fc.nat(2), { freq: 4 }),
});

type Contents = typeof contents extends fc.Arbitrary<infer T> ? T : never;

function make(role: "query" | "scan", { hashes, kind, aspect, drawing, pixels }: Contents) {
  const made = syntheticDescriptor(role, hashes, kind, aspect * 0.7, randomBytes(drawing + 1, 768));
  return writeLogoDescriptor({ ...made, ...(pixels !== null && { digest: randomBytes(pixels + 7, 32) }) });
}

const entryOf = (id: number, { bytes }: { bytes: Uint8Array }) => segmentEntry(id, readPrefilterData(bytes));

test("a segment finds every picture whose comparison scores above 0, and those that an index of the same pictures loads", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(contents, { maxLength: 20 }),
      contents,
      fc.nat(2 ** 31),
      async (all, query, first) => {
        const target = make("query", query);
        const scans = all.map((each) => make("scan", each));
        const loaded: unknown[] = [];
        const index = createLogoIndex({
          load: (ids) => {
            loaded.push(...ids);
            return ids.map(() => undefined);
          },
        });
        for (const [i, scan] of scans.entries()) index.add(first + i, scan);
        await index.search(target, { threshold: 0.5 });
        const found = searchSegment(writeSegment(scans.map((scan, i) => entryOf(first + i, scan))), target)!;
        const scored = scans.flatMap((scan, i) => (compareLogos(target, scan).score > 0 ? [first + i] : []));
        const isEqual = (i: number) => Buffer.compare(scans[i]!.digest, target.digest) === 0;
        expect(found.ids).toEqual(scans.map((_, i) => first + i));
        expect(found.candidates).toEqual(expect.arrayContaining(scored));
        expect(found.candidates.filter((id) => !isEqual(id - first)).toSorted((a, b) => a - b)).toEqual(
          loaded.filter((id) => !isEqual(Number(id) - first)).toSorted((a, b) => Number(a) - Number(b)),
        );
      },
    ),
  );
});

describe("a segment", () => {
  const scan = syntheticDescriptor("scan", [randomBytes(1, 32), randomBytes(2, 32)], 1);
  const target = syntheticDescriptor("query", [randomBytes(2, 32)], 2, 0, randomBytes(3, 768));
  const segment = writeSegment([entryOf(7, scan), emptySegmentEntry(8), entryOf(9, scan)]);

  test("is searched at any offset of a larger buffer, and again after a longer one", () => {
    const larger = new Uint8Array(segment.length + 3);
    larger.set(segment, 3);
    const long = Array.from({ length: 3_000 }, (_, i) =>
      entryOf(i, syntheticDescriptor("scan", [randomBytes(i + 9, 32)], i, 0, randomBytes(i + 9, 768))),
    );
    expect(searchSegment(writeSegment(long), target)?.ids).toHaveLength(3_000);
    expect(searchSegment(larger.subarray(3), target)).toEqual({ ids: [7, 8, 9], candidates: [7, 9] });
  });

  test("has 33 bytes a view and 29 a picture, and keeps nothing of the descriptors", () => {
    expect(segment.length).toBe(12 + 4 * 33 + 3 * 29);
    const bytes = scan.bytes.slice();
    const entry = segmentEntry(1, readPrefilterData(bytes));
    const before = writeSegment([entry]);
    bytes.fill(0);
    expect(writeSegment([entry])).toEqual(before);
  });

  test("finds a picture of the same pixels, whatever its views and its thumbnail are", () => {
    const equal = writeLogoDescriptor({ ...scan, digest: target.digest });
    const other = randomBytes(2, 32).map((byte) => 255 - byte);
    const far = syntheticDescriptor("scan", [other], 5, 0, new Uint8Array(768));
    const same = writeLogoDescriptor({ ...far, digest: target.digest });
    expect(
      searchSegment(writeSegment([entryOf(1, far), entryOf(2, same), entryOf(3, equal)]), target),
    ).toEqual({
      ids: [1, 2, 3],
      candidates: [2, 3],
    });
  });

  test("of another version, truncated, or with other bytes after it is not read", () => {
    expect(segmentVersion).toBe(`${segment[0]}.${segment[1]}`);
    for (const at of [0, 1]) {
      const other = segment.slice();
      other[at]! += 1;
      expect(searchSegment(other, target)).toBeUndefined();
    }
    for (const bytes of [segment.slice(0, -1), segment.slice(0, 5), new Uint8Array([...segment, 0])])
      expect(searchSegment(bytes, target)).toBeUndefined();
    expect(searchSegment(writeSegment([]), target)).toEqual({ ids: [], candidates: [] });
  });
});
