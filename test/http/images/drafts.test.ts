/** Direct uploads: drafts, upload addresses and their expiry. */
import { describe, expect, test } from "vitest";
import type { EdgeOptions } from "../../../src/edge.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { type FormParts, formOf, imageSetting, png, storedImages } from "../../support/images.ts";
import { isOverSocket } from "../../support/is-over-socket.ts";

const start = Date.UTC(2026, 0, 31, 12);
const minutes = 60_000;

function draftSetting(options: EdgeOptions = {}) {
  const time = { now: start };
  const setting = imageSetting({ clock: () => time.now, ...options });
  return {
    ...setting,
    time,
    draft: async (parts: FormParts = {}) =>
      (await jsonOf(await setting.post("/v2/direct_upload", parts))).result,
    send: (uploadURL: string, parts: FormParts, filename?: string) =>
      setting.at(uploadURL, { method: "POST", body: formOf(parts, filename) }),
  };
}

test("an account has at most as many open drafts as room for images", async () => {
  const { post, draft, upload, time, send } = draftSetting({ limits: { imagesPerAccount: 3 } });
  await upload();
  const first = await draft();
  await draft();
  const full = {
    status: 403,
    code: 5453,
    message:
      /^The account must have at most as many open drafts as room for images; it has 2 open drafts and room for 2 of its 3 images\.$/,
  };
  await expectFailure(await post("/v2/direct_upload", {}), full);
  expect((await send(first.uploadURL, { file: await png(3) })).status).toBe(200);
  await expectFailure(await post("/v2/direct_upload", {}), { status: 403, code: 5453 });
  time.now += 31 * minutes;
  expect(await draft()).toMatchObject({ id: expect.any(String) });
});

