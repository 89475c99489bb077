/** The files that an analysis reads: those of the workspace, within limits, or the texts that the editor has open. */

import { realpathSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { runCommand } from "../../../core/text/run-command.ts";
import { type Io, UsageError } from "../../command.ts";
import { cannotReadError } from "../../input/files.ts";
import { isInside } from "../../project/file-paths.ts";

/** Limits of one analysis. `chosen` */
const limits = { files: 1_000, bytes: 67_108_864 } as const;

/** The input and output of an analysis. */
export interface FileAccess {
  readonly io: Io;
  /** The files and folders that were asked for, as absolute paths. */
  readonly inputs: ReadonlySet<string>;
  /** Why a file was not read, although it may be passed over as one of another kind. */
  readonly rejected: () => UsageError | undefined;
}

/** A path as messages have it: relative to the current folder, unless it is outside of it. */
export function shownPath(path: string): string {
  return isInside(process.cwd(), path) ? relative(process.cwd(), path) || "." : path;
}

const silent = { write: () => {}, isTerminal: false };

/**
 * The access to the files in a folder, links resolved. Devices and pipes, which could have no end, are not read.
 *
 * @param root without it no file is read
 */
export function createFileAccess(
  root: string | undefined,
  open: readonly (readonly [path: string, text: string])[] = [],
): FileAccess {
  const texts = new Map(open);
  const inputs = new Set<string>();
  const realRoot = root === undefined ? undefined : realpathSync(root);
  let rejected: UsageError | undefined;
  let bytes = 0;
  let files = 0;
  const reject = (message: string): UsageError => {
    rejected ??= new UsageError(message);
    return rejected;
  };
  const assertReadable = (path: string) => {
    inputs.add(resolve(path));
    const { real, stats } = find(path);
    if (realRoot === undefined || !isInside(realRoot, real))
      throw reject(`${path} is outside of the workspace, and not read in an editor`);
    if (!stats.isFile()) throw reject(`${path} is not a file`);
    bytes += stats.size;
    files++;
    if (files > limits.files || bytes > limits.bytes)
      throw reject(
        `the workspace has more than ${limits.files} files or ${limits.bytes} bytes of configuration, which are not read in an editor; run \`${runCommand} check\``,
      );
  };
  const io: Io = {
    stdin: (async function* () {})(),
    stdout: silent,
    stderr: silent,
    signal: new AbortController().signal,
    onInputFile: assertReadable,
    onInputList: (folder) => void inputs.add(resolve(folder)),
    openText: (path) => {
      const text = texts.get(resolve(path));
      if (text !== undefined) inputs.add(resolve(path));
      return text;
    },
  };
  return { io, inputs, rejected: () => rejected };
}

/** @throws {UsageError} when there is no such file */
function find(path: string) {
  try {
    const real = realpathSync(path);
    return { real, stats: statSync(real) };
  } catch (error) {
    throw cannotReadError(path, error);
  }
}
