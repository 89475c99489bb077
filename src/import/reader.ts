/** The contract of a reader: it recognizes one format by its marks, and reads files of it. */
import type { Placed } from "../core/diagnostic.ts";
import type { Result } from "../core/result.ts";
import type { Reading } from "./reading.ts";
import type { SourceFile } from "./source-file.ts";

/** Options of every reader. */
export interface ReadingOptions {
  /** Whether secrets and sensitive values are read. */
  readonly withSecrets: boolean;
  /** Id or title of the configuration to which the keys of key files belong. Default: one of their own. */
  readonly keysOf?: string | undefined;
  /** Hosts of servers that a file names without a host. */
  readonly hosts: readonly string[];
}

/** A format. */
export interface Reader {
  /** Name in reports and messages, such as `Terraform plan`. */
  readonly format: string;
  /** Whether a file has the marks of this format. Never throws, whatever the text is. */
  readonly detect: (file: SourceFile) => boolean;
  /**
   * Reads a file with the marks. Never throws, whatever else the file contains.
   *
   * @param all every file of the call, in the same array for each, for formats in which files refer to each other
   */
  readonly read: (
    file: SourceFile,
    options: ReadingOptions,
    all: readonly SourceFile[],
  ) => Result<Reading, Placed>;
}
