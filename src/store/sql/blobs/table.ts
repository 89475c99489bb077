/** Blobs as rows of the database. */
import type { BlobStore } from "../../port.ts";
import { blobTable } from "../layout.ts";
import type { BlobBackend, BlobContext } from "./backend.ts";
import { abandonedMs, sweepBlobs } from "./blob-claims.ts";
import { assertIntact, listKeys, readChecksums, recordKey, removeKey } from "./blob-keys.ts";

export const tableBlobs: BlobBackend = {
  create: createTableBlobs,
  sweep: (engine) => sweepBlobs(engine, Date.now() - abandonedMs),
};

function createTableBlobs(context: BlobContext): BlobStore {
  const { builder, encodeKey } = context.dialect;
  return {
    put: async (key, bytes) => {
      const copy = Buffer.from(bytes);
      await context.write("putting a blob", (run) =>
        recordKey(run, context.dialect, key, { bytes: copy, inTable: true }, Date.now()),
      );
    },
    get: (key) =>
      context.read(async (run) => {
        const select = builder.selectFrom(blobTable).select("bytes").where("key", "=", encodeKey(key));
        const bytes = (await run(select.compile())).rows[0]?.["bytes"] as Uint8Array | undefined;
        if (bytes) assertIntact(key, bytes, await readChecksums(run, context.dialect, key));
        return bytes;
      }),
    delete: (key) => context.write("deleting a blob", (run) => removeKey(run, context.dialect, key)),
    keys: (prefix = "") => listKeys(context, prefix),
  };
}
