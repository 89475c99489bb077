/** Transformations by address over HTTP: which sources are fetched and how, and every answer. */
import { createImageFetch } from "edgeproof/images";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { ApiError, problem } from "../../../src/errors.ts";
import { animation, noisy, plain } from "../../engine/images/pictures.ts";
import { clientOf } from "../../support/client.ts";
import { expectFailure, provoked } from "../../support/failure.ts";
import { validating } from "../../support/interface.ts";

const png = await plain(40, 30, [200, 40, 40]).png().toBuffer();
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6" onload="x()"><rect width="8" height="6"/></svg>',
);

function largeAvif(width: number): Promise<Buffer> {
  return plain(width, 16).avif({ effort: 0 }).toBuffer();
}

interface Setting {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly asked: Request[];
  readonly client: ReturnType<typeof clientOf>;
}

type Settings = { transformations?: "on" | "off" | "open"; transformations_allowed_origins?: string };

/** A zone example.com whose origin answers by path. */
function zoneSetting(settings: Settings = { transformations: "on" }, options: EdgeOptions = {}): Setting {
  const asked: Request[] = [];
  const answers: Record<string, () => Response | Uint8Array | Promise<Uint8Array>> = {
    "/a.png": () =>
      new Response(new Uint8Array(png), {
        headers: { etag: '"v1"', "cache-control": "public, max-age=7200" },
      }),
    "/bytes.png": () => png,
    "/a.svg": () => svg,
    "/page.html": () => Buffer.from("<html></html>"),
    "/a.tiff": () => Buffer.from([0x49, 0x49, 0x2a, 0x00, 1, 2, 3, 4]),
    "/cut.png": () => png.subarray(0, png.length - 20),
    "/private.png": () => new Response("no", { status: 401 }),
    "/down.png": () => new Response("no", { status: 503 }),
    "/elsewhere.png": () => new Response(null, { status: 302, headers: { location: "ftp://x" } }),
    "/broken.png": () => Promise.reject(new Error("no connection")),
    "/closed.png": () => Promise.reject(Object.assign(new Error("closed"), { code: "ECONNREFUSED" })),
    // As `fetch` rejects.
    "/reset.png": () =>
      Promise.reject(
        new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNRESET" }) }),
      ),
    "/moved.png": () => new Response(null, { status: 301, headers: { location: "/a.png" } }),
    "/away.png": () => new Response(null, { status: 307, headers: { location: "https://other.test/a.png" } }),
    "/round.png": () => new Response(null, { status: 302, headers: { location: "round.png" } }),
    "/nowhere.png": () => new Response(null, { status: 301 }),
    "/empty.png": () => new Response(null, { status: 302, headers: { location: "https://" } }),
    "/large.avif": async () => largeAvif(1_201),
    "/small.avif": async () => largeAvif(1_200),
    "/slow.png": () => Promise.reject(new ApiError(problem(9504, "The origin took longer than 5 ms."))),
    "/loop.png": () => Promise.reject(new ApiError(problem(9421, "The origin redirects more often."))),
    "/half.png": () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new Uint8Array(10));
            controller.error(new Error("reset"));
          },
        }),
      ),
  };
  const imageSource = (request: Request) => {
    asked.push(request);
    return answers[new URL(request.url).pathname]?.() ?? new Response("none", { status: 404 });
  };
  const edge = createEdge({
    world: {
      zones: [
        { id: "z1", name: "example.com", settings },
        { id: "z2", name: "sub.example.com" },
      ],
    },
    imageSource,
    ...options,
  });
  const fetch = validating(edge.fetch);
  return {
    asked,
    client: clientOf(edge, "/zones/z1/settings"),
    get: (path, headers = {}) => {
      const url = path.startsWith("https:") ? path : `https://example.com/cdn-cgi/image/${path}`;
      return fetch(new Request(url, { headers }));
    },
  };
}

async function expectError(response: Response, status: number, code: number, header = "x-image-error") {
  const text = await response.text();
  expect([response.status, response.headers.get(header)], text).toEqual([status, `err=${code}`]);
  expect(text).toMatch(new RegExp(`^ERROR ${code}: .+\\.`));
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  provoked(code);
}

async function expectOff(response: Response) {
  expect([response.status, await response.text(), response.headers.get("x-image-error")]).toEqual([
    404,
    "Not Found",
    null,
  ]);
}

async function pictureOf(response: Response) {
  expect(response.status, response.ok ? "" : await response.clone().text()).toBe(200);
  const {
    width,
    height,
    pages = 1,
    pageHeight = height,
  } = await sharp(await response.arrayBuffer()).metadata();
  return { width, height: pageHeight, pages };
}

