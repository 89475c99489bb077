/** `edgeproof brand logo`: scores, formats, the page, and messages for bad input. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Io } from "../../src/cli/command.ts";
import { pictureFiles } from "../../src/cli/input/picture-files.ts";
import { printLogoReport } from "../../src/cli/output/brand/logo-report.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { brandScore } from "../../src/engine/logo/brand-score.ts";
import { type Drawing, drawPng } from "../../src/testing/pictures/drawing.ts";
import { place, wordsPage } from "../engine/logo/dense/scenes.ts";
import { drawings, image } from "../engine/logo/drawings.ts";
import { edgeproof } from "../support/cli.ts";

let folder: string;
let logo: string;
let scans: string;

const wing: Drawing = drawings["wing"]!;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  scans = join(folder, "scans");
  await mkdir(join(scans, "deep"), { recursive: true });
  logo = join(folder, "logo.png");
  await writeFile(logo, drawPng(wing, { side: 64 }));
  await writeFile(join(scans, "same.png"), drawPng(wing, { side: 64 }));
  await writeFile(
    join(scans, "deep", "red.PNG"),
    drawPng(wing, { side: 96, background: [200, 0, 0], foreground: [255, 255, 255] }),
  );
  await writeFile(join(scans, "other.png"), drawPng(drawings["hooks"]!, { side: 64 }));
  await writeFile(join(scans, "notes.txt"), "no picture");
});

test("the table lists the scores of files and folders, best first", async () => {
  const { code, out, err } = await edgeproof(["brand", "logo", logo, scans, join(scans, "same.png")]);
  expect(code).toBe(0);
  const rows = out.trim().split("\n").slice(2);
  expect(rows[0]).toMatch(/^1\.000 .*same\.png$/);
  expect(rows[1]).toMatch(/^0\.9\d\d .*red\.PNG$/);
  expect(rows).toHaveLength(2);
  expect(err).toBe("2 of 3 pictures match\n");
});

/** The box of a picture that is nothing but the logo. */
const whole = { x: 0, y: 0, width: 64, height: 64 };

/** The members of a match of the logo in the same picture. */
const same = (file = join(scans, "same.png")) => ({ file, brand: logo, logo });

test("--json lists the pictures that reach the threshold", async () => {
  const run = async (threshold: string) => {
    const { out } = await edgeproof(["brand", "logo", logo, scans, "--threshold", threshold, "--json"]);
    return JSON.parse(out) as { file: string; score: number }[];
  };
  expect(await run("1")).toEqual([{ ...same(), score: 1, kind: "copy", box: whole }]);
  expect((await run("0")).map((m) => m.file.split("/").at(-1))).toEqual(["same.png", "red.PNG", "other.png"]);
});

test("a picture reaches its printed score as a threshold", async () => {
  const run = async (threshold: string) => {
    const words = ["brand", "logo", logo, scans, "--threshold", threshold, "--json"];
    return JSON.parse((await edgeproof(words)).out) as { score: number }[];
  };
  const score = (await run("0.0"))[1]!.score;
  expect(String(score).length).toBeGreaterThan(10);
  expect(await run(String(score))).toHaveLength(2);
  expect(await run(String(score).slice(1))).toHaveLength(2);
  expect(await run("1.00000000")).toHaveLength(1);
});

test("--html writes a page without external resources", async () => {
  const page = join(folder, "report.html");
  expect((await edgeproof(["brand", "logo", logo, scans, "--html", page])).code).toBe(0);
  const html = await readFile(page, "utf8");
  const picture = (await readFile(join(scans, "same.png"))).toString("base64");
  expect(html).toContain(`<img src="data:image/png;base64,${picture}"`);
  expect(html).toContain("2 of 3 pictures score 0.85 or more");
  expect(html).not.toMatch(/https?:|<script|<link/);
});

test("--html draws the place of the logo over each picture", async () => {
  const page = join(folder, "places.html");
  expect((await edgeproof(["brand", "logo", logo, join(scans, "same.png"), "--html", page])).code).toBe(0);
  const html = await readFile(page, "utf8");
  expect(html).toContain(
    '<svg viewBox="0 0 64 64" aria-hidden="true"><rect x="0" y="0" width="64" height="64"',
  );
});

