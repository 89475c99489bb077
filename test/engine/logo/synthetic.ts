/** Descriptors of random bytes for tests of indexes, which read only prefilter hashes, aspects and thumbnails. */

import { createHash } from "node:crypto";
import type { LogoDescriptor, LogoRole } from "../../../src/engine/logo/descriptor.ts";
import { writeLogoDescriptor } from "../../../src/engine/logo/descriptor.ts";
import { hashWords } from "../../../src/engine/logo/features/prefilter-hash.ts";
import type { View } from "../../../src/engine/logo/regions/views.ts";
import { randomBytes } from "./random.ts";

const filler = randomBytes(99, 4096);

function view(hash: Uint8Array, aspect: number, offset: number): View {
  return {
    prefilterHash: hash,
    prefilterWords: hashWords(hash),
    aspect,
    commonShapeSimilarity: 0,
    spread: 128,
    region: { left: 0, top: 0, width: 1, height: 1 },
    mapHistogram: filler.slice(offset, offset + 576),
    colorHistogram: filler.slice(offset + 7, offset + 7 + 576),
    centeredMap: Int8Array.from(filler.subarray(offset + 3, offset + 3 + 1024)),
    norms: [5000, 5000, 3000],
  };
}

/** A descriptor with these prefilter hashes; `kind` selects its other contents, except the thumbnail. */
export function syntheticDescriptor(
  role: LogoRole,
  hashes: readonly Uint8Array[],
  kind: number,
  aspect = 0,
  thumbnail: Uint8Array = new Uint8Array(768).fill(kind % 256),
): LogoDescriptor {
  return writeLogoDescriptor({
    role,
    width: 64,
    height: 64,
    blockHash: Buffer.from(randomBytes(kind + 1, 32)).toString("hex"),
    solid: hashes.length === 0,
    color: [kind % 256, 80, 160],
    digest: createHash("sha256")
      .update(JSON.stringify([hashes.map(String), kind, aspect, String(thumbnail)]))
      .digest(),
    thumbnail,
    views: hashes.map((hash, i) => view(hash, aspect, (kind * 13 + i * 5) % 1024)),
  });
}
