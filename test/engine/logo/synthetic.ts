/** Descriptors made up of random bytes: for indexes, where only gates, aspects and identity matter. */

import { createHash } from "node:crypto";
import type { LogoDescriptor, LogoRole } from "../../../src/engine/logo/descriptor.ts";
import { writeLogoDescriptor } from "../../../src/engine/logo/descriptor.ts";
import { gateWords } from "../../../src/engine/logo/features/prefilter-hash.ts";
import type { View } from "../../../src/engine/logo/regions/views.ts";
import { randomBytes } from "./random.ts";

const filler = randomBytes(99, 4096);

function view(gate: Uint8Array, aspect: number, offset: number): View {
  return {
    gate,
    words: gateWords(gate),
    aspect,
    stock: 0,
    spread: 128,
    region: { left: 0, top: 0, width: 1, height: 1 },
    map: filler.slice(offset, offset + 576),
    colours: filler.slice(offset + 7, offset + 7 + 576),
    shape: Int8Array.from(filler.subarray(offset + 3, offset + 3 + 1024)),
    lengths: [5000, 5000, 3000],
  };
}

/** A descriptor with these gates; `kind` picks its other contents, all but the thumbnail. */
export function madeUp(
  role: LogoRole,
  gates: readonly Uint8Array[],
  kind: number,
  aspect = 0,
  thumb: Uint8Array = new Uint8Array(768).fill(kind % 256),
): LogoDescriptor {
  return writeLogoDescriptor({
    role,
    width: 64,
    height: 64,
    blockHash: Buffer.from(randomBytes(kind + 1, 32)).toString("hex"),
    solid: gates.length === 0,
    colour: [kind % 256, 80, 160],
    digest: createHash("sha256")
      .update(JSON.stringify([gates.map(String), kind, aspect, String(thumb)]))
      .digest(),
    thumb,
    views: gates.map((gate, i) => view(gate, aspect, (kind * 13 + i * 5) % 1024)),
  });
}
