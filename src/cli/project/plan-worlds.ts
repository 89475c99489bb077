/** The worlds that found files make: those of one folder are one deployment, and a world file is a world of its own. */

import { basename, dirname, extname } from "node:path";
import { trimEndOf, trimStartOf } from "../../core/text/trim.ts";
import { withoutRepeatedForms } from "../input/imports/given-files.ts";
import type { FoundFile } from "./found-files.ts";

/** A world and its files. */
export interface PlannedWorld {
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * Worlds by folder, in the order of the files, with names that differ. Sources have unknown values: they make worlds only
 * when there is no plan, state or response.
 */
export function planWorlds(files: readonly FoundFile[]): readonly PlannedWorld[] {
  const groups = new Map<string, { base: string; files: string[] }>();
  const isExact = ({ kind }: FoundFile) => kind === "terraform" || kind === "responses";
  const hasExact = files.some(isExact);
  for (const found of withoutRepeatedForms(files)) {
    const { file, kind } = found;
    const isDeployment = hasExact ? isExact(found) : kind === "sources";
    if (!isDeployment && kind !== "world") continue;
    const folder = dirname(file);
    const key = isDeployment ? `${folder}/` : file;
    const base = isDeployment ? basename(folder) : basename(file, extname(file));
    const group = groups.get(key) ?? { base, files: [] };
    group.files.push(file);
    groups.set(key, group);
  }
  const names = new Set<string>();
  return [...groups.values()].map(({ base, files: own }) => ({ name: unusedName(base, names), files: own }));
}

/** A name of a world that is not taken yet, made of the name of a file or folder. */
export function unusedName(base: string, taken: Set<string>): string {
  const plain =
    trimEndOf(trimStartOf(base.replaceAll(/[^A-Za-z0-9_-]+/g, "-"), "-_"), "-").slice(0, 50) || "main";
  let name = plain;
  for (let i = 2; taken.has(name); i++) name = `${plain}-${i}`;
  taken.add(name);
  return name;
}
