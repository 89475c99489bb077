/** The comparison of what a world has with what the store has, against a plain search of each in the other. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSeeds, type Seed } from "../../src/service/world/report.ts";
import { runs } from "../support/runs.ts";

const value = fc.record({ n: fc.nat(2), text: fc.constantFrom("a", "b") });
const stored = fc.uniqueArray(fc.record({ id: fc.nat(9).map(String), value }), { selector: ({ id }) => id });
const inWorld = fc.uniqueArray(
  fc.record({ id: fc.option(fc.nat(9).map(String), { nil: undefined }), value }),
  { selector: ({ id }) => id ?? {} },
);

function plain(world: readonly Seed[], store: readonly Seed[]): string | undefined {
  const left = [...store];
  const take = (test: (seed: Seed) => boolean) =>
    left.splice(left.findIndex(test), left.some(test) ? 1 : 0)[0];
  const text = JSON.stringify;
  const named = world
    .filter(({ id }) => id !== undefined)
    .map((seed) => [seed, take(({ id }) => id === seed.id)]);
  const different = named.filter(([a, b]) => b && text(a!.value) !== text(b.value)).length;
  const unnamed = world.filter(({ id }) => id === undefined);
  const missing =
    named.filter(([, found]) => !found).length +
    unnamed.filter((seed) => !take((candidate) => text(candidate.value) === text(seed.value))).length;
  const parts = [
    missing && `${missing} of the world missing`,
    different && `${different} different`,
    left.length && `${left.length} not in the world`,
  ].filter((part) => part !== 0);
  return parts.length === 0 ? undefined : `zone: the store keeps its rules (${parts.join(", ")})`;
}

test("counts what is missing, different and added", async () => {
  await fc.assert(
    fc.asyncProperty(inWorld, stored, async (world, store) => {
      expect(await compareSeeds("zone", "rules", world, store)).toBe(plain(world, store));
    }),
    { numRuns: runs(2_000) },
  );
});

test("compares as many rules without ids as a zone can have", async () => {
  const seeds = Array.from({ length: 10_000 }, (_, i): Seed => ({ value: { title: `rule ${i}` } }));
  const store = seeds.map(({ value }, i) => ({ id: `${i}`, value })).reverse();
  expect(await compareSeeds("zone", "rules", seeds, store)).toBeUndefined();
});
