/** The reported size is the size of the decoded output, whatever features the container of the original has. */
import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { renderVariant } from "../../../../src/engine/images/render/render.ts";
import { fits } from "../../../../src/engine/images/render/variant.ts";
import { validateImage } from "../../../../src/engine/images/validate-image.ts";
import { gifPicture } from "../../../../src/testing/pictures/picture-samples.ts";
import { runs } from "../../../support/runs.ts";
import {
  avifFiles,
  avifSequences,
  type ContainerFile,
  incompleteAvifFiles,
  longGif,
  otherFiles,
  pngFiles,
} from "../containers/picture-files.ts";
import { pixelAt, plain } from "../pictures.ts";

let avif: Record<string, ContainerFile>;
let others: Record<string, ContainerFile>;

beforeAll(async () => {
  avif = await avifFiles();
  others = { ...(await pngFiles()), ...(await otherFiles()) };
});

/** A delivery of a file at its own size. */
function exampleOf(file: [string, ContainerFile]) {
  return [{ file, fit: "scale-down", width: 150, height: 150, accept: undefined }] as [never];
}

/** The result of a decoder: the size of the first frame, after the orientation. */
async function shownSize(bytes: Uint8Array) {
  const { info } = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height };
}

describe("every file", () => {
  test("is validated with the size that it shows", async () => {
    for (const [name, { bytes, width, height }] of Object.entries({ ...avif, ...others })) {
      expect([name, await validateImage(bytes)]).toMatchObject([
        name,
        { ok: true, value: { width, height } },
      ]);
    }
  });

  test("is delivered with the reported size, through every fit and in every format", async () => {
    const files = Object.entries({ ...avif, ...others });
    const side = fc.integer({ min: 1, max: 150 });
    const delivery = fc.record({
      file: fc.constantFrom(...files),
      fit: fc.constantFrom(...fits),
      width: side,
      height: side,
      accept: fc.constantFrom(undefined, "image/webp", "image/avif"),
    });
    await fc.assert(
      fc.asyncProperty(delivery, async ({ file: [, { bytes }], fit, width, height, accept }) => {
        const rendered = await renderVariant(bytes, { fit, width, height }, { accept });
        if (!rendered.ok) throw new Error(rendered.problems[0].message);
        const { width: w, height: h } = rendered.value;
        expect(await shownSize(rendered.value.bytes)).toEqual({ width: w, height: h });
      }),
      {
        numRuns: runs(60),
        examples: files.map(exampleOf),
      },
    );
  });
});

describe("an AVIF", () => {
  test("with several items shows the primary one", async () => {
    for (const [name, { bytes, width, height, red }] of Object.entries(avif)) {
      const rendered = await renderVariant(bytes, { width: 500 }, { accept: "image/webp" });
      expect([name, rendered]).toMatchObject([name, { ok: true, value: { width, height, frames: 1 } }]);
      if (!rendered.ok || red === undefined) continue;
      const [shown] = await pixelAt(rendered.value.bytes, 5, 5);
      expect([name, Math.abs(shown - red) < 16]).toEqual([name, true]);
    }
  });

  test("that is an image sequence is rejected by that name", async () => {
    for (const bytes of Object.values(await avifSequences())) {
      const validated = await validateImage(bytes);
      expect(validated).toMatchObject({ ok: false, problems: [{ code: 5455 }] });
      expect(!validated.ok && validated.problems[0].message).toContain("found an AVIF image sequence");
    }
  });

  test("whose picture lacks data is rejected, and the message names what", async () => {
    for (const [name, { bytes, message }] of Object.entries(await incompleteAvifFiles())) {
      const problems = [{ code: 9422, message: `The AVIF image is cut off or incomplete: ${message}.` }];
      expect([name, await validateImage(bytes)]).toMatchObject([name, { ok: false, problems }]);
      expect([name, await renderVariant(bytes, { width: 9 })]).toMatchObject([name, { ok: false, problems }]);
    }
  });
});

test("`cover` of an extreme ratio names the size that it would need", async () => {
  const line = await plain(12_000, 1).png().toBuffer();
  const cover = (width: number, height: number) => renderVariant(line, { fit: "cover", width, height });
  expect(await cover(1, 1_398)).toMatchObject({ ok: true, value: { width: 1, height: 1_398 } });
  expect(await cover(1, 12_000)).toMatchObject({
    ok: false,
    problems: [
      {
        code: 9413,
        message:
          "The image must have at most 16777216 pixels on each side before it is cut; found 144000000 x 12000, scaled from 12000 x 1.",
      },
    ],
  });
});

describe("an animation", () => {
  const first = gifPicture({ width: 1_000, height: 1_000, color: [200, 20, 20] });
  const render = (frames: number) => renderVariant(longGif(first, frames), { width: 10 });

  test.each([26, 50])("of %i megapixels is transformed", async (frames) => {
    expect(await render(frames)).toMatchObject({ ok: true, value: { transformed: true, width: 10, frames } });
  });

  test.each([51, 100])("of %i megapixels is delivered untransformed", async (frames) => {
    expect(await render(frames)).toMatchObject({
      ok: true,
      value: { transformed: false, width: 1_000, frames },
    });
  });

  test("of 101 megapixels is rejected", async () => {
    expect(await render(101)).toMatchObject({ ok: false, problems: [{ code: 9413 }] });
    expect(await validateImage(longGif(first, 101))).toMatchObject({ ok: false, problems: [{ code: 5443 }] });
  });

  test("is limited by one frame of its output, and by all frames together", async () => {
    const gif = longGif(gifPicture({ width: 20, height: 10, color: [200, 20, 20] }), 3);
    const code = async (limits: object) => {
      const rendered = await renderVariant(gif, { fit: "cover", width: 20, height: 10 }, { limits });
      return rendered.ok ? undefined : rendered.problems[0].code;
    };
    expect(await code({ outputPixels: 200, transformedAnimationPixels: 600 })).toBeUndefined();
    expect(await code({ outputPixels: 199 })).toBe(9413);
    const larger = await renderVariant(
      gif,
      { fit: "cover", width: 21, height: 10 },
      { limits: { transformedAnimationPixels: 600 } },
    );
    expect(larger).toMatchObject({ ok: false, problems: [{ code: 9413 }] });
  });
});
