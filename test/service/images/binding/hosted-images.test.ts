/** The part `hosted` of the Images binding, in a Worker over a simulator. */
import { createEdge } from "edgeproof";
import { imagesBinding } from "edgeproof/images";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formOf, png } from "../../../support/images.ts";
import { runs } from "../../../support/runs.ts";

const start = Date.UTC(2026, 0, 31);

function setting() {
  const time = { now: start };
  const edge = createEdge({ clock: () => time.now, limits: { variantsPerAccount: 5 } });
  const target = { edge, account: "a1" };
  return {
    time,
    edge,
    images: imagesBinding({ target }).hosted,
    at: (url: string) => edge.fetch(new Request(url)),
  };
}

const streamOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
const picture = await png();

describe("a Worker", () => {
  const worker = {
    async fetch(request: Request, { IMAGES }: { IMAGES: ReturnType<typeof imagesBinding> }) {
      const { pathname } = new URL(request.url);
      if (request.method === "POST")
        return Response.json(await IMAGES.hosted.upload(request.body!, { id: pathname.slice(1) }));
      const bytes = await IMAGES.hosted.image(pathname.slice(1)).bytes();
      if (!bytes) return new Response(null, { status: 404 });
      return (await IMAGES.input(bytes).transform({ width: 8 }).output({ format: "image/png" })).response();
    },
  };

  test("uploads an image, reads it and transforms it", async () => {
    const { edge } = setting();
    const env = { IMAGES: imagesBinding({ target: { edge, account: "a1" } }) };
    const address = "https://app.example/shop/a.png";
    const body = picture as Uint8Array<ArrayBuffer>;
    const made = await worker.fetch(new Request(address, { method: "POST", body }), env);
    expect(await made.json()).toMatchObject({ id: "shop/a.png", requireSignedURLs: false });
    const response = await worker.fetch(new Request(address), env);
    expect(await env.IMAGES.info(response.body!)).toMatchObject({ width: 8, height: 6 });
    expect((await worker.fetch(new Request("https://app.example/none"), env)).status).toBe(404);
  });
});

