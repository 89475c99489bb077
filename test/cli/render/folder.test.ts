/** `render` with folders and several variants, approved pictures and the contact sheet. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
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
      "a.jpg-thumb.webp",
      "a.jpg-wide.webp",
      "sub/b.png-thumb.webp",
      "sub/b.png-wide.webp",
    ]);
    expect(out.split("\n")[0]).toMatch(/^a\.jpg-thumb\.webp: image\/webp, 32 x 32 pixels, \d+ bytes$/);
    const { width, height } = await sharp(await readFile(at("out/sub/b.png-wide.webp"))).metadata();
    expect([width, height]).toEqual([50, 33]);
  });

  test("needs no file of variants, and keeps the formats without an Accept header", async () => {
    expect((await edgeproof(["images", "render", at("photos"), at("out"), "--width", "20"])).code).toBe(0);
    expect(await files("out")).toEqual(["a.jpg", "sub/b.png"]);
  });

  test("is transformed by a list of options, with warnings, and names the sources that are rejected", async () => {
    await writeFile(at("photos/a.jpg"), await plain(40, 30).tiff().toBuffer());
    const out = ["images", "render", at("photos"), at("out"), "--options", "w=20,f=webp,bg=red"];
    const run = await edgeproof(out);
    expect([run.code, await files("out")]).toEqual([1, ["sub/b.png.webp"]]);
    expect(run.out).toMatch(/a\.jpg: rejected: .*\nsub\/b\.png\.webp: .* \(bg is not an option here/);
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

  test("is never rendered into itself, also through a link", async () => {
    await symlink(at("photos"), at("link"));
    for (const out of ["photos", "photos/out", "link/out"]) {
      const { code, err } = await edgeproof(["images", "render", at("photos"), at(out), "--width", "20"]);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/<out> is the folder of the pictures.*or in it/),
      ]);
    }
    const { err } = await edgeproof(words("--check", at("photos/golden")));
    expect(err).toMatch(/the folder of --check is the folder of the pictures/);
    expect(await files("photos")).toEqual(["a.jpg", "sub/b.png"]);
  });

  test("whose names would be equal is rejected before anything is written", async () => {
    await writeFile(at("photos/a-x.jpg"), photo);
    await writeFile(at("variants.json"), JSON.stringify({ y: { width: 9 }, "x-y": { width: 9 } }));
    const { code, err } = await edgeproof(words());
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/a-x\.jpg \(y\) and .*a\.jpg \(x-y\) would both be written as a-x-y\.jpg/),
    ]);
    expect(await readdir(folder)).not.toContain("out");
  });

  test("leaves out hidden entries and links out of it, and reports that; --all reads them", async () => {
    await mkdir(at("photos/.cache"));
    await writeFile(at("photos/.cache/c.jpg"), photo);
    await writeFile(at("secret.jpg"), photo);
    await symlink(at("secret.jpg"), at("photos/linked.jpg"));
    await symlink(at("photos/a.jpg"), at("photos/inside.jpg"));
    const some = await edgeproof(words());
    expect(some.err).toBe(
      "6 pictures rendered, 0 rejected; hidden entries and links out of the folder left out: 2 (--all reads them)\n",
    );
    expect((await edgeproof(words("--all"))).err).toBe("10 pictures rendered, 0 rejected\n");
  });

  test("that is stopped reports what it finished", async () => {
    const stop = new AbortController();
    stop.abort();
    await edgeproof(words("--check", at("golden"), "--update"));
    for (const more of [[], ["--check", at("golden")]]) {
      const { code, out, err } = await edgeproof(words(...more), "", { signal: stop.signal });
      expect([code, out, err.split("\n").at(-2)]).toEqual([
        130,
        "",
        "stopped after 0 of 0 files: 0 pictures rendered, 0 rejected",
      ]);
    }
  });
});

test("a file is never rendered into itself, also through a link", async () => {
  await symlink(at("photos/a.jpg"), at("link.jpg"));
  for (const out of ["photos/a.jpg", "link.jpg"]) {
    const { code, err } = await edgeproof(["images", "render", at("photos/a.jpg"), at(out), "--width", "20"]);
    expect([code, err]).toEqual([2, expect.stringMatching(/is the input; choose another file name/)]);
  }
  const line = [
    "images",
    "render",
    at("photos/a.jpg"),
    at("photos"),
    "--width",
    "20",
    "--check",
    at("golden"),
  ];
  expect((await edgeproof(line)).out).toMatch(/its output would replace the original/);
  expect((await readFile(at("photos/a.jpg"))).equals(photo)).toBe(true);
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
    const { code, out, err } = await edgeproof(words("--check", at("golden")));
    expect([code, err]).toEqual([1, "2 pictures rendered, 0 rejected, 2 same, 2 unmatched\n"]);
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

  test("a single file fails for an approved picture of its own that it does not have in this run", async () => {
    const line = ["images", "render", at("photos/a.jpg"), at("out"), "--variants", at("variants.json")];
    const check = ["--check", at("golden")];
    await edgeproof([...line, "--accept", "image/webp", ...check, "--update"]);
    await edgeproof([...line, ...check, "--update"]);
    const { code, out } = await edgeproof([...line, ...check]);
    expect(code).toBe(1);
    expect(out).toContain("a.jpg-thumb.webp: approved, but no picture of this run has this name\n");
  });

  test("--prune removes and lists approved pictures without a rendered one", async () => {
    await edgeproof(words("--check", at("golden"), "--update"));
    await rm(at("photos/sub/b.png"));
    const { code, out, err } = await edgeproof(words("--check", at("golden"), "--prune"));
    expect(err).toBe("2 pictures rendered, 0 rejected, 2 same, 2 removed\n");
    expect([code, out]).toEqual([
      0,
      expect.stringContaining("sub/b-thumb.png: removed, no picture of this run"),
    ]);
    expect(await files("golden")).toEqual(["a-thumb.jpg", "a-wide.jpg"]);
  });

  test("--prune removes nothing after a rejected file, without a picture, or after a stop", async () => {
    await edgeproof(words("--check", at("golden"), "--update"));
    const before = await files("golden");
    const run = async (stop?: AbortSignal) => {
      const more = stop ? { signal: stop } : {};
      const { code } = await edgeproof(words("--check", at("golden"), "--prune"), "", more);
      expect(await files("golden")).toEqual(before);
      return code;
    };
    await writeFile(at("photos/sub/b.png"), "no picture");
    expect(await run()).toBe(1);
    await rm(at("photos"), { recursive: true });
    await mkdir(at("photos"));
    expect(await run()).toBe(1);
    expect(await run(AbortSignal.abort())).toBe(130);
  });

  test("an approved picture with its earlier name is named with the new one, and --update renames it", async () => {
    const accept = ["--accept", "image/webp", "--check", at("golden")];
    await edgeproof(words(...accept, "--update"));
    await rename(at("golden/a.jpg-thumb.webp"), at("golden/a-thumb.webp"));
    const before = await readFile(at("golden/a-thumb.webp"));
    const checked = await edgeproof(words(...accept));
    expect([checked.code, checked.out]).toEqual([
      1,
      expect.stringMatching(
        /has its earlier name a-thumb\.webp; rename it to a\.jpg-thumb\.webp with --update/,
      ),
    ]);
    expect(checked.out).not.toContain("a-thumb.webp: approved, but");
    const updated = await edgeproof(words(...accept, "--update"));
    expect([updated.code, updated.out]).toEqual([
      0,
      expect.stringContaining("updated: renamed from a-thumb.webp"),
    ]);
    expect(await files("golden")).not.toContain("a-thumb.webp");
    expect((await readFile(at("golden/a.jpg-thumb.webp"))).equals(before)).toBe(true);
    expect((await edgeproof(words(...accept))).code).toBe(0);
  });

  test("--tolerance is a factor of the maximum differences", async () => {
    await rm(at("photos/a.jpg"));
    const write = (gray: number) => plain(60, 40, [gray, gray, gray]).png().toFile(at("photos/sub/b.png"));
    await write(128);
    await edgeproof(words("--check", at("golden"), "--update"));
    await write(140);
    expect((await edgeproof(words("--check", at("golden")))).code).toBe(1);
    expect((await edgeproof(words("--check", at("golden"), "--tolerance", "5"))).code).toBe(0);
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
  await edgeproof(words("--html", at("pages/new/page.html")));
  const page = await readFile(at("pages/new/page.html"), "utf8");
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
    [["--prune"], /--prune needs --check/],
    [["--tolerance", "0"], /--tolerance needs --check/],
    [["--tolerance", "21", "--check", "golden"], /--tolerance must be a number from 0 to 20; found `21`/],
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
