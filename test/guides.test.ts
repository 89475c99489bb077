/** The guide to generated test suites is run from its blocks: files are saved, commands are run, output is compared. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { edgeproof } from "./support/cli.ts";

const guide = readFileSync("docs/test-suite.md", "utf8");
const blocks = [...guide.matchAll(/^```(json|js|sh|text)\n([\s\S]*?)^```$/gm)].map((found) => {
  const [, language = "", content = ""] = found;
  const before = guide.slice(0, found.index);
  const [file] = [...before.matchAll(/[Ss]ave \S+ as\s`([\w.]+)`/g)].map(([, name]) => name).slice(-1);
  return { language, content, file, place: `line ${before.split("\n").length}` };
});

const before = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "edgeproof-guide-"));
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs each command of a block and returns all that they print. */
async function runCommands(content: string, place: string): Promise<string> {
  let printed = "";
  for (const line of content.trimEnd().split("\n")) {
    const [, words = "", code = "0"] = /^npx edgeproof ([^#]*?)(?: # exits with (\d))?$/.exec(line) ?? [];
    expect(words, `${place}: ${line}`).not.toBe("");
    const result = await edgeproof(words.split(" "));
    expect([line, result.code, result.code === Number(code) ? "" : result.err]).toEqual([
      line,
      Number(code),
      "",
    ]);
    printed += result.out + result.err;
  }
  return printed;
}

test("every block does what the guide says", { timeout: 120_000 }, async () => {
  let printed = "";
  const seen: string[] = [];
  for (const { language, content, file, place } of blocks) {
    seen.push(language);
    if (language === "sh") printed = await runCommands(content, place);
    else if (language === "text")
      for (const line of content.trimEnd().split("\n")) expect(printed, place).toContain(line);
    else if (language === "json") writeFileSync(file ?? "", content);
    else {
      expect(file, place).toBe("change.mjs");
      const path = join(folder, "change.mjs");
      writeFileSync(path, content);
      await import(/* @vite-ignore */ path);
    }
  }
  expect(seen.filter((language) => language === "sh").length).toBeGreaterThan(4);
  expect(seen.filter((language) => language === "text").length).toBeGreaterThan(4);
});
