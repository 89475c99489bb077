/** The renditions of the sheet of pictures, and the words for sizes and formats. */
import { expect, test } from "vitest";
import {
  bytesText,
  changeText,
  fitsOf,
  formatText,
  maxSide,
  pixelsText,
  readBox,
  renditionsOf,
} from "../../web/src/pictures/renditions.ts";

test("a box is read from the address, within its limits", () => {
  expect(readBox("640x1")).toEqual({ width: 640, height: 1 });
  expect(readBox(`${maxSide}x${maxSide}`)).toEqual({ width: maxSide, height: maxSide });
  for (const text of [undefined, "", "640", "0x1", "1x0", `1x${maxSide + 1}`, "-1x1", "1x1x1", "1.5x1", "x"])
    expect(readBox(text), text).toEqual({ width: 320, height: 240 });
});

test("every fit is rendered into the box, and every variant by its id", () => {
  expect(fitsOf({ width: 10, height: 20 }).map(({ key, query }) => [key, query])).toEqual(
    ["scale-down", "contain", "cover", "crop", "pad"].map((fit) => [
      `fit-${fit}`,
      { fit, width: "10", height: "20" },
    ]),
  );
  const [rendition] = renditionsOf([
    { id: "hero", fit: "cover", width: 3, height: 4, metadata: "none", isPublic: false },
  ]);
  expect(rendition).toEqual({
    key: "variant-hero",
    title: "hero",
    detail: "cover, 3 x 4",
    query: { variant: "hero" },
  });
});

test("sizes, changes, formats and pixels are words", () => {
  expect([0, 999, 1_000, 999_949, 999_950, 2_345_678].map(bytesText)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.0 kB",
    "999.9 kB",
    "1.00 MB",
    "2.35 MB",
  ]);
  expect(changeText(100, 25)).toBe("75 % smaller");
  expect(changeText(100, 150)).toBe("50 % larger");
  expect(changeText(0, 5)).toBe("same size");
  expect(["image/webp", "image/svg+xml", "image/jpeg"].map(formatText)).toEqual(["WebP", "SVG", "JPEG"]);
  const type = "image/gif";
  expect(pixelsText({ type, width: 2, height: 3, frames: 4 })).toBe("2 x 3, 4 frames");
  expect(pixelsText({ type, width: 2, height: 3 })).toBe("2 x 3");
  expect(pixelsText({ type })).toBe("");
});
