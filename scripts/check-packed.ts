/**
 * Packs the package, installs the tarball in an empty folder as a user would, and runs the blocks of the documents, the
 * examples and the contract of stores from there, beside the newest packages that run on the version of node:
 *
 *     node --import tsx scripts/check-packed.ts [--node 20 --node 22 --node 24]
 *
 * Without `--node` it runs on the current version. Several versions share one installation, of packages that run on the oldest;
 * on those that are not the current one, only checks whose result can depend on it run. The results of each run are written
 * to `coverage/packed-<version>.json`.
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
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assertShownResults, blocksOf } from "../test/support/example-code.ts";
import { isOwnNode, nodeOf } from "./node-versions.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Versions to install where the newest does not run, by the major version of node. */
const versions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "20": { vitest: "4", kysely: "0.28", msw: "2", undici: "7" },
};

/** Packages of the checks in addition to those of the examples. */
const tools = [
  ...["esbuild", "kysely", "libsql", "pg", "@types/pg", "typescript", "@types/node"],
  ...["vscode-languageserver", "vscode-languageserver-textdocument"],
];

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

/**
 * Maximum size of the tarball (`chosen`): it grows by what users install, so growth is decided and does not happen. The
 * executable is a file of its own beside the modules of the library (920 kB of it), so that a command opens few files.
 */
const maxPackageBytes = 4_150_000;

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

/** Checks whose result does not depend on the version of node: they run on the current one. */
const once = ["browser", "dockerfile", "types"];

/** A project with the package, and packages beside it that run on the oldest of the versions. */
function prepare(tarball: string, oldest: string, folder: string): string {
  const project = join(folder, "project");
  mkdirSync(project);
  install(project, tarball, oldest, pathOf(oldest));
  writeChecks(project);
  console.log(`checking the package beside ${installedIn(project).join(", ")}`);
  return project;
}

function pathOf(major: string): string {
  return `${nodeOf(major)}${delimiter}${process.env["PATH"]}`;
}

/** Runs the checks on one version of node, in a copy without their earlier state; returns whether every test passed. */
function check(prepared: string, major: string): boolean {
  const project = `${prepared}-${major}`;
  cpSync(prepared, project, { recursive: true, filter: (path) => path !== join(prepared, "node_modules") });
  symlinkSync(join(prepared, "node_modules"), join(project, "node_modules"));
  const report = join(root, "coverage", `packed-${major}.json`);
  mkdirSync(dirname(report), { recursive: true });
  const isOwn = isOwnNode(major);
  const words = [
    "vitest",
    "run",
    "scripts/packed/",
    ...(isOwn ? [] : once.map((name) => `--exclude=scripts/packed/${name}.test.ts`)),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  const env = {
    ...process.env,
    PATH: pathOf(major),
    NO_COLOR: "1",
    // A database does not run on this node.
    ...(isOwn ? { EDGEPROOF_REPOSITORY: root } : { EDGEPROOF_POSTGRES_URL: undefined }),
  };
  console.log(`on node ${execFileSync("node", ["--version"], { env, encoding: "utf8" }).trim()}`);
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
  const oldest = String(Math.min(...majors.map(Number)));
  const project = prepare(tarball, oldest, folder);
  const results = majors.map((major) => ({ major, failure: failureOf(() => check(project, major)) }));
  const failed = results.filter(({ failure }) => failure !== undefined);
  for (const { major, failure } of results) console.error(`node ${major}: ${failure ?? "passed"}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
