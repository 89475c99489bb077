/** Reads the options of a transformation: a list in an address, or an object of a Worker (formats `observed`). */
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { type CodedDiagnostic, problem, quote } from "../../../errors.ts";
import {
  type Place,
  type TransformOptionName,
  type TransformOptions,
  transformOptionNames,
  transformOptions,
} from "./options.ts";
import { decimal, type ValueKind } from "./values.ts";

/** Options that were read, and what has no effect, as sentences without a stop. */
export interface ReadOptions {
  readonly options: TransformOptions;
  readonly warnings: readonly string[];
}

/** A name with its value: a text of an address, or a member. */
type Entry = readonly [name: string, value: unknown];

/** An option whose value has parts with names of their own in addresses, such as `trim.left`. */
const withParts = "trim";

/**
 * Reads a list such as `width=400,sharpen=3`: `,` separates, the first `=` splits, names and values are percent-decoded
 * once.
 *
 * @returns problems have code 9401
 * @example
 * ```ts
 * const read = readOptionList("w=400,h=300,fit=cover");
 * read.ok && read.value.options; // => { width: 400, height: 300, fit: "cover" }
 * ```
 */
export function readOptionList(list: string): Result<ReadOptions> {
  const entries: [string, string][] = [];
  for (const part of list.split(",")) {
    const at = part.indexOf("=");
    const [name, value] = [decode(part.slice(0, Math.max(at, 0))), decode(part.slice(at + 1))];
    if (at < 1 || name === undefined || value === undefined)
      return failure(invalid(part, "an option must have the format `name=value`, percent-encoded correctly"));
    entries.push([name, value]);
  }
  return readEntries(joinParts(entries), "address");
}

/**
 * Reads an object of options; members that are null or undefined count as absent.
 *
 * @param place where the options can be written
 * @returns problems have code 9401
 */
export function readOptionObject(value: unknown, place: Exclude<Place, "address">): Result<ReadOptions> {
  if (!isJsonObject(value)) return failure(invalid(value, "the options must be an object"));
  return readEntries(
    Object.entries(value).filter(([, member]) => member !== null && member !== undefined),
    place,
  );
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `trim.left=10,trim.border.color=red` becomes one entry, in the place of the first part. */
function joinParts(entries: readonly [string, string][]): readonly Entry[] {
  const isPart = ([name]: readonly [string, string]) => name.startsWith(`${withParts}.`);
  if (!entries.some(isPart)) return entries;
  const joined: { [name: string]: unknown } = {};
  for (const [name, value] of entries.filter(isPart)) {
    const [first = "", second, ...more] = name.split(".").slice(1);
    const member = decimal(value) ?? value;
    if (second === undefined) joined[first] ??= member;
    else {
      const inner = isJsonObject(joined[first]) ? joined[first] : {};
      joined[first] = { [[second, ...more].join(".")]: member, ...inner };
    }
  }
  const others = entries.filter((entry) => !isPart(entry));
  return others.some(([name]) => name === withParts) ? others : [...others, [withParts, joined]];
}

function readEntries(entries: readonly Entry[], place: Place): Result<ReadOptions> {
  const values = new Map<string, unknown>();
  // The first of repeated names counts.
  for (const [name, value] of entries) if (!values.has(name)) values.set(name, value);
  const options: { [name: string]: unknown } = {};
  const warnings: string[] = [];
  for (const name of transformOptionNames) {
    const { aliases, places } = transformOptions[name] as {
      aliases: readonly string[];
      places: readonly Place[];
    };
    const used = [name, ...aliases].find((one) => values.has(one));
    for (const one of [name, ...aliases]) if (one !== used) values.delete(one);
    if (used === undefined || !places.includes(place)) continue;
    const value = values.get(used);
    values.delete(used);
    const read = readValue(name, value);
    if (name === "width" && read === "auto" && place !== "address")
      return failure(invalid(value, `\`${used}\` can be \`auto\` only in addresses`));
    if (read === undefined) return failure(invalid(value, `\`${used}\` must be ${allowedOf(name)}`));
    options[name] = read;
  }
  for (const name of values.keys()) warnings.push(`${shorten(name)} is not an option here and has no effect`);
  return success({ options: options as TransformOptions, warnings });
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

function invalid(value: unknown, reason: string): CodedDiagnostic {
  return problem(9401, `Missing or invalid resizing parameters: ${quote(value)}; ${reason}.`);
}
