/** Reads the files in which a user has a configuration, and makes a world of them. */

import {
  aBoolean,
  arrayOf,
  aString,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  recordOf,
  requireArguments,
} from "../core/arguments.ts";
import type { Placed } from "../core/diagnostic.ts";
import { failure, type Result, success } from "../core/result.ts";
import { runCommand } from "../core/text/run-command.ts";
import { type ZonePlan, zonePlans } from "../engine/tokens/rulesets/input/zone-facts.ts";
import { type Code, type CodedDiagnostic, InvalidInputError, problem } from "../errors.ts";
import type { PreviousApplication } from "../service/world/applications.ts";
import type { World } from "../service/world/schema.ts";
import { hasWorldLists } from "../service/world/world-lists.ts";
import { unreadable } from "./import-rules.ts";
import { attachKeys } from "./keys/attach-keys.ts";
import { markSecrets } from "./keys/mark-secrets.ts";
import { startOf } from "./origin.ts";
import { otherFormatHint } from "./other-formats.ts";
import { readerOf, readers } from "./readers.ts";
import type { Reading } from "./reading.ts";
import { type ImportFile, type SourceFile, sourceFile } from "./source-file.ts";
import { startsAsHar } from "./traffic/har-start.ts";
import { assembleWorld } from "./world/assemble-world.ts";
import { withZonePlans } from "./world/partial-world.ts";
import type { ImportSummary } from "./world/report.ts";
import type { SourceMap } from "./world/source-map.ts";

/** Facts that the files do not have. */
export interface ImportOptions {
  /** Domain of a zone by its id, for files that have only the id. The id of another zone has no effect. */
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
  /** The plan of the zones whose plan no file has. Default: it is unknown. */
  readonly plan?: ZonePlan;
}

/** A world that was read from files. */
export interface ImportedWorld {
  /**
   * The world, as a world file has it. Its profile is `provider`, since the files come from the real service. What the
   * service would reject is in it as the files have it: `createEdge` rejects the world.
   */
  readonly world: World;
  /** The accepted, dropped, derived, undecided and invalid parts. */
  readonly report: ImportSummary;
  /** The places in the files of the values of the world. */
  readonly sources: SourceMap;
  /**
   * The proxy applications that a Terraform plan changes, as they are before, by the RFC 6901 pointer of each in the world:
   * the service validates a change as an update. Empty without a plan.
   */
  readonly previous: ReadonlyMap<string, PreviousApplication>;
}

/** The format of a file; undefined when no reader recognizes it. */
export function formatOf(file: ImportFile): string | undefined {
  return readerOf(sourceFile(file))?.format;
}

/** Reads files to a world, or returns what makes a file unreadable. Never throws, whatever the files contain. */
export function readWorld(
  files: readonly ImportFile[],
  { zoneNames = {}, withSecrets = false, keysOf, hosts = [], plan }: ImportOptions = {},
): Result<ImportedWorld, Placed> {
  const faults: Placed[] = [];
  const readings: Reading[] = [];
  const formats: { file: string; format: string }[] = [];
  const all = files.map(sourceFile);
  for (const file of all) {
    const reader = readerOf(file);
    const read = reader ? reader.read(file, { withSecrets, keysOf, hosts }, all) : unknownFormat(file);
    if (read.ok) {
      readings.push(read.value);
      formats.push({ file: file.name, format: reader?.format ?? "" });
    } else faults.push(...read.problems);
  }
  const [first, ...rest] = faults;
  if (first) return failure(first, ...rest);
  const names = new Map(Object.entries(zoneNames));
  const { report, world, ...assembled } = assembleWorld(
    markSecrets(
      keysOf === undefined ? readings : attachKeys(readings, keysOf, all[0]?.name ?? "-"),
      withSecrets,
    ),
    { zoneNames: names, withSecrets },
  );
  return success({ ...assembled, world: withZonePlans(world, plan), report: { formats, ...report } });
}

function unknownFormat(file: SourceFile): Result<Reading, Placed> {
  const parsed = file.json();
  const formats = readers.map(({ format }) => format).join(", ");
  const start = startOf(file.name);
  const hint = otherFormatHint(file.text);
  if (hint !== undefined) return failure(unreadable(start, `The file cannot be read: ${hint}.`));
  if (startsAsHar(file.text))
    return failure(
      unreadable(start, `The file is recorded traffic (HAR), which \`${runCommand} replay\` reads.`),
    );
  if (/^\s*</.test(file.text))
    return failure(
      unreadable(start, "The file is a page of HTML or XML, such as that of an error. Save it again."),
    );
  if (!parsed.ok) {
    const [{ at, message }] = parsed.problems;
    return failure(unreadable(at, `The file has no known format (${formats}), and is not JSON: ${message}.`));
  }
  const { value } = parsed.value;
  const message = hasWorldLists(value)
    ? "The file is a world file already; give it to the commands as it is."
    : `The file has no known format; the formats are ${formats}.`;
  return failure(unreadable(start, message));
}

const code: Code = 10400;

const importOptions = optionsOf<ImportOptions>("worldFrom", {
  zoneNames: optional(recordOf(aString)),
  withSecrets: optional(aBoolean),
  keysOf: optional(aString),
  hosts: optional(arrayOf(aString)),
  plan: optional(oneOf(...Object.keys(zonePlans))),
});

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
  requireArguments({
    files: [files, arrayOf(objectWith({ name: aString, text: aString }))],
    options: [options, importOptions],
  });
  const read = readWorld(files, options);
  if (read.ok) return read.value;
  throw new InvalidInputError("the files cannot be read", read.problems.map(problemOf));
}

function problemOf({ at: { file, start }, message }: Placed): CodedDiagnostic {
  return problem(code, `${file}:${start.line}:${start.column}: ${message}`);
}
