/** Downloads photographs into the cache, of Debian's packages of desktop wallpapers. None is part of the repository. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { cacheFolder, grouped } from "./cache.ts";

const photoPackages = ["gnome-backgrounds", "mate-backgrounds", "plasma-workspace-wallpapers"];

/** Folder of a package of fonts in the cache. */
export function packageFolder(name: string): string {
  return join(cacheFolder(), "node", "node_modules", name);
}

const photoSide = 2000;
const minPhotoBytes = 300_000;

/** Paths of the photographs, as JPEG of 2,000 pixels; downloaded and converted once. */
export async function installPhotos(): Promise<readonly string[]> {
  const folder = join(cacheFolder(), "photos");
  const converted = join(folder, "jpeg");
  const paths = () =>
    readdirSync(converted)
      .sort()
      .map((file) => join(converted, file));
  if (existsSync(join(folder, "complete"))) return paths();
  const downloads = join(folder, "deb");
  const unpacked = join(folder, "unpacked");
  for (const made of [downloads, unpacked, converted]) mkdirSync(made, { recursive: true });
  if (readdirSync(downloads).length < photoPackages.length)
    execFileSync("apt-get", ["download", ...photoPackages], { cwd: downloads, stdio: "inherit" });
  for (const file of readdirSync(downloads))
    execFileSync("dpkg", ["-x", join(downloads, file), unpacked], { stdio: "inherit" });
  let count = 0;
  for (const file of largestVersions(unpacked)) {
    const photo = sharp(file).resize(photoSide, photoSide, { fit: "inside" }).removeAlpha();
    const name = `photo-${String(count).padStart(2, "0")}.jpg`;
    try {
      await photo.jpeg({ quality: 85 }).toFile(join(converted, name));
      count++;
    } catch {
      // A wallpaper that sharp cannot read is left out.
    }
  }
  writeFileSync(join(folder, "complete"), "");
  return paths();
}

/** One file for each wallpaper: the largest of those in its folder of sizes, and all files of folders of wallpapers. */
function largestVersions(folder: string): readonly string[] {
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => /\.(jpe?g|png)$/i.test(file) && !/screenshot|preview/i.test(file))
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).size >= minPhotoBytes)
    .sort();
  const groups = grouped(files, (file) =>
    /\d+x\d+\.\w+$/.test(file) ? file.replace(/images[^/]*\/.*$/, "") : file.replace(/-[dl]\.\w+$/, ""),
  );
  return [...groups.values()].map((versions) =>
    versions.reduce((best, file) => (statSync(file).size > statSync(best).size ? file : best)),
  );
}
