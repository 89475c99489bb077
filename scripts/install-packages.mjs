/** `node scripts/install-packages.mjs FOLDER...`: installs the locked packages of folders that have some of their own, once. */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

/** npm writes this file at the end of an installation. */
function isInstalled(folder) {
  const installed = `${folder}/node_modules/.package-lock.json`;
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}/package-lock.json`).mtimeMs
  );
}

for (const folder of process.argv.slice(2).filter((name) => !isInstalled(name))) {
  console.error(`installing the packages of ${folder} ...`);
  const words = [
    "ci",
    "--ignore-scripts",
    "--legacy-peer-deps",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const { status } = spawnSync("npm", words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}
