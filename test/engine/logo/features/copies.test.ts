import { describe, expect, test } from "vitest";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import { compareWhole } from "../../../../src/engine/logo/features/compare.ts";
import { copyDistance, hasSameBlocks } from "../../../../src/engine/logo/features/copies.ts";
import { drawings, paint } from "../drawings.ts";

/** Left half one gray, right half another. */
function halves(left: number, right: number): Uint8Array {
  return Uint8Array.from({ length: 768 }, (_, i) => (Math.floor(i / 3) % 16 < 8 ? left : right));
}

const sized = (thumbnail: Uint8Array, width = 100, height = 100) => ({ width, height, thumbnail });
const blackWhite = sized(halves(0, 255));

describe("distance of copies", () => {
  test("is the difference as a share of the contrast", () => {
    expect(copyDistance(blackWhite, blackWhite)).toBe(0);
    // Contrasts 127.5 and 102.5, the difference 25 in one half.
    expect(copyDistance(blackWhite, sized(halves(50, 255)))).toBeCloseTo((50 / Math.SQRT2 - 0.5) / 102.5, 5);
    expect(copyDistance(sized(halves(100, 110)), sized(halves(110, 100)))).toBeCloseTo(9.5 / 5, 5);
  });

  test("is infinite for another aspect, with room for rounding to whole pixels", () => {
    expect(copyDistance(blackWhite, sized(blackWhite.thumbnail, 100, 90))).toBe(Number.POSITIVE_INFINITY);
    expect(copyDistance(blackWhite, sized(blackWhite.thumbnail, 51, 50))).toBe(0);
  });

  test("is infinite when the contrast is too low", () => {
    const white = sized(halves(255, 255));
    expect(copyDistance(white, white)).toBe(Number.POSITIVE_INFINITY);
    expect(copyDistance(white, blackWhite)).toBe(Number.POSITIVE_INFINITY);
    expect(copyDistance(sized(halves(254, 255)), sized(halves(254, 255)))).toBe(Number.POSITIVE_INFINITY);
  });

  test("of small pictures uses few cells, which resampling hardly changes", () => {
    const noisy = sized(halves(40, 200).map((v, i) => v + (Math.floor(i / 3) % 2 ? 40 : -40)));
    expect(copyDistance(noisy, sized(halves(40, 200)))).toBeGreaterThan(0.4);
    expect(copyDistance(noisy, sized(halves(40, 200), 31, 31))).toBe(0);
    expect(copyDistance(noisy, sized(halves(40, 200), 32, 32))).toBeGreaterThan(0.4);
  });

  test("exceeds 0.6 for different drawings", () => {
    const all = Object.values(drawings).map((drawing) => describeRaster(paint(drawing)));
    for (const a of all) {
      for (const b of all) if (a !== b) expect(copyDistance(a, b)).toBeGreaterThan(0.6);
    }
  });
});

describe("the block hash", () => {
  const hash = (bits: (i: number) => boolean) =>
    Array.from({ length: 64 }, (_, d) =>
      [0, 1, 2, 3].reduce((digit, b) => 2 * digit + (bits(4 * d + b) ? 1 : 0), 0).toString(16),
    ).join("");
  const isRight = (i: number) => i % 16 >= 8;

  test("is the same while a fifth of the clear blocks differ", () => {
    const { thumbnail } = blackWhite;
    const of = (different: number) => ({
      thumbnail: Uint8Array.from(thumbnail),
      blockHash: hash((i) => isRight(i) !== i < different),
    });
    expect(hasSameBlocks(of(0), of(51))).toBe(true);
    expect(hasSameBlocks(of(0), of(52))).toBe(false);
  });

  test("may have any bits where the blocks are near the median", () => {
    const gray = (level: number, bits: (i: number) => boolean) => ({
      thumbnail: halves(level, level + 10),
      blockHash: hash(bits),
    });
    expect(
      hasSameBlocks(
        gray(100, isRight),
        gray(100, (i) => !isRight(i)),
      ),
    ).toBe(true);
    expect(hasSameBlocks(gray(100, isRight), { ...blackWhite, blockHash: hash((i) => !isRight(i)) })).toBe(
      false,
    );
  });

  test("decides that pictures of different things are no copies, whatever their thumbnails are", () => {
    const stairs = describeRaster(paint(drawings["stairs"]!), "query");
    const wing = describeRaster(paint(drawings["wing"]!));
    expect(compareWhole(stairs, { ...wing, thumbnail: stairs.thumbnail.slice() })).toBe(0);
  });
});
