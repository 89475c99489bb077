/**
 * Packs the package, installs the tarball in an empty folder as a user would, and runs the blocks of the documents, the
 * examples and the contract of stores from there, beside the newest packages that run on the version of node:
 *
 *     node --import tsx scripts/check-packed.ts [--node 20 --node 22 --node 24]
 *
 * Without `--node` it runs on the current version; binaries of others come from the npm package `node`. The results of
 * each run are written to `coverage/packed-<version>.json`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assertShownResults, blocksOf } from "../test/support/example-code.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Versions to install where the newest does not run, by the major version of node. */
const versions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "20": { vitest: "4", kysely: "0.28", msw: "2", undici: "7" },
};

/** Packages of the checks in addition to those of the examples. */
const tools = ["esbuild", "kysely", "libsql", "pg", "@types/pg", "typescript", "@types/node"];

/** A version of TypeScript beside the newest, under another name. */
const olderTypeScript = "typescript-5@npm:typescript@5.9";

/** Files of the package whose TypeScript blocks run. */
function documentsOf(folder: string): string[] {
  const docs = readdirSync(join(folder, "docs"), { recursive: true, encoding: "utf8" });
  return [
    "README.md",
    "SECURITY.md",
    ...docs.filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`),
  ];
}

function run(command: string, words: readonly string[], cwd: string, path = process.env["PATH"]): void {
  const env = { ...process.env, PATH: path };
  const { status } = spawnSync(command, words, { cwd, env, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")} ended with exit code ${status}`);
}

/** Maximum size of the tarball (`chosen`): it grows by what users install, so growth is decided and does not happen. */
const maxPackageBytes = 2_950_000;

/** Builds and packs; returns the path of the tarball. */
function pack(folder: string): string {
  run("npm", ["run", "--silent", "build"], root);
  const words = ["pack", "--silent", "--json", "--pack-destination", folder];
  execFileSync("npm", words, { cwd: root });
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (file === undefined) throw new Error("npm pack wrote no tarball");
  const tarball = join(folder, file);
  const { size } = statSync(tarball);
  if (size > maxPackageBytes)
    throw new Error(`The tarball has ${size} bytes; it must have at most ${maxPackageBytes}.`);
  return tarball;
}

/** The folder with the executable of a major version of node. */
function nodeOf(major: string, folder: string): string {
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  const prefix = join(folder, `node-${major}`);
  mkdirSync(prefix);
  run("npm", ["install", "--no-audit", "--no-fund", "--prefix", prefix, `node@${major}`], prefix);
  return join(prefix, "node_modules", "node", "bin");
}

/** The lines of `examples/README.md` that set up a project. */
function setUpLines(): readonly string[] {
  const lines = /```sh\n([\s\S]*?)\n```/
    .exec(readFileSync(join(root, "examples/README.md"), "utf8"))?.[1]
    ?.split("\n");
  if (!lines?.[0]?.startsWith("npm install "))
    throw new Error("examples/README.md has no line `npm install`");
  return lines;
}

/** Installs the packages of the examples' README in a new project, the package itself from its tarball. */
function install(project: string, tarball: string, major: string, path: string): void {
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(project, ".npmrc"), "engine-strict=true\n");
  const [installLine = "", ...others] = setUpLines();
  const [, ...words] = installLine.split(" ");
  const named = (name: string) => {
    if (name === "edgeproof") return tarball;
    return name.startsWith("-") || name === "install"
      ? name
      : `${name}@${versions[major]?.[name] ?? "latest"}`;
  };
  run(
    "npm",
    [...words, ...tools].map(named).concat(olderTypeScript, "--no-audit", "--no-fund"),
    project,
    path,
  );
  for (const line of others) run("bash", ["-c", line], project, path);
}

/** Copies the checks, and writes every block of the documents to a file of its own. */
function writeChecks(project: string): void {
  const installed = join(project, "node_modules", "edgeproof");
  mkdirSync(join(project, "scripts/packed"), { recursive: true });
  mkdirSync(join(project, "blocks"));
  for (const file of readdirSync(join(root, "scripts/packed")))
    cpSync(
      join(root, "scripts/packed", file),
      join(project, "scripts/packed", file.replace(".packed.ts", ".test.ts")),
    );
  for (const document of documentsOf(installed)) {
    for (const { place, code } of blocksOf(readFileSync(join(installed, document), "utf8"), document))
      writeFileSync(
        join(project, "blocks", `${place.replaceAll(/[^\w]+/g, "-")}.ts`),
        assertShownResults(code).code,
      );
  }
  writeFileSync(
    join(project, "vitest.config.ts"),
    `export default { test: { include: ["scripts/packed/*.test.ts", "examples/**/*.test.ts"], globals: true, testTimeout: 240_000, hookTimeout: 240_000, maxWorkers: 2 } };\n`,
  );
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    strict: true,
    noEmit: true,
    types: ["node"],
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["examples", "scripts"] }),
  );
}

/** Why a check failed; undefined when it passed. A version that cannot be installed does not stop the others. */
function failureOf(work: () => boolean): string | undefined {
  try {
    return work() ? undefined : "tests failed";
  } catch (error) {
    return (error as Error).message;
  }
}

/** The installed versions of what the package is checked beside, as `name@version`. */
function installedIn(project: string): readonly string[] {
  return ["vitest", ...tools, "fast-check", "msw", "undici"].map((name) => {
    const text = readFileSync(join(project, "node_modules", name, "package.json"), "utf8");
    return `${name}@${(JSON.parse(text) as { readonly version: string }).version}`;
  });
}

/** Checks the tarball on one version of node; returns whether every test passed. */
function check(tarball: string, major: string, folder: string): boolean {
  const path = `${nodeOf(major, folder)}${delimiter}${process.env["PATH"]}`;
  const project = join(folder, `project-${major}`);
  mkdirSync(project);
  install(project, tarball, major, path);
  writeChecks(project);
  const report = join(root, "coverage", `packed-${major}.json`);
  mkdirSync(dirname(report), { recursive: true });
  const words = [
    "vitest",
    "run",
    "scripts/packed/",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  // The image does not depend on the version of node here: its steps run once.
  const isOwn = process.versions.node.startsWith(`${major}.`);
  const env = { ...process.env, PATH: path, NO_COLOR: "1", ...(isOwn && { EDGEPROOF_REPOSITORY: root }) };
  const version = execFileSync("node", ["--version"], { env, encoding: "utf8" }).trim();
  if (!version.startsWith(`v${major}.`)) throw new Error(`the installed node is ${version}, not ${major}`);
  console.log(`checking the package on node ${version} beside ${installedIn(project).join(", ")}`);
  return spawnSync("npx", words, { cwd: project, env, stdio: "inherit" }).status === 0;
}

const { values } = parseArgs({ options: { node: { type: "string", multiple: true } } });
const majors = values.node ?? [process.versions.node.split(".")[0] ?? ""];
const wrong = majors.filter((major) => !/^\d+$/.test(major));
if (wrong.length > 0)
  throw new RangeError(`--node must be a major version such as 22; found ${wrong.join(", ")}`);

const folder = mkdtempSync(join(tmpdir(), "edgeproof-packed-"));
try {
  const tarball = pack(folder);
  const results = majors.map((major) => ({ major, failure: failureOf(() => check(tarball, major, folder)) }));
  const failed = results.filter(({ failure }) => failure !== undefined);
  for (const { major, failure } of results) console.error(`node ${major}: ${failure ?? "passed"}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
