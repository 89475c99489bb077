/** Rendered against approved pictures. */
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { photo } from "../../../../src/cli/demo/photo.ts";
import { comparePictures } from "../../../../src/engine/images/compare/compare-pictures.ts";
import { maxBlockDifference } from "../../../../src/engine/images/compare/difference.ts";
import { animation, noisy, plain } from "../pictures.ts";

/** A plain picture with a rectangle of another color and alpha. */
function withMark(left: number, width: number, height: number, alpha = 1, gray = 0) {
  const mark = {
    create: { width, height, channels: 4 as const, background: { r: gray, g: gray, b: gray, alpha } },
  };
  return plain(64, 64, [255, 255, 255])
    .composite([{ input: mark, left, top: 20 }])
    .png()
    .toBuffer();
}

describe("pictures are the same", () => {
  test("when their bytes are, whatever they are", async () => {
    expect(await comparePictures(Buffer.from("x"), Buffer.from("x"))).toMatchObject({ isSame: true });
  });

  test("in another format, and another quality of a photograph", async () => {
    const small = await sharp(photo).resize(200).png().toBuffer();
    expect(
      await comparePictures(await sharp(small).webp({ lossless: true }).toBuffer(), small),
    ).toMatchObject({
      isSame: true,
      reason: "the largest difference of a block is 0.000 of 1",
    });
    const [a, b] = [
      await sharp(small).jpeg({ quality: 85 }).toBuffer(),
      await sharp(small).jpeg({ quality: 80 }).toBuffer(),
    ];
    expect(await comparePictures(a, b)).toMatchObject({ isSame: true });
  });

  test("with other colors of transparent pixels", async () => {
    const of = (r: number) => {
      const background = { r, g: 0, b: 0, alpha: 0 };
      return sharp({ create: { width: 9, height: 9, channels: 4, background } })
        .png()
        .toBuffer();
    };
    expect(await comparePictures(await of(255), await of(0))).toMatchObject({ isSame: true });
  });
});

describe("pictures differ", () => {
  test.each([
    ["a line of one pixel", () => withMark(30, 1, 40)],
    ["a small mark", () => withMark(30, 3, 3)],
    ["a pale mark", () => withMark(24, 8, 8, 0.2)],
  ])("by %s, which is marked", async (_, draw) => {
    const golden = await plain(64, 64, [255, 255, 255]).png().toBuffer();
    const { isSame, reason, marked } = await comparePictures(await draw(), golden);
    expect([isSame, reason]).toEqual([
      false,
      expect.stringContaining(`at most ${maxBlockDifference} is allowed`),
    ]);
    const { width, height } = await sharp(marked).metadata();
    expect([width, height]).toEqual([64, 64]);
  });

  test("by alpha alone, in white and in black", async () => {
    for (const gray of [0, 255]) {
      const of = (alpha: number) => {
        const background = { r: gray, g: gray, b: gray, alpha };
        return sharp({ create: { width: 16, height: 16, channels: 4, background } })
          .png()
          .toBuffer();
      };
      expect(await comparePictures(await of(1), await of(0.5))).toMatchObject({ isSame: false });
    }
  });

  test("by their size, their frames, and as an SVG by their bytes", async () => {
    const png = await plain(20, 10).png().toBuffer();
    const reasonOf = async (a: Uint8Array, b: Uint8Array) => {
      const { isSame, reason } = await comparePictures(a, b);
      return isSame ? undefined : reason;
    };
    expect(await reasonOf(await plain(20, 11).png().toBuffer(), png)).toBe(
      "the size is 20 x 11 pixels; the approved picture has 20 x 10 pixels",
    );
    expect(await reasonOf(await animation(3, 20, 10, "gif"), await animation(2, 20, 10, "gif"))).toBe(
      "the size is 20 x 10 pixels in 3 frames; the approved picture has 20 x 10 pixels in 2 frames",
    );
    const svg = (id: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" id="${id}"/>`);
    expect(await reasonOf(svg("a"), svg("b"))).toBe("an SVG must have the same bytes");
    expect(await reasonOf(png, Buffer.from("x"))).toMatch(/^the approved picture cannot be read: /);
    expect(await reasonOf(Buffer.from("x"), png)).toMatch(/^the rendered picture cannot be read: /);
    const cut = (await noisy(40, 40).png().toBuffer()).subarray(0, -600);
    expect(await reasonOf(cut, await noisy(40, 40).png().toBuffer())).toBeDefined();
  });

  test("in a later frame", async () => {
    const frames = await Promise.all([20, 90, 20].map((r) => plain(16, 16, [r, 10, 10]).png().toBuffer()));
    const changed = [frames[0]!, frames[1]!, await plain(16, 16, [250, 10, 10]).png().toBuffer()];
    const join = (pictures: Buffer[]) =>
      sharp(pictures, { join: { animated: true } })
        .gif()
        .toBuffer();
    expect(await comparePictures(await join(changed), await join(frames))).toMatchObject({ isSame: false });
  });
});
