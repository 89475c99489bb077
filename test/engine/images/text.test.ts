/** Text on images: set with outlines of the package's own font. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { comparePictures } from "../../../src/engine/images/compare/compare-pictures.ts";
import { imageLimits } from "../../../src/engine/images/limits.ts";
import { drawText } from "../../../src/engine/images/text/draw-text.ts";
import { layOut } from "../../../src/engine/images/text/lay-out.ts";
import { readText } from "../../../src/engine/images/text/read-text.ts";
import { runs } from "../../support/runs.ts";

const font = { url: "https://example.com/font.woff2" };
const black = { r: 0, g: 0, b: 0, alpha: 1 };
const golden = new URL("../../../fixtures/images/text.png", import.meta.url);
const sample = "Hamburg Ümläut ß €9\nΕλλάδα ώς Привет ґ\nTiếng Việt “№ 5” 中";

function picture(content: string, size = 100) {
  return layOut(content, size, black);
}

/** The pixels that are not transparent: bounds, and their number. */
async function inkOf(content: string, size = 100) {
  const png = await drawText(picture(content, size), imageLimits);
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = Array.from({ length: info.width * info.height }, (_, i) => i).filter(
    (i) => (data[4 * i + 3] ?? 0) > 0,
  );
  const xs = at.map((i) => i % info.width);
  const ys = at.map((i) => Math.floor(i / info.width));
  return {
    count: at.length,
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

/** Measures of the font's own tables `hmtx`, `hhea` and `OS/2`, in thousandths of an em. */
const advances = { A: 639, W: 930, i: 258, " ": 260, "0": 572, Ж: 905, Ω: 717 } as const;
const [lineHeight, capHeight, baseline] = [1_362, 714, 1_069] as const;

describe("a text", () => {
  test("is as wide as the advances of its letters, and as high as its lines", () => {
    for (const [letter, advance] of Object.entries(advances))
      expect([letter, picture(letter.repeat(20)).width]).toEqual([letter, Math.ceil(advance * 2)]);
    expect(picture("A").height).toBe(Math.ceil(lineHeight / 10));
    expect(picture("A\nB\r\nC").height).toBe(Math.ceil((3 * lineHeight) / 10));
    expect(picture("AW\nA").width).toBe(Math.ceil((advances.A + advances.W) / 10));
  });

  test("is on the baseline, with capitals of the font's height", async () => {
    const { top, bottom } = await inkOf("H");
    expect(Math.abs(top - (baseline - capHeight) / 10)).toBeLessThanOrEqual(1);
    expect(Math.abs(bottom - baseline / 10)).toBeLessThanOrEqual(1);
  });

  test("is drawn whole where letters reach out of their advance", async () => {
    const { left, right } = await inkOf("jjj", 400);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThan(picture("jjj", 400).width);
    // The hook of a j begins left of its origin.
    expect(picture("jjj", 400).width).toBeGreaterThan((3 * 258 * 400) / 1_000);
  });

  test("has the same picture for composed and decomposed letters, and without invisible characters", () => {
    expect(picture("a\u0308").svg).toBe(picture("ä").svg);
    expect(picture("\u202ea\u200bb\ufe0f\u0007c\u00ad").svg).toBe(picture("abc").svg);
    expect(picture("a\tb").svg).toBe(picture("a b").svg);
  });

  test("has boxes for characters that the font lacks, which a warning names", async () => {
    const read = readText("中文 a 中 🙂", { font });
    expect(read.ok && read.value.warnings).toEqual([
      "font is not fetched; the text is drawn in Noto Sans",
      "Noto Sans lacks U+4E2D, U+6587, U+1F642, drawn as boxes",
    ]);
    const { count } = await inkOf("中");
    // A frame of 500 x 714, 50 wide: 111,400 of a million.
    expect(Math.abs(count - 1_114)).toBeLessThan(250);
  });

  test("equals its approved picture", async () => {
    const png = await drawText(picture(sample, 32), imageLimits);
    expect(await comparePictures(png, await readFile(golden))).toMatchObject({ isSame: true });
  });

  test("has the same bytes without any font on the machine", async () => {
    const script = `
      import { drawText } from "./src/engine/images/text/draw-text.ts";
      import { layOut } from "./src/engine/images/text/lay-out.ts";
      import { imageLimits } from "./src/engine/images/limits.ts";
      const png = await drawText(layOut(process.argv[1], 32, { r: 0, g: 0, b: 0, alpha: 1 }), imageLimits);
      process.stdout.write(Buffer.from(png).toString("base64"));`;
    const drawIn = (env: Record<string, string>) =>
      execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script, sample], {
        cwd: fileURLToPath(new URL("../../../", import.meta.url)),
        env: { ...process.env, ...env },
        encoding: "utf8",
      });
    const own = Buffer.from(await drawText(picture(sample, 32), imageLimits)).toString("base64");
    const none = {
      FONTCONFIG_FILE: "/dev/null",
      FONTCONFIG_PATH: "/nonexistent",
      XDG_DATA_HOME: "/nonexistent",
    };
    expect(drawIn(none)).toBe(own);
  });
});