describe("the zone of a request", () => {
  test("transforms nothing by default, and then no source is fetched", async () => {
    const { get, asked } = zoneSetting({});
    await expectOff(await get("width=20/a.png"));
    expect(asked).toEqual([]);
  });

  test("is the one with the longest name that the host equals or ends in", async () => {
    const { get } = zoneSetting();
    expect(await pictureOf(await get("https://www.example.com/cdn-cgi/image/width=20/a.png"))).toMatchObject({
      width: 20,
    });
    await expectOff(await get("https://sub.example.com/cdn-cgi/image/width=20/a.png"));
    await expectOff(await get("https://notexample.com/cdn-cgi/image/width=20/a.png"));
  });

  test("is that of `zoneHosts`, and paths are those of the zone's own host", async () => {
    const { get, asked } = zoneSetting(undefined, {
      zoneHosts: { "127.0.0.1": "example.com", "edge.test": "z1" },
    });
    for (const host of ["127.0.0.1:8787", "edge.test"])
      expect(await pictureOf(await get(`https://${host}/cdn-cgi/image/width=20/a.png`))).toMatchObject({
        width: 20,
      });
    expect(asked.map(({ url }) => url)).toEqual(["https://example.com/a.png", "https://example.com/a.png"]);
  });

  test("PATCH of the setting decides on the next request", async () => {
    const { get, client } = zoneSetting({});
    await client.ok("PATCH", "/transformations", { value: "on" });
    expect(await pictureOf(await get("width=20/a.png"))).toMatchObject({ width: 20, height: 15 });
    await client.ok("PATCH", "/transformations", { value: "off" });
    await expectOff(await get("width=20/a.png"));
  });
});

describe("settings of a zone", () => {
  test("GET returns the defaults, and what PATCH and the world say", async () => {
    const { client } = zoneSetting({});
    const shown = (id: string, value: string, modified_on: unknown = null) => ({
      id,
      value,
      editable: true,
      modified_on,
    });
    expect((await client.ok("GET", "/transformations")).result).toEqual(shown("transformations", "off"));
    const name = "transformations_allowed_origins";
    expect((await client.ok("GET", `/${name}`)).result).toEqual(shown(name, ""));
    const changed = (await client.ok("PATCH", `/${name}`, { value: "b.com" })).result;
    expect(changed).toEqual(shown(name, "b.com", expect.stringMatching(/^\d{4}-.*Z$/)));
    expect((await client.ok("GET", `/${name}`)).result).toEqual(changed);
    expect((await zoneSetting().client.ok("GET", "/transformations")).result.value).toBe("on");
  });

  test("PATCH rejects another value and an unknown zone, and changes nothing", async () => {
    const { client } = zoneSetting();
    const wrong = [{ value: "yes" }, {}, { value: null }, { value: true }];
    for (const body of wrong)
      await expectFailure(await client("PATCH", "/transformations", body), {
        status: 400,
        code: 10400,
        pointer: "/value",
      });
    const bad = await client("PATCH", "/transformations_allowed_origins", { value: "https://b.com" });
    await expectFailure(bad, { status: 400, code: 10400, pointer: "/value" });
    expect((await client.ok("GET", "/transformations")).result.value).toBe("on");
    const other = clientOf(createEdge({ world: { zones: [{ id: "z1" }] } }), "/zones/z9/settings");
    await expectFailure(await other("GET", "/transformations"), { status: 404, code: 10404 });
    await expectFailure(await other("PATCH", "/transformations", { value: "on" }), {
      status: 404,
      code: 10404,
    });
  });

  test("a world with a bad list is rejected with its pointer", () => {
    const create = () =>
      createEdge({ world: { zones: [{ id: "z1", settings: { transformations_allowed_origins: "a b" } }] } });
    expect(create).toThrow(/\/zones\/0\/settings\/transformations_allowed_origins/);
  });
});

