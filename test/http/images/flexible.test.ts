/** Flexible variants: a list of options in the address of a hosted image. */
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { EdgeOptions } from "../../../src/edge.ts";
import { signAddress } from "../../../src/engine/images/signing.ts";
import { imageArbitraries } from "../../../src/testing/arbitraries/images.ts";
import { animation, noisy, quarters } from "../../engine/images/pictures.ts";
import { provoked } from "../../support/failure.ts";
import { nastyText } from "../../support/hostile.ts";
import { type FormParts, imageSetting } from "../../support/images.ts";
import { isOverSocket } from "../../support/is-over-socket.ts";
import { runs } from "../../support/runs.ts";

const all = "image/avif,image/webp,*/*";

/** An account with flexible variants and one image of 40 x 30 pixels. */
async function flexible(options: EdgeOptions = {}, parts: FormParts = {}) {
  const setting = imageSetting(options);
  await setting.client.ok("PATCH", "/v1/config", { flexible_variants: true });
  const image = await setting.upload({ id: "i", ...parts });
  const base = image.variants[0].replace(/public$/, "") as string;
  const get = (list: string, headers: Readonly<Record<string, string>> = {}) =>
    setting.at(`${base}${list}`, { headers });
  return { ...setting, base, get };
}

async function expectRejection(response: Response, status: number, code: number, header = "x-image-error") {
  const text = await response.text();
  expect([response.status, response.headers.get(header)], text).toEqual([status, `err=${code}`]);
  expect(text).toMatch(new RegExp(`^ERROR ${code}: .+\\.$`));
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  provoked(code);
}

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function sizeOf(response: Response) {
  const { width, height, format } = await sharp(await bytesOf(response)).metadata();
  return `${width}x${height} ${format}`;
}

