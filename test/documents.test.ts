/** Runs the TypeScript of the README and the guides, and checks the results they show and the links they make. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/cli/commands/commands.ts";
import { findCommand } from "../src/cli/find-command.ts";
import { worldSchema } from "../src/service/world/schema.ts";
import { assertShownResults, blocksOf, splitImports } from "./support/example-code.ts";
import { runModule } from "./support/examples.ts";

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

/** Blocks marked `ts fragment` show a shape and cannot run alone; the API reference shows docstrings, which have a test of their own. */
const guides = documents.filter((file) => !file.startsWith("docs/api/"));
const blocks = guides.flatMap((file) => blocksOf(readFileSync(file, "utf8"), file));

describe("code runs and gives what it shows", () => {
  test.each(blocks)("$place", async ({ place, code }) => {
    const { imports, rest } = splitImports(code);
    await expect(runModule(place, `${imports}\n${assertShownResults(rest).code}`)).resolves.toBeUndefined();
  });
});

test("the README's first block shows a result", () => {
  const first = blocks.find((block) => block.place.startsWith("README.md"));
  expect(assertShownResults(first!.code).assertions).toBeGreaterThan(0);
});

test("the README shows what its first block prints", async () => {
  const readme = readFileSync("README.md", "utf8");
  const shown = /```text\n([\s\S]*?)\n```/.exec(readme)![1]!;
  const [first] = blocksOf(readme, "README.md");
  const { imports, rest } = splitImports(first!.code);
  const results: string[] = [];
  Object.assign(globalThis, { printed: results });
  const code = rest.replace("console.log(", "globalThis.printed.push(");
  await runModule("README.md printed", `${imports}\n${code}`);
  expect(results.join("\n").slice(0, shown.length)).toBe(shown);
});

/** The blocks of a language in all documents, each with its place. */
function fenced(language: string): { readonly place: string; readonly text: string }[] {
  const form = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return documents.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(form)].map((found) => {
      return { place: `${file}:${text.slice(0, found.index).split("\n").length}`, text: found[1]! };
    });
  });
}

test("world files that are shown are worlds", () => {
  const worlds = fenced("json").filter(({ text }) => /^\s*"(accounts|zones)":/m.test(text));
  expect(worlds.length).toBeGreaterThan(0);
  for (const { place, text } of worlds) {
    const parsed = worldSchema.safeParse(JSON.parse(text));
    expect(parsed.error?.issues ?? [], place).toEqual([]);
  }
});

test("command lines that are shown can be read", () => {
  const lines = fenced("sh").flatMap(({ place, text }) => text.split("\n").map((line) => ({ place, line })));
  let seen = 0;
  for (const { place, line } of lines) {
    for (const [, shown = ""] of line.matchAll(/(?:^|\| |npx )edgeproof ([a-z][^|#]*)/g)) {
      const found = findCommand(commands, shown.trim().split(/\s+/));
      if ("group" in found) throw new Error(`${place} names no command: ${line}`);
      expect(found.earlierName, `${place}: ${line}`).toBeUndefined();
      const words = [...shown.matchAll(/(?<=\s)--([a-z-]+)/g)].map(([, word]) => word!);
      const { options } = found.command;
      expect(
        words.filter((word) => !Object.hasOwn(options, word)),
        `${place}: ${line}`,
      ).toEqual([]);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(30);
});

describe("links lead somewhere", () => {
  test.each(documents)("%s", (file) => {
    const prose = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
    const targets = [...prose.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((m) => m[1]!);
    expect(targets.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([]);
  });
});
