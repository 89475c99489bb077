/** Blobs in memory. */
import { compareText } from "../order.ts";
import type { BlobStore } from "../port.ts";

/** @param assertWritable throws when blobs cannot be changed now; receives the name of the operation */
export function createMemoryBlobs(
  assertWritable: (operation: string) => void,
): BlobStore & { has(key: string): boolean } {
  const blobs = new Map<string, Uint8Array>();
  return {
    put: async (key, bytes) => {
      assertWritable("putting a blob");
      blobs.set(key, bytes.slice());
    },
    has: (key) => blobs.has(key),
    get: async (key) => blobs.get(key)?.slice(),
    getMany: async (keys) => keys.map((key) => blobs.get(key)?.slice()),
    delete: async (key) => {
      assertWritable("deleting a blob");
      blobs.delete(key);
    },
    keys: async function* (prefix = "") {
      yield* [...blobs.keys()].filter((key) => key.startsWith(prefix)).sort(compareText);
    },
  };
}
