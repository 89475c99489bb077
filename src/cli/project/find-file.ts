/** Finds the configuration file of a project: in the current folder, or above it in the repository. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { UsageError } from "../command.ts";
import type { SortedWords } from "../parse.ts";
import { repositoryAround } from "./repository.ts";

/** The names that are looked for. */
export const configNames = ["edgeproof.config.json", "edgeproof.config.yaml"] as const;

/** Names by which people mean such a file. None of them is read, and none is executed. */
const otherNames = ["jsonc", "yml", "toml", "js", "cjs", "mjs", "ts", "cts", "mts"].map(
  (extension) => `edgeproof.config.${extension}`,
);

/** The option of every command that has a configuration file. */
export const configOption = "config-file";

/**
 * The path of the file, relative to the current folder: that of `--config-file`, else the nearest one up to the folder
 * of the repository (with `.git`). Outside of a repository only the current folder is looked at, so that no other project's
 * file is found. @throws {UsageError} for two files in a folder, and for one of another name
 */
export function findConfigFile({ given, unset }: Pick<SortedWords, "given" | "unset">): string | undefined {
  if (unset.has(configOption)) return undefined;
  return given.get(configOption)?.at(-1) ?? findFrom(process.cwd());
}

/** The nearest configuration file at or above a folder, up to another one. @throws {UsageError} */
export function findFrom(start: string, root = repositoryAround(start) ?? start): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = fileIn(folder);
    if (found !== undefined) return relative(start, join(folder, found));
    if (folder === root) return undefined;
  }
}

function fileIn(folder: string): string | undefined {
  const [first, second] = configNames.filter((name) => existsSync(join(folder, name)));
  if (second !== undefined)
    throw new UsageError(`${folder} has both ${first} and ${second}; keep one of them`);
  const other = first === undefined ? otherNames.find((name) => existsSync(join(folder, name))) : undefined;
  if (other === undefined) return first;
  throw new UsageError(
    `${join(folder, other)} is not read; a configuration file has the name ${configNames.join(" or ")}, and is data only`,
  );
}