test("finds a logo that is a small part of a busy page, and its place", async () => {
  const page = place(wordsPage(420, 300), wing, 150, 120, 34, [200, 20, 60]);
  const busy = join(folder, "busy.png");
  await writeFile(busy, await image(page).png().toBuffer());
  const words = ["brand", "logo", logo, busy, scans, "--json", "--threshold", "0.75"];
  const { code, out } = await edgeproof(words);
  expect(code).toBe(0);
  const matches = JSON.parse(out) as {
    file: string;
    score: number;
    kind: string;
    box: { x: number; y: number };
  }[];
  expect(matches[0]).toEqual({ ...same(), score: 1, kind: "copy", box: whole });
  const found = matches.find(({ file }) => file === busy)!;
  expect(found.kind).toBe("dense");
  expect(Math.abs(found.box.x - 150)).toBeLessThan(5);
  expect(Math.abs(found.box.y - 120)).toBeLessThan(5);
}, 60_000);

describe("several logos", () => {
  let logos: string;

  beforeAll(async () => {
    logos = await mkdtemp(join(tmpdir(), "edgeproof-"));
    await mkdir(join(logos, "wing", "old"), { recursive: true });
    await writeFile(join(logos, "hooks.png"), drawPng(drawings["hooks"]!, { side: 64 }));
    await writeFile(join(logos, "wing", "old", "fan.png"), drawPng(drawings["stairs"]!, { side: 64 }));
    await writeFile(join(logos, "wing", "wing.png"), drawPng(wing, { side: 64 }));
  });

  const pairs = (out: string) =>
    (JSON.parse(out) as { file: string; brand: string; logo: string; score: number }[]).map((each) =>
      [each.file, each.brand, each.logo].map((path) =>
        path.replace(`${logos}/`, "").replace(`${scans}/`, ""),
      ),
    );

  test("of a folder are each searched for in every picture; a subfolder is a brand whose best logo counts", async () => {
    const { code, out } = await edgeproof(["brand", "logo", logos, scans, "--json"]);
    expect(code).toBe(0);
    expect(pairs(out)).toEqual([
      ["other.png", "hooks.png", "hooks.png"],
      ["same.png", "wing", "wing/wing.png"],
      ["deep/red.PNG", "wing", "wing/wing.png"],
    ]);
  });

  test("are named in the table, with their brands, and in the page", async () => {
    const page = join(logos, "page.html");
    const { out, err } = await edgeproof(["brand", "logo", logos, scans, "--html", page]);
    expect(out.split("\n")[0]).toMatch(/^score +brand +logo +picture$/);
    expect(out).toMatch(/^1\.000 +\S*wing +\S*wing\.png +\S*same\.png$/m);
    expect(err).toBe("3 of 3 pictures match\n");
    const html = await readFile(page, "utf8");
    expect(html).toContain("<title>3 logos: 3 of 3 pictures score 0.85 or more</title>");
    expect(html).toContain(`Logo: ${join(logos, "wing", "old", "fan.png")}</figcaption>`);
    expect(html).toMatch(/same\.png<br>Logo: \S*wing\.png/);
  });

  test("of --logo are searched for too, each file once; --one-brand makes all of them one brand", async () => {
    const words = [
      "brand",
      "logo",
      logo,
      scans,
      "--logo",
      join(logos, "hooks.png"),
      "--logo",
      logo,
      "--json",
    ];
    const each = await edgeproof(words);
    expect(pairs(each.out).map(([, brand]) => brand)).toEqual(["hooks.png", logo, logo]);
    const rows = JSON.parse((await edgeproof([...words, "--one-brand"])).out) as {
      brand: string;
      logo: string;
      score: number;
    }[];
    expect(rows.map(({ brand }) => brand)).toEqual([logo, logo, logo]);
    expect(rows.map((match) => match.logo)).toEqual([join(logos, "hooks.png"), logo, logo]);
    const [, , alone] = JSON.parse(each.out) as { score: number }[];
    expect(rows[2]!.score).toBe(brandScore(alone!.score, 2));
    expect(rows[2]!.score).toBeLessThan(alone!.score);
  });

  test("are searched for when one of them cannot be read, which is listed with exit code 2", async () => {
    await writeFile(join(logos, "broken.png"), "no picture");
    const { code, out, err } = await edgeproof(["brand", "logo", logos, scans, "--json"]);
    await rm(join(logos, "broken.png"));
    expect(code).toBe(2);
    expect(pairs(out)).toHaveLength(3);
    expect(err).toMatch(/1 file could not be read:\n .*broken\.png: The image must be PNG or JPEG/);
  });

  test("are rejected when a brand has more than 20", async () => {
    const many = await mkdtemp(join(tmpdir(), "edgeproof-"));
    await mkdir(join(many, "acme"));
    for (let i = 0; i < 21; i++) await copyFile(logo, join(many, "acme", `${i}.png`));
    const { code, err } = await edgeproof(["brand", "logo", many, scans]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("acme: a brand can have at most 20 logos; found 21"),
    ]);
  });

  test("--format csv has a line for each picture and logo", async () => {
    const { out } = await edgeproof(["brand", "logo", logo, scans, "--format", "csv", "--threshold", "1"]);
    expect(out).toBe(
      `score,brand,logo,picture,kind,x,y,width,height\r\n1,${logo},${logo},${join(scans, "same.png")},copy,0,0,64,64\r\n`,
    );
  });
});

