/** The prefilter of stored pictures: their order, and which of them are searched. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { firstRound, isAlike, rankPictures, searchRounds } from "../../../src/engine/logo/rank-pictures.ts";
import { runs } from "../../support/runs.ts";

const score = fc.double({ min: 0, max: 1, noNaN: true });
const scored = (templates: number) =>
  fc.array(
    fc
      .array(score, { minLength: templates, maxLength: templates })
      .map((values) => Float32Array.from(values)),
    { minLength: 1, maxLength: 40 },
  );

test("every picture is ranked once, and one that exceeds the others for any template is the first", () => {
  fc.assert(
    fc.property(scored(3), fc.nat(2), fc.nat(), (pictures, template, at) => {
      expect(rankPictures(pictures).toSorted((a, b) => a - b)).toEqual([...pictures.keys()]);
      if (pictures.length < 11) return;
      const i = at % pictures.length;
      // More than a difference of 1 can count for another template, whatever the scores of this one are.
      const exceeding = pictures.map((scores, k) => (k === i ? scores.with(template, 1_000) : scores));
      expect(rankPictures(exceeding)[0]).toBe(i);
    }),
    { numRuns: runs(50) },
  );
});

test("a template that is similar to every picture says nothing about them", () => {
  const common = Array.from({ length: 20 }, (_, i) =>
    Float32Array.of(0.9 - (i % 3) / 1000, i === 7 ? 0.6 : 0.3),
  );
  expect(rankPictures(common)[0]).toBe(7);
});

/** Runs the rounds over pictures of which some have the logo. */
function run(
  ranked: readonly number[],
  has: (i: number) => boolean,
  isSame: (a: number, b: number) => boolean,
) {
  const searched: number[] = [];
  const rounds = searchRounds(ranked, isSame);
  for (let next = rounds.next([]); !next.done; ) {
    searched.push(...next.value);
    next = rounds.next(next.value.filter(has));
  }
  return searched;
}

const order = fc.integer({ min: 1, max: 60 }).map((count) => Array.from({ length: count }, (_, i) => i));

test("a tenth is searched, each picture at most once; all of them when all have the logo", () => {
  fc.assert(
    fc.property(order, fc.infiniteStream(fc.boolean()), (ranked, random) => {
      const some = ranked.map(() => random.next().value);
      const searched = run(
        ranked,
        (i) => some[i]!,
        () => false,
      );
      expect(new Set(searched).size).toBe(searched.length);
      expect(searched.slice(0, firstRound(ranked.length))).toEqual(
        ranked.slice(0, firstRound(ranked.length)),
      );
      expect(
        run(
          ranked,
          () => false,
          () => false,
        ),
      ).toHaveLength(firstRound(ranked.length));
      expect(
        run(
          ranked,
          () => true,
          () => false,
        ),
      ).toEqual(ranked);
      // Without the logo in half of a round nothing follows it.
      expect(
        run(
          ranked,
          (i) => i === 0 && ranked.length > 20,
          () => false,
        ),
      ).toHaveLength(firstRound(ranked.length));
    }),
    { numRuns: runs(50) },
  );
});

test("pictures that look like one that has the logo are searched next, though not those of others", () => {
  const ranked = Array.from({ length: 40 }, (_, i) => i);
  const isSame = (a: number, b: number) => a % 10 === b % 10;
  expect(run(ranked, (i) => i === 2, isSame)).toEqual([0, 1, 2, 3, 12, 22, 32]);
});

test("hashes of ten different bits look alike, of eleven they do not", () => {
  const none = "0".repeat(64);
  expect(isAlike(none, `${"0".repeat(61)}3ff`)).toBe(true);
  expect(isAlike(none, `8${"0".repeat(60)}3ff`)).toBe(false);
  expect(isAlike(`f${"0".repeat(63)}`, none)).toBe(true);
});
