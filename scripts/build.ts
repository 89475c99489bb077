/**
 * `npm run build [-- --force]`: builds the package into `dist`, unless `dist` is newer than every source. The declarations
 * come from the compiler, in a process of its own beside the bundles: the JavaScript, the pages of the workbench and of the
 * playground. At the end the executable bit, and declarations that allow optional packages to be missing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertSizes, buildPage } from "./build-page.ts";
import { buildPlayground } from "./build-playground.ts";
import { bundle } from "./bundle.ts";
import { allowMissing } from "./optional-types.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist/`;

/** Written last: a build that was interrupted is not taken for a whole one. */
const stamp = `${dist}.built`;

/** Everything that a build reads. The times of folders tell that a file was removed. */
const sources = [
  "src",
  "web",
  "scripts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

if (process.argv.includes("--force") || !isCurrent()) await build();

function isCurrent(): boolean {
  return existsSync(stamp) && sources.every((name) => newest(root + name) < statSync(stamp).mtimeMs);
}

function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== "node_modules");
  return Math.max(stats.mtimeMs, ...names.map((name) => newest(join(path, name))));
}

async function build(): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  const startedAt = new Date();
  const declarations = declare();
  await bundle();
  await buildPage();
  assertSizes(`${dist}workbench`);
  await buildPlayground(`${dist}playground`);
  await declarations;
  await chmod(`${dist}cli/main.js`, 0o755);
  adaptDeclarations();
  writeFileSync(stamp, "");
  // A source that changed meanwhile is newer.
  utimesSync(stamp, startedAt, startedAt);
}

async function declare(): Promise<void> {
  const compiler = spawn("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  const [status] = await once(compiler, "exit");
  if (status !== 0) throw new Error(`tsc ended with exit code ${status}`);
}

function adaptDeclarations(): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    // No entry exports the command line, so its types would be of no use.
    if (file.startsWith("cli")) {
      rmSync(dist + file);
      continue;
    }
    const text = readFileSync(dist + file, "utf8");
    const allowed = allowMissing(text);
    if (allowed !== text) writeFileSync(dist + file, allowed);
  }
}