describe("--max-pixels", () => {
  test("reports larger pictures", async () => {
    const words = ["brand", "logo", logo, scans, "--json"];
    const { code, out, err } = await edgeproof([...words, "--max-pixels", "9215"]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject([{ file: join(scans, "same.png"), score: 1 }]);
    expect(err).toContain("red.PNG: The image must have at most 9215 pixels; found 96 x 96.");
    const all = await edgeproof([...words, "--max-pixels", "9216"]);
    expect(JSON.parse(all.out)).toHaveLength(2);
  });

  test("holds for the logo too", async () => {
    const { code, err } = await edgeproof(["brand", "logo", logo, scans, "--max-pixels", "4095"]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("The image must have at most 4095 pixels; found 64 x 64."),
    ]);
  });
});

test("the page escapes file names", async () => {
  const name = `"><script>alert(1)</script>&'.png`;
  const report = { title: name, threshold: 0.5, scanned: 1, found: 1 };
  const logos = (async function* () {
    yield { name, bytes: new Uint8Array([1]) };
  })();
  const matches = (async function* () {
    yield { name, bytes: new Uint8Array(), score: 0.5, logo: name };
  })();
  let html = "";
  for await (const piece of printLogoReport(report, logos, matches)) html += piece;
  expect(html).not.toContain("<script");
  expect(html).not.toContain(`alt=""`);
  expect(html).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;.png");
});

