/**
 * Metadata filters of the v2 list: `meta.<path>[<op>]=<value>` (spec; typing and limits observed, untyped chosen).
 *
 * A filter is parsed once and evaluated for each image. Paths go through jsonpath-plus (`path.ts`).
 */

import { type Problem, quote } from "../../../errors.ts";
import { compilePath, twinOf } from "./path.ts";

/** Operators by their text in the query. */
export const filterOperators = [
  "eq",
  "eq:string",
  "eq:number",
  "eq:boolean",
  "in",
  "in:string",
  "in:number",
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** One condition: a path, an operator and the values that it accepts. */
export interface MetadataFilter {
  readonly path: readonly string[];
  readonly operator: FilterOperator;
  /** One value for `eq`, one to ten for `in`; numbers and booleans where the operator says so. */
  readonly values: readonly (string | number | boolean)[];
}

/** Filters of one request, ready to be evaluated; all must hold. */
export interface CompiledFilters {
  readonly filters: readonly MetadataFilter[];
  /** Whether an image's metadata passes every filter. */
  readonly matches: (metadata: unknown) => boolean;
}

export type FilterParse =
  | ({ readonly ok: true } & CompiledFilters)
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Limits of filters (spec). */
export const filterLimits = { filters: 5, levels: 5, elements: 10 } as const;

const prefix = "meta.";
const separator = "|";

/**
 * Parses the metadata filters among a request's query parameters, and leaves the other parameters alone.
 *
 * Takes a query string (percent-encoded or not) or pairs that are already decoded. Every parameter that starts with
 * `meta.` must be a filter; a bad one is a problem with code 5400, never ignored.
 *
 * @example
 * ```ts
 * const parsed = parseMetadataFilters("meta.size.w%5Beq%3Anumber%5D=100&page=1");
 * parsed.ok && parsed.matches({ size: { w: 100 } }); // => true
 * ```
 */
export function parseMetadataFilters(query: string | Iterable<readonly [string, string]>): FilterParse {
  const pairs = typeof query === "string" ? new URLSearchParams(query) : query;
  const filters: MetadataFilter[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of pairs) {
    if (!name.startsWith(prefix) && !name.startsWith("meta[")) continue;
    const parsed = parseFilter(name, value);
    if (typeof parsed === "string") problems.push(bad(`The filter ${quote(name)} ${parsed}.`));
    else filters.push(parsed);
  }
  const count = filters.length + problems.length;
  if (count > filterLimits.filters) {
    return refuse([
      bad(`The request has ${count} metadata filters, at most ${filterLimits.filters} are allowed.`),
    ]);
  }
  return problems.length > 0 ? refuse(problems) : { ok: true, ...compileFilters(filters) };
}

/** Makes filters ready to be evaluated. */
export function compileFilters(filters: readonly MetadataFilter[]): CompiledFilters {
  const tests = filters.map((filter) => ({ find: compilePath(filter.path), accepts: compileTest(filter) }));
  const levels = Math.max(0, ...filters.map((filter) => filter.path.length));
  const matches = (metadata: unknown) => {
    const twin = twinOf(metadata, levels);
    return tests.every(({ find, accepts }) => accepts(find(twin)));
  };
  return { filters, matches };
}

/** A filter, or what is wrong with it. */
function parseFilter(name: string, value: string): MetadataFilter | string {
  const [, text, operator] = /^meta\.([^[\]]*)\[([^[\]]*)\]$/.exec(name) ?? [];
  if (text === undefined || operator === undefined) {
    return "is not of the form `meta.<path>[<operator>]`";
  }
  if (!isOperator(operator)) {
    return `has the operator ${quote(operator)}, the operators are ${filterOperators.join(", ")}`;
  }
  const path = text.split(".");
  if (path.some((step) => step === "")) return "has an empty name in its path";
  if (path.length > filterLimits.levels) {
    return `has a path of ${path.length} names, at most ${filterLimits.levels} are allowed`;
  }
  const values = parseValues(operator, value);
  return typeof values === "string" ? values : { path, operator, values };
}

function parseValues(operator: FilterOperator, value: string): MetadataFilter["values"] | string {
  const texts = operator.startsWith("in") ? value.split(separator) : [value];
  if (texts.length > filterLimits.elements) {
    return `lists ${texts.length} values, at most ${filterLimits.elements} are allowed`;
  }
  const { parse, allowed } = readers[typeOf(operator)];
  const values: (string | number | boolean)[] = [];
  for (const text of texts) {
    const parsed = parse(text);
    if (parsed === undefined) return `has the value ${quote(text)}, it must be ${allowed}`;
    values.push(parsed);
  }
  return values;
}

type ValueType = "any" | "string" | "number" | "boolean";

interface Reader {
  readonly parse: (text: string) => string | number | boolean | undefined;
  readonly allowed: string;
}

const readers: Record<ValueType, Reader> = {
  any: { parse: (text) => text, allowed: "a text" },
  string: { parse: (text) => text, allowed: "a text" },
  number: { parse: readNumber, allowed: "a number" },
  boolean: { parse: readBoolean, allowed: "`true` or `false`" },
};

/** A number as JSON writes one, of a size that a double holds. */
function readNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function readBoolean(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}

/** Typed operators accept their type alone; untyped ones compare the text of strings, numbers and booleans. */
function compileTest({ operator, values }: MetadataFilter): (value: unknown) => boolean {
  const accepted = new Set<unknown>(values);
  if (typeOf(operator) !== "any") return (value) => accepted.has(value);
  return (value) => isScalar(value) && accepted.has(String(value));
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function typeOf(operator: FilterOperator): ValueType {
  const [, type = "any"] = operator.split(":");
  return type as ValueType;
}

function isOperator(text: string): text is FilterOperator {
  return (filterOperators as readonly string[]).includes(text);
}

function bad(message: string): Problem {
  return { code: 5400, message };
}

function refuse(problems: readonly Problem[]): FilterParse {
  return { ok: false, problems };
}
