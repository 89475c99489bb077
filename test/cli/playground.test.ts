/** `playground`: the page is written once, and replaced only when that is asked for. */
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "playground-"));
  await mkdir(at("built"));
  await writeFile(at("built/index.html"), "<!doctype html>new");
});

test("writes the page to a new folder, and never over a file without --replace", async () => {
  const run = (...words: readonly string[]) =>
    edgeproof(["playground", "--out", at("site/a"), ...words], "", {
      env: { EDGEPROOF_PLAYGROUND: at("built") },
    });
  const file = join(at("site/a"), "index.html");
  expect(await run()).toMatchObject({ code: 0, out: "", err: expect.stringContaining(`wrote ${file}`) });
  expect(await readFile(file, "utf8")).toBe("<!doctype html>new");
  await writeFile(file, "mine");
  expect(await run()).toMatchObject({ code: 2, err: expect.stringMatching(/exists already; --replace/) });
  expect(await readFile(file, "utf8")).toBe("mine");
  expect(await run("--replace")).toMatchObject({ code: 0 });
  expect(await readFile(file, "utf8")).toBe("<!doctype html>new");
});

test("a folder that is a file, and a page that was not built, are errors of usage", async () => {
  await writeFile(at("file"), "");
  const run = (env: string, out: string) =>
    edgeproof(["playground", "--out", at(out)], "", { env: { EDGEPROOF_PLAYGROUND: at(env) } });
  expect(await run("built", "file")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/cannot write .*file/),
  });
  expect(await run("none", "site")).toMatchObject({ code: 2, err: expect.stringMatching(/npm run build/) });
});

test.skipIf(process.platform !== "linux")(
  "a folder in which none can be created is an error, and no endless loop",
  async () => {
    for (const out of ["/proc/edgeproof", "/proc/edgeproof/site"])
      expect(
        await edgeproof(["playground", "--out", out], "", { env: { EDGEPROOF_PLAYGROUND: at("built") } }),
      ).toMatchObject({ code: 2, err: expect.stringMatching(/cannot write \/proc\/edgeproof/) });
  },
);