describe("the file of the page", () => {
  let target: string;

  beforeEach(async () => {
    target = await mkdtemp(join(tmpdir(), "edgeproof-"));
  });

  test.each([
    ["a file in a missing folder", "nowhere/page.html", /the folder does not exist/],
    ["a folder", "folder", /it is a folder/],
    ["a named pipe", "pipe", /it is not a regular file/],
  ])("%s is reported before any picture is read", async (_name, file, message) => {
    await mkdir(join(target, "folder"));
    execFileSync("mkfifo", [join(target, "pipe")]);
    const { code, out, err } = await edgeproof(["brand", "logo", logo, scans, "--html", join(target, file)]);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(message)]);
    expect(await readdir(target)).toEqual(["folder", "pipe"]);
  });

  test("keeps its content when the page cannot be finished, and the results are printed", async () => {
    const page = join(target, "page.html");
    const shown = join(target, "shown");
    await mkdir(shown);
    for (const name of ["a.png", "b.png"]) await copyFile(logo, join(shown, name));
    await writeFile(page, "the page before");
    const onOut = () => rmSync(join(shown, "b.png"), { force: true });
    const { code, out, err } = await edgeproof(["brand", "logo", logo, shown, "--html", page], "", { onOut });
    expect([code, out]).toEqual([2, expect.stringContaining("b.png")]);
    expect(err).toMatch(/no page was written: .*b\.png: the file does not exist/);
    expect(await readFile(page, "utf8")).toBe("the page before");
    expect(await readdir(target)).toEqual(["page.html", "shown"]);
  });

  test("may be a link to a file, which stays a link", async () => {
    const page = join(target, "page.html");
    await writeFile(page, "the page before");
    await symlink("page.html", join(target, "link.html"));
    expect((await edgeproof(["brand", "logo", logo, scans, "--html", join(target, "link.html")])).code).toBe(
      0,
    );
    expect(await readFile(page, "utf8")).toContain("2 of 3 pictures");
    expect((await lstat(join(target, "link.html"))).isSymbolicLink()).toBe(true);
  });

  test("is not created when the writing is stopped", async () => {
    const stop = new AbortController();
    const words = ["brand", "logo", logo, scans, "--html", join(target, "page.html")];
    const onOut = () => queueMicrotask(() => stop.abort());
    const { code, err } = await edgeproof(words, "", { signal: stop.signal, onOut });
    expect([code, err]).toEqual([130, "2 of 3 pictures match\nstopped; no page was written\n"]);
    expect(await readdir(target)).toEqual([]);
  });
});

test("each piece of a page is one picture, which is read when the piece is requested", async () => {
  let read = 0;
  const matches = (async function* () {
    for (; read < 3; read++) yield { name: `${read}.png`, bytes: new Uint8Array(), score: 0.9 };
  })();
  const report = { title: "l", threshold: 0.5, scanned: 3, found: 3 };
  const pieces = printLogoReport(report, (async function* () {})(), matches);
  await pieces.next();
  await pieces.next();
  expect((await pieces.next()).value).toContain("0.png");
  expect(read).toBe(0);
});

test("a file that is not a picture is reported, and the others are compared", async () => {
  const { code, out, err } = await edgeproof([
    "brand",
    "logo",
    logo,
    join(scans, "notes.txt"),
    join(scans, "same.png"),
  ]);
  expect([code, out]).toEqual([2, expect.stringContaining("1.000")]);
  expect(err).toMatch(
    /1 of 1 pictures match\n1 file could not be read:\n .*notes\.txt: The image must be PNG, .*; found an unknown format/,
  );
});

