/** The types of every entry compile without `skipLibCheck`, in TypeScript 5.9 and the newest, as Node and bundlers resolve them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  const words = [join("node_modules", compiler, "bin", "tsc"), "-p", project];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, ""]);
});
