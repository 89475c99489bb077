/**
 * The types of every entry compile without `skipLibCheck`, in TypeScript 5.9 and the newest, as Node and bundlers resolve
 * them. The blocks of the documents compile, too.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const manifest = JSON.parse(readFileSync("node_modules/edgeproof/package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string" ? [] : [`edgeproof${path.slice(1)}`],
);

mkdirSync("types", { recursive: true });
const lines = entries.map((entry, i) => `export * as entry${i} from "${entry}";`);
writeFileSync("types/index.ts", `${lines.join("\n")}\n`);

/** Packages of TypeScript; the first is 5.9 under another name. */
const compilers = ["typescript-5", "typescript"];

const resolutions = [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
] as const;

test("the older version is 5.9", () => {
  const text = readFileSync("node_modules/typescript-5/package.json", "utf8");
  expect((JSON.parse(text) as { readonly version: string }).version).toMatch(/^5\.9\./);
  expect(entries.length).toBeGreaterThan(15);
});

/** Runs a compiler on a project; returns its exit code and what it prints. */
function compile(compiler: string, project: string): readonly [code: number | null, printed: string] {
  const words = [join("node_modules", compiler, "bin", "tsc"), "-p", project];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  return [status, stdout];
}

test.each(
  compilers.flatMap((compiler) => resolutions.map((resolution) => [compiler, ...resolution] as const)),
)("%s, module %s, resolution %s", (compiler, module, resolution) => {
  const compilerOptions = {
    module,
    moduleResolution: resolution,
    target: "es2023",
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ["node"],
  };
  const project = `types/${compiler}-${resolution}.json`;
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  expect(compile(compiler, project)).toEqual([0, ""]);
});

/** The first block of a language in a document of the package. */
function blockOf(document: string, language: string): string {
  const text = readFileSync(join("node_modules/edgeproof", document), "utf8");
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1] ?? "";
}

test("the blocks of the documents, with the types of the matchers that the guide to tests declares", () => {
  const declaration = blockOf("docs/testing.md", "typescript");
  const readme = blockOf("README.md", "ts test");
  expect([declaration, readme]).toEqual([
    expect.stringContaining("VerdictMatchers"),
    expect.stringContaining("toBlock"),
  ]);
  writeFileSync("types/matchers.d.ts", declaration);
  writeFileSync("types/edge.test.ts", readme);
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    moduleDetection: "force",
    types: ["node", "vitest/globals"],
  };
  const files = [
    "matchers.d.ts",
    "edge.test.ts",
    ...readdirSync("blocks").map((name) => `../blocks/${name}`),
  ];
  writeFileSync("types/blocks.json", JSON.stringify({ compilerOptions, files }));
  expect(compile("typescript", "types/blocks.json")).toEqual([0, ""]);
});
