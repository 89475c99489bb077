/** `edgeproof store import`: imports an export file into an empty store. */

import { tmpdir } from "node:os";
import { abortable } from "../../../core/abortable.ts";
import { openTemporaryFile } from "../../../core/files/write-file.ts";
import { DependencyUnavailableError, isPackageFailure } from "../../../errors.ts";
import { type Contents, InvalidExportError } from "../../../store/transfer/format.ts";
import { importStore, StoreNotEmptyError } from "../../../store/transfer/import.ts";
import { checkExport } from "../../../store/transfer/read.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import type { storeImport } from "../../declarations/store.ts";
import type { InvocationOf } from "../../declare.ts";
import { type BlobPlace, readBlobs } from "../../input/blobs-option.ts";
import { byteStream } from "../../input/byte-stream.ts";
import { openDataStore, withoutPassword } from "../../input/data-store.ts";
import { createProgressLine } from "../../output/progress.ts";
import { standardInput } from "../../standard-input.ts";
import { explained, formatContents } from "./export.ts";

/** Returns the file's bytes from the start. */
type Open = () => AsyncIterable<Uint8Array>;

export async function run({ options, words, io }: InvocationOf<typeof storeImport>): Promise<number> {
  const { data, replace } = options;
  const blobs = readBlobs(options, io);
  const [path = standardInput] = words;
  io.handleSignals?.();
  return withFile(path, io, async (file) => {
    const open = () => abortable(byteStream(file, io), io.signal);
    const name = path === standardInput ? "standard input" : path;
    try {
      // Checked first: opening the store may create a file.
      await checkExport(open());
      const contents = await fill({ data, blobs, replace }, open, io);
      if (options.json) io.stdout.write(formatJson(contents));
      else io.stderr.write(`imported ${formatContents(contents)}\n`);
      return 0;
    } catch (error) {
      throw explainedHere(error, io, data, name);
    }
  });
}

/** The store to fill. */
interface Target {
  readonly data: string;
  readonly blobs: BlobPlace;
  /** Whether what an interrupted import left is removed first. */
  readonly replace: boolean;
}

async function fill({ data, blobs, replace }: Target, open: Open, io: Io): Promise<Contents> {
  const store = await openDataStore(data, blobs);
  const progress = createProgressLine(io.stderr);
  const onProgress = (contents: Contents) => progress.update(`read: ${formatContents(contents)}`);
  try {
    return await importStore(store, open, { onProgress, replace });
  } finally {
    progress.end();
    await store.close();
  }
}

function explainedHere(error: unknown, io: Io, data: string, name: string): unknown {
  if (error instanceof InvalidExportError)
    return new UsageError(`${name}, ${error.message}. Nothing was imported`);
  if (error instanceof StoreNotEmptyError)
    return new UsageError(`cannot import into ${withoutPassword(data)}: ${error.message}`);
  if (error instanceof DependencyUnavailableError && !isPackageFailure(error))
    return new UsageError(`${error.message}. Check the contents of the store before you try again`);
  return explained(error, io, "nothing was imported");
}

/** Copies standard input to a temporary file, since it is read more than once. */
async function withFile<T>(path: string, io: Io, work: (file: string) => Promise<T>): Promise<T> {
  if (path !== standardInput) return work(path);
  const file = await openTemporaryFile(tmpdir());
  try {
    for await (const chunk of abortable(io.stdin, io.signal)) await file.write(chunk);
    return await work(file.path);
  } catch (error) {
    throw explained(error, io, "nothing was imported");
  } finally {
    await file.discard();
  }
}
