import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogoDescriptor, LogoRole } from "../../../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../../../src/engine/logo/features/compare.ts";
import type { LogoId } from "../../../../src/engine/logo/index/prefilter-table.ts";
import { createLogoIndex } from "../../../../src/engine/logo/index/search-index.ts";
import { runs } from "../../../support/runs.ts";
import { randomBytes } from "../random.ts";
import { syntheticDescriptor } from "../synthetic.ts";

/** Hashes that are often close to each other, because few bytes vary. */
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => bytes.map((b, i) => (i < 18 ? (i * 37) % 256 : b)));

/** Parameters of a descriptor; few, so that a counterexample is readable. */
const contents = fc.record({
  hashes: fc.array(hash, { maxLength: 4 }),
  kind: fc.nat(30),
  aspect: fc.integer({ min: -4, max: 4 }),
  thumbnail: fc.record({ drawing: fc.nat(2), strength: fc.nat(8), noise: fc.nat(8), seed: fc.nat(50) }),
});

type Contents = typeof contents extends fc.Arbitrary<infer T> ? T : never;

function make(role: LogoRole, { hashes, kind, aspect, thumbnail }: Contents): LogoDescriptor {
  return syntheticDescriptor(role, hashes, kind, aspect * 0.7, thumbnailOf(thumbnail));
}

/** One of three thumbnails with noise: copies, different pictures, and cases between. */
function thumbnailOf({ drawing, strength, noise, seed }: Contents["thumbnail"]): Uint8Array {
  const drawn = randomBytes(drawing + 1, 768);
  const grain = randomBytes(seed + 10, 768);
  return drawn.map((level, i) => 128 + ((level - 128) * strength + (grain[i]! - 128) * noise) / 16);
}

const id = fc.oneof(fc.nat(12), fc.constantFrom("a", "b", "10", "2"));

type Step = { readonly add: readonly [LogoId, Contents] } | { readonly remove: LogoId };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(id, contents).map((add) => ({ add })) },
    { weight: 1, arbitrary: id.map((remove) => ({ remove })) },
  ),
  { maxLength: 25 },
);

/** The reference model: compares with every entry and sorts. */
function bruteForce(entries: Map<LogoId, LogoDescriptor>, target: LogoDescriptor, threshold: number) {
  const rank = (x: LogoId) => (typeof x === "number" ? 0 : 1);
  return [...entries]
    .map(([key, entry]) => ({
      id: key,
      ...(target.role === "query" ? compareLogos(target, entry) : compareLogos(entry, target)),
    }))
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || rank(a.id) - rank(b.id) || (a.id < b.id ? -1 : 1));
}

for (const [role, other] of [
  ["scan", "query"],
  ["query", "scan"],
] as const) {
  for (const loaded of [false, true]) {
    test(`an index of ${role} entries${loaded ? " with a loader" : ""} finds the same entries as comparing with each of them`, async () => {
      await fc.assert(
        fc.asyncProperty(
          steps,
          contents,
          fc.constantFrom(0, Number.MIN_VALUE, 0.3, 0.6, 1),
          fc.option(fc.nat(5), { nil: undefined }),
          async (changes, targetContents, threshold, limit) => {
            const target = make(other, targetContents);
            const entries = new Map<LogoId, LogoDescriptor>();
            const load = (ids: readonly LogoId[]) => ids.map((key) => entries.get(key)?.bytes);
            const index = createLogoIndex(loaded ? { role, load } : { role });
            for (const change of changes) {
              if ("add" in change) {
                const [key, made] = [change.add[0], make(role, change.add[1])];
                entries.set(key, made);
                index.add(key, made);
              } else {
                expect(index.remove(change.remove)).toBe(entries.delete(change.remove));
              }
            }
            expect(index.size).toBe(entries.size);
            const found = await index.search(
              target,
              limit === undefined ? { threshold } : { threshold, limit },
            );
            const expected = bruteForce(entries, target, threshold).slice(0, limit);
            expect(found.map(({ blockHash, blockDistance, ...rest }) => rest)).toEqual(expected);
            for (const { id: key, blockHash } of found) expect(blockHash).toBe(entries.get(key)!.blockHash);
          },
        ),
        { numRuns: runs(300) },
      );
    });
  }
}
