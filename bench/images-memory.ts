/**
 * Memory of eight uploads of 100 megapixels at once: `npm run bench -- uploads-memory`. Each is an interlaced PNG or a
 * progressive JPEG, which decoders keep in memory as a whole. Prints the peak of this process; more than 1.5 GB fails.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEdge } from "../src/edge.ts";

const maxBytes = 1_500_000_000;
const uploads = 8;
const folder = mkdtempSync(join(tmpdir(), "edgeproof-memory-"));
// Another process encodes the files, so that their memory is not measured.
const encode = `
  const sharp = require("sharp");
  const picture = sharp({ create: { width: 10000, height: 10000, channels: 3, background: "#823" }, limitInputPixels: false });
  const [png, jpeg] = process.argv.slice(1);
  picture.clone().png({ progressive: true }).toFile(png)
    .then(() => picture.clone().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toFile(jpeg));
`;

const files = [join(folder, "a.png"), join(folder, "b.jpg")];
try {
  execFileSync(process.execPath, ["-e", encode, ...files]);
  const bytes = files.map((file) => readFileSync(file));
  const edge = createEdge();
  const before = process.memoryUsage.rss();
  await Promise.all(
    Array.from({ length: uploads }, async (_, n) => {
      const file = bytes[n % bytes.length] ?? Buffer.alloc(0);
      await edge.images.upload("a1", { fields: [], file: { bytes: file } });
    }),
  );
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(`${uploads} uploads: peak ${peak} bytes, ${before} before`);
  if (peak > maxBytes) process.exitCode = 1;
  await edge.close();
} finally {
  rmSync(folder, { recursive: true });
}
