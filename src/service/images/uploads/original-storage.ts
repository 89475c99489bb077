/** Bytes on their way to being an image: judged, kept as a blob, and let go of when nothing comes of them. */

import { createSemaphore } from "../../../core/semaphore.ts";
import { judgeImage } from "../../../engine/images/validate-image.ts";
import { ApiError, DependencyUnavailableError } from "../../../errors.ts";
import type { Original } from "../../../store/records/images.ts";
import type { ServiceContext } from "../../context.ts";

/** What the keys of blobs begin with. */
export const blobPrefix = "images/";

export interface Originals {
  /**
   * Judges the bytes and keeps them for as long as `use` makes a record of them: when it throws, they are gone. When
   * nobody knows whether it made one, they stay: the store removes them in time if no record has claimed them.
   *
   * @param at pointer of the field that the bytes came from
   * @throws {ApiError} with the judgement's code
   */
  keep<T>(bytes: Uint8Array, at: string, use: (original: Original) => Promise<T>): Promise<T>;
  /** Forgets the bytes of a record that is deleted. */
  forget(original: Original | undefined): Promise<void>;
}

export function createOriginals({ store, ids, limits }: ServiceContext): Originals {
  const decoding = createSemaphore(limits.concurrentRenders);

  async function judge(bytes: Uint8Array, at: string): Promise<Omit<Original, "blob">> {
    const judgement = await decoding.run(() => judgeImage(bytes, { uploadBytes: limits.imageUploadBytes }));
    if (!judgement.ok) throw new ApiError({ pointer: at, ...judgement.problem });
    const { type, width, height, frames } = judgement;
    return { type, width, height, frames };
  }

  return {
    keep: async (bytes, at, use) => {
      const original = { blob: `${blobPrefix}${ids.uuid()}`, ...(await judge(bytes, at)) };
      await store.blobs.put(original.blob, bytes);
      try {
        return await use(original);
      } catch (error) {
        if (!(error instanceof DependencyUnavailableError)) await store.blobs.delete(original.blob);
        throw error;
      }
    },
    forget: async (original) => {
      if (original) await store.blobs.delete(original.blob);
    },
  };
}