describe("a source", () => {
  test("is fetched without cookies and credentials of the client, and with the mark of a transformation", async () => {
    const { get, asked } = zoneSetting();
    await get("width=20/a.png?v=1&w=2", {
      cookie: "a=b",
      authorization: "Bearer t",
      "x-amz-date": "1",
      referer: "https://r",
    });
    const [request] = asked;
    expect(request!.url).toBe("https://example.com/a.png?v=1&w=2");
    expect(Object.fromEntries(request!.headers)).toEqual({ accept: "image/*", via: "image-resizing" });
  });

  test("of another origin is rejected with 9401 and status 403, unless the list or `open` allows it", async () => {
    const closed = zoneSetting();
    await expectError(await closed.get("width=20/https://b.com/a.png"), 403, 9401);
    expect(closed.asked).toEqual([]);
    const listed = zoneSetting({ transformations: "on", transformations_allowed_origins: "b.com/,*.c.com" });
    for (const host of ["b.com", "x.c.com"])
      expect(await pictureOf(await listed.get(`width=20/https://${host}/a.png`))).toMatchObject({
        width: 20,
      });
    await expectError(await listed.get("width=20/https://d.com/a.png"), 403, 9401);
    const open = zoneSetting({ transformations: "open" });
    expect(await pictureOf(await open.get("width=20/https://d.com/a.png"))).toMatchObject({ width: 20 });
  });

  test.each([
    ["//b.com/a.png", 403, 9406],
    ["ftp://example.com/a.png", 403, 9406],
    ["https://u:p@example.com/a.png", 403, 9419],
    ["none.png", 404, 9404],
    ["private.png", 401, 9408],
    ["down.png", 502, 9509],
    ["elsewhere.png", 400, 9420],
    ["loop.png", 400, 9421],
    ["broken.png", 523, 9407],
    ["closed.png", 502, 9505],
    ["reset.png", 502, 9510],
    ["round.png", 400, 9421],
    ["nowhere.png", 400, 9420],
    ["empty.png", 400, 9420],
    ["large.avif", 403, 9413],
    ["slow.png", 524, 9504],
    ["half.png", 502, 9402],
    ["page.html", 415, 9412],
    ["a.tiff", 415, 9520],
    ["cut.png", 422, 9516],
  ])("%s is status %i, code %i", async (source, status, code) => {
    await expectError(await zoneSetting().get(`width=20/${source}`), status, code);
  });

  test("that is too large in bytes, pixels or a side is rejected", async () => {
    await expectError(
      await zoneSetting(undefined, { limits: { imageSourceBytes: png.length - 1 } }).get("width=20/a.png"),
      413,
      9402,
    );
    await expectError(
      await zoneSetting(undefined, { limits: { imageSourceBytes: png.length - 1 } }).get(
        "width=20/bytes.png",
      ),
      413,
      9402,
    );
    await expectError(
      await zoneSetting(undefined, { limits: { imageInputPixels: 1_199 } }).get("width=20/a.png"),
      403,
      9413,
    );
    await expectError(
      await zoneSetting(undefined, { limits: { imageInputSide: 39 } }).get("width=20/a.png"),
      403,
      9413,
    );
    expect(
      await pictureOf(
        await zoneSetting(undefined, { limits: { imageInputSide: 40, imageSourceBytes: png.length } }).get(
          "width=20/a.png",
        ),
      ),
    ).toMatchObject({ width: 20 });
  });

  test("is not fetched without `imageSource` and `fetchImage`", async () => {
    const edge = createEdge({
      world: { zones: [{ id: "z1", name: "example.com", settings: { transformations: "open" } }] },
    });
    await expectError(
      await edge.fetch(new Request("https://example.com/cdn-cgi/image/width=20/a.png")),
      523,
      9407,
    );
  });

  test("that `imageSource` does not answer is missing, and the message says so", async () => {
    const { get } = zoneSetting(undefined, { imageSource: () => undefined });
    const response = await get("width=20/x.png");
    const text = await response.clone().text();
    expect(text).toContain("`imageSource` has no answer for `https://example.com/x.png`");
    await expectError(response, 404, 9404);
  });

  test("that redirects is asked for again where it redirects to, without what is for the first origin", async () => {
    const { get, asked } = zoneSetting();
    expect(await pictureOf(await get("width=20/moved.png"))).toMatchObject({ width: 20 });
    expect(asked.map(({ url }) => url)).toEqual([
      "https://example.com/moved.png",
      "https://example.com/a.png",
    ]);
    expect(await pictureOf(await get("width=20/away.png"))).toMatchObject({ width: 20 });
    expect(asked.at(-1)?.url).toBe("https://other.test/a.png");
  });

  test("that redirects to another origin gets no shared credentials there", async () => {
    const asked: Request[] = [];
    const away = { "/a.png": "/b.png", "/b.png": "https://other.test/c.png" } as const;
    const edge = createEdge({
      world: { zones: [{ id: "z1", name: "example.com", settings: { transformations: "on" } }] },
      imageSource: (request) => {
        asked.push(request);
        const location = away[new URL(request.url).pathname as keyof typeof away];
        return location === undefined ? png : new Response(null, { status: 302, headers: { location } });
      },
    });
    const image = { width: 20, "origin-auth": "share-publicly" };
    const headers = { authorization: "Bearer secret" };
    const response = await createImageFetch(edge)("https://example.com/a.png", { cf: { image }, headers });
    expect(response.status).toBe(200);
    const seen = asked.map(({ url, headers: sent }) => [url, sent.get("authorization"), sent.get("via")]);
    expect(seen).toEqual([
      ["https://example.com/a.png", "Bearer secret", "image-resizing"],
      ["https://example.com/b.png", "Bearer secret", "image-resizing"],
      ["https://other.test/c.png", null, "image-resizing"],
    ]);
  });

  test("of format AVIF has at most 1,200 pixels a side", async () => {
    expect(await pictureOf(await zoneSetting().get("width=20,format=png/small.avif"))).toMatchObject({
      width: 20,
    });
  });

  test("is fetched by `fetchImage` when `imageSource` leaves it", async () => {
    const fetched: unknown[] = [];
    const fetchImage = (url: string, request: object) => {
      fetched.push([url, request]);
      return png;
    };
    const { get } = zoneSetting(undefined, { imageSource: () => undefined, fetchImage });
    expect(await pictureOf(await get("width=20/x.png"))).toMatchObject({ width: 20 });
    const headers = { accept: "image/*", via: "image-resizing" };
    expect(fetched).toEqual([["https://example.com/x.png", { maxBytes: 100_000_000, headers }]]);
  });

  test("is not fetched for a transformation: 9403, status 508", async () => {
    const { get, asked } = zoneSetting();
    for (const via of ["image-resizing", "1.1 a, image-resizing"])
      await expectError(await get("width=20/a.png", { via }), 508, 9403);
    expect(asked).toEqual([]);
    expect((await get("width=20/a.png", { via: "1.1 proxy" })).status).toBe(200);
  });
});

