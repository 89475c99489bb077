/** `toMatchPicture`, with the state that vitest gives a matcher. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderVariant } from "edgeproof/images";
import { type PictureMatchers, pictureMatchers } from "edgeproof/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plain } from "../../engine/images/pictures.ts";

expect.extend(pictureMatchers);
const matchers = (received: unknown) => expect(received) as unknown as PictureMatchers<void>;

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
    /largest difference of a block/,
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
