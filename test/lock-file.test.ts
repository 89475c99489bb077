/**
 * The lock file names the packages of every platform. A registry that lacks some of them makes `npm install` leave them out, and
 * then `npm ci` refuses the lock file.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

test("every optional dependency is locked", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(name, path)),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(packages)).toContain("node_modules/sharp");
});

/** Looked for as Node does: beside the package, then in each folder above. */
function isLocked(name: string, path: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (Object.hasOwn(packages, `${folder === "" ? "" : `${folder}/`}node_modules/${name}`)) return true;
    if (folder === "") return false;
  }
}
