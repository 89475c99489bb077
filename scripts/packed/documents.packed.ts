/** Runs the TypeScript blocks of the documents, each as a module in a folder of its own. */
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const project = process.cwd();
const blocks = readdirSync("blocks").sort();

describe("the blocks of the documents return the results that they show", () => {
  test("there are blocks", () => {
    expect(blocks.length).toBeGreaterThan(20);
  });

  test.each(blocks)("%s", async (file) => {
    const own = mkdtempSync(join(tmpdir(), "edgeproof-block-"));
    process.chdir(own);
    symlinkSync(join(project, "node_modules"), "node_modules");
    try {
      await import(/* @vite-ignore */ pathToFileURL(join(project, "blocks", file)).href);
    } finally {
      process.chdir(project);
      rmSync(own, { recursive: true, force: true });
    }
  });
});
