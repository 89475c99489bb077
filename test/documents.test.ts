/** Runs the TypeScript of the README and the guides, and checks the results they show and the links they make. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/cli/commands/commands.ts";
import { findCommand } from "../src/cli/find-command.ts";
import { groups } from "../src/cli/names.ts";
import { worldSchema } from "../src/service/world/schema.ts";
import { assertShownResults, blocksOf, splitImports } from "./support/example-code.ts";
import { runModule } from "./support/examples.ts";
import { expectExcerpt } from "./support/excerpt.ts";

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

/** Blocks marked `ts fragment` show a shape and cannot run alone. */
const blocks = documents.flatMap((file) => blocksOf(readFileSync(file, "utf8"), file));

describe("code runs and gives what it shows", () => {
  test.each(blocks)("$place", async ({ place, code }) => {
    const { imports, rest } = splitImports(code);
    await expect(runModule(place, `${imports}\n${assertShownResults(rest).code}`)).resolves.toBeUndefined();
  });
});

/** Runs a file of tests in an empty project with vitest; returns the exit code and all that is printed. */
async function runTestFile(code: string): Promise<{ readonly code: number; readonly printed: string }> {
  const project = mkdtempSync(join(tmpdir(), "edgeproof-readme-"));
  const { paths } = JSON.parse(readFileSync("tsconfig.json", "utf8")).compilerOptions;
  // Names are whole: `edgeproof` is not the start of `edgeproof/tokens`.
  const alias = Object.entries(paths as Record<string, [string]>).map(
    ([name, [path]]) =>
      `{ find: /^${name.replaceAll("/", "\\/")}$/, replacement: ${JSON.stringify(resolve(path))} }`,
  );
  try {
    symlinkSync(resolve("node_modules"), join(project, "node_modules"));
    writeFileSync(join(project, "edge.test.ts"), code);
    writeFileSync(join(project, "vitest.config.mjs"), `export default { resolve: { alias: [${alias}] } };`);
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
    const env = { ...Object.fromEntries(kept), NO_COLOR: "1" };
    const words = [resolve("node_modules/vitest/vitest.mjs"), "run"];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: project,
      env,
      encoding: "utf8",
    });
    return { code: status ?? -1, printed: stdout + stderr };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

test("the README's first file of tests has the red output that is shown, and no other failure", async () => {
  const readme = readFileSync("README.md", "utf8");
  const [, file = ""] = /^```ts test\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const [, shown = ""] = /^```text\n([\s\S]*?)\n```$/m.exec(readme) ?? [];
  const { code, printed } = await runTestFile(file);
  expect(code, printed).toBe(1);
  expect(printed).toMatch(/Tests {2}1 failed \| 2 passed/);
  const [first = ""] = shown.split("\n");
  expect(printed).toContain(first);
  expectExcerpt(printed.slice(printed.indexOf(first)), shown, "README.md");
  const closed = file.replace(/and (\$\{role\}) ne "admin"/, 'and not ($1 eq "admin")');
  const fixed = await runTestFile(closed);
  expect(fixed.code, fixed.printed).toBe(0);
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

test("commands that are named in sentences, tables and files exist, by their names of today", () => {
  const form = /(?:`|": "|command: \[)(?:npx )?edgeproof ((?:[a-z][a-z-]*|-)(?: [^`"\n]*)?)[`"]/g;
  // The recipes add a command, and docs/cli.md is made from the declarations.
  const byHand = documents.filter((file) => file !== "docs/cli.md" && !file.startsWith("docs/recipes/"));
  const named = byHand.flatMap((file) => {
    const found = readFileSync(file, "utf8").matchAll(form);
    return [...found].map(([, words = ""]) => ({ file, words: words.replaceAll("\\|", "|").split(/\s+/) }));
  });
  const wrong = named.filter(({ words }) => {
    try {
      const found = findCommand(commands, words);
      return "command" in found && found.earlierName !== undefined;
    } catch {
      return !Object.hasOwn(groups, words.join(" "));
    }
  });
  expect(named.length).toBeGreaterThan(60);
  expect(wrong.map(({ file, words }) => `${file}: ${words.join(" ")}`)).toEqual([]);
});

describe("links lead somewhere", () => {
  test.each(documents)("%s", (file) => {
    const prose = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
    const targets = [...prose.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((m) => m[1]!);
    expect(targets.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([]);
  });
});
