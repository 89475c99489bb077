/** Guides are run from their blocks: files are saved, commands are run, output is compared. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { edgeproof } from "./support/cli.ts";
import { expectExcerpt } from "./support/excerpt.ts";

interface Block {
  readonly language: string;
  readonly content: string;
  /** The name by which the text before it says to save it. */
  readonly file: string | undefined;
  readonly place: string;
}

/** The blocks of a guide, without TypeScript and the text that it prints: `documents.test.ts` runs it. */
function blocksOf(path: string): readonly Block[] {
  const guide = readFileSync(join(before, path), "utf8");
  const found = [...guide.matchAll(/^```(json|js|sh|text)\n([\s\S]*?)^```$/gm)].map((block) => {
    const [, language = "", content = ""] = block;
    const before = guide.slice(0, block.index);
    const [file] = [...before.matchAll(/[Ss]ave [\w ]+ as\s`([\w.]+)`/g)].map(([, name]) => name).slice(-1);
    return { language, content, file, place: `${path}:${before.split("\n").length}` };
  });
  return found.slice(found.findIndex(({ language }) => language !== "text"));
}

const before = process.cwd();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "edgeproof-guide-"));
  process.chdir(folder);
});
afterEach(() => {
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

test.each([
  ["docs/test-suite.md", 6, 6],
  ["docs/custom-rules.md", 1, 1],
])("every block of %s does what the guide says", { timeout: 120_000 }, async (path, commands, outputs) => {
  const blocks = blocksOf(path);
  let printed = "";
  for (const { language, content, file, place } of blocks) {
    if (language === "sh") printed = await runCommands(content, place);
    else if (language === "text") expectExcerpt(printed, content, place);
    else if (language === "json") writeFileSync(file ?? "", content);
    else {
      expect(file, place).toBe("change.mjs");
      const script = join(folder, "change.mjs");
      writeFileSync(script, content);
      await import(/* @vite-ignore */ script);
    }
  }
  const count = (language: string) => blocks.filter((block) => block.language === language).length;
  expect(count("sh")).toBeGreaterThanOrEqual(commands);
  expect(count("text")).toBeGreaterThanOrEqual(outputs);
});
