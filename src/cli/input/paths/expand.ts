/** The files that words of a command line name: a file, a pattern of paths, or a world of the configuration file. */
import { existsSync } from "node:fs";
import { type Io, UsageError } from "../../command.ts";
import { filesOfPattern, isPattern } from "./pattern.ts";

/** The paths of words, each once. @throws {UsageError} for a pattern that no file matches */
export async function expandPaths(words: readonly string[], io: Io): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const word of words) paths.push(...(await pathsOf(word, io)));
  return [...new Set(paths)];
}

async function pathsOf(word: string, io: Io): Promise<readonly string[]> {
  if (!isPattern(word) || existsSync(word)) return [word];
  io.onInputList?.(word, () => filesOfPattern(word));
  const found = await filesOfPattern(word);
  if (found.length > 0) return found;
  throw new UsageError(`no file matches the pattern \`${word}\``);
}

/** The file of a world, for texts that name it: a world of the configuration file with one path is that path. */
export function fileOfWorld(word: string | undefined, io: Io): string | undefined {
  const [only, ...more] = io.project?.worlds.get(word ?? "")?.paths ?? [];
  return more.length === 0 ? (only ?? word) : word;
}

/** The paths of a world of the configuration file, or of a word that names none. */
export async function pathsOfWorld(word: string, io: Io): Promise<readonly string[]> {
  return expandPaths(io.project?.worlds.get(word)?.paths ?? [word], io);
}
