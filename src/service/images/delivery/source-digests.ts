/** Digests of fetched sources: a source is compared with its last copy, which takes a tenth of the time of hashing it. */
import { createLruCache } from "../../../core/lru-cache.ts";
import { hashOf } from "./renditions.ts";

/** The digest of the bytes of a source. */
export type DigestSource = (url: string, bytes: Uint8Array) => string;

interface KeptSource {
  /** A copy: the buffer of a caller can change. */
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Memory for copies, in bytes; a larger source is hashed each time (chosen). */
const maxKeptBytes = 67_108_864;

/** Approximate memory of a copy in addition to its bytes, with its URL. */
const entryBytes = 4_096;

/** Creates the function, with the memory of the last bytes of each URL. */
export function sourceDigests(hash: (bytes: Uint8Array) => string = hashOf): DigestSource {
  const kept = createLruCache<KeptSource>(maxKeptBytes, ({ bytes }) => bytes.byteLength + entryBytes);
  return (url, bytes) => {
    const last = kept.get(url);
    if (last && Buffer.compare(last.bytes, bytes) === 0) return last.digest;
    const digest = hash(bytes);
    if (bytes.byteLength < maxKeptBytes) kept.set(url, { bytes: new Uint8Array(bytes), digest });
    return digest;
  };
}
