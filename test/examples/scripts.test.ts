/** The examples that are scripts, run as their READMEs say. (Those under vitest run as part of this suite.) */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(script: string, ...words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", "tsx", `examples/${script}`, ...words], (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

const folder = () => mkdtempSync(join(tmpdir(), "edgeproof-example-"));
const monitoring = (file: string) => `examples/monitoring/${file}`;

describe("monitoring", () => {
  test("prints the look-alikes, closest first, and ends with 1", async () => {
    const { code, out, err } = await run(
      "monitoring/monitor.ts",
      monitoring("brands.json"),
      monitoring("names.txt"),
    );
    expect([code, err]).toEqual([1, "4 new in 7 names, 1 bad lines\n"]);
    expect(out).toMatch(/^\d\.\d\d {2}north-wind\.shop {2}hyphenation of northwind\n/);
    expect(out.trim().split("\n")).toHaveLength(4);
  });

  test("prints no name twice", async () => {
    const known = join(folder(), "known.txt");
    const words = [monitoring("brands.json"), monitoring("names.txt"), "--known", known];
    expect((await run("monitoring/monitor.ts", ...words)).code).toBe(1);
    expect(await run("monitoring/monitor.ts", ...words)).toEqual({
      code: 0,
      out: "",
      err: "0 new in 7 names, 1 bad lines\n",
    });
  });

  test("reports a name once, however it is written", async () => {
    const own = folder();
    const [known, names] = [join(own, "known.txt"), join(own, "names.txt")];
    const words = [monitoring("brands.json"), names, "--known", known];
    writeFileSync(names, "North-Wind.SHOP\nnorthwínd.example\n");
    expect((await run("monitoring/monitor.ts", ...words)).code).toBe(1);
    expect(readFileSync(known, "utf8").split("\n").sort()).toEqual([
      "",
      "north-wind.shop",
      "northwínd.example",
    ]);
    writeFileSync(names, "north-wind.shop.\nNORTH-WIND.shop\nxn--northwnd-i2a.example\n");
    expect(await run("monitoring/monitor.ts", ...words)).toMatchObject({ code: 0, out: "" });
  });

  test("wants its files", async () => {
    expect(await run("monitoring/monitor.ts")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/name the file/),
    });
  });
});

describe("image variants", () => {
  test("renders each picture through each variant, and reports files that are not pictures", async () => {
    const [from, to] = [folder(), folder()];
    writeFileSync(join(from, "logo.png"), readFileSync("docs/pictures/logo.png"));
    writeFileSync(join(from, "page.html"), "<!doctype html>");
    const { code, out } = await run(
      "image-variants/render-all.ts",
      "examples/image-variants/variants.json",
      from,
      to,
    );
    expect(code).toBe(1);
    expect(out).toMatch(/^logo\.png thumb: logo-thumb\.webp, 96 x 96, \d+ bytes$/m);
    expect(out).toMatch(/^page\.html hero: 5415 /m);
    expect(readdirSync(to).sort()).toEqual(["logo-hero.webp", "logo-thumb.webp"]);
  });
});

test("every example is in the list with a line to run it", () => {
  const list = readFileSync("examples/README.md", "utf8");
  const folders = readdirSync("examples", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders).toHaveLength(5);
  for (const { name } of folders) {
    expect(list).toMatch(new RegExp(`\\| \\[${name}\\]\\(${name}\\) \\|.*\`npx [^\`]*examples/${name}`));
    expect(readFileSync(`examples/${name}/README.md`, "utf8")).toContain(`examples/${name}`);
  }
});