describe("bad input exits with code 2 and a message", () => {
  test.each<[string[], RegExp]>([
    [[], /expected the logo first/],
    [["LOGO"], /at least 1 picture or folder/],
    [["nowhere.png", "SCANS"], /nowhere\.png: the file does not exist/],
    [["LOGO", "nowhere"], /nowhere: the file does not exist/],
    [["TEXT", "SCANS"], /notes\.txt: The image must be PNG or JPEG; found an unknown format/],
    [["LOGO", "SCANS", "--threshold", "2"], /must be a number from 0 to 1; found `2`/],
    ...["high", "1.1", "1.0000001", "0.", ".", "", "1e-3", "00.5", "-0.5", " 0.5", "0,5"].map(
      (word): [string[], RegExp] => [
        ["LOGO", "SCANS", `--threshold=${word}`],
        /must be a number from 0 to 1/,
      ],
    ),
    ...["0", "100000001", "9999999999", "1e6", "-1", "1.5", "", "many"].map((word): [string[], RegExp] => [
      ["LOGO", "SCANS", `--max-pixels=${word}`],
      /--max-pixels must be an integer from 1 to 100000000; found `.*`/,
    ]),
    [["LOGO", "SCANS", "--html", "/nowhere/page.html"], /cannot write/],
    [["LOGO", "SCANS", "--logo", "nowhere.png"], /nowhere\.png: the file does not exist/],
    [["LOGO", "TEXT"], /0 of 0 pictures match\n1 file could not be read/],
  ])("%j", async (words, message) => {
    const known: Record<string, string> = { LOGO: logo, SCANS: scans, TEXT: join(scans, "notes.txt") };
    const { code, err } = await edgeproof(["brand", "logo", ...words.map((w) => known[w] ?? w)]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("a folder without pictures", async () => {
    const empty = await mkdtemp(join(tmpdir(), "edgeproof-"));
    const nothing =
      "nothing-evaluated at /\n  Nothing was evaluated. The named files and folders have no picture.";
    for (const [words, code, message] of [
      [[logo, empty], 1, `error ${nothing}`],
      [[logo, empty, "--allow-empty"], 0, `note ${nothing}`],
      [[empty, logo], 2, "there are no logos in"],
    ] as const)
      expect(await edgeproof(["brand", "logo", ...words])).toMatchObject({
        code,
        err: expect.stringContaining(message),
      });
  });
});

test("an unreadable file in a folder does not end the search", async () => {
  const mixed = await mkdtemp(join(tmpdir(), "edgeproof-"));
  await writeFile(join(mixed, "same.png"), await readFile(logo));
  await symlink("nowhere.png", join(mixed, "gone.png"));
  const { code, out, err } = await edgeproof(["brand", "logo", logo, mixed, "--json"]);
  expect([code, JSON.parse(out)]).toEqual([
    2,
    [{ ...same(join(mixed, "same.png")), score: 1, kind: "copy", box: whole }],
  ]);
  expect(err).toMatch(
    /1 of 1 pictures match\n1 file could not be read:\n .*gone\.png: the file does not exist/,
  );
});

describe("the pictures of a folder", () => {
  const go = new AbortController().signal;

  async function tree(): Promise<string> {
    const root = await mkdtemp(join(tmpdir(), "edgeproof-"));
    await mkdir(join(root, "b.png", "deep"), { recursive: true });
    for (const name of ["c.png", "a.JPG", "notes.txt", "b.png/deep/z.webp", "b.png/y.gif"])
      await writeFile(join(root, name), "");
    return root;
  }

  test("are its files and those of its subfolders, by name, even when a folder has the extension of a picture", async () => {
    const root = await tree();
    const names = ["a.JPG", "b.png/deep/z.webp", "b.png/y.gif", "c.png"];
    expect(await pictureFiles([root, join(root, "c.png")], go)).toEqual(names.map((n) => join(root, n)));
  });

  test("are each found once when links to folders form a cycle", async () => {
    const root = await tree();
    for (const name of ["d", "e", "b.png/up"]) await symlink(root, join(root, name));
    expect(await pictureFiles([root], go)).toHaveLength(4);
  });

  test("are found through links to files, and through a named link to a folder", async () => {
    const root = await mkdtemp(join(tmpdir(), "edgeproof-"));
    const linked = join(root, "linked");
    await symlink(await tree(), linked);
    await symlink("c.png", join(linked, "d.png"));
    expect(await pictureFiles([linked], go)).toContain(join(linked, "d.png"));
    expect(await pictureFiles([linked], go)).toHaveLength(5);
  });

  test("are searched until a stop", async () => {
    expect(await pictureFiles([await tree()], AbortSignal.abort())).toEqual([]);
  });
});

test("a terminal shows the progress", async () => {
  const shown: string[] = [];
  const sink = (isTerminal: boolean) => ({ isTerminal, write: (t: string) => void shown.push(t) });
  const stdin = (async function* () {})();
  const io: Io = { stdin, stdout: sink(false), stderr: sink(true), signal: new AbortController().signal };
  await runCommandLine(["brand", "logo", logo, scans], io);
  expect(shown.join("")).toMatch(/\r1 of 3 pictures/);
});

describe("a file that cannot be a picture by its type or size", () => {
  let odd: string;

  beforeAll(async () => {
    odd = await mkdtemp(join(tmpdir(), "edgeproof-"));
    execFileSync("mkfifo", [join(odd, "pipe.png")]);
    await writeFile(join(odd, "sparse.png"), "");
    await truncate(join(odd, "sparse.png"), 5_242_881);
  });

  test.each([
    ["pipe.png", /cannot read .*pipe\.png: it is not a regular file\n$/],
    ["sparse.png", /sparse\.png: The image must have at most 5242880 bytes; found 5242881\.\n$/],
  ])("%j is rejected as the logo without being read", async (name, message) => {
    const { code, err } = await edgeproof(["brand", "logo", join(odd, name), logo]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("is skipped and reported when it is named; a pipe in a folder is ignored", async () => {
    const { code, err } = await edgeproof(["brand", "logo", logo, logo, join(odd, "pipe.png"), odd]);
    expect(code).toBe(2);
    expect(err.split("\n")).toEqual([
      "1 of 1 pictures match",
      "2 files could not be read:",
      `  cannot read ${join(odd, "pipe.png")}: it is not a regular file`,
      `  ${join(odd, "sparse.png")}: The image must have at most 5242880 bytes; found 5242881.`,
      "",
    ]);
  });
});

describe("a stopped search", () => {
  /** Stops after the first picture was compared. */
  async function stopped(...words: string[]) {
    const stop = new AbortController();
    const out: string[] = [];
    const err: string[] = [];
    const stdin = (async function* () {})();
    const stdout = { isTerminal: false, write: (text: string) => void out.push(text) };
    const write = (text: string) => {
      err.push(text);
      if (text.includes("1 of 3")) stop.abort();
    };
    const io: Io = { stdin, stdout, stderr: { isTerminal: true, write }, signal: stop.signal };
    const code = await runCommandLine(["brand", "logo", logo, scans, "--threshold", "0", ...words], io);
    return { code, out: out.join(""), err: err.join("") };
  }

  test("prints its matches and reports the stop", async () => {
    const { code, out, err } = await stopped("--json");
    expect([code, JSON.parse(out)]).toEqual([130, [expect.objectContaining({ score: expect.any(Number) })]]);
    expect(err).toMatch(/1 of 1 pictures match, stopped\n$/);
  });

  test("writes no page", async () => {
    const reports = await mkdtemp(join(tmpdir(), "edgeproof-"));
    expect((await stopped("--html", join(reports, "page.html"))).code).toBe(130);
    expect(await readdir(reports)).toEqual([]);
  });

  test("does not report missing pictures when it stops while listing them", async () => {
    const { code, err } = await edgeproof(["brand", "logo", logo, scans], "", {
      signal: AbortSignal.abort(),
    });
    expect([code, err]).toEqual([130, "0 of 0 pictures match, stopped\n"]);
  });
});

describe("a world file with `image_path`", () => {
  async function world(brand: object): Promise<string> {
    const path = join(folder, "world.json");
    const queries = [{ tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] }];
    await writeFile(path, JSON.stringify({ accounts: [{ id: "a", brand: { queries, ...brand } }] }));
    return path;
  }

  const run = async (brand: object) =>
    edgeproof(["brand", "match", "--world", await world(brand)], "paypal.com");

  test("reads the pictures relative to the world file", async () => {
    const logo_queries = [{ tag: "l", similarity_threshold: 0.8, image_path: "logo.png" }];
    const scanned = [{ domain: "a.example", image_path: "scans/same.png" }];
    expect(await run({ logo_queries, scans: scanned })).toMatchObject({ code: 0 });
  });

  test.each([
    [{ scans: [{ image_path: "nowhere.png" }] }, /nowhere\.png: the file does not exist/],
    [
      { scans: [{ image_path: "scans/notes.txt" }] },
      /\/accounts\/0\/brand\/scans\/0: The image must be PNG, .*; found an unknown format/,
    ],
    [{ scans: [{}] }, /\/accounts\/0\/brand\/scans\/0\/image/],
  ])("%j exits with code 2", async (brand, message) => {
    const { code, err } = await run(brand);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("a picture that fails only when it is decoded exits with code 2", async () => {
    const png = await readFile(logo);
    await writeFile(join(folder, "half.png"), png.subarray(0, png.length / 2));
    const { code, err } = await run({ scans: [{ image_path: "half.png" }] });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("/accounts/0/brand/scans/0: The image is damaged"),
    ]);
  });
});