describe("an answer", () => {
  test("has the origin's entity tag and cache time, its result and its length", async () => {
    const response = await zoneSetting().get("width=20/a.png");
    const { etag, ...headers } = Object.fromEntries(response.headers);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(etag).toMatch(/^"cf-[0-9a-f]{32}:v1"$/);
    expect(headers).toEqual({
      "cache-control": "public, max-age=7200",
      "content-length": String(bytes.length),
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "x-image-result": expect.stringMatching(
        new RegExp(`^internal=ok/m q=\\d+ n=\\d+ c=\\d+ v=edgeproof l=${bytes.length}$`),
      ),
      "x-trace-id": expect.anything(),
    });
  });

  test("has the provider's names in its profile", async () => {
    const { get } = zoneSetting(undefined, { profile: "provider" });
    expect((await get("width=20/a.png")).headers.get("cf-resized")).toMatch(/^internal=ok\/m /);
    await expectError(await get("width=x/a.png"), 400, 9401, "cf-resized");
  });

  test("is 304 for its own entity tag, and comes from the cache until the source or the options change", async () => {
    const { get } = zoneSetting();
    const first = await get("width=20/a.png");
    const etag = first.headers.get("etag")!;
    expect((await get("width=20/a.png", { "if-none-match": etag })).status).toBe(304);
    expect((await get("width=21/a.png", { "if-none-match": etag })).status).toBe(200);
    const again = await get("w=20/a.png");
    expect(again.headers.get("etag")).toBe(etag);
    expect(again.headers.get("x-image-result")).toMatch(/^internal=ok\/h /);
    expect(Buffer.from(await again.arrayBuffer())).toEqual(Buffer.from(await first.arrayBuffer()));
  });

  test("of two sources with the same entity tag is not mixed up", async () => {
    const other = await plain(60, 30, [1, 2, 3]).png().toBuffer();
    const imageSource = ({ url }: Request) =>
      new Response(new Uint8Array(url.endsWith("b.png") ? other : png), { headers: { etag: '"same"' } });
    const { get } = zoneSetting(undefined, { imageSource });
    expect(await pictureOf(await get("height=10/a.png"))).toMatchObject({ width: 13 });
    expect(await pictureOf(await get("height=10/b.png"))).toMatchObject({ width: 20 });
  });

  test("with `format=auto` follows `Accept` and says so; otherwise it is the source's format", async () => {
    const { get } = zoneSetting();
    const auto = await get("width=20,format=auto/a.png", { accept: "image/avif,image/webp" });
    expect([auto.headers.get("content-type"), auto.headers.get("vary")]).toEqual(["image/avif", "Accept"]);
    const webp = await get("width=20,format=auto/a.png", { accept: "image/webp" });
    expect(webp.headers.get("content-type")).toBe("image/webp");
    const own = await get("width=20/a.png", { accept: "image/avif" });
    expect([own.headers.get("content-type"), own.headers.get("vary")]).toEqual(["image/png", null]);
  });

  test("with `format=json` describes the image", async () => {
    const response = await zoneSetting().get("width=20,format=json/a.png");
    expect(response.headers.get("content-type")).toBe("application/json");
    const original = { file_size: png.length, width: 40, height: 30, format: "image/png" };
    expect(await response.json()).toEqual({ width: 20, height: 15, original });
  });

  test("to an SVG is the cleaned SVG, whatever the options", async () => {
    const response = await zoneSetting().get("width=2,format=webp/a.svg");
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(response.headers.get("content-security-policy")).toBeTruthy();
    expect(await response.text()).not.toContain("onload");
  });

  test("keeps the frames of an animation", async () => {
    const gif = await animation(3, 20, 10, "gif");
    const { get } = zoneSetting(undefined, { imageSource: () => gif });
    expect(await pictureOf(await get("width=10/a.gif"))).toMatchObject({ width: 10, height: 5, pages: 3 });
    expect(await pictureOf(await get("width=10,anim=false/a.gif"))).toMatchObject({ width: 10, height: 5 });
  });

  test("names what has no effect in warnings", async () => {
    const response = await zoneSetting().get("width=20,fit=cover,zoom=1,nonsense=1,dpr=4/a.png");
    expect(response.headers.get("warning")!.split(", ").sort()).toEqual([
      'cf-images 299 "cover fit mode needs both width and height"',
      'cf-images 299 "dpr > 3 should never be used"',
      'cf-images 299 "nonsense is not an option here and has no effect"',
      'cf-images 299 "zoom is not simulated"',
    ]);
    const cached = await zoneSetting().get("width=20,zoom=1/a.png");
    expect(cached.headers.get("warning")).toBe('cf-images 299 "zoom is not simulated"');
  });

  test("from the cache has the same warnings", async () => {
    const { get } = zoneSetting();
    const warningOf = async () => (await get("width=20,segment=foreground/a.png")).headers.get("warning");
    expect(await warningOf()).toBe('cf-images 299 "segment is not simulated"');
    expect(await warningOf()).toBe('cf-images 299 "segment is not simulated"');
  });

  test("to HEAD has the headers and no body", async () => {
    const edge = createEdge({
      world: { zones: [{ id: "z1", name: "example.com", settings: { transformations: "on" } }] },
      imageSource: () => png,
    });
    const response = await edge.fetch(
      new Request("https://example.com/cdn-cgi/image/width=20/a.png", { method: "HEAD" }),
    );
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "image/png",
      "",
    ]);
  });
});

