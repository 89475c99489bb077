/** Images, signing keys, variants and the statistic over HTTP: responses, rejections, edits. */
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { noisy, pixelAt } from "../../engine/images/pictures.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { imageSetting, png, storedImages } from "../../support/images.ts";

const options = { fit: "cover", width: 20, height: 10, metadata: "none" };
const envelope = { success: true, errors: [], messages: [] };

describe("PATCH of an image", () => {
  test("replaces the members of the body and keeps the others", async () => {
    const { upload, client } = imageSetting();
    const before = await upload({ id: "a/b", creator: "ada", metadata: '{"a":1}' });
    const patch = async (body: object) => (await client.ok("PATCH", "/v1/a/b", body)).result;
    expect(await patch({})).toEqual(before);
    expect(await patch({ metadata: { b: 2 } })).toEqual({ ...before, meta: { b: 2 } });
    expect(await patch({ creator: "bob" })).toMatchObject({ creator: "bob", meta: { b: 2 } });
    expect(await patch({ metadata: null })).toMatchObject({ meta: null });
    expect(await patch({ creator: "" })).not.toHaveProperty("creator");
    expect(await patch({ requireSignedURLs: false })).toMatchObject({ id: "a/b" });
  });

  test("the variant `public` can be deleted, except in the profile provider: 5400", async () => {
    const spec = imageSetting();
    await spec.client.ok("DELETE", "/v1/variants/public");
    const { client } = imageSetting({ profile: "provider" });
    await expectFailure(await client("DELETE", "/v1/variants/public"), { status: 400, code: 5400 });
    await client.ok("GET", "/v1/variants/public");
    await expectFailure(await client("DELETE", "/v1/variants/absent"), { status: 404, code: 5401 });
  });

  test("provider: `requireSignedURLs` is rejected for a custom id, as it is for an upload", async () => {
    const { upload, client } = imageSetting({ profile: "provider" });
    await upload({ id: "a/b" });
    await expectFailure(await client("PATCH", "/v1/a/b", { requireSignedURLs: true }), {
      status: 400,
      code: 5411,
      pointer: "/requireSignedURLs",
    });
    expect((await client.ok("PATCH", "/v1/a/b", { requireSignedURLs: false })).result.id).toBe("a/b");
    const { id } = await upload();
    expect((await client.ok("PATCH", `/v1/${id}`, { requireSignedURLs: true })).result.id).not.toBe(id);
  });

  test("spec: `requireSignedURLs` for a custom id is accepted with a note", async () => {
    const { upload, client } = imageSetting();
    await upload({ id: "a/b" });
    const { messages } = await client.ok("PATCH", "/v1/a/b", { requireSignedURLs: true });
    expect(messages).toMatchObject([{ message: expect.stringMatching(/^The provider rejects this: /) }]);
  });

  test("a change of requireSignedURLs assigns a new id, with the same position in lists and the same bytes", async () => {
    const { upload, client, edge } = imageSetting();
    const file = await png(99);
    for (const id of ["one", "two", "three"]) await upload({ id, file, metadata: '{"a":1}' });
    const { result } = await client.ok("PATCH", "/v1/two", { requireSignedURLs: true, creator: "ada" });
    expect(result.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(result).toMatchObject({ requireSignedURLs: true, creator: "ada", meta: { a: 1 } });
    await expectFailure(await client("GET", "/v1/two"), { status: 404, code: 5404 });
    const { images } = (await client.ok("GET", "/v1")).result;
    expect(images.map((i: { id: string }) => i.id)).toEqual(["three", result.id, "one"]);
    expect(images[1].uploaded).toBe(result.uploaded);
    const blob = await client("GET", `/v1/${result.id}/blob`);
    expect(Buffer.from(await blob.arrayBuffer()).equals(file)).toBe(true);
    expect((await storedImages(edge)).blobs).toHaveLength(3);
  });

  test("one of two simultaneous requests finds the image under its old id", async () => {
    const { upload, client, edge } = imageSetting();
    await upload({ id: "x" });
    const both = await Promise.all([1, 2].map(() => client("PATCH", "/v1/x", { requireSignedURLs: true })));
    expect(both.map((r) => r.status).sort()).toEqual([200, 404]);
    expect((await storedImages(edge)).images).toHaveLength(1);
  });

  test.each([
    [{ metadata: { a: "x".repeat(1_024) } }, "/metadata"],
    [{ creator: 5 }, "/creator"],
    [{ creator: "c".repeat(1_025) }, "/creator"],
    [{ requireSignedURLs: "true" }, "/requireSignedURLs"],
    [[], ""],
  ])("rejects %j and changes nothing", async (body, pointer) => {
    const { upload, client } = imageSetting();
    const before = await upload({ id: "x" });
    await expectFailure(await client("PATCH", "/v1/x", body), { status: 400, code: 5400, pointer });
    expect((await client.ok("GET", "/v1/x")).result).toEqual(before);
  });

  test("adds a note for each unknown member", async () => {
    const { upload, client } = imageSetting();
    await upload({ id: "x" });
    const { messages, result } = await client.ok("PATCH", "/v1/x", { id: "y", meta: 1 });
    expect(messages.map((m: { source: object }) => m.source)).toEqual([
      { pointer: "/id" },
      { pointer: "/meta" },
    ]);
    expect(result.id).toBe("x");
  });
});

describe("a missing image", () => {
  test.each([
    ["GET", "/v1/unknown"],
    ["GET", "/v1/unknown/blob"],
    ["PATCH", "/v1/unknown"],
    ["DELETE", "/v1/unknown"],
    ["GET", "/v1/keys%2Fx"],
    ["GET", "/v1/__proto__"],
  ])("%s %s responds with 404 and code 5404", async (method, path) => {
    const body = method === "PATCH" ? {} : undefined;
    await expectFailure(await imageSetting().client(method, path, body), { status: 404, code: 5404 });
  });
});

describe("DELETE of an image", () => {
  test("removes the image and its bytes, once", async () => {
    const { upload, client, edge } = imageSetting();
    await upload({ id: "a/b" });
    const headers = { "content-type": "application/json" };
    const response = await client("DELETE", "/v1/a%2Fb", "", headers);
    expect(await jsonOf(response)).toEqual({ result: {}, ...envelope });
    expect(await storedImages(edge)).toEqual({ images: [], blobs: [] });
    await expectFailure(await client("DELETE", "/v1/a/b"), { status: 404, code: 5404 });
    expect((await client.ok("GET", "/v1/stats")).result.count.current).toBe(0);
  });
});

describe("blob", () => {
  test("returns the original's bytes and type for every Accept header", async () => {
    const { upload, client } = imageSetting();
    const file = await noisy(30, 20)
      .jpeg()
      .withExif({ IFD0: { Copyright: "me" } })
      .toBuffer();
    await upload({ id: "x", file });
    const response = await client("GET", "/v1/x/blob", undefined, { accept: "image/*" });
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
    const head = await client("HEAD", "/v1/x/blob");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(file.length)]);
  });

  test("re-encodes an original above the limit near-losslessly", async () => {
    const file = await png(200);
    const at = imageSetting({ limits: { imageBaseBytes: file.length } });
    await at.upload({ id: "x", file });
    expect((await at.client("GET", "/v1/x/blob")).headers.get("content-type")).toBe("image/png");
    const above = imageSetting({ limits: { imageBaseBytes: file.length - 1 } });
    await above.upload({ id: "x", file });
    const response = await above.client("GET", "/v1/x/blob");
    expect(response.headers.get("content-type")).toBe("image/webp");
    const [red = 0] = await pixelAt(Buffer.from(await response.arrayBuffer()), 5, 5);
    expect(Math.abs(red - 200)).toBeLessThan(8);
  });

  test("of a draft is missing", async () => {
    const { client, post } = imageSetting();
    await post("/v2/direct_upload", { id: "d" });
    await expectFailure(await client("GET", "/v1/d/blob"), { status: 404, code: 5404 });
  });
});

