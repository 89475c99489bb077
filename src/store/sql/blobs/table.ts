/** Blobs as rows of the database. */
import type { BlobStore } from "../../port.ts";
import { blobTable } from "../layout.ts";
import type { BlobBackend, BlobContext } from "./backend.ts";
import { abandonedMs, sweepBlobs } from "./blob-claims.ts";
import { listKeys, recordKey, removeKey } from "./blob-keys.ts";

export const tableBlobs: BlobBackend = {
  create: createTableBlobs,
  sweep: (engine) => sweepBlobs(engine, Date.now() - abandonedMs),
};

function createTableBlobs(host: BlobContext): BlobStore {
  const { builder, encodeKey } = host.dialect;
  return {
    put: async (key, bytes) => {
      const copy = Buffer.from(bytes);
      await host.write("putting a blob", (run) => recordKey(run, host.dialect, key, copy, Date.now()));
    },
    get: (key) =>
      host.read(async (run) => {
        const select = builder.selectFrom(blobTable).select("bytes").where("key", "=", encodeKey(key));
        return (await run(select.compile())).rows[0]?.["bytes"] as Uint8Array | undefined;
      }),
    delete: (key) => host.write("deleting a blob", (run) => removeKey(run, host.dialect, key)),
    keys: (prefix = "") => listKeys(host, prefix),
  };
}
