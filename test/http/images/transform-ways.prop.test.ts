/** The same options by address, by `cf.image` and by the binding: the same pixels. The options are those of the specification. */
import { createEdge } from "edgeproof";
import { createImageFetch, imagesBinding } from "edgeproof/images";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { noisy } from "../../engine/images/pictures.ts";
import { runs } from "../../support/runs.ts";

const source = await noisy(48, 36).png().toBuffer();

/** An option as text of an address, and as a member. */
type Written = readonly [name: string, text: string, value: unknown];

const same = <T extends string | number>(name: string, ...values: readonly T[]) =>
  fc.constantFrom(...values).map((value): Written => [name, String(value), value]);
const range = (name: string, min: number, max: number) =>
  fc.integer({ min, max }).map((value): Written => [name, String(value), value]);
const tenth = (name: string, min: number, max: number) =>
  fc
    .integer({ min: min * 10, max: max * 10 })
    .map((value): Written => [name, String(value / 10), value / 10]);
const alias = (written: fc.Arbitrary<Written>, short: string) =>
  fc
    .tuple(written, fc.boolean())
    .map(([[name, text, value], isShort]): Written => [isShort ? short : name, text, value]);

/** Every option of the table of transformations.md that addresses, `fetch` and the binding share. */
const shared: readonly fc.Arbitrary<Written>[] = [
  alias(range("width", 1, 90), "w"),
  alias(range("height", 1, 90), "h"),
  same("dpr", 0.5, 1, 2, 3, 3.5),
  same("fit", "scale-down", "contain", "cover", "crop", "pad", "squeeze", "scale-up", "aspect-crop"),
  alias(
    fc.oneof(
      same("gravity", "left", "right", "top", "bottom", "center", "auto", "entropy", "face"),
      fc
        .tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 10 }))
        .map(([x, y]): Written => ["gravity", `${x / 10}x${y / 10}`, { x: x / 10, y: y / 10 }]),
    ),
    "g",
  ),
  alias(tenth("zoom", 0, 1), "face-zoom"),
  fc.oneof(
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 4 })
      .map(
        ([top, right, bottom, left]): Written => [
          "trim",
          [top, right, bottom, left].join(";"),
          { top, right, bottom, left },
        ],
      ),
    same("trim", "border"),
  ),
  same("flip", "h", "v", "hv"),
  same("rotate", 0, 90, 180, 270, 360),
  same("background", "red", "#00ff0080", "rgb(1 2 3)", "hsl(120 50% 50%)"),
  tenth("blur", 0, 9),
  tenth("sharpen", 0, 10),
  tenth("brightness", 0, 3),
  tenth("contrast", 0, 3),
  tenth("gamma", 0, 3),
  tenth("saturation", 0, 3),
  same("segment", "foreground"),
  same("upscale", "interpolate", "generate"),
];

/** Values of the same options that the specification does not allow. */
const wrong = fc.constantFrom<Written>(
  ["width", "0", 0],
  ["height", "12001", 12_001],
  ["fit", "fill", "fill"],
  ["blur", "251", 251],
  ["sharpen", "11", 11],
  ["rotate", "45", 45],
  ["dpr", "0", 0],
  ["gravity", "2x0", { x: 2, y: 0 }],
  ["flip", "x", "x"],
  ["background", "oklch(0.5 0.1 20)", "oklch(0.5 0.1 20)"],
);

const edge = createEdge({
  world: { zones: [{ id: "z1", name: "shop.example", settings: { transformations: "on" } }] },
  imageSource: () => source,
});
const workerFetch = createImageFetch(edge);

interface Outcome {
  readonly code?: number;
  readonly pixels?: string;
}

async function outcomeOf(bytes: Uint8Array): Promise<Outcome> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { pixels: `${info.width}x${info.height}x${info.channels} ${data.toString("base64")}` };
}

async function ofResponse(response: Response): Promise<Outcome> {
  if (response.ok) return outcomeOf(new Uint8Array(await response.arrayBuffer()));
  return { code: Number(response.headers.get("x-image-error")?.replace("err=", "")) };
}

function byAddress(options: readonly Written[]): Promise<Outcome> {
  const list = options.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join(",");
  const url = `https://shop.example/cdn-cgi/image/${list},format=png-force/a.png`;
  return edge.fetch(new Request(url)).then(ofResponse);
}

function membersOf(options: readonly Written[]): Record<string, unknown> {
  return Object.fromEntries(options.map(([name, , value]) => [name, value]));
}

function byFetch(options: readonly Written[]): Promise<Outcome> {
  const image = { ...membersOf(options), format: "png-force" };
  return workerFetch("https://shop.example/a.png", { cf: { image } }).then(ofResponse);
}

async function byBinding(options: readonly Written[]): Promise<Outcome> {
  const stream = new Blob([new Uint8Array(source)]).stream() as ReadableStream<Uint8Array>;
  try {
    const result = await imagesBinding()
      .input(stream)
      .transform(membersOf(options))
      .output({ format: "image/png" });
    return await outcomeOf(new Uint8Array(await result.response().arrayBuffer()));
  } catch (error) {
    return { code: (error as { readonly code: number }).code };
  }
}

test("options give the same pixels, or the same code, by address, by `cf.image` and by the binding", async () => {
  const used = new Set<string>();
  let rejected = 0;
  const some = fc
    .subarray([...shared], { minLength: 1, maxLength: 6 })
    .chain((chosen) => fc.tuple(...chosen));
  const options = fc
    .tuple(some, fc.option(wrong, { freq: 8 }))
    .map(([valid, bad]) =>
      bad ? [...valid.filter(([name]) => name !== bad[0] && name !== bad[0][0]), bad] : valid,
    );
  await fc.assert(
    fc.asyncProperty(options, async (written) => {
      const first = await byAddress(written);
      expect(await byFetch(written)).toEqual(first);
      expect(await byBinding(written)).toEqual(first);
      if (first.code !== undefined) rejected++;
      for (const [name] of written) used.add(name);
    }),
    { numRuns: runs(2_000) },
  );
  expect(used.size).toBeGreaterThan(15);
  expect(rejected).toBeGreaterThan(0);
});
