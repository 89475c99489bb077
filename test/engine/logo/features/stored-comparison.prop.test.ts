/** The shortcuts of comparisons, compared with the comparisons themselves. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareLogos, compareStored } from "../../../../src/engine/logo/features/compare.ts";
import { copyDistance, mayBeCopy } from "../../../../src/engine/logo/features/copies.ts";
import { maxSimilarCopyDistance } from "../../../../src/engine/logo/tuning.ts";
import { runs } from "../../../support/runs.ts";
import { randomBytes } from "../random.ts";
import { syntheticDescriptor } from "../synthetic.ts";

/** A thumbnail of one of two drawings, with noise and at some contrast. */
const thumbnail = fc
  .record({
    drawing: fc.nat(1),
    strength: fc.nat(16),
    noise: fc.nat(3),
    seed: fc.nat(50),
    side: fc.constantFrom(1, 4),
  })
  .map(({ drawing, strength, noise, seed, side }) => {
    // With larger cells averaging changes little, so that the shortcut is nearly exact.
    const at = (bytes: Uint8Array, i: number) =>
      bytes[Math.floor(i / 48 / side) * 48 + Math.floor((i % 48) / 3 / side)]!;
    const [drawn, grain] = [randomBytes(drawing + 1, 1_000), randomBytes(seed + 10, 1_000)];
    return Uint8Array.from(
      { length: 768 },
      (_, i) => 128 + ((at(drawn, i) - 128) * strength + (at(grain, i) - 128) * noise) / 32,
    );
  });

const sizes = [
  [64, 64],
  [65, 64],
  [20, 20],
  [9, 100],
] as const;
const sized = fc
  .record({ thumbnail, size: fc.constantFrom(...sizes) })
  .map(({ thumbnail, size: [width, height] }) => ({
    thumbnail,
    width,
    height,
  }));

test("every pair that is close enough for copies may be a copy", () => {
  let close = 0;
  let excluded = 0;
  fc.assert(
    fc.property(sized, sized, (a, b) => {
      if (copyDistance(a, b) <= maxSimilarCopyDistance) {
        close++;
        expect(mayBeCopy(a, b)).toBe(true);
      } else if (!mayBeCopy(a, b)) excluded++;
    }),
    { numRuns: runs(2_000, 2_000) },
  );
  // Of 2,000 pairs, 71 on average.
  expect(close).toBeGreaterThan(20);
  expect(excluded).toBeGreaterThan(50);
});

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => bytes.map((b, i) => (i < 18 ? (i * 37) % 256 : b)));
const views = fc.record({
  hashes: fc.array(hash, { maxLength: 4 }),
  kind: fc.nat(30),
  aspect: fc.integer({ min: -4, max: 4 }),
  thumbnail,
});

test("a stored picture of which only the comparable views are read has the comparison of the whole one", () => {
  let left = 0;
  fc.assert(
    fc.property(views, views, (a, b) => {
      const query = syntheticDescriptor("query", a.hashes, a.kind, a.aspect * 0.7, a.thumbnail);
      const whole = syntheticDescriptor("scan", b.hashes, b.kind, b.aspect * 0.7, b.thumbnail);
      const { scan, ...comparison } = compareStored(query, whole.bytes);
      expect(comparison).toEqual(compareLogos(query, whole));
      expect({ ...scan, views: [] }).toEqual({ ...whole, views: [] });
      left += whole.views.length - scan.views.length;
    }),
    { numRuns: runs(150, 150) },
  );
  expect(left).toBeGreaterThan(0);
});
