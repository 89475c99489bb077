/** Patterns of paths: `*` and `?` stand for characters of a name, `**` for any number of folders. */
import { join, parse } from "node:path";
import { entriesOf, walkLimits } from "./walk.ts";

/** Whether a path is a pattern. */
export function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}

/** The files that match a pattern, sorted by path. Names that begin with a dot match only a pattern that does. */
export async function filesOfPattern(pattern: string): Promise<readonly string[]> {
  const { root } = parse(pattern);
  const names = pattern
    .slice(root.length)
    .split(/[\\/]/)
    .filter((name) => name !== "" && name !== ".");
  const found = new Set<string>();
  await search(root, names, 0, found);
  return [...found].sort();
}

async function search(
  folder: string,
  [name, ...rest]: readonly string[],
  depth: number,
  found: Set<string>,
): Promise<void> {
  if (name === undefined || found.size >= walkLimits.files) return;
  if (name === "..") return search(join(folder, ".."), rest, depth, found);
  if (name === "**") await search(folder, rest, depth, found);
  for (const entry of await entriesOf(folder || ".")) {
    const path = join(folder, entry.name);
    if (name === "**") {
      const isBelow = entry.isDirectory() && !isTool(entry.name) && depth < walkLimits.depth;
      if (isBelow) await search(path, [name, ...rest], depth + 1, found);
      continue;
    }
    if (!matchesName(entry.name, name)) continue;
    if (rest.length > 0 && entry.isDirectory()) await search(path, rest, depth, found);
    if (rest.length === 0 && entry.isFile()) found.add(path);
  }
}

/** Folders whose name begins with a dot, and packages. */
function isTool(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** Whether a name matches a pattern of one name. Its time is at most the product of both lengths. */
export function matchesName(name: string, pattern: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let at = 0;
  let next = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    if (pattern[next] === "*") {
      star = next++;
      retry = at;
    } else if (next < pattern.length && (pattern[next] === "?" || pattern[next] === name[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++retry;
    } else return false;
  }
  while (pattern[next] === "*") next++;
  return next === pattern.length;
}
