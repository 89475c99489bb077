/** `toMatchPicture`, with the state that vitest gives a matcher. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEdge } from "edgeproof";
import { renderVariant } from "edgeproof/images";
import { type PictureMatchers, pictureMatchers } from "edgeproof/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plain } from "../engine/images/pictures.ts";

expect.extend(pictureMatchers);
const matchers = (received: unknown) => expect(received) as unknown as PictureMatchers<void>;
const rejects = (received: unknown) => expect(received).not as unknown as PictureMatchers<void>;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});
afterAll(() => rm(folder, { recursive: true }));

const updating = () => ({ testPath: join(folder, "a.test.ts"), snapshotState: { _updateSnapshot: "all" } });
const comparing = () => ({ testPath: join(folder, "a.test.ts"), snapshotState: { _updateSnapshot: "new" } });

test("a missing picture fails, is written with -u, and matches then", async () => {
  const rendered = await renderVariant(await plain(40, 30).png().toBuffer(), { width: 20 });
  const missing = await pictureMatchers.toMatchPicture.call(comparing(), rendered, "golden/x.png");
  expect([missing.pass, missing.message()]).toEqual([
    false,
    expect.stringMatching(/x\.png does not exist; write it with `-u`$/),
  ]);
  expect((await pictureMatchers.toMatchPicture.call(updating(), rendered, "golden/x.png")).pass).toBe(true);
  expect((await pictureMatchers.toMatchPicture.call(comparing(), rendered, "golden/x.png")).pass).toBe(true);
  await matchers(rendered).toMatchPicture(join(folder, "golden/x.png"));
});

test("another picture fails, and a rejected one with its reason", async () => {
  const golden = await plain(20, 20).png().toBuffer();
  await pictureMatchers.toMatchPicture.call(updating(), golden, "y.png");
  const other = await plain(20, 20, [0, 255, 0]).png().toBuffer();
  await expect(matchers(other).toMatchPicture(join(folder, "y.png"))).rejects.toThrow(
    /the largest differences are change 0\.\d{4} \(at most 0\.0600\), shift/,
  );
  const rejected = await renderVariant(Buffer.from("text"), { width: 20 });
  await expect(matchers(rejected).toMatchPicture(join(folder, "y.png"))).rejects.toThrow(
    /it is not an image/,
  );
});

test("-u leaves a file alone that looks the same", async () => {
  const golden = await plain(20, 20).png({ compressionLevel: 9 }).toBuffer();
  await pictureMatchers.toMatchPicture.call(updating(), golden, "z.png");
  const same = await plain(20, 20).png({ compressionLevel: 0 }).toBuffer();
  await pictureMatchers.toMatchPicture.call(updating(), same, "z.png");
  expect((await readFile(join(folder, "z.png"))).equals(golden)).toBe(true);
});

test("without two pictures to compare, .not fails too, and never writes", async () => {
  const picture = await plain(20, 20).png().toBuffer();
  await mkdir(join(folder, "a-folder"), { recursive: true });
  await writeFile(join(folder, "text.png"), "no picture");
  const rejected = await renderVariant(Buffer.from("text"), { width: 20 });
  const cases: [unknown, string, RegExp][] = [
    [picture, "absent.png", /absent\.png does not exist/],
    [picture, "text.png", /text\.png: the approved picture cannot be read/],
    [picture, "a-folder", /a-folder cannot be read: it is a folder/],
    [rejected, "text.png", /it is not an image/],
    [Buffer.from("x"), "text.png", /the rendered picture cannot be read/],
  ];
  for (const [received, path, message] of cases) {
    const file = join(folder, path);
    await expect(rejects(received).toMatchPicture(file)).rejects.toThrow(message);
    await expect(matchers(received).toMatchPicture(file)).rejects.toThrow(message);
  }
  const state = { ...updating(), isNot: true };
  const result = await pictureMatchers.toMatchPicture.call(state, picture, "absent.png");
  expect(result.pass).toBe(true);
  await expect(readFile(join(folder, "absent.png"))).rejects.toThrow(/ENOENT/);
});

test("-u does not approve what is not a picture", async () => {
  const result = await pictureMatchers.toMatchPicture.call(updating(), Buffer.from("x"), "garbage.png");
  expect(result.pass).toBe(false);
  await expect(readFile(join(folder, "garbage.png"))).rejects.toThrow(/ENOENT/);
});

test("a missing path, a missing picture and a wrong tolerance are errors that name them", async () => {
  const picture = await plain(20, 20).png().toBuffer();
  const match = (...given: unknown[]) =>
    (pictureMatchers.toMatchPicture as (...values: unknown[]) => Promise<unknown>).call({}, ...given);
  await expect(match(picture, undefined)).rejects.toThrow(
    /needs the path of the approved picture; found `undefined`/,
  );
  await expect(match(undefined, "x.png")).rejects.toThrow(/needs the bytes of a picture.*found `undefined`/);
  await expect(match({ bytes: "text" }, "x.png")).rejects.toThrow(/needs the bytes of a picture/);
  for (const tolerance of [-1, 21, Number.NaN, "1"])
    await expect(match(picture, "x.png", { tolerance })).rejects.toThrow(
      /must be a number from 0 to 20; found/,
    );
});

test("tolerance is a factor of the maximum differences", async () => {
  const golden = await plain(20, 20, [128, 128, 128]).png().toBuffer();
  await pictureMatchers.toMatchPicture.call(updating(), golden, "t.png");
  const lighter = await plain(20, 20, [140, 140, 140]).png().toBuffer();
  const passes = async (tolerance: number) =>
    (await pictureMatchers.toMatchPicture.call(comparing(), lighter, "t.png", { tolerance })).pass;
  expect([await passes(1), await passes(5)]).toEqual([false, true]);
});

describe("a response", () => {
  const png = () => plain(20, 20).png().toBuffer();
  const failures = async (response: () => Response, message: RegExp) => {
    await expect(matchers(response()).toMatchPicture(join(folder, "r.png"))).rejects.toThrow(message);
    await expect(rejects(response()).toMatchPicture(join(folder, "r.png"))).rejects.toThrow(message);
    const written = await pictureMatchers.toMatchPicture.call(updating(), response(), "never.png");
    expect(written.pass).toBe(false);
    await expect(readFile(join(folder, "never.png"))).rejects.toThrow(/ENOENT/);
  };

  test("of a delivery is compared by its body, which is written with -u", async () => {
    const edge = createEdge();
    const headers = { authorization: "Bearer any" };
    const form = new FormData();
    form.append("file", new Blob([await png()]), "dot.png");
    const upload = "https://edge.test/client/v4/accounts/shop/images/v1";
    const uploaded = await edge.fetch(new Request(upload, { method: "POST", headers, body: form }));
    const [address] = ((await uploaded.json()) as { result: { variants: [string] } }).result.variants;
    const deliver = () => edge.fetch(new Request(address));
    await pictureMatchers.toMatchPicture.call(updating(), await deliver(), "delivered.png");
    await matchers(await deliver()).toMatchPicture(join(folder, "delivered.png"));
    const gone = await edge.fetch(new Request(`${address}-gone`));
    await expect(matchers(gone).toMatchPicture(join(folder, "delivered.png"))).rejects.toThrow(
      /^the response has the status 404: \S/,
    );
  });

  test("without a content type, and with parameters of one, is compared", async () => {
    const bytes = new Uint8Array(await png());
    await pictureMatchers.toMatchPicture.call(updating(), bytes, "r.png");
    await matchers(new Response(bytes)).toMatchPicture(join(folder, "r.png"));
    const headers = { "content-type": "Image/PNG; q=1" };
    await matchers(new Response(bytes, { headers })).toMatchPicture(join(folder, "r.png"));
  });

  test("with an error, another content type or a body that was read fails, also after .not", async () => {
    const bytes = new Uint8Array(await png());
    await pictureMatchers.toMatchPicture.call(updating(), bytes, "r.png");
    const typed = (type: string, body: Uint8Array<ArrayBuffer> | string = bytes) =>
      new Response(body, { headers: { "content-type": type } });
    await failures(() => new Response(bytes, { status: 500 }), /^the response has the status 500: .*PNG/);
    await failures(() => new Response(null, { status: 304 }), /^the response has the status 304$/);
    await failures(
      () => new Response("no\u001b[31m\n such  picture", { status: 404 }),
      /^the response has the status 404: no \[31m such picture$/,
    );
    await failures(() => new Response("x".repeat(5000), { status: 502 }), /502: x{300}\.\.\.$/);
    await failures(() => typed("image/webp"), /content type `image\/webp`; its bytes are image\/png$/);
    await failures(
      () => typed("text/html", "<p>Sign in"),
      /`text\/html`, not that of a picture: <p>Sign in$/,
    );
    await failures(() => typed("image/png", "x"), /cannot be read/);
    await failures(() => new Response(null), /cannot be read/);
    const broken = () => new ReadableStream({ start: (to) => to.error(new Error("connection lost")) });
    await failures(() => new Response(broken()), /body of the response cannot be read: connection lost$/);
    const used = typed("image/png");
    await used.arrayBuffer();
    await failures(() => used, /was read already/);
  });
});
