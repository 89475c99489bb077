/** Executables of other versions of Node.js, from the npm package `node`. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

const cache = join(import.meta.dirname, "../node_modules/.cache");

/** Whether this process runs on a major version. */
export function isOwnNode(major: string): boolean {
  return process.versions.node.startsWith(`${major}.`);
}

/** The folder with the executable of a major version; it is installed once. */
export function nodeOf(major: string): string {
  if (isOwnNode(major)) return dirname(process.execPath);
  const prefix = join(cache, `node-${major}`);
  const bin = join(prefix, "node_modules/node/bin");
  if (!existsSync(join(bin, "node"))) {
    mkdirSync(prefix, { recursive: true });
    const words = ["install", "--no-audit", "--no-fund", "--prefix", prefix, `node@${major}`];
    execFileSync("npm", words, { cwd: prefix, stdio: "inherit" });
  }
  const version = execFileSync(join(bin, "node"), ["--version"], { encoding: "utf8" }).trim();
  if (!version.startsWith(`v${major}.`)) throw new Error(`the installed node is ${version}, not ${major}`);
  return bin;
}
