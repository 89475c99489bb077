/** `node scripts/install-packages.mjs FOLDER...`: installs the locked packages of folders that have some of their own, once. */
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";

/** npm writes this file at the end of an installation. */
function isInstalled(folder) {
  const installed = `${folder}/node_modules/.package-lock.json`;
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}/package-lock.json`).mtimeMs
  );
}

/** @returns the exit code of npm */
function install(folder) {
  console.error(`installing the packages of ${folder} ...`);
  const words = [
    "ci",
    "--ignore-scripts",
    "--legacy-peer-deps",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const child = spawn("npm", words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) =>
    child.on("error", reject).on("close", (code) => resolve(code ?? 1)),
  );
}

// Together: an installation mostly waits for the network and the disk.
const missing = process.argv.slice(2).filter((name) => !isInstalled(name));
process.exitCode = Math.max(0, ...(await Promise.all(missing.map(install))));
