/** `render` with folders and several variants, approved pictures and the contact sheet. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { photo } from "../../../src/cli/demo/photo.ts";
import { plain } from "../../engine/images/pictures.ts";
import { edgeproof } from "../../support/cli.ts";

let folder: string;
const at = (name: string) => join(folder, name);
const hostile = `<img src=x onerror=alert(1)>&".png`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  await mkdir(at("photos/sub"), { recursive: true });
  await writeFile(at("photos/a.jpg"), photo);
  await writeFile(at("photos/sub/b.png"), await plain(60, 40).png().toBuffer());
  const variants = { thumb: { fit: "cover", width: 32, height: 32 }, wide: { width: 50 } };
  await writeFile(at("variants.json"), JSON.stringify(variants));
});

const words = (...more: string[]) => [
  "images",
  "render",
  at("photos"),
  at("out"),
  "--variants",
  at("variants.json"),
  ...more,
];
const files = async (name: string) =>
  (await readdir(at(name), { recursive: true })).filter((f) => f.includes(".")).sort();

describe("a folder", () => {
  test("is rendered through every variant into the same folders", async () => {
    const { code, out, err } = await edgeproof(words("--accept", "image/webp"));
    expect([code, err]).toEqual([0, "4 pictures rendered, 0 rejected\n"]);
    expect(await files("out")).toEqual([
      "a-thumb.webp",
      "a-wide.webp",
      "sub/b-thumb.webp",
      "sub/b-wide.webp",
    ]);
    expect(out.split("\n")[0]).toMatch(/^a-thumb\.webp: image\/webp, 32 x 32 pixels, \d+ bytes$/);
    const { width, height } = await sharp(await readFile(at("out/sub/b-wide.webp"))).metadata();
    expect([width, height]).toEqual([50, 33]);
  });

  test("needs no file of variants, and keeps the formats without an Accept header", async () => {
    expect((await edgeproof(["images", "render", at("photos"), at("out"), "--width", "20"])).code).toBe(0);
    expect(await files("out")).toEqual(["a.jpg", "sub/b.png"]);
  });

  test("with two files of one name keeps both", async () => {
    await writeFile(at("photos/a.png"), await plain(9, 9).png().toBuffer());
    await edgeproof(words("--accept", "image/webp"));
    expect(await files("out")).toContain("a.png-thumb.webp");
    expect(await files("out")).toContain("a.jpg-thumb.webp");
  });

  test("with rejected files lists them with reasons and exits with 1", async () => {
    await writeFile(at("photos/broken.png"), photo.subarray(0, 500));
    await writeFile(at("photos/scan.tiff"), "II*\0abcd");
    const { code, out, err } = await edgeproof(words("--json"));
    expect([code, err]).toEqual([1, "4 pictures rendered, 4 rejected\n"]);
    const { pictures } = JSON.parse(out);
    expect(pictures).toHaveLength(8);
    expect(pictures.find(({ source }: { source: string }) => source.endsWith("scan.tiff")).problem).toMatch(
      /found TIFF/,
    );
  });

  test("never replaces an original", async () => {
    const { code, out } = await edgeproof(["images", "render", at("photos"), at("photos"), "--width", "20"]);
    expect([code, out]).toEqual([1, expect.stringMatching(/its output would replace the original/)]);
    expect((await readFile(at("photos/a.jpg"))).equals(photo)).toBe(true);
  });
});

describe("--check", () => {
  test("fails without approved pictures, --update writes them, then it passes", async () => {
    expect((await edgeproof(words("--check", at("golden")))).err).toMatch(/4 missing\n$/);
    const updated = await edgeproof(words("--check", at("golden"), "--update"));
    expect([updated.code, updated.err]).toEqual([0, "4 pictures rendered, 0 rejected, 4 updated\n"]);
    const checked = await edgeproof(words("--check", at("golden")));
    expect([checked.code, checked.err]).toEqual([0, "4 pictures rendered, 0 rejected, 4 same\n"]);
  });

  test("fails for another picture and another size, and the page shows the difference", async () => {
    await edgeproof(words("--check", at("golden"), "--update"));
    await writeFile(at("golden/sub/b-thumb.png"), await plain(32, 32, [0, 255, 0]).png().toBuffer());
    await writeFile(at("golden/sub/b-wide.png"), await plain(50, 34).png().toBuffer());
    const { code, out, err } = await edgeproof(words("--check", at("golden"), "--html", at("page.html")));
    expect([code, err]).toEqual([1, "4 pictures rendered, 0 rejected, 2 same, 2 different\n"]);
    expect(out).toMatch(
      /b-wide\.png: .*different: the size is 50 x 33 pixels; the approved picture has 50 x 34 pixels/,
    );
    const page = await readFile(at("page.html"), "utf8");
    expect(page.match(/differences in red<\/figcaption>/g)).toHaveLength(1);
    expect(page.match(/>approved<\/figcaption>/g)).toHaveLength(2);
  });
});

describe("--check without a picture to compare", () => {
  test("an approved picture whose input was removed fails, and is named", async () => {
    await edgeproof(words("--check", at("golden"), "--update"));
    await rm(at("photos/sub/b.png"));
    const { code, out } = await edgeproof(words("--check", at("golden")));
    expect(code).toBe(1);
    expect(out).toContain("sub/b-thumb.png: approved, but no picture of this run has this name\n");
    const json = JSON.parse((await edgeproof(words("--check", at("golden"), "--json"))).out);
    expect(json.unused).toEqual(["sub/b-thumb.png", "sub/b-wide.png"]);
  });

  test("an approved picture whose variant was removed fails", async () => {
    await edgeproof(words("--check", at("golden"), "--update"));
    await writeFile(at("variants.json"), JSON.stringify({ thumb: { fit: "cover", width: 32, height: 32 } }));
    const { code, out } = await edgeproof(words("--check", at("golden")));
    expect([code, out]).toEqual([1, expect.stringContaining("a-wide.jpg: approved, but no picture")]);
  });

  test("a single file is compared with its own approved pictures only", async () => {
    await edgeproof(words("--check", at("golden"), "--update"));
    const line = ["render", at("photos/a.jpg"), at("out"), "--variants", at("variants.json")];
    expect((await edgeproof([...line, "--check", at("golden")])).code).toBe(0);
  });

  test("a folder without pictures is exit code 1, which --allow-empty accepts", async () => {
    await mkdir(at("none"));
    const line = ["render", at("none"), at("out"), "--check", at("golden"), "--width", "9"];
    const { code, err } = await edgeproof(line);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/Nothing was evaluated\. Add a picture to .*none\./),
    ]);
    expect((await edgeproof([...line, "--allow-empty"])).code).toBe(0);
  });
});

test("the contact sheet shows pictures before and after, escapes names and forbids scripts", async () => {
  await writeFile(at(`photos/${hostile}`), await plain(9, 9).png().toBuffer());
  await writeFile(at("photos/<b>.gif"), "no image");
  await edgeproof(words("--html", at("page.html")));
  const page = await readFile(at("page.html"), "utf8");
  expect(page).not.toContain("<img src=x");
  expect(page).not.toContain("<b>");
  expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;.png");
  expect(page).toContain(`content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"`);
  expect(page).toMatch(/rejected: The file must be PNG/);
  expect([...page.matchAll(/<img src="([^"]{5})/g)].every(([, start]) => start === "data:")).toBe(true);
  expect(page.match(/<section>/g)).toHaveLength(4);
});

describe("render rejects", () => {
  test.each([
    ["[]", /must be an object of variants by name/],
    ["{}", /must have 1 to 100 variants; found 0/],
    ['{"a/b":{"width":1}}', /the name of a variant must be 1 to 99/],
    ['{"__proto__":{"width":0}}', /\/__proto__\/width/],
    ['{"a":{"width":0},"b":5}', /\/a\/width: (.|\n)*\/b/],
    ["{", /:1:\d+: the text is not JSON/],
  ])("the variants %s", async (text, message) => {
    await writeFile(at("variants.json"), text);
    const { code, err } = await edgeproof(words());
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test.each([
    [["--width", "20"], /--variants replaces --width/],
    [["--update"], /--update needs --check/],
  ])("the options %j", async (more, message) => {
    const { code, err } = await edgeproof(words(...more));
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("a folder without pictures, and one that does not exist", async () => {
    await mkdir(at("empty"));
    const run = async (name: string) =>
      (await edgeproof(["images", "render", at(name), at("out"), "--width", "9", "--html", at("p.html")]))
        .err;
    expect(await run("empty")).toMatch(/there are no pictures in/);
    expect(await run("nowhere")).toMatch(/cannot read .*nowhere/);
    expect(await readdir(folder)).not.toContain("p.html");
  });
});
