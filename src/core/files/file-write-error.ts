/** The error of a file that cannot be written. */

/** An error of the file system. */
export type SystemError = NodeJS.ErrnoException;

/** A file cannot be written. The message names its path and the reason. */
export class FileWriteError extends Error {
  override readonly name = "FileWriteError";
  /** The code of the file system, such as `EEXIST`; undefined without one. */
  readonly code: string | undefined;

  constructor(path: string, error: unknown) {
    const { code } = error as SystemError;
    super(`cannot write ${path}: ${reasonOf(error as SystemError)}`, { cause: error });
    this.code = code;
  }
}

/** Reasons in words of our own. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "the folder does not exist",
  EEXIST: "it exists already",
  ENOSPC: "the disk is full",
};

/** Without the call of the system and the name of a temporary file, which Node.js appends. */
function reasonOf({ code, message, syscall }: SystemError): string {
  return reasons[code ?? ""] ?? message.split(`, ${syscall}`, 1)[0] ?? message;
}

/** @throws {FileWriteError} for every error of the operation */
export async function orCannotWrite<T>(path: string, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw error instanceof FileWriteError ? error : new FileWriteError(path, error);
  }
}
