/** The Images binding of a Worker, as its code calls it. */
import { createEdge } from "edgeproof";
import { imagesBinding } from "edgeproof/images";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { animation, noisy, pixelAt, plain, quarters } from "../../../engine/images/pictures.ts";

const images = imagesBinding();
const picture = await quarters(40, 20);
const streamOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream).arrayBuffer());

describe("a Worker", () => {
  const worker = {
    async fetch(request: Request, env: { IMAGES: typeof images }): Promise<Response> {
      const width = Number(new URL(request.url).searchParams.get("w"));
      const result = await env.IMAGES.input(request.body as ReadableStream<Uint8Array>)
        .transform({ rotate: 90 })
        .transform({ width })
        .draw(streamOf(await plain(2, 2, [9, 9, 9]).png().toBuffer()), { top: 0, left: 0 })
        .output({ format: "image/png" });
      return result.response();
    },
  };

  test("transforms and draws in the order of its calls", async () => {
    const request = new Request("https://app.example/?w=10", {
      method: "POST",
      body: picture as Uint8Array<ArrayBuffer>,
    });
    const response = await worker.fetch(request, { IMAGES: images });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 10, height: 20 });
    // Rotated by 90 degrees, red is at the right top and green below it.
    expect([await pixelAt(bytes, 0, 0), await pixelAt(bytes, 9, 0), await pixelAt(bytes, 9, 19)]).toEqual([
      [9, 9, 9],
      [255, 0, 0],
      [0, 255, 0],
    ]);
  });
});

describe("output", () => {
  test.each([
    ["image/jpeg", "image/jpeg"],
    ["image/png", "image/png"],
    ["image/gif", "image/gif"],
    ["image/webp", "image/webp"],
    ["image/avif", "image/avif"],
    ["rgb", "rgb"],
    ["rgba", "rgba"],
  ] as const)("%s", async (format, contentType) => {
    const result = await images.input(streamOf(picture)).output({ format });
    expect(result.contentType()).toBe(contentType);
    const bytes = await bytesOf(result.image());
    if (format === "rgb" || format === "rgba") expect(bytes.length).toBe(40 * 20 * format.length);
    else expect(await images.info(streamOf(bytes))).toMatchObject({ format, width: 40, height: 20 });
  });

  test("a large AVIF is a WebP", async () => {
    const result = await images
      .input(streamOf(picture))
      .transform({ width: 1_700, fit: "contain" })
      .output({ format: "image/avif" });
    expect(result.contentType()).toBe("image/webp");
  });

  test("base64 is read and written", async () => {
    const text = Buffer.from(picture.toString("base64"));
    const result = await images.input(streamOf(text), { encoding: "base64" }).output({ format: "image/png" });
    const written = Buffer.from(await bytesOf(result.image({ encoding: "base64" }))).toString();
    expect(await images.info(streamOf(Buffer.from(written)), { encoding: "base64" })).toMatchObject({
      width: 40,
    });
  });

  test("an animation keeps its frames, unless anim is false", async () => {
    const film = await animation(3, 20, 10, "gif");
    const pages = async (anim?: boolean) => {
      const output = { format: "image/webp", ...(anim !== undefined && { anim }) } as const;
      const result = await images.input(streamOf(film)).transform({ width: 10 }).output(output);
      return (await sharp(await bytesOf(result.image())).metadata()).pages;
    };
    expect([await pages(), await pages(false)]).toEqual([3, undefined]);
  });
});

test("info of an SVG is its format alone", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>');
  expect(await images.info(streamOf(svg))).toEqual({ format: "image/svg+xml" });
  expect(await images.info(streamOf(picture))).toEqual({
    format: "image/png",
    fileSize: picture.length,
    width: 40,
    height: 20,
  });
});

