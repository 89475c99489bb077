import { validateImage } from "edgeproof/images";
import fc from "fast-check";
import sharp from "sharp";
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

test("a damaged JPEG is rejected when the decoder reports an error in any of its lines, and only then", async () => {
  const side = fc.integer({ min: 1, max: 120 });
  const outcomes = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(
      fc.record({ width: side, height: side, seed: fc.nat() }),
      fc.record({ progressive: fc.boolean(), chromaSubsampling: fc.constantFrom("4:2:0", "4:4:4") }),
      // Often near the end, of which a decoder may not read all.
      fc.record({ before: fc.integer({ min: 3, max: 400 }), missing: fc.nat(60), byte: fc.nat(0xfe) }),
      async ({ width, height, seed }, options, { before, missing, byte }) => {
        const whole = await noisy(width, height, seed).jpeg(options).toBuffer();
        const at = Math.max(whole.length - before, whole.length >> 1);
        const rest = whole.subarray(Math.min(at + missing, whole.length - 2));
        const damaged = Buffer.concat([whole.subarray(0, at), Buffer.of(byte), rest]);
        const decoded = await sharp(damaged)
          .raw()
          .toBuffer()
          .then(
            () => true,
            () => false,
          );
        outcomes.add(decoded);
        const validated = await validateImage(damaged);
        const isRejected = !validated.ok && validated.problems[0].message.includes("cannot be decoded");
        const isCutOff = !validated.ok && validated.problems[0].message.includes("cut off");
        expect(isCutOff || isRejected === !decoded).toBe(true);
      },
    ),
    { numRuns: runs(300) },
  );
  expect(outcomes).toEqual(new Set([true, false]));
});
