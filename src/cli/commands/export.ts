/** `edgeproof export`: a whole store to one file. */
import { DependencyUnavailableError } from "../../errors.ts";
import { exportStore } from "../../store/transfer/export.ts";
import type { Contents } from "../../store/transfer/format.ts";
import {
  asJsonText,
  type Command,
  type CommandInput,
  flag,
  type Io,
  jsonOption,
  UsageError,
} from "../command.ts";
import { assertDataExists, openDataStore, requiredData, storeOption } from "../input/data-store.ts";
import { standardInput } from "../input/files.ts";
import { writeText } from "../output/output.ts";
import { grouped, progressLine } from "../output/progress.ts";

export const exportCommand: Command = {
  name: "export",
  group: "service",
  summary: "Write everything a store holds to one file.",
  about: [
    "For a backup, or to move a store to another database. Without a file, or with `-`, the export goes to standard output.",
  ],
  positionals: "[file]",
  options: { ...storeOption, ...jsonOption },
  exits: {
    0: "Everything is written.",
    2: "Something cannot be used, or it was stopped; no file is left.",
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
  const asJson = flag(input, "json");
  if (asJson && path === standardInput)
    throw new UsageError("--json needs a file to export to: standard output is the export itself");
  await assertDataExists(data);
  const store = await openDataStore(data);
  const progress = progressLine(io.stderr);
  const onProgress = (contents: Contents) => progress.update(`written: ${contentsText(contents)}`);
  try {
    const contents = await writeText(path, io, (write) => {
      const unlessStopped = async (text: string) => {
        io.signal.throwIfAborted();
        await write(text);
      };
      return exportStore(store, unlessStopped, { onProgress });
    });
    progress.end();
    if (asJson) io.stdout.write(asJsonText({ file: path, ...contents }));
    else io.stderr.write(`exported ${contentsText(contents)}\n`);
    return 0;
  } catch (error) {
    progress.end();
    throw explained(error, io, "no file was written");
  } finally {
    await store.close();
  }
}

/** The one word behind the command; `-` when there is none. @throws {UsageError} */
export function onePath({ positionals }: CommandInput): string {
  const [path = standardInput, more] = positionals;
  if (more === undefined) return path;
  throw new UsageError(
    `there are ${positionals.length} files; name one, or none for standard input and output`,
  );
}

/** Counts as people read them. */
export function contentsText({ records, sequences, blobs }: Contents): string {
  return `${grouped(records)} records, ${grouped(sequences)} sequences, ${grouped(blobs)} blobs`;
}

/** What is the user's to know of an error, in one line. */
export function explained(error: unknown, io: Io, state: string): unknown {
  if (io.signal.aborted) return new UsageError(`stopped; ${state}`);
  if (error instanceof DependencyUnavailableError) return new UsageError(error.message);
  return error;
}
