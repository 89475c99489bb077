/** `fetch` with `cf.image`, as a Worker calls it in Node. */
import { createEdge } from "edgeproof";
import { createImageFetch, imagesBinding } from "edgeproof/images";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { pixelAt, plain } from "../../engine/images/pictures.ts";

const red = await plain(40, 30, [200, 0, 0]).png().toBuffer();
const blue = await plain(40, 30, [0, 0, 200]).png().toBuffer();

function setting(settings: object = { transformations: "on" }) {
  const asked: Request[] = [];
  const edge = createEdge({
    world: { zones: [{ id: "z1", name: "shop.example", settings }] },
    imageSource: (request) => {
      asked.push(request);
      const { pathname } = new URL(request.url);
      if (pathname === "/a.png") return red;
      return pathname === "/b.png" ? blue : new Response("no", { status: 404 });
    },
  });
  const fetch = createImageFetch(edge);
  const get = (image: unknown, headers: Record<string, string> = {}, url = "https://shop.example/a.png") =>
    fetch(url, { headers, cf: { image: image as Record<string, unknown> } });
  return { edge, asked, get };
}

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status, response.ok ? "" : await response.clone().text()).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function sizeOf(response: Response): Promise<string> {
  const { width, height, format } = await sharp(await bytesOf(response)).metadata();
  return `${width}x${height} ${format}`;
}

describe("a Worker", () => {
  const edge = setting().edge;
  const image = createImageFetch(edge);
  const worker = {
    async fetch(
      request: Request,
      { IMAGES, fetch }: { IMAGES: ReturnType<typeof imagesBinding>; fetch: typeof image },
    ) {
      const { pathname, searchParams } = new URL(request.url);
      const width = Number(searchParams.get("w"));
      const source = await fetch(`https://shop.example${pathname}`, { cf: { image: { width } } });
      if (!source.ok) return source;
      const result = await IMAGES.input(source.body!)
        .transform({ rotate: 90 })
        .output({ format: "image/webp" });
      return result.response();
    },
  };

  test("fetches, transforms and responds as a plain function", async () => {
    const env = { IMAGES: imagesBinding(), fetch: image };
    expect(await sizeOf(await worker.fetch(new Request("https://shop.example/a.png?w=20"), env))).toBe(
      "15x20 webp",
    );
    expect((await worker.fetch(new Request("https://shop.example/none.png?w=20"), env)).status).toBe(404);
  });
});

