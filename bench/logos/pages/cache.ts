/**
 * The folder of rendered pages, outside the repository: `EDGEPROOF_BENCH_CACHE`, by default
 * `~/.cache/edgeproof-bench`. `part/index.json` lists the logos and pictures of a part.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Tuning: numbers may be chosen on it. Held out: other logos and other layouts, only to report. */
export type Part = "tuning" | "held-out";

/** The parts by name. */
export const parts: readonly Part[] = ["tuning", "held-out"];

/** The part of a name that is an argument. @throws {Error} when there is none */
export function partNamed(name: string): Part {
  const part = parts.find((each) => each === name);
  if (!part) throw new Error(`--part must be ${parts.join(" or ")}; found ${name}`);
  return part;
}

/** The purpose of a picture: a rendered page, a hard transformation of a logo, or a picture without a logo. */
export type PictureGroup = "page" | "hard" | "none";

/** A logo of a part. */
export interface PageLogo {
  /** Package and name. */
  readonly name: string;
  /** First word of the brand's name; logos of one family never occur twice. */
  readonly family: string;
  /** `tile` or `disc` for logos of packages that draw all their logos so. */
  readonly kind: "free" | "tile" | "disc";
  /** A color of the brand, as #rrggbb. */
  readonly color: string;
  /** PNG with transparency, longest side 512, relative to the part's folder. */
  readonly file: string;
  /** The SVG, relative to the part's folder. */
  readonly svg: string;
}

/** A logo in a picture. */
export interface Occurrence {
  /** Name of the logo. */
  readonly name: string;
  /** Left, top, right, bottom in pixels of the picture; absent where the transformation moves it. */
  readonly box?: readonly [left: number, top: number, right: number, bottom: number];
}

/** A picture of a part. */
export interface PagePicture {
  readonly id: string;
  readonly group: PictureGroup;
  /** Name of the layout or of the transformation. */
  readonly layout: string;
  /** Relative to the part's folder. */
  readonly file: string;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** The logos it shows. */
  readonly shows: readonly Occurrence[];
}

/** The index of a part. */
export interface PartIndex {
  readonly part: Part;
  /** Maximum number of rendered pictures of a layout. */
  readonly picturesOfLayout: number;
  readonly logos: readonly PageLogo[];
  readonly pictures: readonly PagePicture[];
}

/** The cache folder. */
export function cacheFolder(): string {
  return process.env["EDGEPROOF_BENCH_CACHE"] ?? join(homedir(), ".cache", "edgeproof-bench");
}

/** The folder of a part. */
export function partFolder(part: Part): string {
  return join(cacheFolder(), "pages", part);
}

/** The index of a part; undefined when the part is not rendered. */
export function readPart(part: Part): PartIndex | undefined {
  const file = join(partFolder(part), "index.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PartIndex) : undefined;
}

/** Writes a file of a part, with its folders. */
export function writeToPart(part: Part, file: string, content: string | Uint8Array): void {
  const path = join(partFolder(part), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Items by a key, in their order. */
export function grouped<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
