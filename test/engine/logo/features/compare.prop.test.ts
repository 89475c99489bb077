import fc from "fast-check";
import { expect, test } from "vitest";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { describeLogo } from "../../../../src/engine/logo/describe.ts";
import type { LogoRole } from "../../../../src/engine/logo/descriptor.ts";
import { compareWhole } from "../../../../src/engine/logo/features/compare.ts";
import { runs } from "../../../support/runs.ts";
import { image } from "../drawings.ts";

/** Drawings whose border has two colors, with a disc and a bar on them. */
const drawing = fc.record({
  width: fc.integer({ min: 48, max: 320 }),
  height: fc.integer({ min: 48, max: 320 }),
  colors: fc.tuple(...([0, 1, 2, 3] as const).map(() => fc.integer({ min: 0, max: 0xffffff }))),
  split: fc.integer({ min: 30, max: 70 }),
  disc: fc.record({ x: fc.nat(100), y: fc.nat(100), radius: fc.integer({ min: 8, max: 40 }) }),
  bar: fc.record({ y: fc.nat(90), tall: fc.integer({ min: 5, max: 30 }) }),
});

type Drawn = typeof drawing extends fc.Arbitrary<infer T> ? T : never;

function paintTwoGrounds({ width, height, colors, split, disc, bar }: Drawn): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 4) {
      const [across, down] = [(100 * x) / width, (100 * y) / height];
      const inDisc = Math.hypot(across - disc.x, down - disc.y) < disc.radius;
      const inBar = down >= bar.y && down < bar.y + bar.tall && across > 20;
      const color = inDisc ? colors[2] : inBar ? colors[3] : across < split ? colors[0] : colors[1];
      data.set([color! >> 16, (color! >> 8) & 255, color! & 255, 255], o);
    }
  }
  return { width, height, data };
}

async function descriptorOf(file: Buffer, role: LogoRole) {
  const outcome = await describeLogo(file, { role });
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value;
}

test("a picture rescaled by 0.5 to 2, or as JPEG of quality 90, scores at least 0.9 on any background", async () => {
  await fc.assert(
    fc.asyncProperty(drawing, fc.double({ min: 0.5, max: 2, noNaN: true }), async (drawn, factor) => {
      const picture = image(paintTwoGrounds(drawn)).removeAlpha();
      const original = await picture.clone().png().toBuffer();
      const size = [Math.round(drawn.width * factor), Math.round(drawn.height * factor)] as const;
      const rescaled = await picture
        .clone()
        .resize(...size, { fit: "fill" })
        .png()
        .toBuffer();
      const jpeg = await picture.clone().jpeg({ quality: 90 }).toBuffer();
      const query = await descriptorOf(original, "query");
      for (const copy of [rescaled, jpeg]) {
        expect(compareWhole(query, await descriptorOf(copy, "scan"))).toBeGreaterThanOrEqual(0.9);
      }
    }),
    { numRuns: runs(15) },
  );
});