describe("readText", () => {
  const read = (content: unknown, options: unknown) => {
    const result = readText(content, options);
    return result.ok ? "ok" : `${result.problems[0].code} ${result.problems[0].message}`;
  };

  test("reads the options of the provider's types, and fills in defaults", () => {
    const { ok, value } = readText("A", { font, size: null, color: null }) as never as {
      ok: boolean;
      value: { picture: { svg: string; height: number } };
    };
    expect([ok, value.picture.height]).toEqual([true, 17]);
    expect(value.picture.svg).toContain('fill="rgb(0,0,0)" fill-opacity="1');
    const colored = readText("A", { font, size: 96, color: "#223E4980" });
    expect(colored.ok && colored.value.picture.svg).toContain('fill="rgb(34,62,73)" fill-opacity="0.5');
  });

  test.each([
    ["", { font }, "9401 The text must be a string of 1 to 1000 characters; found 0 characters."],
    [5, { font }, "9401 The text must be a string of 1 to 1000 characters; found `5`."],
    [
      "🙂".repeat(1_001),
      { font },
      "9401 The text must be a string of 1 to 1000 characters; found 1001 characters.",
    ],
    [
      "x".repeat(1_048_576),
      { font },
      "9401 The text must be a string of 1 to 1000 characters; found 1048576 characters.",
    ],
    ["a", null, "9401 The options of a text must be an object; found `null`."],
    ["a", {}, "9401 `font` of a text must be `{ url }` with an http or https URL; found nothing."],
    [
      "a",
      { font: { url: "file:///a.ttf" } },
      "9401 `font` of a text must be `{ url }` with an http or https URL; found an object.",
    ],
    ["a", { font, size: 0 }, "9401 `size` of a text must be a number above 0, up to 4096; found `0`."],
    ["a", { font, size: 4_097 }, "9401 `size` of a text must be a number above 0, up to 4096; found `4097`."],
    ["a", { font, size: "12" }, "9401 `size` of a text must be a number above 0, up to 4096; found `12`."],
    [
      "a",
      { font, color: "lab(1 2 3)" },
      "9401 `color` of a text must be a color of CSS: a name, `#rrggbb`, `rgb()` or `hsl()`; found `lab(1 2 3)`.",
    ],
    [
      "W".repeat(500),
      { font, size: 10 },
      "9413 A text must have at most 4096 pixels on each side; found 4650 x 14.",
    ],
  ])("rejects text %# with %j", (content, options, message) => {
    expect(read(content, options)).toBe(message);
  });

  test("accepts 1000 characters, whatever their length in UTF-16", () => {
    expect(read("🙂".repeat(1_000), { font, size: 1 })).toBe("ok");
  });

  test("makes only paths of whatever text it reads, of the size that it states", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "<script>",
        "</g>",
        "&#x41;",
        "]]>",
        "\u202e",
        "\0",
        "\ud800",
        '"/><text>',
        "e\u0301".repeat(9),
        "\n",
      ),
    );
    const texts = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(texts, fc.double({ min: 0.1, max: 30, noNaN: true }), async (content, size) => {
        const result = readText(content, { font, size, color: "red" });
        if (!result.ok) {
          expect([9401, 9413]).toContain(result.problems[0].code);
          return;
        }
        const { svg, width, height } = result.value.picture;
        const inner = svg.replace(/<path transform="[a-z0-9 ().-]*" d="[MLQ0-9 -]*"\/>/g, "");
        expect(inner).toMatch(
          /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="\d+"><g fill="rgb\(255,0,0\)" fill-opacity="1.000000"><\/g><\/svg>$/,
        );
        const metadata = await sharp(await drawText(result.value.picture, imageLimits)).metadata();
        expect([metadata.width, metadata.height, metadata.hasAlpha]).toEqual([width, height, true]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
