/** Faults of the program, its packages and the machine end with exit code 3, which is never that of a finding. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bundleExecutable } from "../../scripts/bundle-executable.ts";
import { commands } from "../../src/cli/commands/commands.ts";
import { temporaryFolder } from "../store/open.ts";
import { bundledCli } from "../support/bundled.ts";
import { png } from "../support/images.ts";

const folder = await temporaryFolder();
const picture = join(folder, "a.png");
writeFileSync(picture, await png());

const slow = { timeout: 60_000 };

/** A module that runs before the executable. */
function hook(name: string, code: string): string {
  const path = join(folder, `${name}.cjs`);
  writeFileSync(path, code);
  return path;
}

const withoutSharp = hook(
  "without-sharp",
  `const Module = require("node:module");
const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === "sharp") throw new Error("Could not load the module at /secret/node_modules/sharp");
  return load.call(this, name, ...rest);
};`,
);

interface Ran {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

function run(file: string, words: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    execFile(file, words, (error, out, err) => done({ code: error ? error.code : 0, out, err }));
  });
}

describe("without the image library", () => {
  test.each([
    ["brand logo", ["brand", "logo", picture, picture]],
    ["images render", ["images", "render", picture, join(folder, "out.png"), "--width", "10"]],
  ])("`%s` ends with 3 and one line without a path", slow, async (_name, words) => {
    const ran = await run(process.execPath, ["-r", withoutSharp, bundledCli(), ...words]);
    expect([ran.code, ran.err], ran.out).toEqual([3, "edgeproof: the package sharp cannot be loaded\n"]);
  });

  test("`serve` starts, and says so in one line before its address", slow, async () => {
    const child = spawn(process.execPath, ["-r", withoutSharp, bundledCli(), "serve", "--port", "0"]);
    let [out, err] = ["", ""];
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    try {
      for await (const chunk of child.stdout) {
        out += chunk;
        if (out.includes("\n")) break;
      }
      expect(out).toMatch(/^edgeproof listens on http/);
      expect(err).toBe(
        "the package sharp cannot be loaded: requests that need pixels are answered with 503\n",
      );
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
});

test("an error that nothing handles ends with 3", slow, async () => {
  const crash = hook(
    "crash",
    `setInterval(() => {
  if (process.listenerCount("uncaughtException") > 0) throw new Error("a defect");
}, 1);`,
  );
  const ran = await run(process.execPath, ["-r", crash, bundledCli(), "serve", "--port", "0"]);
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("internal error: Error: a defect")]);
});

test("every command documents exit code 3", () => {
  for (const { name, exits } of commands) expect(exits[3], name).toMatch(/internal error/);
});

describe("the executable that is built", () => {
  // Inside the project, so that its packages are found.
  mkdirSync("node_modules/.cache", { recursive: true });
  const installed = mkdtempSync(join(process.cwd(), "node_modules/.cache/executable-"));
  afterAll(() => rmSync(installed, { recursive: true, force: true }));
  const main = join(installed, "dist/cli/main.js");

  test("checks a file with fewer than 40 descriptors", slow, async () => {
    cpSync("package.json", join(installed, "package.json"));
    await bundleExecutable(join(installed, "dist/cli"));
    const limited = 'ulimit -n 39; exec "$0" "$@"';
    const words = ["-c", limited, process.execPath, main, "check", "examples/rules/zone.json"];
    const ran = await run("bash", words);
    expect(ran).toEqual({
      code: 0,
      out: expect.stringContaining("1 configuration, 2 rules: 0 errors"),
      err: "",
    });
  });
});
