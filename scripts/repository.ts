/**
 * The address of the repository: `repository.url` of package.json is the one place that names it. The homepage, the issue
 * tracker and the links of the README follow from it; `npm run generate` writes them. While it is unset, links are
 * relative. With `--require` the script fails when the address is unset: publishing with provenance needs it.
 */
import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

export interface Manifest {
  readonly repository?: { readonly type: "git"; readonly url: string };
  readonly homepage?: string;
  readonly bugs?: { readonly url: string };
}

/** The web address of a repository: `git+https://host/owner/name.git` without prefix and suffix. */
export function webAddress(url: string): string {
  return url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** The manifest with homepage and issue tracker of its repository, or without both when it names none. */
export function withAddresses<T extends Manifest>(manifest: T): T {
  const { homepage: _homepage, bugs: _bugs, ...rest } = manifest;
  const url = manifest.repository?.url;
  if (url === undefined) return rest as unknown as T;
  const web = webAddress(url);
  return { ...rest, homepage: `${web}#readme`, bugs: { url: `${web}/issues` } } as unknown as T;
}

/**
 * The links of a page to files of the repository: absolute when its address is known, so that they work elsewhere too.
 * A picture is addressed as the file itself, not as the page that shows it.
 */
export function withLinks(page: string, { repository }: Manifest): string {
  const link =
    /(!?)\[([^\]]*)\]\((?:https:\/\/[^)\s]+?\/blob\/main\/)?((?:docs|examples|src|[A-Z]+\.md)[^)\s?]*)(?:\?raw=true)?\)/g;
  const base = repository ? `${webAddress(repository.url)}/blob/main/` : "";
  return page.replaceAll(link, (_whole, mark: string, text: string, path: string) => {
    const end = mark && repository ? "?raw=true" : "";
    return `${mark}[${text}](${base}${path}${end})`;
  });
}

/** package.json as it is. */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest;
}

if (argv[1] === fileURLToPath(import.meta.url) && argv.includes("--require")) {
  const { repository } = readManifest();
  if (!repository) {
    console.error(
      "`repository.url` of package.json is unset. Publishing with provenance needs it: set it, run `npm run generate`, and commit.",
    );
    process.exitCode = 1;
  }
}
