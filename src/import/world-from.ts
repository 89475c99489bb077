/** Reads the files in which a user has a configuration, and makes a world of them. */
import { isJsonObject } from "../core/json-value.ts";
import { failure, type Result, success } from "../core/result.ts";
import { type Code, type CodedDiagnostic, InvalidInputError, problem } from "../errors.ts";
import type { World } from "../service/world/schema.ts";
import { attachKeys } from "./keys/attach-keys.ts";
import { readerOf, readers } from "./readers.ts";
import type { Reading } from "./reading.ts";
import { type ImportFile, type SourceFile, sourceFile } from "./source-file.ts";
import { configurationHint, isConfigurationText } from "./terraform/configuration-text.ts";
import { assembleWorld } from "./world/assemble-world.ts";
import type { ImportReport } from "./world/report.ts";
import type { SourceMap } from "./world/source-map.ts";

/** What the files do not say. */
export interface ImportOptions {
  /** Domain of a zone by its id, for files that have only the id. */
  readonly zoneNames?: Readonly<Record<string, string>>;
  /** Whether secrets, such as the signing keys of images, are copied. Default false. */
  readonly withSecrets?: boolean;
  /**
   * Id or title of the configuration whose keys are those of the key files (JWK Sets, PEM). Default: each key file is a
   * configuration of its own.
   */
  readonly keysOf?: string;
  /** Hosts of the servers of OpenAPI documents whose URL has none. Default: such operations are undecided. */
  readonly hosts?: readonly string[];
}

/** A world that was read from files. */
export interface ImportedWorld {
  /** The world, as a world file has it. Its profile is `provider`, since the files come from the real service. */
  readonly world: World;
  /** What was accepted, dropped, derived, and what is undecided. */
  readonly report: ImportReport;
  /** The places in the files of the values of the world. */
  readonly sources: SourceMap;
}

/** A file that cannot be read. */
export interface FileFault {
  /** Name of the file, as it was given. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** One sentence. */
  readonly message: string;
}

/** Whether a reader recognizes a file. */
export function isKnownFormat(file: ImportFile): boolean {
  return readerOf(sourceFile(file)) !== undefined;
}

/** Reads files to a world, or returns what makes a file unreadable. Never throws, whatever the files contain. */
export function readWorld(
  files: readonly ImportFile[],
  { zoneNames = {}, withSecrets = false, keysOf, hosts = [] }: ImportOptions = {},
): Result<ImportedWorld, FileFault> {
  const faults: FileFault[] = [];
  const readings: Reading[] = [];
  const formats: { file: string; format: string }[] = [];
  for (const given of files) {
    const file = sourceFile(given);
    const reader = readerOf(file);
    const read = reader ? reader.read(file, { withSecrets, keysOf, hosts }) : unknownFormat(file);
    if (read.ok) {
      readings.push(read.value);
      formats.push({ file: file.name, format: reader?.format ?? "" });
    } else faults.push(...read.problems.map((fault) => ({ file: file.name, ...fault })));
  }
  const [first, ...rest] = faults;
  if (first) return failure(first, ...rest);
  const names = new Map(Object.entries(zoneNames));
  const { report, ...assembled } = assembleWorld(
    keysOf === undefined ? readings : attachKeys(readings, keysOf),
    { zoneNames: names, withSecrets },
  );
  return success({ ...assembled, report: { formats, ...report } });
}

function unknownFormat(file: SourceFile): Result<Reading, Omit<FileFault, "file">> {
  const parsed = file.json();
  const formats = readers.map(({ format }) => format).join(", ");
  if (isConfigurationText(file.text))
    return failure({ line: 1, column: 1, message: `The file cannot be read: ${configurationHint}.` });
  if (!parsed.ok) {
    const [{ line, column, message }] = parsed.problems;
    return failure({
      line,
      column,
      message: `The file has no known format (${formats}), and is not JSON: ${message}.`,
    });
  }
  const { value } = parsed.value;
  const isWorld = isJsonObject(value) && (Array.isArray(value["zones"]) || Array.isArray(value["accounts"]));
  const message = isWorld
    ? "The file is a world file already; give it to the commands as it is."
    : `The file has no known format; the formats are ${formats}.`;
  return failure({ line: 1, column: 1, message });
}

const code: Code = 10400;

/**
 * Reads Terraform files and saved responses of the interface to a world. Identical input gives an identical result.
 *
 * @throws {InvalidInputError} when a file has no known format or is not complete, with the file, line and column
 * @example
 * ```ts
 * const text = JSON.stringify({ success: true, result: [{ id: "z1", name: "example.com", account: { id: "a1" } }] });
 * const { world, report } = worldFrom([{ name: "zone.json", text }]);
 * world.zones?.[0]?.name; // => "example.com"
 * report.undecided; // => []
 * ```
 */
export function worldFrom(files: readonly ImportFile[], options: ImportOptions = {}): ImportedWorld {
  const read = readWorld(files, options);
  if (read.ok) return read.value;
  throw new InvalidInputError("the files cannot be read", read.problems.map(problemOf));
}

function problemOf({ file, line, column, message }: FileFault): CodedDiagnostic {
  return problem(code, `${file}:${line}:${column}: ${message}`);
}
