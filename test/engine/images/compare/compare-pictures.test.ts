/** Rendered against approved pictures. */
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { photo } from "../../../../src/cli/demo/photo.ts";
import { comparePictures } from "../../../../src/engine/images/compare/compare-pictures.ts";
import { maxDifferences } from "../../../../src/engine/images/compare/difference.ts";
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

/** The formats and qualities of delivery. */
const encoders = {
  png: (picture: Sharp) => picture.png(),
  webp: (picture: Sharp) => picture.webp({ quality: 80 }),
  jpeg: (picture: Sharp) => picture.jpeg({ quality: 85 }),
};

/** Pairs of pictures with a change that is easy to overlook for a program. */
async function visibleChanges(): Promise<Record<string, readonly [golden: Buffer, actual: Buffer]>> {
  const of = (color: string, marks = "") => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160"><rect width="240" height="160" fill="${color}"/>${marks}</svg>`;
    return sharp(Buffer.from(svg)).flatten().png().toBuffer();
  };
  const small = await sharp(photo).autoOrient().resize(240).png().toBuffer();
  const veil = (bytes: Buffer) => {
    const input = {
      create: {
        width: 240,
        height: 160,
        channels: 4 as const,
        background: { r: 0, g: 0, b: 0, alpha: 0.045 },
      },
    };
    return sharp(bytes)
      .composite([{ input, top: 0, left: 0 }])
      .png()
      .toBuffer();
  };
  const text = `<text x="20" y="80" font-family="sans-serif" font-size="16" fill="#ddd">Free delivery</text>`;
  const line = `<rect y="93" width="240" height="1" fill="#b0b0b0"/>`;
  const white = await of("#fff");
  return {
    gray: [await of("#808080"), await of("#8c8c8c")],
    blue: [await of("#0057B8"), await of("#0057DC")],
    text: [await of("#fff", text), white],
    line: [await of("#fff", line), white],
    "veil over white": [white, await veil(white)],
    "veil over a photograph": [small, await veil(small)],
  };
}