describe("a draft", () => {
  test("is created by a request without a body", async () => {
    const { at } = draftSetting();
    const init = { method: "POST", headers: { authorization: "Bearer t" } };
    const response = await at("https://edge.test/client/v4/accounts/a1/images/v2/direct_upload", init);
    expect([response.status, (await jsonOf(response)).result.id]).toEqual([200, expect.any(String)]);
  });

  test("is created from an empty form, and appears only in its details", async () => {
    const { draft, client } = draftSetting();
    const made = await draft();
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uploadURL: expect.stringMatching(
        /^https:\/\/edge\.test\/cdn-cgi\/imageupload\/[\w-]{22}\/[A-Za-z0-9]{32}$/,
      ),
    });
    const { result } = await client.ok("GET", `/v1/${made.id}`);
    expect(result).toMatchObject({ id: made.id, draft: true, requireSignedURLs: false });
    expect(result.variants).toHaveLength(1);
    expect((await client.ok("GET", "/v1")).result.images).toEqual([]);
    expect((await client.ok("GET", "/v2")).result.images).toEqual([]);
    expect((await client.ok("GET", "/v1/stats")).result.count.current).toBe(0);
  });

  test("ignores a file in its form, with a note", async () => {
    const { post, edge } = draftSetting();
    const { result, messages } = await jsonOf(
      await post("/v2/direct_upload", { file: await png(), id: "a" }),
    );
    expect(result.id).toBe("a");
    expect(messages).toEqual([
      { code: 10401, message: expect.stringContaining("`file`"), source: { pointer: "/file" } },
    ]);
    expect((await storedImages(edge)).blobs).toEqual([]);
  });

  test("accepts one file without credentials, and then is an image", async () => {
    const { draft, client, send } = draftSetting();
    const file = await png(50);
    const { uploadURL } = await draft({
      id: "a/b",
      requireSignedURLs: "true",
      metadata: '{"a":1}',
      creator: "ada",
    });
    const response = await send(uploadURL, { file }, "cat.png");
    const body = await jsonOf(response);
    expect([response.status, body.success]).toEqual([200, true]);
    expect(body.result).toMatchObject({
      id: "a/b",
      filename: "cat.png",
      creator: "ada",
      meta: { a: 1 },
      requireSignedURLs: true,
    });
    expect(body.result).not.toHaveProperty("draft");
    expect((await client.ok("GET", "/v1/a/b")).result).toEqual(body.result);
    expect((await client.ok("GET", "/v1")).result.images).toEqual([body.result]);
    await expectFailure(await send(uploadURL, { file }), { status: 403, code: 5403 });
  });

  test("is listed by the time of its upload", async () => {
    const { draft, client, send, upload, time } = draftSetting();
    const { uploadURL } = await draft({ id: "draft" });
    await upload({ id: "between" });
    time.now += minutes;
    await send(uploadURL, { file: await png() });
    const { images } = (await client.ok("GET", "/v1")).result;
    expect(images.map((i: { id: string }) => i.id)).toEqual(["draft", "between"]);
    expect(images[0].uploaded).toBe("2026-01-31T12:01:00.000000Z");
  });

  test("accepts one of two simultaneous files, and nothing of the other is stored", async () => {
    const { draft, send, edge } = draftSetting();
    const { uploadURL } = await draft();
    const files = await Promise.all([1, 2, 3].map((red) => png(red)));
    const all = await Promise.all(files.map((file) => send(uploadURL, { file })));
    expect(all.map((r) => r.status).sort()).toEqual([200, 403, 403]);
    const { images, blobs } = await storedImages(edge);
    expect(blobs).toEqual([images[0].original.blob]);
  });

  test("stays open after a rejected file", async () => {
    const { draft, send, edge, client } = draftSetting();
    const { id, uploadURL } = await draft();
    await expectFailure(await send(uploadURL, { file: Buffer.from("no image") }), {
      status: 415,
      code: 5415,
    });
    await expectFailure(await send(uploadURL, {}), { status: 400, code: 5400, message: /`file`/ });
    await expectFailure(await send(uploadURL, { url: "https://example.com/a.png" }), {
      status: 400,
      code: 5400,
    });
    expect((await storedImages(edge)).blobs).toEqual([]);
    expect((await client.ok("GET", `/v1/${id}`)).result.draft).toBe(true);
    const response = await send(uploadURL, { file: await png(), color: "red" });
    expect((await jsonOf(response)).messages).toHaveLength(1);
  });

  test("can be edited and deleted before its file is uploaded", async () => {
    const { draft, send, client } = draftSetting();
    const made = await draft({ id: "d" });
    const { result } = await client.ok("PATCH", "/v1/d", { requireSignedURLs: true, metadata: 5 });
    expect(result).toMatchObject({ draft: true, meta: 5 });
    expect((await jsonOf(await send(made.uploadURL, { file: await png() }))).result.id).toBe(result.id);
    const second = await draft({ id: "e" });
    await client.ok("DELETE", "/v1/e");
    await expectFailure(await send(second.uploadURL, { file: await png() }), { status: 403, code: 5403 });
  });

  test("reserves its id until it expires", async () => {
    const { draft, post, time, upload, edge } = draftSetting();
    await draft({ id: "x" });
    await expectFailure(await post("/v1", { file: await png(), id: "x" }), { status: 400, code: 5409 });
    await expectFailure(await post("/v2/direct_upload", { id: "x" }), { status: 400, code: 5409 });
    time.now += 30 * minutes;
    expect(await upload({ id: "x" })).not.toHaveProperty("draft");
    expect((await storedImages(edge)).images).toHaveLength(1);
  });

  test("of a full account is rejected, and so is its file", async () => {
    const { draft, post, send, upload } = draftSetting({ limits: { imagesPerAccount: 1 } });
    const { uploadURL } = await draft();
    await upload();
    await expectFailure(await send(uploadURL, { file: await png() }), { status: 403, code: 5453 });
    await expectFailure(await post("/v2/direct_upload", {}), { status: 403, code: 5453 });
  });
});