describe("signing keys", () => {
  const names = (body: { result: { keys: { name: string }[] } }) => body.result.keys.map((key) => key.name);

  test("a new account has one key, whose value does not change", async () => {
    const { client } = imageSetting();
    const body = await client.ok("GET", "/v1/keys");
    expect(body).toEqual({
      result: { keys: [{ name: "default", value: expect.stringMatching(/^[A-Za-z0-9]{32}$/) }] },
      ...envelope,
    });
    expect(await client.ok("GET", "/v1/keys")).toEqual(body);
  });

  test("PUT adds a key and returns all; repeating it changes nothing", async () => {
    const { client } = imageSetting();
    const headers = { "content-type": "application/json" };
    const response = await client("PUT", "/v1/keys/a-_Z9", "", headers);
    const body = await jsonOf(response);
    expect(names(body)).toEqual(["default", "a-_Z9"]);
    const again = await client.ok("PUT", "/v1/keys/a-_Z9");
    expect(again.result).toEqual(body.result);
    expect(again.messages[0].message).toMatch(/keeps its value/);
  });

  test("DELETE returns the remaining keys, after the last a new default key", async () => {
    const { client } = imageSetting();
    const first = (await client.ok("GET", "/v1/keys")).result.keys[0].value;
    await client.ok("PUT", "/v1/keys/b");
    expect(names(await client.ok("DELETE", "/v1/keys/default"))).toEqual(["b"]);
    const { keys } = (await client.ok("DELETE", "/v1/keys/b")).result;
    expect(keys).toEqual([{ name: "default", value: expect.any(String) }]);
    expect(keys[0].value).not.toBe(first);
  });

  test("names are checked, and their number is limited", async () => {
    const { client } = imageSetting({ limits: { signingKeysPerAccount: 2 } });
    for (const name of ["a%20b", "x".repeat(21), "%C3%A4"]) {
      await expectFailure(await client("PUT", `/v1/keys/${name}`), { status: 400, code: 5400 });
    }
    await expectFailure(await client("DELETE", "/v1/keys/unknown"), { status: 404, code: 5404 });
    const both = await Promise.all([client("PUT", "/v1/keys/a"), client("PUT", "/v1/keys/b")]);
    expect(both.map((r) => r.status).sort()).toEqual([200, 403]);
    await expectFailure(await client("PUT", "/v1/keys/c"), { status: 403, code: 5453 });
    expect((await client("PUT", "/v1/keys/default")).status).toBe(200);
  });

  test("each account has its own keys", async () => {
    const setting = imageSetting();
    const two = { authorization: "Bearer t" };
    const other = await setting.edge.fetch(
      new Request("https://edge.test/client/v4/accounts/a2/images/v1/keys", { headers: two }),
    );
    expect((await jsonOf(other)).result).not.toEqual((await setting.client.ok("GET", "/v1/keys")).result);
  });
});

