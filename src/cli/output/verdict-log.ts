/** `--log-verdicts`: appends the record of each verdict to a file, one JSON line each. */
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { FileWriteError } from "../../core/files/file-write-error.ts";
import type { VerdictRecord } from "../../http/records/verdict-record.ts";
import { type Io, UsageError } from "../command.ts";

/** An open log of verdicts. */
export interface VerdictLog {
  /** Appends a record. The first failure is one line on standard error; it does not stop the process. */
  readonly write: (record: VerdictRecord) => void;
  /** Closes the file. */
  close(): void;
}

/** Claims are personal data: a new file is for its owner only. */
const ownerOnly = 0o600;

/** Opens a log of verdicts; undefined without a path. @throws {UsageError} when the file cannot be written */
export function openVerdictLog(path: string | undefined, io: Pick<Io, "stderr">): VerdictLog | undefined {
  if (path === undefined) return undefined;
  const file = open(path);
  let hasFailed = false;
  return {
    write: (record) => {
      try {
        writeSync(file, `${JSON.stringify(record)}\n`);
      } catch (error) {
        if (!hasFailed) io.stderr.write(`cannot write ${path}: ${(error as Error).message}\n`);
        hasFailed = true;
      }
    },
    close: () => closeSync(file),
  };
}

function open(path: string): number {
  try {
    // A named pipe without a reader would wait for one.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && !found.isFile()) throw new UsageError(`cannot write ${path}: it is not a regular file`);
    return openSync(path, "a", ownerOnly);
  } catch (error) {
    throw error instanceof UsageError ? error : new FileWriteError(path, error);
  }
}