describe("`cf.image`", () => {
  test("keeps the source's format, also for `auto`, without `Vary`", async () => {
    const response = await setting().get({ width: 20, format: "auto" }, { accept: "image/avif,image/webp" });
    expect(response.headers.get("vary")).toBeNull();
    expect(await sizeOf(response)).toBe("20x15 png");
    expect(await sizeOf(await setting().get({ width: 20, format: "webp" }))).toBe("20x15 webp");
  });

  test("adds a border, which addresses cannot", async () => {
    const bytes = await bytesOf(await setting().get({ width: 20, border: { color: "#00ff00", width: 3 } }));
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 26, height: 21 });
    expect(await pixelAt(bytes, 1, 1)).toEqual([0, 255, 0]);
    expect(await pixelAt(bytes, 10, 10)).toEqual([200, 0, 0]);
  });

  test("draws pictures in their order, with sides that can be shares of the image's", async () => {
    const draw = [
      { url: "https://shop.example/b.png", width: 0.5, top: 0, left: 0 },
      {
        url: "https://shop.example/a.png",
        width: 2,
        height: 2,
        fit: "squeeze",
        top: 0,
        left: 0,
        opacity: 0.5,
      },
    ];
    const bytes = await bytesOf(await setting().get({ width: 20, draw, format: "png-force" }));
    expect(await pixelAt(bytes, 8, 6)).toEqual([0, 0, 200]);
    expect(await pixelAt(bytes, 12, 6)).toEqual([200, 0, 0]);
    const [mixed] = await pixelAt(bytes, 0, 0);
    expect(mixed).toBeGreaterThan(90);
    expect(mixed).toBeLessThan(110);
  });

  test("draws text, of its own size, beside pictures", async () => {
    const { asked, get } = setting();
    const font = { url: "https://fonts.example/a.woff2" };
    const draw = [
      { text: "HH", font, size: 20, color: "#0000ff", left: 0, top: 0, width: 3 },
      { url: "https://shop.example/b.png", width: 4, right: 0, bottom: 0 },
    ];
    const response = await get({ draw, format: "png-force" });
    expect(response.headers.get("warning")).toBe(
      [
        'cf-images 299 "font is not fetched; the text is drawn in Noto Sans"',
        'cf-images 299 "width has no effect on text"',
      ].join(", "),
    );
    const bytes = await bytesOf(response);
    expect(await pixelAt(bytes, 2, 15)).toEqual([0, 0, 200].map((v, i) => (i === 2 ? 255 : v)));
    expect(await pixelAt(bytes, 38, 28)).toEqual([0, 0, 200]);
    expect(asked.map(({ url }) => url)).toEqual(["https://shop.example/a.png", "https://shop.example/b.png"]);
    const other = await get({ draw: [{ ...draw[0], text: "HA" }, draw[1]], format: "png-force" });
    expect(other.headers.get("etag")).not.toBe(response.headers.get("etag"));
  });

  test("rejects a picture to draw whose origin the zone does not allow, before any fetch", async () => {
    const { get, asked } = setting();
    const response = await get({ width: 20, draw: [{ url: "https://other.example/b.png" }] });
    expect([response.status, response.headers.get("x-image-error")]).toEqual([403, "err=9401"]);
    expect(asked).toEqual([]);
  });

  test("passes credentials to the origin only with `origin-auth`, and no other header", async () => {
    const sent = { authorization: "Bearer s", cookie: "a=b", "x-amz-date": "1", "x-other": "1" };
    const { get, asked } = setting();
    await get({ width: 20 }, sent);
    await get({ width: 20, "origin-auth": "share-publicly" }, sent);
    const [without, shared] = asked.map(({ headers }) => Object.fromEntries(headers));
    const own = { accept: "image/*", via: "image-resizing" };
    expect(without).toEqual(own);
    expect(shared).toEqual({ ...own, authorization: "Bearer s", cookie: "a=b", "x-amz-date": "1" });
  });

  test("names options of addresses, and unknown ones, in warnings", async () => {
    const { headers } = await setting().get({ width: 20, onerror: "redirect", nonsense: null, other: 1 });
    expect(headers.get("warning")!.split(", ")).toEqual([
      'cf-images 299 "onerror is not an option here and has no effect"',
      'cf-images 299 "other is not an option here and has no effect"',
    ]);
  });

  test.each([
    [5, 400],
    [{ width: 0 }, 400],
    [{ width: "auto" }, 400],
    [{ draw: [{ text: "a" }] }, 400],
    [{ draw: [{ text: "a", url: "https://shop.example/b.png", font: { url: "https://a.example" } }] }, 400],
    [{ draw: {} }, 400],
    [{ "origin-auth": "always" }, 400],
  ])("%j is rejected with 9401, status %i", async (image, status) => {
    const response = await setting().get(image);
    expect([response.status, response.headers.get("x-image-error")]).toEqual([status, "err=9401"]);
  });

  test.each([
    [{}, undefined],
    [{ transformations: "on" }, "https://other.example/a.png"],
  ])("with the settings %j, a source that is not allowed is 9401, status 403", async (settings, url) => {
    const { get, asked } = setting(settings);
    const response = await get({ width: 20 }, {}, url);
    expect([response.status, response.headers.get("x-image-error"), asked.length]).toEqual([
      403,
      "err=9401",
      0,
    ]);
  });

  test("follows the settings of the option `zone`", async () => {
    const { edge } = setting({ transformations: "on", transformations_allowed_origins: "other.example" });
    const fetch = createImageFetch(edge, { zone: "shop.example" });
    const response = await fetch("https://other.example/a.png", { cf: { image: { width: 20 } } });
    expect(await sizeOf(response)).toBe("20x15 png");
    const unknown = createImageFetch(edge, { zone: "z9" });
    expect((await unknown("https://shop.example/a.png", { cf: { image: { width: 20 } } })).status).toBe(403);
  });
});

test("a request without `cf.image` goes to the option `fetch`, or is rejected", async () => {
  const { edge } = setting();
  const fetch = createImageFetch(edge, { fetch: ({ url }) => new Response(url) });
  expect(await (await fetch("https://any.example/x")).text()).toBe("https://any.example/x");
  await expect(createImageFetch(edge)("https://any.example/x")).rejects.toThrow("has no `cf.image`");
});
