/** A Worker with the provider's own types: it compiles against the declarations of the package, and runs in this process. */
import { execFile } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { plain } from "../engine/images/pictures.ts";

const run = promisify(execFile);
const folder = resolve("test/clients/workers");
const compiler = resolve("node_modules/typescript/bin/tsc");

/** Runs the compiler; its output is the error's message. */
async function compile(...args: readonly string[]): Promise<void> {
  await run(process.execPath, [compiler, ...args]).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}

beforeAll(async () => {
  const installed = `${folder}/node_modules/edgeproof`;
  rmSync(installed, { recursive: true, force: true });
  await compile("-p", resolve("tsconfig.build.json"), "--outDir", `${installed}/dist`);
  cpSync("package.json", `${installed}/package.json`);
}, 300_000);

test.each([
  ["alone", []],
  ["beside those of Node.js", ["--types", "@cloudflare/workers-types,node"]],
  ["beside those of a browser", ["--lib", "ESNext,DOM"]],
])(
  "a Worker compiles in strict mode with the provider's types %s",
  async (_, args) => {
    await expect(compile("-p", folder, ...args)).resolves.toBeUndefined();
  },
  120_000,
);

test("the Worker transforms, its `fetch` answers as an origin says, and the list has the hosted images", async () => {
  const { answer, transformed, listed } = await import(pathToFileURL(`${folder}/worker.ts`).href);
  const response: Response = await answer(await plain(40, 20).png().toBuffer());
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "max-age=60"]);
  expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ format: "png", width: 10 });
  expect((await transformed()).status).toBe(404);
  expect(await listed()).toEqual([]);
});
