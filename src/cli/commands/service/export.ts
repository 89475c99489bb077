/** `edgeproof store export`: writes a whole store to one file. */

import { DependencyUnavailableError } from "../../../errors.ts";
import { exportStore } from "../../../store/transfer/export.ts";
import type { Contents } from "../../../store/transfer/format.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import type { storeExport } from "../../declarations/store.ts";
import type { InvocationOf } from "../../declare.ts";
import { assertDataExists, openDataStore } from "../../input/data-store.ts";
import { standardInput } from "../../input/files.ts";
import { readBlobs } from "../../input/stores/blobs-option.ts";
import { writeOutput } from "../../output/output.ts";
import { createProgressLine, formatNumber } from "../../output/progress.ts";

export async function run({ options, words, io }: InvocationOf<typeof storeExport>): Promise<number> {
  const { data } = options;
  const [path = standardInput] = words;
  await assertDataExists(data);
  const store = await openDataStore(data, readBlobs(options, io));
  io.handleSignals?.();
  const progress = createProgressLine(io.stderr);
  const onProgress = (contents: Contents) => progress.update(`written: ${formatContents(contents)}`);
  try {
    const contents = await writeOutput(path, io, (write) => {
      const unlessStopped = async (text: string) => {
        io.signal.throwIfAborted();
        await write(text);
      };
      return exportStore(store, unlessStopped, { onProgress });
    });
    progress.end();
    if (options.json) io.stdout.write(formatJson({ file: path, ...contents }));
    else io.stderr.write(`exported ${formatContents(contents)}\n`);
    return 0;
  } catch (error) {
    progress.end();
    throw explained(error, io, "no file was written");
  } finally {
    await store.close();
  }
}

/** The number of entries, formatted for people. */
export function formatContents({ records, sequences, blobs }: Contents): string {
  return `${formatNumber(records)} records, ${formatNumber(sequences)} sequences, ${formatNumber(blobs)} blobs`;
}

/** An error as a usage error of one line, when it is not a defect. */
export function explained(error: unknown, io: Io, state: string): unknown {
  if (io.signal.aborted) return new UsageError(`stopped; ${state}`);
  if (error instanceof DependencyUnavailableError) return new UsageError(error.message);
  return error;
}