describe("hosted", () => {
  test("an upload has its members and addresses, which deliver it", async () => {
    const { images, at } = setting();
    const image = await images.upload(
      picture.buffer.slice(picture.byteOffset, picture.byteOffset + picture.length) as ArrayBuffer,
      {
        id: "a b",
        filename: "a.png",
        metadata: { n: 1 },
        creator: "ada",
        requireSignedURLs: null,
      },
    );
    expect(image).toEqual({
      id: "a b",
      filename: "a.png",
      uploaded: "2026-01-31T00:00:00.000000Z",
      requireSignedURLs: false,
      meta: { n: 1 },
      variants: [
        expect.stringMatching(/^https:\/\/edge\.test\/cdn-cgi\/imagedelivery\/[\w-]{22}\/a%20b\/public$/),
      ],
      creator: "ada",
    });
    expect((await at(image.variants[0]!)).status).toBe(200);
    expect(await images.image("a b").details()).toEqual(image);
  });

  test("base64 is decoded, and a wrong file rejects with the code of the interface", async () => {
    const { images } = setting();
    const base64 = streamOf(Buffer.from(picture.toString("base64")));
    const { id } = await images.upload(base64, { encoding: "base64" });
    const bytes = await new Response((await images.image(id).bytes())!).arrayBuffer();
    expect(Buffer.from(bytes).equals(picture)).toBe(true);
    const text = streamOf(Buffer.from("text"));
    await expect(images.upload(text)).rejects.toMatchObject({
      code: 5415,
      message: expect.stringMatching(/^IMAGES_HOSTED_ERROR 5415: /),
    });
  });

  test("an image is updated and deleted; a missing one has no details, bytes and deletion", async () => {
    const { images } = setting();
    await images.upload(streamOf(picture), { id: "x", creator: "ada" });
    const handle = images.image("x");
    expect(await handle.update({ metadata: { a: 1 }, creator: null })).toMatchObject({
      meta: { a: 1 },
      creator: "ada",
    });
    const { id } = await handle.update({ requireSignedURLs: true });
    expect(id).not.toBe("x");
    expect(await images.image(id).delete()).toBe(true);
    for (const image of [handle, images.image(id)])
      expect([await image.details(), await image.bytes(), await image.delete()]).toEqual([null, null, false]);
    await expect(handle.update({})).rejects.toMatchObject({ code: 5404 });
  });

  test("a list is ascending by default, and its cursor continues it", async () => {
    const { images } = setting();
    for (const id of ["a", "b", "c"]) await images.upload(streamOf(picture), { id });
    const ids = async (...options: Parameters<typeof images.list>) => {
      const { images: found, ...rest } = await images.list(...options);
      return [found.map(({ id }) => id).join(""), rest.listComplete, rest.cursor !== undefined];
    };
    expect(await ids()).toEqual(["abc", true, false]);
    expect(await ids({ sortOrder: "desc", limit: 2 })).toEqual(["cb", false, true]);
    const { cursor } = await images.list({ limit: 2 });
    expect(await ids({ limit: 2, cursor: cursor! })).toEqual(["c", true, false]);
    await expect(images.list({ limit: 0 })).rejects.toMatchObject({ code: 5400 });
    await expect(images.list({ cursor: "x" })).rejects.toMatchObject({ code: 5400 });
  });

  test("conditions on metadata select what a plain comparison selects", async () => {
    const { images } = setting();
    const metadata = [{ n: 1 }, { n: 2, a: { b: "x" } }, { n: "2" }, { n: true }, {}];
    for (const [i, value] of metadata.entries())
      await images.upload(streamOf(picture), { id: `${i}`, metadata: value });
    const scalar = fc.constantFrom(1, 2, "2", "x", true, false);
    const path = fc.constantFrom("n", "a.b", "none");
    const read = (value: unknown, names: string) =>
      names
        .split(".")
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, scalar), async (wanted) => {
        const { images: found } = await images.list({ filter: { metadata: wanted } });
        const expected = [...metadata.keys()].filter((i) =>
          Object.entries(wanted).every(([names, value]) => read(metadata[i], names) === value),
        );
        expect(found.map(({ id }) => Number(id))).toEqual(expected);
      }),
      { numRuns: runs(200) },
    );
    const ids = async (condition: unknown) =>
      (await images.list({ filter: { metadata: { n: condition } } })).images.map(({ id }) => id).join("");
    expect(await ids({ gte: 1, lt: 2 })).toBe("0");
    expect(await ids({ in: [1, 2] })).toBe("01");
    expect(await ids({ in: ["2"] })).toBe("2");
  });

  test.each([
    [{ "a-b": 1 }],
    [{ "a.b.c.d.e.f": 1 }],
    [{ ["n".repeat(101)]: 1 }],
    [{ n: { near: 1 } }],
    [{ n: { gt: "1" } }],
    [{ n: { in: ["a|b"] } }],
    [{ n: { in: [] } }],
    [{ n: null }],
    [{ n: [1] }],
    [{ n: { gt: 1, gte: 1, lt: 1, lte: 1, eq: 1, in: [1] } }],
  ])("the filter %j is rejected with 5400, never ignored", async (metadata: object) => {
    const { images } = setting();
    await expect(
      images.list({ filter: { metadata: metadata as Record<string, unknown> } }),
    ).rejects.toMatchObject({
      code: 5400,
    });
  });

  test("a signed address delivers a private image until it expires", async () => {
    const { images, at, time } = setting();
    const { id } = await images.upload(streamOf(picture), { requireSignedURLs: true });
    const handle = images.image(id);
    const forever = await handle.signedUrl({ variant: "public" });
    const short = await handle.signedUrl({ variant: "public", expiresIn: 60, keyName: "default" });
    time.now = start + 59_000;
    expect([(await at(forever)).status, (await at(short)).status]).toEqual([200, 200]);
    time.now = start + 60_000;
    expect([(await at(forever)).status, (await at(short)).status]).toEqual([200, 403]);
    await expect(handle.signedUrl({ variant: "none" })).rejects.toMatchObject({ code: 5401 });
    await expect(handle.signedUrl({ variant: "public", keyName: "none" })).rejects.toMatchObject({
      code: 5404,
    });
    await expect(handle.signedUrl({ variant: "public", expiresIn: 0 })).rejects.toMatchObject({ code: 5400 });
    await expect(images.image("none").signedUrl({ variant: "public" })).rejects.toMatchObject({ code: 5404 });
  });

  test("a direct upload takes one file until it expires", async () => {
    const { images, edge, time } = setting();
    const post = async (url: string) =>
      (await edge.fetch(new Request(url, { method: "POST", body: formOf({ file: picture }) }))).status;
    const first = await images.createDirectUpload({ metadata: { a: 1 }, expiresIn: 120 });
    expect(await images.image(first.id).details()).toMatchObject({ draft: true, meta: { a: 1 } });
    expect([await post(first.uploadURL), await post(first.uploadURL)]).toEqual([200, 403]);
    const late = await images.createDirectUpload();
    time.now = start + 1_800_000;
    expect(await post(late.uploadURL)).toBe(403);
    for (const expiresIn of [119, 21_601, 200.5])
      await expect(images.createDirectUpload({ expiresIn })).rejects.toMatchObject({ code: 5400 });
  });

  test("without a target, `hosted` throws a clear error", () => {
    const images = imagesBinding();
    expect(() => images.hosted).toThrow(/target/);
  });
});
