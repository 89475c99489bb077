/** The recipes of docs/recipes work as written: applied to a copy of the repository, types and new tests pass. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);

const recipes = readdirSync("docs/recipes").sort();

/** A code block of a recipe: the file that it changes, and how. */
interface Edit {
  readonly file: string;
  readonly code: string;
  /** Absent for a new file. */
  readonly position?: "at the end" | "after" | "before" | "instead of";
  /** The line that the position refers to, without indentation. */
  readonly anchor?: string;
}

const block = /^```(?:ts|json) fragment\n([\s\S]*?)^```$/gm;
const heading =
  /^\/\/ (?:New file (?<created>\S+)|In (?<changed>[^\s,]+), (?<position>at the end|(?:after|before|instead of) `(?<anchor>.+)`))$/;

function editsOf(recipe: string): Edit[] {
  return [...readFileSync(`docs/recipes/${recipe}`, "utf8").matchAll(block)].map(([, text = ""]) => {
    const end = text.indexOf("\n");
    const groups = heading.exec(text.slice(0, end))?.groups;
    if (!groups) throw new Error(`${recipe}: a block does not name its file: ${text.slice(0, end)}`);
    const { created, changed = "", position = "", anchor } = groups;
    const code = text.slice(end + 1);
    if (created !== undefined) return { file: created, code };
    const kind = position.replace(/ `.*$/, "") as NonNullable<Edit["position"]>;
    return { file: changed, code, position: kind, ...(anchor !== undefined && { anchor }) };
  });
}

async function apply({ file, code, position, anchor }: Edit, root: string): Promise<void> {
  const path = join(root, file);
  if (position === undefined) {
    expect(existsSync(path), `${file} is not new`).toBe(false);
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, code);
  }
  const text = await readFile(path, "utf8");
  if (position === "at the end") return writeFile(path, `${text}\n${code}`);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === anchor);
  const isUnique = lines.filter((line) => line.trim() === anchor).length === 1;
  expect(isUnique, `${file} must have the line once: ${anchor}`).toBe(true);
  lines.splice(
    position === "after" ? at + 1 : at,
    position === "instead of" ? 1 : 0,
    code.replace(/\n$/, ""),
  );
  return writeFile(path, lines.join("\n"));
}

/** Folders and files that a copy does not need, or shares with the repository. */
const omitted = new Set(["node_modules", "dist", "coverage", "reports", "rendered", ".git", ".stryker-tmp"]);

let copy: string;
let edits: readonly Edit[];

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "edgeproof-recipes-"));
  for (const name of await readdir(".")) {
    if (!omitted.has(name))
      await cp(name, join(copy, name), { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  }
  await symlink(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
  edits = recipes.flatMap(editsOf);
  for (const edit of edits) await apply(edit, copy);
});

afterAll(() => rm(copy, { recursive: true, force: true }));

/** Runs a program of the repository in the copy and returns what it prints; rejects with that when it fails. */
async function runInCopy(...words: readonly string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  const options = { cwd: copy, env: { ...env, NO_COLOR: "1" } };
  const { stdout } = await run(process.execPath, words, options).catch((error) => {
    throw new Error(`${words.join(" ")}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

test("each recipe has blocks that create and change files, and CONTRIBUTING links to it", () => {
  expect(recipes.length).toBeGreaterThan(5);
  expect(recipes.filter((recipe) => editsOf(recipe).length < 3)).toEqual([]);
  const guide = readFileSync("CONTRIBUTING.md", "utf8");
  expect(recipes.filter((recipe) => !guide.includes(`](docs/recipes/${recipe})`))).toEqual([]);
});

test("the type check passes after the recipes, for the sources and what the recipes change", async () => {
  const changed = new Set(edits.map(({ file }) => file).filter((file) => file.endsWith(".ts")));
  const config = { extends: "./tsconfig.json", include: ["src", ...changed], exclude: [] };
  await writeFile(join(copy, "tsconfig.recipes.json"), JSON.stringify(config));
  expect(
    await runInCopy("node_modules/typescript/bin/tsc", "-p", "tsconfig.recipes.json", "--singleThreaded"),
  ).toBe("");
});

test("generate writes what the recipes add into schemas and pages", async () => {
  await runInCopy("--import", "tsx", "scripts/generate.ts");
  const read = (file: string) => readFile(join(copy, file), "utf8");
  expect(await read("schemas/openapi.json")).toContain("tokens.counts.get");
  expect(await read("docs/proxy-codes.md")).toContain("origin-loop");
  expect(await read("docs/cli.md")).toContain("edgeproof codes");
  for (const name of ["icontains", "http.accept", "flip"])
    expect(await read("docs/reference.md")).toContain(`| \`${name}\` |`);
  expect(JSON.parse(await read("schemas/cli/codes.schema.json")).type).toBe("array");
});

test("the new tests, the tests of the catalogue and the architecture test pass after the recipes", async () => {
  const added = edits.filter(({ file, position }) => position === undefined && file.endsWith(".test.ts"));
  const files = [
    ...added.map(({ file }) => file),
    "test/engine/proxy/catalogue.test.ts",
    "test/engine/proxy/codes.test.ts",
    "test/architecture.test.ts",
  ];
  expect(await runInCopy("node_modules/vitest/vitest.mjs", "run", "--project", "process", ...files)).toMatch(
    /Tests {2}\d+ passed/,
  );
});
