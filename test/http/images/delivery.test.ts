/** Delivery: access, formats, headers, and that outdated renditions are never delivered. */
import { describe, expect, test } from "vitest";
import { signAddress } from "../../../src/engine/images/signing.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { animation, noisy, plain } from "../../engine/images/pictures.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure, provoked } from "../../support/failure.ts";
import { type ImageSetting, imageSetting, origin, png, storedImages } from "../../support/images.ts";
import { isOverSocket } from "../../support/is-over-socket.ts";

const everything = "public, max-age=172800, stale-while-revalidate=7200";

/** The failure of a delivery: plain text, with the code in a header. */
async function expectRejection(response: Response, status: number, code: number, header = "x-image-error") {
  const text = await response.text();
  expect([response.status, response.headers.get(header)], text).toEqual([status, `err=${code}`]);
  expect(text).toMatch(new RegExp(`^ERROR ${code}: .+\\.$`));
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("etag")).toBeNull();
  provoked(code);
}

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

function variantBody(id: string, options: object = {}, change: object = {}) {
  return { id, options: { fit: "cover", width: 20, height: 10, metadata: "none", ...options }, ...change };
}

async function keyOf({ client }: ImageSetting): Promise<string> {
  return (await client.ok("GET", "/v1/keys")).result.keys[0].value;
}