describe("a list of options", () => {
  test.each([
    ["w=20", "20x15 png"],
    ["width=20,height=20", "20x15 png"],
    ["w=20,h=20,fit=cover", "20x20 png"],
    ["fit=pad,h=20,w=20", "20x20 png"],
    ["w=80", "40x30 png"],
    ["w=10,dpr=2", "20x15 png"],
    ["rotate=90", "30x40 png"],
    ["w=20,f=webp", "20x15 webp"],
    ["w=20,format=jpeg,q=30", "20x15 jpeg"],
    ["trim=10;0;0;5,width=400", "35x20 png"],
    ["w=%32%30", "20x15 png"],
    ["w=20,w=10", "20x15 png"],
    ["w=10,width=20", "20x15 png"],
    ["width=auto,wmobile=12,wdesktop=14", "14x11 png"],
  ])("%s delivers %s", async (list, size) => {
    const { get } = await flexible();
    expect(await sizeOf(await get(list))).toBe(size);
  });

  test("the format is the best that the client accepts, unless an option names one; only then `Vary` is missing", async () => {
    const { get } = await flexible();
    const auto = await get("w=20", { accept: all });
    expect([auto.headers.get("content-type"), auto.headers.get("vary")]).toEqual(["image/avif", "Accept"]);
    const named = await get("w=20,f=webp", { accept: all });
    expect([named.headers.get("content-type"), named.headers.get("vary")]).toEqual(["image/webp", null]);
  });

  test("`format=json` describes the image", async () => {
    const { get } = await flexible();
    const response = await get("w=20,format=json");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({
      width: 20,
      height: 15,
      original: { width: 40, height: 30 },
    });
  });

  test("`width=auto` follows the hints of the client, and the answer names them", async () => {
    const file = await quarters(1_000, 10);
    const { get } = await flexible({}, { file });
    const hints = { "sec-ch-viewport-width": "300", "sec-ch-dpr": "2" };
    const response = await get("width=auto", hints);
    expect(response.headers.get("vary")).toContain("sec-ch-viewport-width");
    expect(await sizeOf(response)).toBe("768x8 png");
    expect(await sizeOf(await get("width=auto", { ...hints, "sec-ch-dpr": "1" }))).toBe("320x3 png");
  });

  test("the headers say what was done, by wire names, and each warning", async () => {
    const { get } = await flexible({ clock: () => 0 });
    const response = await get("w=20,fit=cover,segment=foreground,color=red,onerror=redirect");
    const { length } = await bytesOf(response);
    expect(response.headers.get("x-image-result")).toBe(`internal=ok/m q=0 n=0 c=0 v=edgeproof l=${length}`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=172800, stale-while-revalidate=7200");
    const warnings = [
      "color is not an option here and has no effect",
      "onerror has no effect here",
      "segment is not simulated",
      "cover fit mode needs both width and height",
    ];
    expect(response.headers.get("warning")?.split(", ").toSorted()).toEqual(
      warnings.map((text) => `cf-images 299 "${text}"`).toSorted(),
    );
    const provider = await flexible({ wireNames: "provider" });
    expect((await provider.get("w=20")).headers.get("cf-resized")).toMatch(/^internal=ok\/m /);
  });

  test("a file is rendered once for equal options in any order, and not again for a client that has it", async () => {
    const { get } = await flexible();
    const first = await get("width=20,height=10,fit=cover");
    const etag = first.headers.get("etag")!;
    expect(etag).toMatch(/^"cf-[0-9a-f]{32}:[0-9a-f-]{36}"$/);
    const second = await get("fit=cover,h=10,w=20");
    expect(second.headers.get("etag")).toBe(etag);
    expect(first.headers.get("x-image-result")).toMatch(/^internal=ok\/m /);
    expect(second.headers.get("x-image-result")).toMatch(/^internal=ok\/h /);
    expect((await bytesOf(second)).equals(await bytesOf(first))).toBe(true);
    const known = await get("fit=cover,h=10,w=20", { "if-none-match": etag });
    expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", etag]);
    for (const other of ["w=20,h=10", "w=20,h=10,fit=cover,q=1", "w=20,h=10,fit=cover,f=webp"])
      expect((await get(other)).headers.get("etag")).not.toBe(etag);
    expect((await get("w=20,h=10,fit=cover", { accept: all })).headers.get("etag")).not.toBe(etag);
  });

  test("an animation keeps its frames, and an SVG is cleaned", async () => {
    const { get } = await flexible({}, { file: await animation(3, 20, 10, "gif") });
    const frames = async (list: string) => (await sharp(await bytesOf(await get(list))).metadata()).pages;
    expect([await frames("w=10"), await frames("w=10,anim=false")]).toEqual([3, 1]);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>';
    const drawn = await (await flexible({}, { file: Buffer.from(svg) })).get("w=10,f=webp");
    expect(drawn.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await drawn.text()).toBe('<svg xmlns="http://www.w3.org/2000/svg"/>');
  });

  test("the time of browsers is that of the account", async () => {
    const { client, get } = await flexible();
    await client.ok("PATCH", "/v1/config", { browser_ttl: 3_600 });
    expect((await get("w=20")).headers.get("cache-control")).toBe(
      "public, max-age=3600, stale-while-revalidate=7200",
    );
  });
});

describe("rejected", () => {
  test.each([
    ["w=0", 400, 9401],
    ["w=", 400, 9401],
    ["=20", 400, 9401],
    ["w=20,", 400, 9401],
    ["w=20,fit", 400, 9401],
    ["w=20,fit=stretch", 400, 9401],
    ["sharpen=11", 400, 9401],
    ["w=20,trim=40;0;0;0", 400, 9401],
    ["w=%zz", 400, 9401],
    ["w=12000,h=12000,fit=cover", 403, 9413],
    // The sign itself must not be encoded.
    ["w%3D20", 404, 9404],
  ])("%s: %i, %i", async (list, status, code) => {
    const { get } = await flexible();
    await expectRejection(await get(list), status, code);
  });

  test("while flexible variants are off, also for a client that has the file: 403, 9429", async () => {
    const { client, get } = await flexible({ wireNames: "provider" });
    const etag = (await get("w=20")).headers.get("etag")!;
    await client.ok("PATCH", "/v1/config", { flexible_variants: false });
    for (const known of ["*", etag]) {
      const response = await get("w=20", { "if-none-match": known });
      await expectRejection(response.clone(), 403, 9429, "cf-resized");
      expect(await response.text()).toBe("ERROR 9429: Flexible variants are not enabled for the account.");
    }
  });

  test("for an image that requires signatures, signed or not: 403, 9425", async () => {
    const { client, base, get, at } = await flexible({}, { requireSignedURLs: "true" });
    const [key] = (await client.ok("GET", "/v1/keys")).result.keys;
    await expectRejection(await get("w=20"), 403, 9425);
    await expectRejection(await at(signAddress(`${base}w=20`, key.value)), 403, 9425);
  });

  test("a deleted image, and one that is deleted and uploaded again is rendered again", async () => {
    const { client, get, upload } = await flexible();
    const before = await bytesOf(await get("w=20"));
    await client.ok("DELETE", "/v1/i");
    await expectRejection(await get("w=20"), 404, 9404);
    await upload({ id: "i", file: await noisy(40, 30).png().toBuffer() });
    expect((await bytesOf(await get("w=20"))).equals(before)).toBe(false);
  });

  // Over a socket, requests of one moment can arrive in another order, or after each other.
  test.skipIf(isOverSocket)("when too many renderings wait: 503, 9522", async () => {
    const { get } = await flexible({ limits: { concurrentRenders: 1, queuedRenders: 0 } });
    const [first, second] = await Promise.all([get("w=20"), get("w=21")]);
    await bytesOf(first!);
    await expectRejection(second!, 503, 9522);
  });
});

describe("laws", () => {
  const { variantOptions } = imageArbitraries(fc);
  const list = (options: object) =>
    Object.entries(options)
      .filter(([name]) => name !== "browser_ttl")
      .map(([name, value]) => `${name}=${value}`)
      .join(",");

  test("the options of a variant deliver the bytes of the variant", async () => {
    const small = { limits: { imageOutputPixels: 250_000 } };
    const files = [
      await noisy(60, 40)
        .jpeg()
        .withExif({ IFD0: { Copyright: "me", Artist: "you" } })
        .toBuffer(),
      await quarters(30, 50),
      await animation(2, 16, 10, "gif"),
      await noisy(20, 20).toColourspace("b-w").png().toBuffer(),
      await noisy(20, 20).ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
    ];
    const settings = await Promise.all(files.map((file) => flexible(small, { file })));
    let compared = 0;
    const side = fc.integer({ min: 1, max: 90 });
    const options = fc
      .tuple(variantOptions, side, side)
      .map(([given, width, height]) => ({ ...given, width, height, blur: Math.round(given.blur ?? 0) }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...settings),
        options,
        fc.constantFrom("", all, "image/webp"),
        async ({ client, base, at, get }, given, accept) => {
          await client("DELETE", "/v1/variants/v");
          await client.ok("POST", "/v1/variants", { id: "v", options: given });
          const expected = await at(`${base}v`, { headers: { accept } });
          const actual = await get(list(given), { accept });
          expect(actual.headers.get("content-type")).toBe(expected.headers.get("content-type"));
          expect((await bytesOf(actual)).equals(await bytesOf(expected))).toBe(true);
          compared++;
        },
      ),
      { numRuns: runs(300) },
    );
    expect(compared).toBeGreaterThan(0);
  });

  test("any list is an image or an error of its own, never an internal one", async () => {
    const { get } = await flexible({ limits: { imageOutputPixels: 100_000 } });
    const name = fc.constantFrom("w", "height", "fit", "g", "trim", "trim.left", "rotate", "blur", "f", "x");
    const value = fc.oneof(nastyText, fc.constantFrom("auto", "0.5", "-1", "1e9", "10;10", "9999999999"));
    const part = fc
      .tuple(name, value)
      // Node.js reads at most 16 KiB of headers, which have the address twice here.
      .map(
        ([name, text]) =>
          `${name}=${encodeURIComponent(text.toWellFormed()).slice(0, isOverSocket ? 1_200 : undefined)}`,
      )
      .map((part) => part.replace(/%[0-9A-F]?$/, ""));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const response = await get(parts.join(","));
        const code = /^err=(\d+)$/.exec(response.headers.get("x-image-error") ?? "")?.[1];
        expect([200, 400, 403]).toContain(response.status);
        if (response.status !== 200) expect(["9401", "9413"]).toContain(code);
        await response.arrayBuffer();
      }),
      { numRuns: runs(1_000) },
    );
  });
});
