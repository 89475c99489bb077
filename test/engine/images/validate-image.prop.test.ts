import { validateImage } from "edgeproof/images";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../support/runs.ts";
import { noisy } from "./pictures.ts";

test("a complete JPEG is accepted, and one without some of its last bytes is rejected", async () => {
  const side = fc.integer({ min: 1, max: 70 });
  const missing = fc.integer({ min: 1, max: 9 });
  await fc.assert(
    fc.asyncProperty(
      side,
      side,
      fc.nat(),
      fc.boolean(),
      missing,
      async (width, height, seed, progressive, cut) => {
        const whole = await noisy(width, height, seed).jpeg({ progressive }).toBuffer();
        expect(await validateImage(whole)).toMatchObject({
          ok: true,
          value: { type: "jpeg", width, height },
        });
        expect(await validateImage(whole.subarray(0, -cut))).toMatchObject({
          ok: false,
          problems: [{ code: 9422 }],
        });
      },
    ),
    { numRuns: runs(200) },
  );
});