describe("errors have a code, and a message as the runtime's", () => {
  const consumed = "ImageTransformer consumed; you may only call .output() or draw a transformer once";
  test.each<[string, () => Promise<unknown>, number, string | RegExp]>([
    ["info of no image", () => images.info(streamOf(Buffer.from("x"))), 9412, /^IMAGES_INFO_ERROR 9412: /],
    [
      "an invalid option",
      () => images.input(streamOf(picture)).transform({ width: 0 }).output({ format: "image/png" }),
      9401,
      /^IMAGES_TRANSFORM_ERROR 9401: .*`width` must be/,
    ],
    [
      "an invalid format",
      () => images.input(streamOf(picture)).output({ format: "image/bmp" as "image/png" }),
      9401,
      /`format` must be one of/,
    ],
    [
      "an overlay with two sides of an axis",
      () =>
        images
          .input(streamOf(picture))
          .draw(streamOf(picture), { top: 1, bottom: 1 })
          .output({ format: "image/png" }),
      9401,
      /`top` or `bottom`/,
    ],
    [
      "a transformer that is used twice",
      async () => {
        const transformer = images.input(streamOf(picture));
        await transformer.output({ format: "image/png" });
        return transformer.output({ format: "image/png" });
      },
      9525,
      `IMAGES_TRANSFORM_ERROR 9525: ${consumed}`,
    ],
    [
      "a transformer that is drawn twice",
      () => {
        const drawn = images.input(streamOf(picture));
        return images.input(streamOf(picture)).draw(drawn).draw(drawn).output({ format: "image/png" });
      },
      9525,
      `IMAGES_TRANSFORM_ERROR 9525: ${consumed}`,
    ],
    [
      "an input of more than 20 MB",
      () => images.info(streamOf(new Uint8Array(20_000_001))),
      9413,
      /at most 20000000 bytes/,
    ],
  ])("%s", async (_, work, code, message) => {
    const error: unknown = await work().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  test("draw rejects what is neither a stream nor a transformer", () => {
    expect(() => images.input(streamOf(picture)).draw({} as ReadableStream<Uint8Array>)).toThrow(TypeError);
  });
});

describe("files that are not pictures have the codes of the binding", () => {
  const html = Buffer.from("<html></html>");
  const tiff = Buffer.from([0x49, 0x49, 0x2a, 0, 1, 2, 3, 4]);
  test.each([
    ["HTML", html, 9412],
    ["a TIFF", tiff, 9412],
    ["a JPEG that is cut in its header", undefined, 9516],
  ])("%s", async (_, bytes, code) => {
    const file = bytes ?? (await plain(40, 20).jpeg().toBuffer()).subarray(0, 30);
    const png = { format: "image/png" } as const;
    await expect(images.info(streamOf(file))).rejects.toMatchObject({ code });
    await expect(images.input(streamOf(file)).output(png)).rejects.toMatchObject({ code });
    const drawn = images.input(streamOf(picture)).draw(streamOf(file));
    await expect(drawn.output(png)).rejects.toMatchObject({ code });
  });

  test("a JPEG that is cut in its pixels cannot be transformed", async () => {
    const noise = await noisy(90, 90).jpeg().toBuffer();
    const cut = streamOf(noise.subarray(0, noise.length / 2));
    await expect(images.input(cut).output({ format: "image/png" })).rejects.toMatchObject({ code: 9516 });
  });
});

describe("a result", () => {
  const result = () => images.input(streamOf(picture)).output({ format: "image/png" });

  test("has the headers of its response's options, but its own content type", async () => {
    const response = (await result()).response({ headers: { "cache-control": "max-age=60" } });
    expect([response.headers.get("cache-control"), response.headers.get("content-type")]).toEqual([
      "max-age=60",
      "image/png",
    ]);
    const other = (await result()).response({ headers: [["Content-Type", "image/x-own"]] });
    expect(other.headers.get("content-type")).toBe("image/png");
  });

  test.each([
    ["image() twice", undefined],
    ["image() in base64 first", "base64"],
  ] as const)("is read once: %s", async (_, encoding) => {
    const read = await result();
    const first = await bytesOf(read.image(encoding && { encoding }));
    const decoded = encoding ? Buffer.from(Buffer.from(first).toString("latin1"), "base64") : first;
    expect((await sharp(decoded).metadata()).width).toBe(40);
    expect(() => read.image()).toThrow(/read once/);
    expect(() => read.response()).toThrow(TypeError);
  });
});

describe("members that are not known", () => {
  const unknown = { widht: 10 };
  const uses: readonly (readonly [string, (binding: typeof images) => Promise<unknown>, string])[] = [
    ["transform", (binding) => binding.input(streamOf(picture)).transform(unknown).output(png), "widht"],
    [
      "draw",
      (binding) => binding.input(streamOf(picture)).draw(streamOf(picture), { width: 3 }).output(png),
      "width",
    ],
    [
      "output",
      (binding) => binding.input(streamOf(picture)).output({ ...png, metadata: "keep" } as typeof png),
      "metadata",
    ],
    ["hosted.list", (binding) => binding.hosted.list({ order: "asc" } as object), "order"],
    ["hosted.list's filter", (binding) => binding.hosted.list({ filter: { tags: {} } as object }), "tags"],
    [
      "hosted.createDirectUpload",
      (binding) => binding.hosted.createDirectUpload({ ttl: 5 } as object),
      "ttl",
    ],
  ];
  const png = { format: "image/png" } as const;
  const target = { edge: createEdge(), account: "a1" };

  test.each(uses)("of %s are reported, and rejected by a strict binding", async (_, use, name) => {
    const warnings: string[] = [];
    await use(imagesBinding({ target, onWarning: (warning) => warnings.push(warning) }));
    expect(warnings.map((text) => text.replaceAll("`", ""))).toEqual([
      `${name} is not an option here and has no effect`,
    ]);
    await expect(use(imagesBinding({ target, strict: true }))).rejects.toMatchObject({
      code: expect.toSatisfy((code) => code === 9401 || code === 5400),
      message: expect.stringContaining(name),
    });
  });

  test("options that are not simulated are reported, and never rejected", async () => {
    const warnings: string[] = [];
    const binding = imagesBinding({ strict: true, onWarning: (warning) => warnings.push(warning) });
    await binding.input(streamOf(picture)).transform({ gravity: "face" }).output(png);
    expect(warnings).toEqual(["gravity=face is not simulated"]);
  });

  test("a filter has `metadata`, and its older name `meta`", async () => {
    const { hosted } = imagesBinding({ target, strict: true });
    const { id } = await hosted.upload(streamOf(picture), { metadata: { n: 1 } });
    await hosted.upload(streamOf(picture), { metadata: { n: 2 } });
    for (const name of ["metadata", "meta"] as const)
      expect((await hosted.list({ filter: { [name]: { n: 1 } } })).images.map((image) => image.id)).toEqual([
        id,
      ]);
  });
});

describe("an output", () => {
  const png = { format: "image/png" } as const;
  const exif = { IFD0: { Copyright: "Ada", Artist: "Grace" } };

  test("puts a background under the transparent pixels of every format", async () => {
    const clear = await plain(8, 8, [0, 0, 200]).ensureAlpha(0).png().toBuffer();
    for (const format of ["image/png", "image/webp", "image/jpeg", "rgba"] as const) {
      const result = await images.input(streamOf(clear)).output({ format, background: "#00ff00" });
      const bytes = await bytesOf(result.image());
      const shown = format === "rgba" ? [...bytes.subarray(0, 3)] : await pixelAt(bytes, 4, 4);
      expect([format, shown.map((value) => Math.round(value / 16))]).toEqual([format, [0, 16, 0]]);
    }
    const without = await bytesOf((await images.input(streamOf(clear)).output(png)).image());
    expect((await sharp(without).stats()).isOpaque).toBe(false);
  });

  test.each(["png", "webp", "avif", "jpeg"] as const)("keeps the copyright of a %s in JPEG", async (type) => {
    const source = await plain(20, 10).toFormat(type).withExif(exif).toBuffer();
    const result = await images.input(streamOf(source)).output({ format: "image/jpeg" });
    const text = Buffer.from(await bytesOf(result.image())).toString("latin1");
    expect([text.includes("Ada"), text.includes("Grace")]).toEqual([true, false]);
  });
});

describe("text", () => {
  const font = { url: "https://example.com/font.otf" };
  const png = { format: "image/png" } as const;

  test("is a picture of its own, on a transparent ground, which transformations change", async () => {
    const result = await images.text("HELLO", { font, size: 40, color: "#223E49" }).output(png);
    const bytes = await bytesOf(result.image());
    const { width = 0, height, hasAlpha } = await sharp(bytes).metadata();
    expect([height, hasAlpha]).toEqual([55, true]);
    const turned = images.text("HELLO", { font, size: 40 }).transform({ rotate: 90 });
    const { data, info } = await sharp(await bytesOf((await turned.output({ format: "image/jpeg" })).image()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, data[0]]).toEqual([height, width, 255]);
  });

  test("is drawn on an image as a picture is: its size is its own", async () => {
    const base = await plain(200, 60, [255, 255, 255]).png().toBuffer();
    const write = (mark: ReturnType<typeof images.text> | ReadableStream<Uint8Array>) =>
      images.input(streamOf(base)).draw(mark, { left: 5, top: 3, opacity: 0.5 }).output(png);
    const text = () => images.text("Ab", { font, size: 30, color: "red" });
    const drawn = await bytesOf((await write(text())).image());
    const picture = await bytesOf((await text().output(png)).image());
    expect(drawn).toEqual(await bytesOf((await write(streamOf(picture))).image()));
    const pixels = await sharp(drawn).raw().toBuffer();
    expect(pixels.some((byte, i) => i % 3 === 1 && byte > 100 && byte < 140)).toBe(true);
  });

  test("warns of its font, of characters without a letter and of unknown options, which strict bindings reject", async () => {
    const warnings: string[] = [];
    const warning = imagesBinding({ onWarning: (message) => warnings.push(message) });
    await warning.text("a\u4e2d", { font, align: "center" } as never).output(png);
    expect(warnings).toEqual([
      "`align` is not an option here and has no effect",
      "font is not fetched; the text is drawn in Noto Sans",
      "Noto Sans lacks U+4E2D, drawn as boxes",
    ]);
    const strict = imagesBinding({ strict: true });
    await expect(strict.text("a", { font, width: 9 } as never).output(png)).rejects.toMatchObject({
      code: 9401,
    });
  });

  test("that is rejected rejects the output, and its transformer is used once", async () => {
    const wrong = images.text("", { font });
    await expect(wrong.output(png)).rejects.toMatchObject({
      code: 9401,
      message:
        "IMAGES_TRANSFORM_ERROR 9401: The text must be a string of 1 to 1000 characters; found 0 characters.",
    });
    await expect(wrong.output(png)).rejects.toMatchObject({ code: 9525 });
  });
});
