/**
 * Memory that is used again for each token: new buffers cost more than half of what verification costs beside the
 * signature itself, most of it in garbage collection (`chosen`, measured). Nothing keeps a view of it beyond the
 * synchronous call that asked for it.
 */

/** Enough for two copies of the longest token by default. */
const usualBytes = 16_384;

let scratch = Buffer.alloc(usualBytes);

/** A buffer of at least so many bytes, with whatever the last use left in it. */
export function scratchOf(bytes: number): Buffer {
  if (scratch.length < bytes) scratch = Buffer.alloc(bytes);
  return scratch;
}