describe("variants", () => {
  test("the list has variants by id, and details have one variant with its id", async () => {
    const { client } = imageSetting();
    const created = await client.ok("POST", "/v1/variants", {
      id: "__proto__",
      options,
      neverRequireSignedURLs: true,
    });
    const variant = { id: "__proto__", options, neverRequireSignedURLs: true };
    expect(created).toEqual({ result: { variant }, ...envelope });
    expect((await client.ok("GET", "/v1/variants/__proto__")).result).toEqual({ variant });
    const list = await client.ok("GET", "/v1/variants");
    expect(Object.entries(list.result.variants)).toEqual([
      [
        "public",
        {
          options: { fit: "scale-down", width: 1366, height: 768, metadata: "none" },
          neverRequireSignedURLs: false,
        },
      ],
      ["__proto__", { options, neverRequireSignedURLs: true }],
    ]);
    const image = await client.ok("GET", "/v1");
    expect(image.result.images).toEqual([]);
  });

  test("PATCH requires the options and keeps `neverRequireSignedURLs` if it is missing", async () => {
    const { client } = imageSetting();
    await client.ok("POST", "/v1/variants", { id: "v", options, neverRequireSignedURLs: true });
    const next = { ...options, width: 99 };
    const { variant } = (await client.ok("PATCH", "/v1/variants/v", { options: next })).result;
    expect(variant).toEqual({ id: "v", options: next, neverRequireSignedURLs: true });
    const off = await client.ok("PATCH", "/v1/variants/v", { options, neverRequireSignedURLs: false });
    expect(off.result.variant.neverRequireSignedURLs).toBe(false);
    await expectFailure(await client("PATCH", "/v1/variants/v", { neverRequireSignedURLs: true }), {
      status: 400,
      code: 5400,
      pointer: "/options",
      message: /^`options` is missing; it must be an object\.$/,
    });
  });

  test("DELETE removes a variant, also `public`", async () => {
    const { client, upload } = imageSetting();
    expect(await client.ok("DELETE", "/v1/variants/public")).toEqual({ result: {}, ...envelope });
    expect((await upload()).variants).toEqual([]);
  });

  test.each<[object, string]>([
    [{ options }, "/id"],
    [{ id: "a b", options }, "/id"],
    [{ id: "", options }, "/id"],
    [{ id: "x".repeat(100), options }, "/id"],
    [{ id: "v" }, "/options"],
    [{ id: "v", options: [] }, "/options"],
    [{ id: "v", options: { ...options, width: 0 } }, "/options/width"],
    [{ id: "v", options: { ...options, height: 12_001 } }, "/options/height"],
    [{ id: "v", options: { ...options, height: 1.5 } }, "/options/height"],
    [{ id: "v", options: { fit: "cover", width: 1, height: 1 } }, "/options/metadata"],
    [{ id: "v", options: { ...options, fit: "fill" } }, "/options/fit"],
    [{ id: "v", options: { ...options, gravity: "auto" } }, "/options/gravity"],
    [{ id: "v", options, neverRequireSignedURLs: 1 }, "/neverRequireSignedURLs"],
  ])("%j is rejected with a pointer", async (body, pointer) => {
    const { client } = imageSetting();
    await expectFailure(await client("POST", "/v1/variants", body), { status: 400, code: 5400, pointer });
    expect(Object.keys((await client.ok("GET", "/v1/variants")).result.variants)).toEqual(["public"]);
  });

  test("a missing variant responds with 5401, an existing id with 5409", async () => {
    const { client } = imageSetting();
    await expectFailure(await client("GET", "/v1/variants/v"), { status: 404, code: 5401 });
    await expectFailure(await client("PATCH", "/v1/variants/v", { options }), { status: 404, code: 5401 });
    await expectFailure(await client("DELETE", "/v1/variants/v"), { status: 404, code: 5401 });
    const both = await Promise.all([1, 2].map(() => client("POST", "/v1/variants", { id: "v", options })));
    expect(both.map((r) => r.status).sort()).toEqual([200, 400]);
    await expectFailure(await client("POST", "/v1/variants", { id: "v", options }), {
      status: 400,
      code: 5409,
    });
  });

  test("an account has at most 100", async () => {
    const { client } = imageSetting();
    for (let i = 1; i < 100; i++) await client.ok("POST", "/v1/variants", { id: `v${i}`, options });
    await expectFailure(await client("POST", "/v1/variants", { id: "v100", options }), {
      status: 403,
      code: 5453,
    });
  });
});

