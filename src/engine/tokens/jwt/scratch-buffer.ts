/**
 * One buffer that is reused for each token: allocating buffers would cost more than half of the time of verification
 * outside the signature itself, most of it in garbage collection (`chosen`, measured). Views of it are valid only
 * during the synchronous call that requested it.
 */

import { allocateBytes } from "#bytes";

/** Enough for two copies of a token of the default maximum length. */
const usualBytes = 16_384;

let scratch = allocateBytes(usualBytes);

/** A buffer of at least `bytes` bytes, with the content of its last use. */
export function scratchOf(bytes: number): Uint8Array {
  if (scratch.length < bytes) scratch = allocateBytes(bytes);
  return scratch;
}
