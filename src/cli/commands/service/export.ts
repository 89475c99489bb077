/** `edgeproof store export`: writes a whole store to one file. */

import { formatNumber } from "../../../core/format-count.ts";
import { ApiError, DependencyUnavailableError, isPackageFailure } from "../../../errors.ts";
import type { Store } from "../../../store/port.ts";
import { exportStore } from "../../../store/transfer/export.ts";
import type { Contents } from "../../../store/transfer/format.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import type { storeExport } from "../../declarations/store.ts";
import type { InvocationOf, ValuesOf } from "../../declare.ts";
import { readBlobs } from "../../input/blobs-option.ts";
import { assertDataExists, openDataStore } from "../../input/data-store.ts";
import type { storeOption } from "../../options/stores.ts";
import { writeOutput } from "../../output/output.ts";
import { createProgressLine, type ProgressLine } from "../../output/progress.ts";
import { standardInput } from "../../standard-input.ts";

export async function run({ options, words, io }: InvocationOf<typeof storeExport>): Promise<number> {
  const [path = standardInput] = words;
  return withStore(options, io, "no file was written", async (store, progress) => {
    const onProgress = (contents: Contents) => progress.update(`written: ${formatContents(contents)}`);
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
  });
}

/** Runs an action on the store of `--data`, which must exist. @param state what is left when it fails or is stopped */
export async function withStore(
  options: ValuesOf<typeof storeOption>,
  io: Io,
  state: string,
  action: (store: Store, progress: ProgressLine) => Promise<number>,
): Promise<number> {
  // First: a stop while the store is opened closes it too.
  io.handleSignals?.();
  await assertDataExists(options.data);
  const store = await openDataStore(options.data, readBlobs(options, io), { create: false });
  const progress = createProgressLine(io.stderr);
  try {
    return await action(store, progress);
  } catch (error) {
    progress.end();
    throw explained(error, io, state);
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
  if (isPackageFailure(error)) return error;
  if (error instanceof DependencyUnavailableError || error instanceof ApiError)
    return new UsageError(error.message);
  return error;
}
