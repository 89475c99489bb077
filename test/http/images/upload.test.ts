/** Uploads: forms, files, and that a rejected upload stores nothing. */

import { describe, expect, test } from "vitest";
import { gifPicture } from "../../../src/testing/pictures/picture-samples.ts";
import { animation, blackLines, plain, pngOf } from "../../engine/images/pictures.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { imageSetting, origin, png, storedImages } from "../../support/images.ts";

const v1 = `${origin}/client/v4/accounts/a1/images/v1`;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("an upload", () => {
  test("returns the image in the envelope", async () => {
    const { post, client } = imageSetting({ clock: () => Date.UTC(2026, 0, 31) });
    const response = await post("/v1", { file: await png(), requireSignedURLs: "true" }, "dir/räv.png");
    expect(response.status).toBe(200);
    const body = await jsonOf(response);
    const { id, variants, ...image } = body.result;
    expect(body).toEqual({ result: expect.anything(), success: true, errors: [], messages: [] });
    expect(id).toMatch(uuid);
    expect(image).toEqual({
      filename: "räv.png",
      uploaded: "2026-01-31T00:00:00.000000Z",
      requireSignedURLs: true,
    });
    expect(variants).toEqual([
      expect.stringMatching(new RegExp(`^${origin}/cdn-cgi/imagedelivery/[\\w-]{22}/${id}/public$`)),
    ]);
    expect((await client.ok("GET", `/v1/${id}`)).result).toEqual(body.result);
  });

  test("accepts parts in any order, metadata as JSON or as members, and a creator", async () => {
    const { upload } = imageSetting();
    const image = await upload({
      requireSignedURLs: "false",
      metadata: '{"a":[1,{"b":null}]}',
      file: await png(),
      id: "first",
      creator: "ada",
    });
    expect(image).toMatchObject({ id: "first", creator: "ada", meta: { a: [1, { b: null }] } });
    const members = await upload({ "metadata[a][b]": "1", "metadata[c][]": "2", id: "second" });
    expect(members.meta).toEqual({ a: { b: "1" }, c: ["2"] });
    expect(await upload({ metadata: "null", creator: "" })).toMatchObject({ meta: null });
  });

  test("adds a note for each unknown field", async () => {
    const { post } = imageSetting();
    const body = await jsonOf(await post("/v1", { file: await png(), color: "red", expiry: "x" }));
    expect(body.messages).toEqual([
      { code: 10401, message: expect.stringContaining("`color`"), source: { pointer: "/color" } },
      { code: 10401, message: expect.stringContaining("`expiry`"), source: { pointer: "/expiry" } },
    ]);
  });

  test.each<[string, Record<string, string>, number, string | undefined]>([
    ["neither file nor url", {}, 5400, undefined],
    ["an invalid boolean", { file: "x", requireSignedURLs: "yes" }, 5400, "/requireSignedURLs"],
    ["metadata that is not JSON", { file: "x", metadata: "{a:1}" }, 5400, "/metadata"],
    [
      "metadata of 1,025 bytes",
      { file: "x", metadata: JSON.stringify(`${"ä".repeat(511)}b`) },
      5400,
      "/metadata",
    ],
    ["metadata twice", { file: "x", metadata: "1", "metadata[a]": "1" }, 5400, "/metadata"],
    ["a creator of 1,025 characters", { file: "x", creator: "c".repeat(1_025) }, 5400, "/creator"],
    ["an empty id", { file: "x", id: "" }, 5411, "/id"],
    ["an id with a dot segment", { file: "x", id: "a/../b" }, 5411, "/id"],
    ["an id that reads like an endpoint", { file: "x", id: "keys/a" }, 5411, "/id"],
    ["an id that ends like an endpoint", { file: "x", id: "a/blob" }, 5411, "/id"],
    ["a file that is not an image", { file: "hello" }, 5415, "/file"],
    ["an empty file", { file: "" }, 5400, "/file"],
  ])("%s is rejected, and nothing is stored", async (_what, parts, code, pointer) => {
    const { edge, post } = imageSetting();
    const status = code === 5415 ? 415 : 400;
    await expectFailure(await post("/v1", parts), { status, code, ...(pointer && { pointer }) });
    expect(await storedImages(edge)).toEqual({ images: [], blobs: [] });
  });

  test("metadata of 1,024 bytes is accepted", async () => {
    const { upload } = imageSetting();
    const text = "ä".repeat(511);
    expect((await upload({ metadata: JSON.stringify(text) })).meta).toBe(text);
  });

  test("the file's bytes decide, not its name", async () => {
    const { post } = imageSetting();
    expect((await post("/v1", { file: await png() }, "page.html")).status).toBe(200);
    const tiff = await plain(4, 4).tiff().toBuffer();
    await expectFailure(await post("/v1", { file: tiff }, "a.png"), {
      status: 415,
      code: 5455,
      message: /TIFF/,
    });
    const frames = await animation(3, 4, 4, "gif");
    // The declared screen and first frame are too large for three frames.
    const descriptor = frames.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 4, 0, 4, 0]));
    for (const sizeAt of [6, descriptor + 5]) {
      frames.writeUInt16LE(12_000, sizeAt);
      frames.writeUInt16LE(3_000, sizeAt + 2);
    }
    await expectFailure(await post("/v1", { file: frames }), { status: 400, code: 5443 });
    const cut = (await plain(64, 64).jpeg().toBuffer()).subarray(0, -20);
    await expectFailure(await post("/v1", { file: cut }), { status: 400, code: 9422 });
    const bomb = pngOf(30_000, 30_000, blackLines(30_000, 8));
    await expectFailure(await post("/v1", { file: bomb }), { status: 413, code: 5413 });
  });

  test("an id in use is rejected with 5409, and its image is unchanged", async () => {
    const { edge, post, upload, client } = imageSetting();
    const first = await upload({ id: "a/b" });
    await expectFailure(await post("/v1", { file: await png(200), id: "a/b" }), {
      status: 400,
      code: 5409,
      pointer: "/id",
    });
    expect((await client.ok("GET", "/v1/a/b")).result).toEqual(first);
    expect((await storedImages(edge)).blobs).toHaveLength(1);
  });

  test("one of two simultaneous uploads with the same id is stored", async () => {
    const { edge, post } = imageSetting();
    const [a, b] = await Promise.all([png(1), png(2)]);
    const both = await Promise.all([post("/v1", { file: a, id: "x" }), post("/v1", { file: b, id: "x" })]);
    expect(both.map((r) => r.status).sort()).toEqual([200, 400]);
    const { images, blobs } = await storedImages(edge);
    expect(blobs).toEqual([images[0].original.blob]);
  });

  test("a full account rejects with 5453, also one of two simultaneous uploads", async () => {
    const { edge, post, client } = imageSetting({ limits: { imagesPerAccount: 1 } });
    const file = await png();
    const both = await Promise.all([post("/v1", { file }), post("/v1", { file })]);
    expect(both.map((r) => r.status).sort()).toEqual([200, 403]);
    await expectFailure(await post("/v1", { file }), { status: 403, code: 5453, message: /at most 1/ });
    expect((await storedImages(edge)).blobs).toHaveLength(1);
    expect((await client.ok("GET", "/v1/stats")).result).toEqual({ count: { allowed: 1, current: 1 } });
  });

  test("accounts do not see each other's images and may use the same ids", async () => {
    const { edge, upload } = imageSetting();
    await upload({ id: "same" });
    const response = await edge.fetch(
      new Request(`${origin}/client/v4/accounts/a2/images/v1/same`, {
        headers: { authorization: "Bearer t" },
      }),
    );
    await expectFailure(response, { status: 404, code: 5404 });
  });
});

