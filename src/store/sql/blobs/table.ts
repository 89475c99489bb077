/** Blobs as rows of the database. */
import type { BlobStore } from "../../port.ts";
import type { BlobBackend, BlobContext } from "./backend.ts";
import { assertIntact, listKeys, readRows, recordKey, removeKey } from "./blob-keys.ts";

export const tableBlobs: BlobBackend = { create: createTableBlobs };

function createTableBlobs(context: BlobContext): ReturnType<BlobBackend["create"]> {
  const getMany: BlobStore["getMany"] = (keys) =>
    context.read(async (run) => {
      const rows = await readRows(run, context.dialect, keys);
      for (const [key, { bytes, checksums }] of rows) if (bytes) assertIntact(key, bytes, checksums);
      return keys.map((key) => rows.get(key)?.bytes ?? undefined);
    });
  return {
    put: async (key, bytes) => {
      const copy = Buffer.from(bytes);
      await context.write("putting a blob", (run) =>
        recordKey(run, context.dialect, key, { bytes: copy, place: "table" }, Date.now()),
      );
    },
    get: async (key) => (await getMany([key]))[0],
    getMany,
    delete: (key) => context.write("deleting a blob", (run) => removeKey(run, context.dialect, key)),
    keys: (prefix = "") => listKeys(context, prefix),
  };
}
