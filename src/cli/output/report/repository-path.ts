/** Paths relative to the repository, as code hosts expect them in reports. */
import { isAbsolute, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { repositoryAround } from "../../project/repository.ts";
import { standardInput } from "../../standard-input.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Converts the file names of a command line for a report. */
export type ReportPath = (file: string) => string;

/**
 * Returns a function from file names to paths relative to the repository, with `/`. Files outside of the repository
 * keep their absolute path. The repository is the innermost folder around the current one with a `.git`, else the
 * folder that GitHub or GitLab checks out to, else the current folder.
 */
export function repositoryPaths(env: Environment = {}, folder = process.cwd()): ReportPath {
  const root = repositoryAround(folder) ?? env["GITHUB_WORKSPACE"] ?? env["CI_PROJECT_DIR"] ?? folder;
  return (file) => {
    if (file === standardInput) return "stdin";
    const absolute = resolve(folder, file);
    const path = relative(root, absolute);
    return slashes(/^\.\.(?:[\\/]|$)/.test(path) || isAbsolute(path) ? absolute : path);
  };
}

function slashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** The URI reference of a path (RFC 3986): SARIF allows neither backslashes nor spaces. */
export function uriOf(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  const segments = path.toWellFormed().split("/").map(encodeURIComponent);
  return segments.join("/");
}
