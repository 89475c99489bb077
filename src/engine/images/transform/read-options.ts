/** Reads the options of a transformation by the table of options: those of a list, or of an object of a Worker (`observed`). */
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";
import {
  type Place,
  type TransformOptionName,
  type TransformOptions,
  transformOptionNames,
  transformOptions,
} from "./options.ts";
import type { ValueKind } from "./values.ts";

/** Options that were read, and sentences without a stop about those without effect. */
export interface ParsedTransformation {
  /** The values by the long names of the options, such as `width` for `w`. */
  readonly options: TransformOptions;
  /** Sentences about options without an effect, or with another one. */
  readonly warnings: readonly string[];
}

/** An option as it was written, and where: a part of a list, or a member of an object. */
export interface WrittenOption {
  readonly name: string;
  readonly value: unknown;
  readonly at: Pick<CodedDiagnostic, "span" | "pointer">;
}

/** Advice for a rejected value, as a clause; undefined when there is none. */
type Advise = (name: TransformOptionName, value: unknown) => string | undefined;

/**
 * Reads an object of options; members that are null or undefined count as absent.
 *
 * @param place where the options can be written
 * @returns problems have code 9401
 */
export function readOptionObject(
  value: unknown,
  place: Exclude<Place, "address">,
): Result<ParsedTransformation> {
  if (!isJsonObject(value)) return failure(invalid(value, "the options must be an object"));
  const written = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([name, member]) => ({ name, value: member, at: { pointer: pointer(name) } }));
  return readOptions(written, place);
}

/** Reads options. @param advise advice for values that are rejected @returns problems have code 9401 */
export function readOptions(
  written: readonly WrittenOption[],
  place: Place,
  advise: Advise = () => undefined,
): Result<ParsedTransformation> {
  const values = new Map<string, WrittenOption>();
  // The first of repeated names counts.
  for (const option of written) if (!values.has(option.name)) values.set(option.name, option);
  const options: { [name: string]: unknown } = {};
  const problems: CodedDiagnostic[] = [];
  for (const name of transformOptionNames) {
    const { aliases, places } = transformOptions[name] as {
      aliases: readonly string[];
      places: readonly Place[];
    };
    const used = [name, ...aliases].map((key) => values.get(key)).find((option) => option !== undefined);
    for (const key of [name, ...aliases]) if (key !== used?.name) values.delete(key);
    if (used === undefined || !places.includes(place)) continue;
    values.delete(used.name);
    const read = readValue(name, used.value);
    const reason = reasonOf(name, used, read, place, advise);
    if (reason !== undefined) problems.push(invalid(used.value, reason, used.at));
    else options[name] = read;
  }
  const [first, ...more] = problems;
  if (first) return failure(first, ...more);
  const unknown = [...values.keys()].map(
    (name) => `${shorten(name)} is not an option here and has no effect`,
  );
  return success({ options: options as TransformOptions, warnings: unknown });
}

/** Why a value is rejected; undefined when it is not. */
function reasonOf(
  name: TransformOptionName,
  { name: used, value }: WrittenOption,
  read: unknown,
  place: Place,
  advise: Advise,
): string | undefined {
  if (name === "width" && read === "auto" && place !== "address")
    return `\`${used}\` can be \`auto\` only in addresses`;
  if (read !== undefined) return undefined;
  const advice = advise(name, value);
  return `\`${used}\` must be ${allowedOf(name)}${advice === undefined ? "" : `; ${advice}`}`;
}

/** Maximum characters of a name in a warning: it becomes a header (chosen). */
const maxNamed = 60;

/** A name that can be part of a header. */
function shorten(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, "?").slice(0, maxNamed);
}

function readValue(name: TransformOptionName, value: unknown): unknown {
  const kind = transformOptions[name].kind as ValueKind<unknown>;
  return typeof value === "string" ? (kind.readText(value) ?? kind.read(value)) : kind.read(value);
}

function allowedOf(name: TransformOptionName): string {
  return transformOptions[name].kind.allowed;
}

/** A problem with code 9401 (words `observed`). */
export function invalid(value: unknown, reason: string, at: WrittenOption["at"] = {}): CodedDiagnostic {
  return { ...problem(9401, `Missing or invalid resizing parameters: ${quote(value)}; ${reason}.`), ...at };
}
