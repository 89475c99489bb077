import { beforeAll, describe, expect, test } from "vitest";
import { brandScore } from "../../../src/engine/logo/brand-score.ts";
import { detectorVersion } from "../../../src/engine/logo/dense/dense-tuning.ts";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { place, wordsPage } from "./dense/scenes.ts";
import { drawings, image, paint, solid } from "./drawings.ts";

const calibration = {
  version: detectorVersion,
  full: 0.5,
  silhouette: 0.5,
  textFull: 0.5,
  textSilhouette: 0.5,
};
const png = (raster: Parameters<typeof image>[0]) => image(raster).png().toBuffer();

let hooks: CompiledLogo;
let wing: CompiledLogo;

beforeAll(async () => {
  const compile = async (name: string) => {
    const result = await compileLogo(await png(paint(drawings[name]!)), { calibration });
    if (!result.ok) throw new Error(result.problems[0].message);
    return result.value;
  };
  [hooks, wing] = [await compile("hooks"), await compile("wing")];
});

async function search(bytes: Uint8Array, options = {}) {
  const result = await findLogos(bytes, [hooks, wing], options);
  if (!result.ok) throw new Error(result.problems[0].message);
  return result.value;
}

describe("findLogos", () => {
  test("has the score, the kind and the box of each logo, in their order", async () => {
    const page = place(wordsPage(600, 420), drawings["hooks"]!, 200, 123, 34, [190, 30, 60]);
    const { width, height, scale, findings } = await search(await png(page));
    expect([width, height, scale]).toEqual([600, 420, 1]);
    const [found, other] = findings;
    expect(found!.kind).toBe("dense");
    expect(found!.score).toBeGreaterThan(0.75);
    expect(other!.score).toBeLessThan(0.75);
    for (const [key, value] of Object.entries({ x: 200, y: 123, width: 34, height: 34 }))
      expect(Math.abs(found!.box![key as "x"] - value)).toBeLessThan(4);
  });

  test("has the score 1 for equal pixels, as a copy", async () => {
    const { findings } = await search(await png(paint(drawings["wing"]!)));
    const box = { x: 0, y: 0, width: 128, height: 128 };
    expect(findings[1]).toEqual({ score: 1, kind: "copy", box, logo: 0 });
  });

  test("has one finding for a brand: its best logo, with the score of a brand", async () => {
    const bytes = await png(place(wordsPage(600, 420), drawings["hooks"]!, 200, 123, 34, [190, 30, 60]));
    const { findings } = await search(bytes);
    const result = await findLogos(bytes, [[wing, hooks], wing, [hooks]]);
    if (!result.ok) throw new Error(result.problems[0].message);
    const [both, alone, single] = result.value.findings;
    expect(both).toEqual({ ...findings[0], score: brandScore(findings[0]!.score, 2), logo: 1 });
    expect([alone, single]).toEqual([findings[1], findings[0]]);
  });

  test("has no score for a picture of one color, and so no box", async () => {
    const { findings } = await search(await png(solid(90, 60, [3, 3, 3])));
    expect(findings).toEqual([0, 0].map((score) => ({ score, kind: "copy", logo: 0 })));
  });

  test("reports the scale of a picture that is reduced to the working pixels", async () => {
    const page = place(wordsPage(1600, 1400), drawings["hooks"]!, 200, 123, 160, [190, 30, 60]);
    const { scale, findings } = await search(await png(page), { workingPixels: 400_000 });
    expect(scale).toBe(0.25);
    expect(Math.abs(findings[0]!.box!.x - 200)).toBeLessThan(10);
  });

  test("reports a file that is not a picture, and ends when aborted", async () => {
    expect(await findLogos(Buffer.from("text"), [hooks])).toMatchObject({
      ok: false,
      problems: [{ code: 7001 }],
    });
    expect(await compileLogo(Buffer.from("text"))).toMatchObject({ ok: false, problems: [{ code: 7001 }] });
    const signal = AbortSignal.abort(new Error("stopped"));
    const bytes = await png(wordsPage(300, 200));
    await expect(findLogos(bytes, [hooks], { signal })).rejects.toThrow("stopped");
    await expect(compileLogo(bytes, { signal })).rejects.toThrow("stopped");
  });

  test("throws for a wrong use", async () => {
    await expect(findLogos("x" as never, [])).rejects.toThrow(TypeError);
    await expect(compileLogo("x" as never)).rejects.toThrow(TypeError);
    const bytes = await png(wordsPage(300, 200));
    for (const count of [0, 21])
      await expect(findLogos(bytes, [wing, Array.from({ length: count }, () => wing)])).rejects.toThrow(
        `A brand must have 1 to 20 logos; found ${count}.`,
      );
    await expect(findLogos(bytes, [], { workingPixels: 100 })).rejects.toThrow(
      "`workingPixels` must be an integer from 65536; found `100`.",
    );
    for (const maxPixels of [0, 1.5, Number.NaN, 100_000_001])
      await expect(findLogos(bytes, [], { maxPixels })).rejects.toThrow(
        `\`maxPixels\` must be an integer from 1 to 100000000; found \`${maxPixels}\``,
      );
  });

  test("rejects a picture of more pixels than allowed, with its size", async () => {
    const bytes = await png(solid(300, 200, [1, 2, 3]));
    expect((await findLogos(bytes, [], { maxPixels: 60_000 })).ok).toBe(true);
    expect(await findLogos(bytes, [], { maxPixels: 59_999 })).toMatchObject({
      problems: [{ code: 7001, message: "The image must have at most 59999 pixels; found 300 x 200." }],
    });
  });
});

describe("a modified copy of a logo scores at least 0.85", () => {
  const drawing = drawings["hooks"]!;
  const logo = paint(drawing, { side: 160 });
  let query: CompiledLogo;
  beforeAll(async () => {
    const compiled = await compileLogo(await png(logo));
    if (!compiled.ok) throw new Error(compiled.problems[0].message);
    query = compiled.value;
  });
  const findIn = async (bytes: Uint8Array) => {
    const found = await findLogos(bytes, [query]);
    if (!found.ok) throw new Error(found.problems[0].message);
    return found.value.findings[0]!;
  };

  const copies: Readonly<Record<string, () => Promise<Buffer>>> = {
    inverted: () => image(logo).removeAlpha().negate().png().toBuffer(),
    "in other colors": () =>
      png(paint(drawing, { side: 160, foreground: [250, 210, 40], background: [60, 0, 80] })),
    "white on dark": () =>
      png(paint(drawing, { side: 160, foreground: [255, 255, 255], background: [25, 25, 25] })),
    "with a wide margin": () => png(paint(drawing, { side: 200, margin: 0.35 })),
    "without a margin": () => png(paint(drawing, { side: 120, margin: 0 })),
    "rotated by 5 degrees": () =>
      image(logo).removeAlpha().rotate(5, { background: "#fff" }).png().toBuffer(),
    blurred: () => image(logo).removeAlpha().blur(2).png().toBuffer(),
    "stretched by half": () => image(logo).resize(240, 160, { fit: "fill" }).png().toBuffer(),
    "as JPEG 30": () => image(logo).removeAlpha().jpeg({ quality: 30 }).toBuffer(),
  };

  test.each(Object.entries(copies))("%s", async (_name, make) => {
    expect((await findIn(await make())).score).toBeGreaterThanOrEqual(0.85);
  });

  test("another logo scores below 0.75", async () => {
    for (const name of ["stairs", "wing"])
      expect((await findIn(await png(paint(drawings[name]!, { side: 160 })))).score).toBeLessThan(0.75);
  });
});
