/**
 * `npm run bench -- sizes`: the size of each entry for browsers, bundled as an installed package by esbuild and compressed by
 * gzip, against its limit. RE2 is loaded on demand, and is not in the sizes. The last row is the page of the playground, with RE2.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPlayground, maxPlaygroundKilobytes } from "../scripts/build-playground.ts";
import {
  installPackage,
  maxKilobytes,
  measureEntry,
  portableEntries,
  removePackage,
} from "../test/browser/package-bundle.ts";

await installPackage();
try {
  for (const entry of portableEntries) {
    const kilobytes = await measureEntry(entry);
    const max = maxKilobytes[entry];
    console.log(`edgeproof/${entry}: ${kilobytes.toFixed(1)} kB, at most ${max} kB`);
    if (kilobytes > max) process.exitCode = 1;
  }
} finally {
  removePackage();
}

const folder = mkdtempSync(join(tmpdir(), "edgeproof-playground-"));
try {
  const kilobytes = await buildPlayground(folder);
  console.log(`playground: ${kilobytes.toFixed(1)} kB, at most ${maxPlaygroundKilobytes} kB`);
} finally {
  rmSync(folder, { recursive: true });
}