describe("a delivered image", () => {
  test("has its type, length, entity tag and cache directives", async () => {
    const { upload, at } = imageSetting();
    const response = await at((await upload()).variants[0]);
    const bytes = await bytesOf(response);
    expect(Object.fromEntries(response.headers)).toEqual({
      "access-control-allow-origin": "*",
      "cache-control": everything,
      "content-length": String(bytes.length),
      "content-type": "image/png",
      etag: expect.stringMatching(/^"[0-9a-f-]{36}-1-png"$/),
      vary: "Accept",
      "x-content-type-options": "nosniff",
      "x-trace-id": expect.any(String),
    });
  });

  test.each([
    ["image/avif,image/webp,*/*", "image/avif"],
    ["image/webp", "image/webp"],
    ["image/*,*/*", "image/png"],
    ["image/avif;q=0,image/webp;q=0.1", "image/webp"],
  ])("Accept: %s gives %s, under another tag", async (accept, type) => {
    const { upload, at } = imageSetting();
    const address = (await upload()).variants[0];
    const plainTag = (await at(address)).headers.get("etag");
    const response = await at(address, { headers: { accept } });
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("etag") === plainTag).toBe(type === "image/png");
    expect(response.headers.get("vary")).toBe("Accept");
  });

  test("HEAD is GET without the body", async () => {
    const { upload, at } = imageSetting();
    const address = (await upload()).variants[0];
    const head = await at(address, { method: "HEAD" });
    const get = await at(address);
    const trace = { "x-trace-id": "" };
    expect(await head.text()).toBe("");
    expect({ ...Object.fromEntries(head.headers), ...trace }).toEqual({
      ...Object.fromEntries(get.headers),
      ...trace,
    });
  });

  test("responds with 304 to a client that has it, without rendering", async () => {
    const { upload, at, edge } = imageSetting();
    const address = (await upload()).variants[0];
    const etag = (await at(address)).headers.get("etag")!;
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, "*"]) {
      const response = await at(address, { headers: { "if-none-match": known } });
      expect([response.status, await response.text()]).toEqual([304, ""]);
      expect(response.headers.get("etag")).toBe(etag);
      expect(response.headers.get("cache-control")).toBe(everything);
      expect(response.headers.get("vary")).toBe("Accept");
    }
    expect((await at(address, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    const fresh = imageSetting({ store: edge.store });
    expect((await fresh.at(address, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  test("an SVG is cleaned, never resized, and cannot run scripts", async () => {
    const { upload, at, client } = imageSetting();
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><script>x</script><g id="a"/></svg>';
    const image = await upload({ file: Buffer.from(svg), id: "s" });
    const response = await at(image.variants[0], { headers: { accept: "image/avif,image/webp" } });
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><g id="a"/></svg>',
    );
    const blob = await client("GET", "/v1/s/blob");
    expect(blob.headers.get("content-security-policy")).toContain("sandbox");
    expect(await blob.text()).toBe(svg);
  });

  test("an animation stays animated, and is never AVIF", async () => {
    const { upload, at } = imageSetting();
    const image = await upload({ file: await animation(3, 20, 10, "gif") });
    const response = await at(image.variants[0], { headers: { accept: "image/avif,image/webp" } });
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect((await at(image.variants[0])).headers.get("content-type")).toBe("image/gif");
  });
});

describe("addresses", () => {
  test.each([
    "/cdn-cgi/imagedelivery/a",
    "/cdn-cgi/imagedelivery/a/b",
    "/cdn-cgi/imagedelivery/a//b",
    "/cdn-cgi/imagedelivery/a/b/",
    "/cdn-cgi/imagedelivery//b/c",
    "/cdn-cgi/imagedelivery/a/%zz/c",
    "/cdn-cgi/imagedelivery/a/%E0%A4/c",
  ])("%s: 400, 9401", async (path) => {
    await expectRejection(await imageSetting().at(path), 400, 9401);
  });

  test("of an unknown account, image or variant, and of a draft respond with 404 and code 9404", async () => {
    const { upload, at, post } = imageSetting();
    const [address] = (await upload({ id: "i" })).variants;
    for (const wrong of [
      address.replace(/[\w-]{22}(?=\/i)/, "A".repeat(22)),
      address.replace("/i/", "/j/"),
      address.replace(/public$/, "Public"),
      address.replace("/i/public", "/i/x/public"),
      address.replace(/public$/, "__proto__"),
    ]) {
      await expectRejection(await at(wrong), 404, 9404);
    }
    const draft = (await jsonOf(await post("/v2/direct_upload", { id: "d" }))).result;
    expect(draft.id).toBe("d");
    await expectRejection(await at(address.replace("/i/", "/d/")), 404, 9404);
  });

  test("accept no other method: 405", async () => {
    const { upload, at } = imageSetting();
    const response = await at((await upload()).variants[0], { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("the name of the error header is a wire name", async () => {
    const { at } = imageSetting({ wireNames: "provider" });
    await expectRejection(await at("/cdn-cgi/imagedelivery/a/b/c"), 404, 9404, "cf-resized");
  });

  test("on a configured delivery host start at the root, and the host serves nothing else", async () => {
    const setting = imageSetting({ deliveryBaseUrl: "https://img.test" });
    const { upload, at } = setting;
    const signed = await upload({ id: "a/b", requireSignedURLs: "true" });
    const [address] = signed.variants;
    expect(address).toMatch(/^https:\/\/img\.test\/[\w-]{22}\/a\/b\/public$/);
    const key = await keyOf(setting);
    expect((await at(signAddress(address, key))).status).toBe(200);
    await expectRejection(await at(address), 403, 9425);
    await expectRejection(await at("https://img.test/client/v4/accounts/a1/images/v1"), 404, 9404);
    const own = address.replace("https://img.test", `${origin}/cdn-cgi/imagedelivery`);
    expect((await at(signAddress(own, key))).status).toBe(200);
    expect(() => imageSetting({ deliveryBaseUrl: "img.test" })).toThrow(/must be an origin/);
  });

  test("start with the public base URL", async () => {
    const { upload, post } = imageSetting({ publicBaseUrl: "http://127.0.0.1:8787/" });
    expect((await upload()).variants[0]).toMatch(/^http:\/\/127\.0\.0\.1:8787\/cdn-cgi\/imagedelivery\//);
    const draft = (await jsonOf(await post("/v2/direct_upload", {}))).result;
    expect(draft.uploadURL).toMatch(/^http:\/\/127\.0\.0\.1:8787\/cdn-cgi\/imageupload\//);
  });
});

describe("signatures", () => {
  const start = Date.UTC(2026, 0, 31);

  async function signedSetting() {
    const time = { now: start };
    const setting = imageSetting({ clock: () => time.now });
    const image = await setting.upload({ id: "a/50% b", requireSignedURLs: "true" });
    return { ...setting, time, address: image.variants[0] as string, key: await keyOf(setting) };
  }

  test("a missing, wrong or malformed signature responds with 403 and code 9425", async () => {
    const { at, address, key } = await signedSetting();
    const good = signAddress(address, key);
    for (const wrong of [
      address,
      `${address}?sig=`,
      `${address}?sig=${"0".repeat(64)}`,
      `${good}&sig=${"0".repeat(64)}`,
      `${good}&width=1`,
      signAddress(address, "another key"),
    ]) {
      await expectRejection(await at(wrong), 403, 9425);
    }
    expect((await at(good)).status).toBe(200);
    expect((await at(signAddress(`${address}?a=1`, key))).status).toBe(200);
  });

  test("cover the path as requested", async () => {
    const { at, address, key } = await signedSetting();
    expect(address).toContain("/a/50%25%20b/");
    const other = address.replace("/a/", "/%61/");
    expect((await at(signAddress(other, key))).status).toBe(200);
    const query = new URL(signAddress(other, key)).search;
    await expectRejection(await at(address + query), 403, 9425);
  });

  test("expire by the clock, and a browser may keep the image until then, but at least an hour", async () => {
    const { at, address, key, time } = await signedSetting();
    const seconds = start / 1000;
    const signed = signAddress(address, key, seconds + 3_700);
    expect((await at(signed)).headers.get("cache-control")).toBe("private, max-age=3700");
    time.now = start + 3_699_500;
    expect((await at(signed)).headers.get("cache-control")).toBe("private, max-age=3600");
    time.now = start + 3_700_000;
    await expectRejection(await at(signed), 403, 9425);
    time.now = start;
    const far = await at(signAddress(address, key, seconds + 1_000_000));
    expect(far.headers.get("cache-control")).toBe("private, max-age=172800");
    expect((await at(signAddress(address, key))).headers.get("cache-control")).toBe(
      "private, max-age=172800",
    );
    const etag = far.headers.get("etag")!;
    await expectRejection(await at(address, { headers: { "if-none-match": etag } }), 403, 9425);
  });

  test("every key of the account verifies, a deleted key does not", async () => {
    const { at, address, key, client } = await signedSetting();
    const { keys } = (await client.ok("PUT", "/v1/keys/second")).result;
    const second = keys.find((k: { name: string }) => k.name === "second").value;
    expect((await at(signAddress(address, key))).status).toBe(200);
    expect((await at(signAddress(address, second))).status).toBe(200);
    await client.ok("DELETE", "/v1/keys/default");
    await expectRejection(await at(signAddress(address, key)), 403, 9425);
    expect((await at(signAddress(address, second))).status).toBe(200);
  });

  test("are not needed for a variant that never requires them, which is public", async () => {
    const { at, address, client } = await signedSetting();
    await client.ok("POST", "/v1/variants", variantBody("open", {}, { neverRequireSignedURLs: true }));
    const response = await at(address.replace(/public$/, "open"));
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, everything]);
  });
});

describe("purging", () => {
  test("a deleted image is not delivered, nor is a new image of the same id before its upload", async () => {
    const { upload, at, client, edge } = imageSetting();
    const [address] = (await upload({ id: "x", file: await png(200) })).variants;
    const first = await bytesOf(await at(address));
    const etag = (await at(address)).headers.get("etag")!;
    await client.ok("DELETE", "/v1/x");
    await expectRejection(await at(address), 404, 9404);
    await expectRejection(await at(address, { headers: { "if-none-match": etag } }), 404, 9404);
    expect((await storedImages(edge)).blobs).toEqual([]);
    await upload({ id: "x", file: await png(20) });
    expect((await bytesOf(await at(address))).equals(first)).toBe(false);
    expect((await at(address, { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  test("a changed variant is rendered again, and so is a deleted variant that is created again", async () => {
    const { upload, at, client } = imageSetting();
    const created = await client.ok("POST", "/v1/variants", variantBody("v"));
    expect(created.result.variant.id).toBe("v");
    const address = (await upload()).variants[1];
    const before = await at(address);
    await client.ok("PATCH", "/v1/variants/v", { options: variantBody("v", { width: 7 }).options });
    const after = await at(address);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await bytesOf(after)).readUInt32BE(16)).toBe(7);
    await client.ok("DELETE", "/v1/variants/v");
    await expectRejection(await at(address), 404, 9404);
    await client.ok("POST", "/v1/variants", variantBody("v", { width: 9 }));
    expect((await bytesOf(await at(address))).readUInt32BE(16)).toBe(9);
  });

  test("after a change of requireSignedURLs the old address is gone and the new one follows the change", async () => {
    const setting = imageSetting();
    const { upload, at, client } = setting;
    const image = await upload({ id: "x" });
    expect((await at(image.variants[0])).status).toBe(200);
    const moved = (await client.ok("PATCH", "/v1/x", { requireSignedURLs: true })).result;
    expect(moved.id).not.toBe("x");
    await expectRejection(await at(image.variants[0]), 404, 9404);
    await expectRejection(await at(moved.variants[0]), 403, 9425);
    expect((await at(signAddress(moved.variants[0], await keyOf(setting)))).status).toBe(200);
  });

  /** A store whose next reading of a blob waits until it is released. */
  function slowStore(): { store: Store; reading: Promise<void>; letGo: () => void } {
    const store = createMemoryStore();
    let started = () => {};
    let letGo = () => {};
    const reading = new Promise<void>((resolve) => {
      started = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const get = async (key: string) => {
      const bytes = await store.blobs.get(key);
      started();
      await gate;
      return bytes;
    };
    return { store: { ...store, blobs: { ...store.blobs, get } }, reading, letGo };
  }

  test("an image that is deleted while it is rendered is not delivered", async () => {
    const { store, reading, letGo } = slowStore();
    const { upload, at, client } = imageSetting({ store });
    const [address] = (await upload({ id: "x" })).variants;
    const waiting = [at(address), at(address)];
    await reading;
    await client.ok("DELETE", "/v1/x");
    letGo();
    for (const response of await Promise.all(waiting)) await expectRejection(response, 404, 9404);
  });

  test("a variant that is changed while it is rendered is delivered with the change", async () => {
    const { store, reading, letGo } = slowStore();
    const { upload, at, client } = imageSetting({ store });
    await client.ok("POST", "/v1/variants", variantBody("v"));
    const waiting = at((await upload()).variants[1]);
    await reading;
    await client.ok("PATCH", "/v1/variants/v", { options: variantBody("v", { width: 7 }).options });
    letGo();
    expect((await bytesOf(await waiting)).readUInt32BE(16)).toBe(7);
  });

  test("a signing key that is deleted while the image is rendered no longer verifies", async () => {
    const { store, reading, letGo } = slowStore();
    const setting = imageSetting({ store });
    const { upload, at, client } = setting;
    const [address] = (await upload({ requireSignedURLs: "true" })).variants;
    const waiting = at(signAddress(address, await keyOf(setting)));
    await reading;
    await client.ok("DELETE", "/v1/keys/default");
    letGo();
    await expectRejection(await waiting, 403, 9425);
  });

  test("also works for changes by a second simulator on the same store", async () => {
    const store = createMemoryStore();
    const [setting, other] = [imageSetting({ store }), imageSetting({ store })];
    const [address] = (await setting.upload({ id: "x" })).variants;
    expect((await other.at(address)).status).toBe(200);
    await setting.client.ok("DELETE", "/v1/x");
    await expectRejection(await other.at(address), 404, 9404);
  });
});

describe("rendering", () => {
  /** Counts the readings of an original, one for each rendering. */
  function countingStore() {
    const store = createMemoryStore();
    const reads: string[] = [];
    const get = (key: string) => {
      reads.push(key);
      return store.blobs.get(key);
    };
    return { store: { ...store, blobs: { ...store.blobs, get } }, reads };
  }

  test("happens once for simultaneous and later requests of the same variant", async () => {
    const { store, reads } = countingStore();
    const { upload, at } = imageSetting({ store });
    const [address] = (await upload()).variants;
    const all = await Promise.all(Array.from({ length: 10 }, () => at(address)));
    for (const response of all) await bytesOf(response);
    await bytesOf(await at(address));
    expect(reads).toHaveLength(1);
    await bytesOf(await at(address, { headers: { accept: "image/webp" } }));
    await bytesOf(await at(address, { headers: { accept: "text/html,image/webp" } }));
    expect(reads).toHaveLength(2);
  });

  test("caches renditions up to its memory, the most recently used ones", async () => {
    const { store, reads } = countingStore();
    // Two of these fit.
    const { upload, at } = imageSetting({ store, limits: { renderedCacheBytes: 3_300 } });
    const addresses: string[] = [];
    for (const red of [1, 2, 3]) addresses.push((await upload({ file: await png(red) })).variants[0]);
    const [a = "", b = "", c = ""] = addresses;
    for (const address of [a, b, a, c, a]) await bytesOf(await at(address));
    expect(reads).toHaveLength(3);
    await bytesOf(await at(b));
    expect(reads).toHaveLength(4);
  });

  // Over a socket, requests of one moment can arrive in another order, or after each other.
  test.skipIf(isOverSocket)(
    "queues up to a limit, then responds with 503 and code 9522, but still delivers cached renditions",
    async () => {
      const { upload, at } = imageSetting({ limits: { concurrentRenders: 1, queuedRenders: 1 } });
      const addresses: string[] = [];
      for (const red of [1, 2, 3, 4]) addresses.push((await upload({ file: await png(red) })).variants[0]);
      const [kept = "", ...others] = addresses;
      await bytesOf(await at(kept));
      const [first, second, third, again] = await Promise.all(
        [...others, kept].map((address) => at(address)),
      );
      for (const response of [first!, second!, again!]) await bytesOf(response);
      await expectRejection(third!, 503, 9522);
      await bytesOf(await at(others[2]!));
    },
  );

  test("of a public image is kept for the variant's `browser_ttl`, of a private one it is not", async () => {
    const { upload, at, client } = imageSetting();
    await client.ok("POST", "/v1/variants", variantBody("short", { browser_ttl: 3_600 }));
    const [, address] = (await upload()).variants;
    const response = await at(address);
    await bytesOf(response);
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600, stale-while-revalidate=7200");
    for (const wrong of [{ browser_ttl: 3_599 }, { browser_ttl: 3_600.5 }, { blur: 251 }, { blur: -1 }]) {
      const rejected = await client("POST", "/v1/variants", variantBody("wrong", wrong));
      await expectFailure(rejected, { status: 400, code: 5400 });
    }
  });

  test("through a list of options is rejected while flexible variants are off: 403, 9429", async () => {
    const { upload, at } = imageSetting();
    const [address] = (await upload()).variants;
    await expectRejection(await at(address.replace(/public$/, "w=40,sharpen=3")), 403, 9429);
    await expectRejection(await at(address.replace(/[^/]+\/public$/, "absent/w=40")), 404, 9404);
  });

  test("a limit of 0 renders one at a time, and never hangs", async () => {
    const { upload, at } = imageSetting({
      limits: { concurrentRenders: 0, queuedRenders: 0, renderedCacheBytes: 0 },
    });
    const [address] = (await upload()).variants;
    await bytesOf(await at(address));
    await bytesOf(await at(address));
  });

  test("of more than 25 megapixels is rejected before it begins: 403, 9413", async () => {
    const { upload, at, client } = imageSetting();
    await client.ok("POST", "/v1/variants", variantBody("huge", { width: 12_000, height: 12_000 }));
    await expectRejection(await at((await upload()).variants[1]), 403, 9413);
    const small = imageSetting({ limits: { imageOutputPixels: 1_199 } });
    await expectRejection(await small.at((await small.upload()).variants[0]), 403, 9413);
    const enough = imageSetting({ limits: { imageOutputPixels: 1_200 } });
    await bytesOf(await enough.at((await enough.upload()).variants[0]));
  });

  test("of a missing or damaged original responds with 9516, 9412 or 9422", async () => {
    const { upload, at, edge } = imageSetting();
    const [address] = (await upload({ file: await noisy(40, 30).jpeg().toBuffer() })).variants;
    const { blobs } = await storedImages(edge);
    const spoil = (bytes: Uint8Array) => edge.store.blobs.put(blobs[0]!, bytes);
    await spoil(Buffer.from("not an image"));
    await expectRejection(await at(address), 415, 9412);
    await spoil((await plain(40, 30).jpeg().toBuffer()).subarray(0, 40));
    await expectRejection(await at(address), 400, 9422);
    await edge.store.blobs.delete(blobs[0]!);
    await expectRejection(await at(address), 422, 9516);
  });
});