describe("expiry", () => {
  test("is after 30 minutes by default", async () => {
    const { draft, send, time, client, edge } = draftSetting();
    const { id, uploadURL } = await draft();
    time.now += 30 * minutes - 1;
    expect((await client("GET", `/v1/${id}`)).status).toBe(200);
    time.now += 1;
    await expectFailure(await client("GET", `/v1/${id}`), { status: 404, code: 5404 });
    await expectFailure(await client("PATCH", `/v1/${id}`, {}), { status: 404, code: 5404 });
    await expectFailure(await client("DELETE", `/v1/${id}`), { status: 404, code: 5404 });
    await expectFailure(await send(uploadURL, { file: await png() }), { status: 403, code: 5403 });
    await draft();
    expect((await storedImages(edge)).images).toHaveLength(1);
  });

  test("is the form's, in any time zone", async () => {
    const { draft, send, time } = draftSetting();
    const { uploadURL } = await draft({ expiry: "2026-01-31T15:00:00+01:00" });
    time.now += 120 * minutes - 1;
    expect((await send(uploadURL, { file: await png() })).status).toBe(200);
    const gone = await draft({ expiry: new Date(time.now + 1_000).toISOString() });
    time.now += 1_000;
    await expectFailure(await send(gone.uploadURL, { file: await png() }), { status: 403, code: 5403 });
  });

  test.each([
    "tomorrow",
    "",
    "2026-01-31",
    "2026-01-31T12:00:00Z",
    "2020-01-01T00:00:00Z",
    "2026-02-30T00:00:00Z",
  ])("%j is rejected", async (expiry) => {
    const { post } = draftSetting();
    await expectFailure(await post("/v2/direct_upload", { expiry }), {
      status: 400,
      code: 5400,
      pointer: "/expiry",
    });
  });

  const seconds = (n: number) => new Date(start + n * 1000).toISOString();

  test("spec: any time in the future, with a note outside of the provider's range", async () => {
    const { post } = draftSetting();
    for (const [expiry, notes] of [
      [1, 1],
      [119, 1],
      [120, 0],
      [21_600, 0],
      [21_601, 1],
    ] as const) {
      const body = await jsonOf(await post("/v2/direct_upload", { expiry: seconds(expiry) }));
      expect([body.success, body.messages.length], `${expiry} seconds`).toEqual([true, notes]);
    }
  });

  test("provider: 2 minutes to 6 hours", async () => {
    const { post } = draftSetting({ profile: "provider" });
    const rejected = { status: 400, code: 5400, pointer: "/expiry", message: /120 to 21600/ };
    for (const n of [119, 21_601])
      await expectFailure(await post("/v2/direct_upload", { expiry: seconds(n) }), rejected);
    for (const n of [120, 21_600]) {
      expect((await post("/v2/direct_upload", { expiry: seconds(n) })).status).toBe(200);
    }
  });
});

describe("an upload address", () => {
  // A client sends its body without being asked.
  test.skipIf(isOverSocket)(
    "that was never issued responds with 403 before a byte of the body is read",
    async () => {
      const { draft, at } = draftSetting();
      const { uploadURL } = await draft();
      const { pathname } = new URL(uploadURL);
      for (const path of [
        pathname.replace(/.$/, (c) => (c === "a" ? "b" : "a")),
        pathname.replace(/\w{22}(?=\/)/, "x".repeat(22)),
        pathname.replace(/[^/]+$/, "null"),
      ]) {
        let pulled = 0;
        const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
        await expectFailure(await at(path, { method: "POST", body, duplex: "half" } as RequestInit), {
          status: 403,
          code: 5403,
        });
        expect(pulled).toBe(0);
      }
    },
  );

  test("accepts only POST", async () => {
    const { draft, at } = draftSetting();
    await expectFailure(await at((await draft()).uploadURL), { status: 405, code: 10405 });
  });

  test("is invalid for another account", async () => {
    const { draft, at, edge } = draftSetting();
    const { uploadURL } = await draft();
    const headers = { authorization: "Bearer t" };
    const other = await edge.fetch(
      new Request("https://edge.test/client/v4/accounts/a2/images/v2/direct_upload", {
        method: "POST",
        headers,
      }),
    );
    const hash = new URL((await jsonOf(other)).result.uploadURL).pathname.split("/")[3]!;
    const wrong = uploadURL.replace(/imageupload\/[\w-]{22}/, `imageupload/${hash}`);
    expect(wrong).not.toBe(uploadURL);
    await expectFailure(await at(wrong, { method: "POST", body: formOf({}) }), { status: 403, code: 5403 });
  });
});