test("an account that is not in the world responds with 404", async () => {
  const { client, post } = imageSetting({ world: { accounts: [{ id: "other" }] } });
  for (const path of ["/v1", "/v2", "/v1/keys", "/v1/variants", "/v1/stats"]) {
    await expectFailure(await client("GET", path), { status: 404, code: 5404 });
  }
  await expectFailure(await post("/v1", { file: await png() }), { status: 404, code: 5404 });
  await expectFailure(await post("/v2/direct_upload", {}), { status: 404, code: 5404 });
});

test("permissions of an API token are enforced", async () => {
  const credentials = [{ token: "t", permissions: ["images:read" as const] }];
  const { client, post } = imageSetting({ credentials });
  expect((await client("GET", "/v1")).status).toBe(200);
  await expectFailure(await post("/v1", {}), { status: 403, code: 9109 });
  await expectFailure(await client("DELETE", "/v1/x"), { status: 403, code: 9109 });
});

describe("a variant with one side", () => {
  const bodies: readonly [object, object][] = [
    [
      { width: 20, browser_ttl: 3_600 },
      { fit: "scale-down", metadata: "copyright", width: 20, browser_ttl: 3_600 },
    ],
    [
      { fit: "contain", height: 60 },
      { fit: "contain", metadata: "copyright", height: 60 },
    ],
  ];

  test.each(bodies)(
    "provider: %j is stored with the defaults, and the other side follows",
    async (given, stored) => {
      const { client, upload, at } = imageSetting({ profile: "provider" });
      const { variant } = (await client.ok("POST", "/v1/variants", { id: "v", options: given })).result;
      expect(variant).toEqual({ id: "v", options: stored, neverRequireSignedURLs: false });
      expect((await client.ok("GET", "/v1/variants/v")).result.variant).toEqual(variant);
      const response = await at((await upload()).variants[1]);
      const { width = 0, height = 0 } = { ...given } as { width?: number; height?: number };
      const { info } = await sharp(Buffer.from(await response.arrayBuffer())).toBuffer({
        resolveWithObject: true,
      });
      expect([info.width, info.height]).toEqual(width > 0 ? [20, 15] : [80, height]);
      await client.ok("PATCH", "/v1/variants/v", { options: { height: 3 } });
      expect((await client.ok("GET", "/v1/variants/v")).result.variant.options).toEqual({
        fit: "scale-down",
        metadata: "copyright",
        height: 3,
      });
    },
  );

  test.each(bodies)("spec: %j is rejected with a pointer to what is missing: 400, 5400", async (given) => {
    const { client } = imageSetting();
    const failed = { status: 400, code: 5400 };
    await expectFailure(await client("POST", "/v1/variants", { id: "v", options: given }), failed);
    await client.ok("POST", "/v1/variants", { id: "v", options });
    await expectFailure(await client("PATCH", "/v1/variants/v", { options: given }), failed);
  });

  test.each([{}, { fit: "cover" }, { browser_ttl: 3_600 }])(
    "provider: %j has no side: 5400",
    async (given) => {
      const { client } = imageSetting({ profile: "provider" });
      await expectFailure(await client("POST", "/v1/variants", { id: "v", options: given }), {
        status: 400,
        code: 5400,
        pointer: "/options",
      });
    },
  );

  test("of a world passes in the provider profile only", async () => {
    const variants = [{ id: "v", options: { fit: "cover" as const, metadata: "none" as const, width: 4 } }];
    const world = { accounts: [{ id: "a1", images: { variants } }] };
    const { client } = imageSetting({ profile: "provider", world });
    expect((await client.ok("GET", "/v1/variants/v")).result.variant.options).toEqual(variants[0]!.options);
    expect(() => imageSetting({ world })).toThrow(/\/accounts\/0\/images\/variants\/0\/options\/height/);
  });
});