describe("pictures are the same", () => {
  test("when their bytes are, and they can be read", async () => {
    const png = await plain(4, 4).png().toBuffer();
    expect(await comparePictures(png, png)).toMatchObject({ isSame: true, isCompared: true });
    const text = Buffer.from("x");
    expect(await comparePictures(text, text)).toMatchObject({ isSame: false, isCompared: false });
  });

  test("in another format, and another quality of a photograph", async () => {
    const small = await sharp(photo).resize(200).png().toBuffer();
    expect(
      await comparePictures(await sharp(small).webp({ lossless: true }).toBuffer(), small),
    ).toMatchObject({
      isSame: true,
      reason:
        "the largest differences are change 0.0000 (at most 0.0600), shift 0.0000 (at most 0.0300), wide 0.0000 (at most 0.0120), shape 0.0000 (at most 0.2000), detail 0.0000 (at most 0.4000), coarseness 0.0000 (at most 0.8000)",
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
      expect.stringContaining(`(at most ${maxDifferences.shift.toFixed(4)})`),
    ]);
    const { width, height } = await sharp(marked).metadata();
    expect([width, height]).toEqual([64, 64]);
  });

  test("when a person sees it: a slightly other gray or blue, a lost pale text or line, a dark veil", async () => {
    for (const [name, [golden, actual]] of Object.entries(await visibleChanges())) {
      for (const format of ["png", "webp", "jpeg"] as const) {
        const encode = (bytes: Buffer) => encoders[format](sharp(bytes)).toBuffer();
        const { isSame, reason } = await comparePictures(await encode(actual), await encode(golden));
        expect([name, format, isSame, reason]).toEqual([name, format, false, expect.any(String)]);
      }
    }
  });

  test("of a few pixels only", async () => {
    const of = (side: number, gray: number) => plain(side, side, [gray, gray, gray]).png().toBuffer();
    for (const side of [1, 3, 8, 9]) {
      expect(await comparePictures(await of(side, 128), await of(side, 140))).toMatchObject({
        isSame: false,
      });
      expect(await comparePictures(await of(side, 128), await of(side, 130))).toMatchObject({ isSame: true });
    }
  });

  test("more with a smaller tolerance, less with a larger one", async () => {
    const [a, b] = [
      await plain(40, 40, [128, 128, 128]).png().toBuffer(),
      await plain(40, 40, [129, 128, 128]).png().toBuffer(),
    ];
    const c = await plain(40, 40, [150, 150, 150]).png().toBuffer();
    expect(await comparePictures(a, b)).toMatchObject({ isSame: true });
    expect(await comparePictures(a, b, { tolerance: 0 })).toMatchObject({ isSame: false });
    expect(await comparePictures(a, c)).toMatchObject({ isSame: false });
    expect(await comparePictures(a, c, { tolerance: 10 })).toMatchObject({ isSame: true });
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

  test("blurred, sharpened or enlarged, and not by a mark in one corner", async () => {
    const [width, height] = [300, 200];
    const picture = await noisy(width, height).blur(0.8).png().toBuffer();
    const small = await sharp(picture)
      .resize(Math.round(width / 2))
      .png()
      .toBuffer();
    const changed = {
      blurred: sharp(picture).blur(0.9),
      sharpened: sharp(picture).sharpen({ sigma: 1 }),
      enlarged: sharp(small).resize(width, height, { fit: "fill" }),
    };
    for (const [name, actual] of Object.entries(changed)) {
      const { isSame, reason } = await comparePictures(await actual.png().toBuffer(), picture);
      expect([name, isSame, Number(/detail ([\d.]+)/.exec(reason)?.[1]) > maxDifferences.detail]).toEqual([
        name,
        false,
        true,
      ]);
    }
    const mark = await noisy(50, 50).png().toBuffer();
    const marked = await sharp(picture)
      .composite([{ input: mark, left: 0, top: 0 }])
      .png()
      .toBuffer();
    expect((await comparePictures(marked, picture)).reason).toContain("detail 0.0000");
  });
});

describe("small changes of delivered pictures", () => {
  const panel = (text: string, color: string, size = 12) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="24"><rect width="60" height="24" fill="#fff"/><text x="6" y="16" font-family="sans-serif" font-size="${size}" fill="${color}">${text}</text></svg>`;
    return Buffer.from(svg);
  };

  test("a digit of 12 pixels differs in every format, dark or gray, at any offset from the blocks", async () => {
    const background = await sharp(photo).resize(120, 80).png().toBuffer();
    for (const [before, after] of [
      ["$19", "$79"],
      ["$15.20", "$15.80"],
    ] as const) {
      for (let offset = 0; offset < 8; offset++) {
        const color = offset % 2 === 0 ? "#222" : "#57606a";
        for (const encode of Object.values(encoders)) {
          const of = (text: string) => {
            const input = panel(text, color);
            return encode(
              sharp(background).composite([{ input, left: 20 + offset, top: 10 + offset }]),
            ).toBuffer();
          };
          const { isSame, reason } = await comparePictures(await of(after), await of(before));
          expect([offset, isSame, reason]).toEqual([offset, false, expect.any(String)]);
        }
      }
    }
  });

  test("a JPEG of quality 40 differs from one of 85 or more, one of 80 does not", async () => {
    const small = await sharp(photo).resize(200).png().toBuffer();
    const of = (quality: number, more = {}) =>
      sharp(small)
        .jpeg({ quality, ...more })
        .toBuffer();
    const isSame = async (a: Promise<Buffer>, b: Promise<Buffer>) =>
      (await comparePictures(await a, await b)).isSame;
    for (const golden of [85, 90, 100]) {
      expect([golden, await isSame(of(40), of(golden)), await isSame(of(golden), of(40))]).toEqual([
        golden,
        false,
        false,
      ]);
      expect([golden, await isSame(of(80, { progressive: true }), of(golden))]).toEqual([golden, true]);
    }
    expect(await isSame(of(85, { mozjpeg: true }), of(85))).toBe(true);
    expect((await comparePictures(await of(40), await of(85))).reason).toMatch(
      /coarseness 1\.07\d\d \(at most 0\.8000\)$/,
    );
  });
});

describe("animations differ", () => {
  const frames = Promise.all([20, 90, 160].map((r) => plain(16, 16, [r, 10, 10]).png().toBuffer()));
  const join = async (format: "gif" | "webp", delay: number[], loop: number) =>
    sharp(await frames, { join: { animated: true } })
      [format]({ delay, loop })
      .toBuffer();

  test.each(["gif", "webp"] as const)("as %s by the time of a frame, and by the loop", async (format) => {
    const golden = await join(format, [100, 40, 100], 0);
    const compare = async (delay: number[], loop: number) =>
      comparePictures(await join(format, delay, loop), golden, { tolerance: 20 });
    expect((await compare([100, 40, 100], 0)).isSame).toBe(true);
    expect(await compare([100, 60, 50], 0)).toEqual({
      isSame: false,
      isCompared: true,
      reason: "frame 2 is shown for 60 ms; in the approved picture for 40 ms",
    });
    expect(await compare([100, 40, 100], 3)).toEqual({
      isSame: false,
      isCompared: true,
      reason: "the animation loops 3 times; the approved picture loops forever",
    });
  });

  test("not by times of at most 10 ms, which are shown for 100 ms", async () => {
    const [fast, slow] = [await join("gif", [10, 0, 100], 0), await join("gif", [100, 100, 100], 0)];
    expect((await comparePictures(fast, slow)).isSame).toBe(true);
  });

  test("not by their format", async () => {
    const [gif, webp] = [await join("gif", [100, 40, 100], 2), await join("webp", [100, 40, 100], 2)];
    expect((await comparePictures(gif, webp)).isSame).toBe(true);
  });
});