describe("`onerror=redirect`", () => {
  test("redirects to a source within the zone when the transformation fails", async () => {
    const response = await zoneSetting().get("width=20,onerror=redirect/page.html?x=1");
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "https://example.com/page.html?x=1",
    ]);
    expect([response.headers.get("x-image-error"), await response.text()]).toEqual(["err=9412", ""]);
  });

  test("has no effect for a source of another host: no open redirect", async () => {
    const { get } = zoneSetting({ transformations: "open" });
    await expectError(await get("width=20,onerror=redirect/https://evil.org/page.html"), 415, 9412);
    await expectError(
      await zoneSetting().get("width=20,onerror=redirect/https://evil.org/page.html"),
      403,
      9401,
    );
  });

  test("has no effect on a success", async () => {
    expect((await zoneSetting().get("width=20,onerror=redirect/a.png")).status).toBe(200);
  });
});

test("more renderings than may wait are rejected with 9522, and none is lost", async () => {
  const sent = 8;
  const png = await noisy(1_500, 1_500).png().toBuffer();
  let asked = 0;
  let release = (): void => {};
  const everyone = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { get } = zoneSetting(undefined, {
    limits: { concurrentRenders: 1, queuedRenders: 2 },
    // Nothing is rendered before all requests have come this far.
    imageSource: async () => {
      asked += 1;
      if (asked === sent) release();
      await everyone;
      return png;
    },
  });
  const responses = await Promise.all(
    Array.from({ length: sent }, (_, i) => get(`width=${20 + i}/${i}.png`)),
  );
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await expectError(responses.find(({ status }) => status === 503)!, 503, 9522);
});
