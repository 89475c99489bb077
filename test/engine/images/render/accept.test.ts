import { chooseFormat } from "edgeproof/images";
import { describe, expect, test } from "vitest";

const still = { type: "jpeg", frames: 1, side: 10 } as const;

describe("chooseFormat", () => {
  test.each([
    [undefined, "jpeg"],
    ["", "jpeg"],
    ["*/*", "jpeg"],
    ["image/*", "jpeg"],
    ["image/png", "jpeg"],
    ["image/webp", "webp"],
    ["image/avif", "avif"],
    ["image/avif,image/webp", "avif"],
    ["image/webp,image/avif", "avif"],
    ["image/avif;q=0, image/webp, */*", "webp"],
    ["image/avif;q=0.000,image/webp;q=0", "jpeg"],
    ["image/avif;q=0.1,image/webp;q=0.9", "avif"],
    ["image/webp;q=0.001", "webp"],
    ["IMAGE/WebP ; Q=1.0", "webp"],
    ["image/webp;q=high", "jpeg"],
    ["image/webp;q=2", "jpeg"],
    ["image/webp;q=-1", "jpeg"],
    ["image/webp;q=", "jpeg"],
    ["image/webpx, ximage/avif", "jpeg"],
    ["text/html,application/xhtml+xml,image/avif,image/webp,image/apng,*/*;q=0.8", "avif"],
    [",,;;,", "jpeg"],
  ])("chooses for %j the format %s", (accept, format) => {
    expect(chooseFormat(accept, still)).toBe(format);
  });

  test("an animation is never AVIF", () => {
    const moving = { type: "gif", frames: 2, side: 10 } as const;
    expect(chooseFormat("image/avif", moving)).toBe("gif");
    expect(chooseFormat("image/avif,image/webp", moving)).toBe("webp");
  });

  test("an output with a side of more than 1,200 pixels is WebP instead of AVIF, if WebP is accepted", () => {
    expect(chooseFormat("image/avif,image/webp", { ...still, side: 1_200 })).toBe("avif");
    expect(chooseFormat("image/avif,image/webp", { ...still, side: 1_201 })).toBe("webp");
    expect(chooseFormat("image/avif", { ...still, side: 1_201 })).toBe("jpeg");
    expect(chooseFormat("image/avif", { ...still, side: 101 }, { avifSide: 100 })).toBe("jpeg");
  });
});
