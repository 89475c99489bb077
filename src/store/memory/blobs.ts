/** Blobs in memory, and the number of claims on each. */
import { countKeys } from "../argument-checks.ts";
import { compareText } from "../order.ts";
import { type BlobStore, MissingBlobError } from "../port.ts";
import type { Undo } from "./table.ts";

interface Blob {
  bytes: Uint8Array;
  claims: number;
  /** When it was put or its last claim was released, in milliseconds since 1970. */
  unclaimedMs: number;
}

/** The blobs of a store, and what its transactions do with them. */
export interface MemoryBlobs {
  readonly store: Omit<BlobStore, "removeUnclaimed">;
  /** @throws {MissingBlobError} before it changes anything */
  claim(keys: readonly string[], count: number): Undo;
  release(keys: readonly string[]): Undo;
  countClaims(keys: readonly string[]): number[];
  removeUnclaimed(graceMs: number): number;
}

/** @param assertWritable throws when blobs cannot be changed now; receives the name of the operation */
export function createMemoryBlobs(assertWritable: (operation: string) => void): MemoryBlobs {
  const blobs = new Map<string, Blob>();

  /** Changes the numbers of claims, and returns how to restore them. */
  function change(counts: ReadonlyMap<string, number>, by: (claims: number, count: number) => number): Undo {
    const undo: Undo[] = [];
    for (const [key, count] of counts) {
      const blob = blobs.get(key);
      if (!blob) continue;
      const { claims, unclaimedMs } = blob;
      blob.claims = by(claims, count);
      if (claims > 0 && blob.claims === 0) blob.unclaimedMs = Date.now();
      undo.push(() => Object.assign(blob, { claims, unclaimedMs }));
    }
    return () => {
      for (const revert of undo) revert();
    };
  }

  return {
    store: {
      put: async (key, bytes) => {
        assertWritable("putting a blob");
        const blob = blobs.get(key) ?? { claims: 0 };
        blobs.set(key, Object.assign(blob, { bytes: bytes.slice(), unclaimedMs: Date.now() }));
      },
      get: async (key) => blobs.get(key)?.bytes.slice(),
      getMany: async (keys) => keys.map((key) => blobs.get(key)?.bytes.slice()),
      delete: async (key) => {
        assertWritable("deleting a blob");
        blobs.delete(key);
      },
      keys: async function* (prefix = "") {
        yield* [...blobs.keys()].filter((key) => key.startsWith(prefix)).sort(compareText);
      },
    },
    claim: (keys, count) => {
      for (const key of keys) if (!blobs.has(key)) throw new MissingBlobError(key);
      return change(countKeys(keys), (claims, times) => claims + times * count);
    },
    release: (keys) => change(countKeys(keys), (claims, times) => Math.max(0, claims - times)),
    countClaims: (keys) => keys.map((key) => blobs.get(key)?.claims ?? 0),
    removeUnclaimed: (graceMs) => {
      const untilMs = Date.now() - graceMs;
      const old = [...blobs].filter(([, { claims, unclaimedMs }]) => claims === 0 && unclaimedMs <= untilMs);
      for (const [key] of old) blobs.delete(key);
      return old.length;
    },
  };
}
