/**
 * The lock files name the packages of every platform. A registry that lacks some of them makes `npm install` leave them out, and
 * then `npm ci` rejects the lock file. They name no registry either.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

/** The project's own, and those that its scripts install where they are used. */
const folders = new Set([
  ".",
  ...[...readFileSync("package.json", "utf8").matchAll(/install-packages\.mjs ([^&]+) &&/g)].flatMap(
    ([, words]) => words!.split(" "),
  ),
]);

function readLock(folder: string): { readonly text: string; readonly packages: Lock["packages"] } {
  const text = readFileSync(`${folder}/package-lock.json`, "utf8");
  return { text, packages: (JSON.parse(text) as Lock).packages };
}

test.each([...folders])(
  "every optional dependency is locked in %s, and no address of a registry",
  (folder) => {
    const { text, packages } = readLock(folder);
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(packages, name, path)),
    );
    expect(missing).toEqual([]);
    expect(text).not.toContain('"resolved"');
  },
);

test("the lock files of the project and of its scripts are compared", () => {
  expect([...folders]).toEqual(expect.arrayContaining([".", "bench/peers", "scripts/checks"]));
  expect(Object.keys(readLock(".").packages)).toContain("node_modules/sharp");
});

/** Looked for as Node does: beside the package, then in each folder above. */
function isLocked(packages: Lock["packages"], name: string, path: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (Object.hasOwn(packages, `${folder === "" ? "" : `${folder}/`}node_modules/${name}`)) return true;
    if (folder === "") return false;
  }
}
