import { fits, type ImageLimits, metadataModes, planGeometry, renderVariant } from "edgeproof/images";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { runs } from "../../../support/runs.ts";
import { animation, noisy } from "../pictures.ts";

const files = [
  await noisy(37, 23).png().toBuffer(),
  await noisy(37, 23).jpeg().toBuffer(),
  await noisy(37, 23).webp().toBuffer(),
  await noisy(37, 23).gif().toBuffer(),
  await noisy(37, 23).avif({ effort: 0 }).toBuffer(),
  await animation(3, 37, 23, "gif"),
  await animation(3, 37, 23, "webp"),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>'),
];
const side = fc.integer({ min: 1, max: 60 });
const options = fc.record(
  { fit: fc.constantFrom(...fits), metadata: fc.constantFrom(...metadataModes), width: side, height: side },
  { requiredKeys: ["fit", "metadata", "width"] },
);
const accept = fc.constantFrom(undefined, "*/*", "image/webp", "image/webp,image/gif");

test("an output has exactly the pixels of its plan", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(6), options, accept, async (n, variant, header) => {
      const rendering = await renderVariant(files[n]!, variant, { accept: header });
      expect(rendering).toMatchObject({
        ok: true,
        value: planGeometry({ width: 37, height: 23 }, variant).output,
      });
      if (!rendering.ok) return;
      const { width, pageHeight, height } = await sharp(rendering.value.bytes, { animated: true }).metadata();
      expect({ width, height: pageHeight ?? height }).toEqual({
        width: rendering.value.width,
        height: rendering.value.height,
      });
    }),
    { numRuns: runs(120) },
  );
});

test("any bytes are rendered or rejected with a code", async () => {
  const limits: Partial<ImageLimits> = { inputPixels: 1_000_000, outputPixels: 100_000 };
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(files.length - 1),
      edits,
      options,
      accept,
      async (n, changes, variant, header) => {
        const bytes = Buffer.from(files[n]!);
        for (const [index, value] of changes) bytes[index % Math.min(bytes.length, 300)] = value;
        const rendering = await renderVariant(bytes, variant, { accept: header, limits });
        expect(rendering.ok || [9412, 9413, 9422, 9516].includes(rendering.problems[0].code)).toBe(true);
      },
    ),
    { numRuns: runs(150) },
  );
});
