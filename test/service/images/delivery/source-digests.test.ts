/** Digests of fetched sources, which are kept by comparison with a copy. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf } from "../../../../src/service/images/delivery/renditions.ts";
import { sourceDigests } from "../../../../src/service/images/delivery/source-digests.ts";

function countingDigests() {
  let hashed = 0;
  const digest = sourceDigests((bytes) => {
    hashed++;
    return hashOf(bytes);
  });
  return { digest, hashed: () => hashed };
}

test("every digest is that of the bytes, also when a buffer changes in its place", () => {
  const step = fc.record({
    url: fc.constantFrom("a", "b"),
    place: fc.nat({ max: 3 }),
    value: fc.nat({ max: 1 }),
    isOther: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { digest } = countingDigests();
      const shared = new Uint8Array(4);
      for (const { url, place, value, isOther } of steps) {
        shared[place] = value;
        const bytes = isOther ? shared.slice(0, place) : shared;
        expect(digest(url, bytes)).toBe(hashOf(bytes));
      }
    }),
  );
});

test("the same bytes of a URL are hashed once, in whichever buffer they are", () => {
  const { digest, hashed } = countingDigests();
  const bytes = new Uint8Array(1_000).fill(7);
  for (const again of [bytes, bytes.slice(), Buffer.from(bytes)]) digest("a", again);
  expect(hashed()).toBe(1);
  digest("b", bytes);
  expect(hashed()).toBe(2);
});

test("a source that is larger than the memory is hashed each time", () => {
  const { digest, hashed } = countingDigests();
  const large = new Uint8Array(67_108_864);
  digest("a", large);
  digest("a", large);
  expect(hashed()).toBe(2);
});
