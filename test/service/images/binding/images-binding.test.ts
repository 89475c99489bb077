/** The Images binding of a Worker, as its code calls it. */
import { imagesBinding } from "edgeproof/images";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { animation, pixelAt, plain, quarters } from "../../../engine/images/pictures.ts";

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
    ["info of no image", () => images.info(streamOf(Buffer.from("x"))), 5415, /^IMAGES_INFO_ERROR 5415: /],
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
