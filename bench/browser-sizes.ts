/**
 * `npm run bench:sizes`: the size of each entry for browsers, bundled as an installed package by esbuild and compressed by
 * gzip, against its limit. RE2 is loaded on demand, and is not in the sizes.
 */
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
