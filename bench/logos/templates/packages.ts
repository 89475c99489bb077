/** Packages of npm with pages that others made, all under the MIT licence, unpacked into the cache; none is in the repository. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chance, type Half, halfOf } from "../collection.ts";
import { cacheFolder } from "../pages/cache.ts";

/** A package, its version, and the folder of its pages. */
const packages: readonly (readonly [name: string, version: string, root: string])[] = [
  ["startbootstrap-sb-admin-2", "4.1.4", ""],
  ["startbootstrap-sb-admin", "7.0.7", "dist"],
  ["startbootstrap-agency", "7.0.12", "dist"],
  ["startbootstrap-creative", "7.0.7", "dist"],
  ["startbootstrap-clean-blog", "6.0.9", "dist"],
  ["startbootstrap-freelancer", "7.0.7", "dist"],
  ["startbootstrap-grayscale", "7.0.6", "dist"],
  ["startbootstrap-landing-page", "6.0.6", "dist"],
  ["startbootstrap-new-age", "6.0.7", "dist"],
  ["startbootstrap-stylish-portfolio", "6.0.6", "dist"],
  ["startbootstrap-business-casual", "7.0.9", "dist"],
  ["startbootstrap-shop-homepage", "5.0.6", "dist"],
  ["startbootstrap-modern-business", "5.0.7", "dist"],
  ["gentelella", "4.2.0", "dist"],
  ["material-dashboard", "3.1.0", ""],
  ["soft-ui-dashboard", "1.0.1", ""],
  ["argon-design-system-free", "1.2.0", ""],
  ["material-kit", "2.0.4", ""],
  ["notus-js", "1.1.0", ""],
  ["black-dashboard", "1.0.0", ""],
  ["paper-dashboard", "1.1.0", ""],
  ["paper-kit-2", "2.1.0", ""],
];

/** Maximum number of pages of a package, so that none decides a rate. */
const maxPages = 8;
/** Folders without pages of their own, and a size below which a file is a fragment of a page. */
const leftOut = /^(docs?|documentation|vendor|node_modules|partials?|assets|src|\.\w+)\//i;
const minBytes = 3000;

/** A page of a package. */
export interface TemplatePage {
  readonly packageName: string;
  /** Folder that its absolute addresses start in. */
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
}

/** The pages of the packages of a half. */
export function templatePages(half: Half): readonly TemplatePage[] {
  return packages
    .filter(([name]) => halfOf(name) === half)
    .flatMap(([name, version, folder]) => {
      const root = join(unpacked(name, version), folder);
      const files = (readdirSync(root, { recursive: true }) as string[]).filter(
        (path) => path.endsWith(".html") && !leftOut.test(path) && isPage(join(root, path)),
      );
      const chosen = files.sort((a, b) => chance(name, a) - chance(name, b)).slice(0, maxPages);
      return chosen.map((path): TemplatePage => ({ packageName: name, root, path }));
    });
}

function isPage(file: string): boolean {
  const content = readFileSync(file, "utf8");
  return content.length >= minBytes && /<body/i.test(content);
}

/** The folder of an unpacked package, without its dependencies; downloaded once. */
function unpacked(name: string, version: string): string {
  const folder = join(cacheFolder(), "templates", "packages", `${name}-${version}`);
  if (existsSync(join(folder, "complete"))) return folder;
  mkdirSync(folder, { recursive: true });
  const output = execFileSync("npm", ["pack", "--silent", `${name}@${version}`], {
    cwd: folder,
    encoding: "utf8",
  });
  const file = output.trim().split("\n").at(-1) ?? "";
  execFileSync("tar", ["xzf", file, "--strip-components=1"], { cwd: folder });
  writeFileSync(join(folder, "complete"), "");
  return folder;
}
