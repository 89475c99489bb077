/** Storage of originals: uploads are validated and stored as blobs, and deleted when their record is not written. */

import { createSemaphore } from "../../../core/semaphore.ts";
import { declaredPixels } from "../../../engine/images/declared-size.ts";
import { validateImage } from "../../../engine/images/validate-image.ts";
import { ApiError, DependencyUnavailableError } from "../../../errors.ts";
import type { Original } from "../../../store/records/images.ts";
import type { ServiceContext } from "../../context.ts";
import { type DecodingMemory, engineLimits } from "../decoding-memory.ts";

/** Prefix of the keys of blobs. */
export const blobPrefix = "images/";

export interface OriginalStorage {
  /**
   * Validates and stores the bytes, then calls `use`, which writes their record. When it throws, the bytes are deleted;
   * when it is unknown whether the record was written, they stay: the store deletes unclaimed blobs in time.
   *
   * @param at pointer of the field that the bytes came from
   * @throws {ApiError} with the code of `validateImage`
   */
  store<T>(bytes: Uint8Array, at: string, use: (original: Original) => Promise<T>): Promise<T>;
  /** Deletes the bytes of a deleted record. */
  delete(original: Original | undefined): Promise<void>;
}

export function createOriginalStorage(
  { store, ids, limits, settings: { heic } }: ServiceContext,
  memory: DecodingMemory,
): OriginalStorage {
  const decoding = createSemaphore(limits.concurrentRenders);

  async function validate(bytes: Uint8Array, at: string): Promise<Omit<Original, "blob">> {
    const work = () => validateImage(bytes, { ...engineLimits(limits), heic });
    const validated = await decoding.run(() => memory.run(declaredPixels(bytes), work));
    if (!validated.ok) throw new ApiError({ pointer: at, ...validated.problems[0] });
    const { type, width, height, frames } = validated.value;
    return { type, width, height, frames };
  }

  return {
    store: async (bytes, at, use) => {
      const original = { blob: `${blobPrefix}${ids.uuid()}`, ...(await validate(bytes, at)) };
      await store.blobs.put(original.blob, bytes);
      try {
        return await use(original);
      } catch (error) {
        if (!(error instanceof DependencyUnavailableError)) await store.blobs.delete(original.blob);
        throw error;
      }
    },
    delete: async (original) => {
      if (original) await store.blobs.delete(original.blob);
    },
  };
}
