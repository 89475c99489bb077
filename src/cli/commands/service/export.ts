/** `edgeproof export`: writes a whole store to one file. */
import { DependencyUnavailableError } from "../../../errors.ts";
import { exportStore } from "../../../store/transfer/export.ts";
import type { Contents } from "../../../store/transfer/format.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  UsageError,
} from "../../command.ts";
import { assertDataExists, openDataStore, requiredData, storeOption } from "../../input/data-store.ts";
import { standardInput } from "../../input/files.ts";
import { readBlobs } from "../../input/stores/blobs-option.ts";
import { writeOutput } from "../../output/output.ts";
import { createProgressLine, formatNumber } from "../../output/progress.ts";

export const exportCommand: CommandDefinition = {
  about: [
    "For a backup, or to move a store to another database. Without a file, or with `-`, the export goes to standard output.",
  ],
  positionals: "[file]",
  options: { ...storeOption, ...jsonOption },
  exits: {
    0: "The whole store is written.",
    2: "The store or the file cannot be used, or the command was stopped; no file is left.",
  },
  examples: [
    "edgeproof export --data ./edge.db edge.jsonl.gz",
    "edgeproof export --data postgres://edge@localhost/edge | edgeproof import --data ./edge.db",
  ],
  run: runExport,
};

async function runExport(input: CommandInput, io: Io): Promise<number> {
  const data = requiredData(input);
  const path = onePath(input);
  const asJson = booleanOption(input, "json");
  if (asJson && path === standardInput)
    throw new UsageError("--json needs a file name: the export itself goes to standard output");
  await assertDataExists(data);
  const store = await openDataStore(data, readBlobs(input, io));
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
    if (asJson) io.stdout.write(formatJson({ file: path, ...contents }));
    else io.stderr.write(`exported ${formatContents(contents)}\n`);
    return 0;
  } catch (error) {
    progress.end();
    throw explained(error, io, "no file was written");
  } finally {
    await store.close();
  }
}

/** The file argument; `-` when it is missing. @throws {UsageError} on more than one */
export function onePath({ positionals }: CommandInput): string {
  const [path = standardInput, more] = positionals;
  if (more === undefined) return path;
  throw new UsageError(
    `expected at most 1 file; found ${positionals.length}. Without one, standard input or output is used`,
  );
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