describe("the limit of 10 MB", () => {
  const limit = 10_485_760;

  async function padded(size: number): Promise<Buffer> {
    const gif = await plain(4, 4).gif().toBuffer();
    // A comment of a GIF may have any length.
    const blocks: Buffer[] = [];
    let left = size - gif.length - 3;
    blocks.push(Buffer.from([0x21, 0xfe]));
    while (left > 0) {
      const block = Math.min(256, left);
      const length = left - block === 1 ? block - 2 : block;
      blocks.push(Buffer.concat([Buffer.from([length - 1]), Buffer.alloc(length - 1, 32)]));
      left -= length;
    }
    blocks.push(Buffer.from([0]));
    const bytes = Buffer.concat([gif.subarray(0, -1), ...blocks, gif.subarray(-1)]);
    expect(bytes.length).toBe(size);
    return bytes;
  }

  test("is exact: one byte more is rejected with 5413", async () => {
    const { post, edge } = imageSetting();
    expect((await post("/v1", { file: await padded(limit) })).status).toBe(200);
    await expectFailure(await post("/v1", { file: await padded(limit + 1) }), {
      status: 413,
      code: 5413,
      pointer: "/file",
    });
    expect((await storedImages(edge)).blobs).toHaveLength(1);
  });

  test("is enforced while reading, with or without a length", async () => {
    const { edge } = imageSetting({ limits: { imageUploadBytes: 100_000 } });
    let sent = 0;
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
    const body = new ReadableStream({
      start: (c) => c.enqueue(Buffer.from(head)),
      pull: (c) => {
        sent += 10_000;
        c.enqueue(new Uint8Array(10_000));
      },
    });
    const headers = { authorization: "Bearer t", "content-type": "multipart/form-data; boundary=b" };
    const request = new Request(v1, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    await expectFailure(await edge.fetch(request), { status: 413, code: 5413 });
    expect(sent).toBeLessThan(200_000);
    const announced = new Request(v1, {
      method: "POST",
      headers: { ...headers, "content-length": "999999" },
      body: "x",
    });
    await expectFailure(await edge.fetch(announced), { status: 413, code: 5413, message: /165536/ });
  });
});

describe("an upload by url", () => {
  test("is rejected without the option, which the message names", async () => {
    const { post } = imageSetting();
    await expectFailure(await post("/v1", { url: "https://example.com/a.png" }), {
      status: 400,
      code: 5454,
      message: /`fetchImage`.*`--fetch-urls`/,
    });
  });

  test("stores the file that the fetcher returns", async () => {
    const asked: unknown[] = [];
    const file = await png(77);
    const fetchImage = async (url: string, limits: { maxBytes: number }) => {
      asked.push([url, limits.maxBytes]);
      return file;
    };
    const { upload, client } = imageSetting({ fetchImage });
    const image = await upload({ url: "https://example.com/x/cat.png?size=2", id: "cat" });
    expect(image.filename).toBe("cat.png");
    expect(asked).toEqual([["https://example.com/x/cat.png?size=2", 10_485_760]]);
    const blob = await client("GET", "/v1/cat/blob");
    expect(Buffer.from(await blob.arrayBuffer()).equals(file)).toBe(true);
  });

  test("accepts a Response, an ArrayBuffer or a Uint8Array", async () => {
    const file = await png(78);
    const buffer = new Uint8Array(file).buffer;
    const web = new Uint8Array(buffer);
    for (const fetched of [file, web, buffer, new Response(web), new Response(new Blob([web]).stream())]) {
      const { upload, client } = imageSetting({ fetchImage: () => fetched });
      await upload({ url: "https://example.com/a.png", id: "cat" });
      const blob = await client("GET", "/v1/cat/blob");
      expect(Buffer.from(await blob.arrayBuffer()).equals(file)).toBe(true);
    }
  });

  const used = new Response("x");
  test.each([
    [undefined, "found undefined"],
    [null, "found null"],
    ["text", "found a string"],
    [{}, "found an object of class Object"],
    [new Blob(["x"]), "found an object of class Blob"],
    [new Uint16Array(2), "found an object of class Uint16Array"],
    [new Response("no", { status: 404 }), "the response of `fetchImage` has status 404"],
    [used, "the body of the response of `fetchImage` has already been read"],
  ])("rejects another result of `fetchImage` with a clear message (%s)", async (fetched, reason) => {
    if (!used.bodyUsed) await used.text();
    const { post } = imageSetting({ fetchImage: () => fetched as never });
    await expectFailure(await post("/v1", { url: "https://example.com/a.png" }), {
      status: 400,
      code: 5454,
      pointer: "/url",
      message: new RegExp(`${reason}\\.$`),
    });
  });

  test("stops reading a response of more bytes than allowed", async () => {
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(50_000)),
      cancel: () => {
        cancelled = true;
      },
    });
    const { post } = imageSetting({ fetchImage: () => new Response(body) });
    await expectFailure(await post("/v1", { url: "https://example.com/a.png" }), { status: 413, code: 5413 });
    expect(cancelled).toBe(true);
  });

  test.each([
    ["https://example.com/my%20cat%C3%A9.png?x=1", "my caté.png"],
    ["https://example.com/a%2Fb%5Cc.png", "c.png"],
    ["https://example.com/%FF.png", "%FF.png"],
    [`https://example.com/${"%F0%9F%90%B1".repeat(300)}`, "🐱".repeat(255)],
    ["https://example.com/", undefined],
  ])("decodes the file name and cuts it after 255 characters (%#)", async (url, filename) => {
    const { upload } = imageSetting({ fetchImage: () => png(79) });
    expect((await upload({ url })).filename).toBe(filename);
  });

  test("reports why fetching failed, validates the fetched file, and excludes a file in the form", async () => {
    const { post, edge } = imageSetting({
      fetchImage: (url) =>
        url.includes("gone")
          ? Promise.reject(new Error("the server is asleep."))
          : Promise.resolve(Buffer.from("<html>")),
    });
    await expectFailure(await post("/v1", { url: "https://example.com/gone" }), {
      status: 400,
      code: 5454,
      message: /gone`.*the server is asleep\.$/,
    });
    const page = { status: 415, code: 5415, pointer: "/url" };
    await expectFailure(await post("/v1", { url: "https://example.com/page" }), page);
    const both = { url: "https://example.com/page", file: await png() };
    await expectFailure(await post("/v1", both), { status: 400, code: 5400, message: /both/ });
    expect(await storedImages(edge)).toEqual({ images: [], blobs: [] });
  });
});

describe("the name of an uploaded file", () => {
  test("is decoded as browsers encode it, and cut after 255 characters", async () => {
    const { post } = imageSetting();
    const nameOf = async (name: string) =>
      (await jsonOf(await post("/v1", { file: await png() }, name))).result.filename;
    expect(await nameOf('a "quoted" 100%25.png')).toBe('a "quoted" 100%25.png');
    expect(await nameOf("é".repeat(255))).toBe("é".repeat(255));
    expect(await nameOf("é".repeat(300))).toBe("é".repeat(255));
  });
});

describe("limits of the input are options", () => {
  test.each([
    [{ imageInputPixels: 1_199 }, 5413],
    [{ imageInputSide: 39 }, 5413],
  ])("%j", async (limits, code) => {
    const { post } = imageSetting({ limits });
    await expectFailure(await post("/v1", { file: await png() }), { status: 413, code, pointer: "/file" });
    await imageSetting({ limits: { imageInputPixels: 1_200, imageInputSide: 40 } }).upload();
  });

  test.each([{ imageInputPixels: 1_199 }, { imageInputFrames: 2 }])("of animations: %j", async (limits) => {
    const file = gifPicture({ width: 20, height: 20, color: [200, 10, 10] }, 3);
    const { post } = imageSetting({ limits });
    await expectFailure(await post("/v1", { file }), { status: 400, code: 5443, pointer: "/file" });
    await imageSetting({ limits: { imageInputPixels: 1_200, imageInputFrames: 3 } }).upload({ file });
  });
});

describe("custom ids", () => {
  const id = "6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a11";

  test("spec: UUIDs and signed images are accepted with a note", async () => {
    const { post } = imageSetting();
    const body = await jsonOf(await post("/v1", { file: await png(), id }));
    expect(body.result.id).toBe(id);
    expect(body.messages).toEqual([
      { code: 10402, message: expect.stringMatching(/provider rejects.*UUID/), source: { pointer: "/id" } },
    ]);
    const signed = await jsonOf(
      await post("/v1", { file: await png(), id: "mine", requireSignedURLs: "true" }),
    );
    expect(signed.messages).toHaveLength(1);
  });

  test("provider: UUIDs and signed images are rejected, other ids are accepted", async () => {
    const { post } = imageSetting({ profile: "provider" });
    await expectFailure(await post("/v1", { file: await png(), id }), {
      status: 400,
      code: 5411,
      pointer: "/id",
    });
    const signed = { file: await png(), id: "mine", requireSignedURLs: "true" };
    await expectFailure(await post("/v1", signed), { status: 400, code: 5411 });
    const body = await jsonOf(await post("/v1", { file: await png(), id: "mine" }));
    expect(body).toMatchObject({ success: true, messages: [] });
  });

  test.each([
    ["shop/cover.jpg", "shop/cover.jpg", "shop%2Fcover.jpg"],
    ["50% off/ä b", "50%25%20off/%C3%A4%20b", "50%25%20off%2F%C3%A4%20b"],
    ["a//b", "a//b", "a%2F%2Fb"],
    ["%2F", "%252F", "%252F"],
  ])("%s is found unencoded and encoded, and delivered", async (name, bare, encoded) => {
    const { upload, client, at } = imageSetting();
    const image = await upload({ id: name });
    expect(image.id).toBe(name);
    for (const path of [bare, encoded]) {
      expect((await client.ok("GET", `/v1/${path}`)).result.id).toBe(name);
      expect((await client("GET", `/v1/${path}/blob`)).status).toBe(200);
    }
    expect((await at(image.variants[0])).status).toBe(200);
  });
});

describe("the body", () => {
  const send = (type: string | undefined, body?: string) => {
    const headers = { authorization: "Bearer t", ...(type && { "content-type": type }) };
    return imageSetting().edge.fetch(
      new Request(v1, { method: "POST", headers, ...(body !== undefined && { body }) }),
    );
  };

  test("of another type is rejected with 5415", async () => {
    await expectFailure(await send("application/json", "{}"), { status: 415, code: 5415 });
    await expectFailure(await send("application/x-www-form-urlencoded", "a=1"), { status: 415, code: 5415 });
  });

  test("that is malformed, cut off or without a boundary is rejected with 5400", async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\nx';
    for (const body of ["", "hello", part, `${part}\r\n--b`]) {
      await expectFailure(await send("multipart/form-data; boundary=b", body), { status: 400, code: 5400 });
    }
    await expectFailure(await send("multipart/form-data", "x"), {
      status: 400,
      code: 5400,
      message: /boundary/,
    });
  });

  test("with an unreadable part is rejected with 5400, and no part is lost silently", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const part = (head: string, value: string) => `${head}\r\n\r\n${value}\r\n`;
    const file = part('--b\r\nContent-Disposition: form-data; name="file"; filename="a"', svg);
    const unread = [
      part('--b \r\nContent-Disposition: form-data; name="requireSignedURLs"', "true"),
      part('--b\t\r\nContent-Disposition: form-data; name="requireSignedURLs"', "true"),
      part("--b\r\nContent-Type: text/plain", "true"),
      part('--b\r\nContent-Disposition: attachment; name="requireSignedURLs"', "true"),
      part('--b\r\nContent-Disposition: form-data; name="require\nSignedURLs"', "true"),
      "--b\r\n\r\ntrue\r\n",
      "--b\r\n",
    ];
    for (const lost of unread) {
      for (const body of [`${lost}${file}--b--\r\n`, `${file}${lost}--b--\r\n`]) {
        const response = await send("multipart/form-data; boundary=b", body);
        await expectFailure(response, { status: 400, code: 5400 });
      }
    }
    const whole = await send(
      'multipart/form-data; charset=utf-8; boundary="b"',
      `before\r\n${file}--b--after\r\n--b`,
    );
    expect(whole.status).toBe(200);
  });

  test("without parts is rejected: it has neither file nor url", async () => {
    await expectFailure(await send(undefined), { status: 400, code: 5400, message: /neither/ });
    await expectFailure(await send("multipart/form-data; boundary=b", "--b--\r\n"), {
      status: 400,
      code: 5400,
      message: /neither/,
    });
  });
});
