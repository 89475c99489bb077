/** The files of the page, read once. They hold no data, and only these are served: no path of a request reaches the disk. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";

/** A file of the page. */
export interface PageFile {
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Content type with its charset. */
  readonly type: string;
  /** Whether its name has a hash of its content, so that it never changes. */
  readonly isHashed: boolean;
}

/** Files by path, such as `/assets/main-1a2b3c4d.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
};

/** Reads the built page. @throws {Error} Node's own when the folder does not exist */
export async function readPageFiles(folder: string): Promise<PageFiles> {
  const files = new Map<string, PageFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).split(sep).join("/").replace(/^\/*/, "/");
    files.set(name, {
      bytes: new Uint8Array(await readFile(path)),
      type,
      isHashed: name.startsWith("/assets/"),
    });
  }
  return files;
}
