/** The folders of the editor's workspace, and the documents that are files in them. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Protocol from "vscode-languageserver/node";
import { isInside } from "../project/file-paths.ts";
import { configNames } from "../project/find-file.ts";
import { repositoryAround } from "../project/repository.ts";
import type { DocumentPlace } from "./analysis/project-settings.ts";

/** Finds the file of a document's address; undefined for one that is not in the workspace. */
export type FindPlace = (uri: string) => DocumentPlace | undefined;

/** The workspace of an editor; without folders, the current folder. */
export function workspaceOf({
  workspaceFolders,
  rootUri,
}: Pick<Protocol.InitializeParams, "workspaceFolders" | "rootUri">): FindPlace {
  const given = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
  const named = given.flatMap((uri) => pathOf(uri) ?? []);
  const folders = (given.length > 0 ? named : [process.cwd()]).filter(existsSync);
  return (uri) => {
    const path = pathOf(uri);
    const folder = folders.find((candidate) => path !== undefined && isInside(candidate, path));
    if (path === undefined || folder === undefined || !existsSync(dirname(path))) return undefined;
    return { path, root: repositoryAround(folder) ?? folder };
  };
}

/** The path of an address; not one of another computer. */
export function pathOf(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    return url.protocol === "file:" && url.hostname === "" ? resolve(fileURLToPath(url)) : undefined;
  } catch {
    return undefined;
  }
}

/** Files that an analysis can depend on. */
export const watchedPattern = "**/*.{json,jsonc,yaml,yml,tf,tfstate,ndjson,jsonl}";

/** Whether the findings of a document can change with a file. @param inputs what its analysis has read */
export function dependsOn(inputs: ReadonlySet<string>, path: string): boolean {
  if (inputs.has(path) || configNames.some((name) => resolve(dirname(path), name) === path)) return true;
  return inputs.has(dirname(path));
}
