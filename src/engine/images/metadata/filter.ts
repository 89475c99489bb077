/**
 * Metadata filters of the v2 list: `meta.<path>[<op>]=<value>` (spec; types, order and limits observed, untyped chosen).
 *
 * A filter is parsed once and evaluated for each image. Paths are evaluated by jsonpath-plus (`path.ts`).
 */

import {
  aBoolean,
  aNumber,
  aPair,
  arrayOf,
  aString,
  either,
  objectWith,
  oneOf,
  requireArgument,
  requireEach,
} from "../../../core/arguments.ts";
import { isScalar } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { type CodedDiagnostic, problem, quote } from "../../../errors.ts";
import { isFilterName } from "./filter-name.ts";
import { compilePath, escapeNames } from "./path.ts";

/** A value that a filter compares with. */
type FilterValue = string | number | boolean;

interface Operator {
  /** The value is a list with separators. */
  readonly isList: boolean;
  readonly type: ValueType;
  /** Compares a number of the metadata with the filter's; absent where they must be equal. */
  readonly holds?: Order;
}

type Order = (found: number, bound: number) => boolean;

/** An operator of numbers, with and without its type. */
function ordered(holds: Order) {
  return { isList: false, type: "number", holds } as const;
}

const gt: Order = (found, bound) => found > bound;
const gte: Order = (found, bound) => found >= bound;
const lt: Order = (found, bound) => found < bound;
const lte: Order = (found, bound) => found <= bound;

type ValueType = "any" | "string" | "number" | "boolean";

const operators = {
  eq: { isList: false, type: "any" },
  "eq:string": { isList: false, type: "string" },
  "eq:number": { isList: false, type: "number" },
  "eq:boolean": { isList: false, type: "boolean" },
  in: { isList: true, type: "any" },
  "in:string": { isList: true, type: "string" },
  "in:number": { isList: true, type: "number" },
  gt: ordered(gt),
  "gt:number": ordered(gt),
  gte: ordered(gte),
  "gte:number": ordered(gte),
  lt: ordered(lt),
  "lt:number": ordered(lt),
  lte: ordered(lte),
  "lte:number": ordered(lte),
} as const satisfies Record<string, Operator>;

/** An operator as the query writes it. */
export type FilterOperator = keyof typeof operators;

/** Every operator. */
export const filterOperators = Object.keys(operators) as readonly FilterOperator[];

/** One condition: a path, an operator and the accepted values. */
export interface MetadataFilter {
  /** Names of members from the outermost on; 1 to 5. */
  readonly path: readonly string[];
  /** How the values are compared. */
  readonly operator: FilterOperator;
  /** One to ten values for `in`, one for every other operator; of the operator's type, strings without a type. */
  readonly values: readonly FilterValue[];
}

/** The filters of one request, compiled. */
export interface CompiledFilters {
  /** The filters, in the order of the query. */
  readonly filters: readonly MetadataFilter[];
  /** Whether an image's metadata passes every filter. */
  readonly matches: (metadata: unknown) => boolean;
}

/** Maximum numbers (spec): filters of a request, names of a path, values of a list. */
export const filterLimits = { filters: 5, levels: 5, elements: 10 } as const;

const separator = "|";

/**
 * Parses the metadata filters among a request's query parameters, and ignores the other parameters. A parameter
 * `meta`, or one that starts with `meta.` or `meta[` in any case, must be a filter.
 *
 * @param query a query string (percent-encoded or not) or decoded pairs
 * @returns the compiled filters, or every problem, with code 5400
 * @example
 * ```ts
 * const parsed = parseMetadataFilters("meta.size.w%5Beq%3Anumber%5D=100&page=1");
 * parsed.ok && parsed.value.matches({ size: { w: 100 } }); // => true
 * ```
 */
export function parseMetadataFilters(
  query: string | Iterable<readonly [string, string]>,
): Result<CompiledFilters> {
  const pairs = typeof query === "string" ? new URLSearchParams(query) : requireEach("query", query, aPair);
  const filters: MetadataFilter[] = [];
  const problems: CodedDiagnostic[] = [];
  for (const [name, value] of pairs) {
    if (!isFilterName(name)) continue;
    const parsed = parseFilter(name, value);
    if (typeof parsed === "string") problems.push(problem(5400, `The filter ${quote(name)} ${parsed}.`));
    else filters.push(parsed);
  }
  const count = filters.length + problems.length;
  if (count > filterLimits.filters) {
    const allowed = `at most ${filterLimits.filters} metadata filters`;
    return failure(problem(5400, `The request must have ${allowed}; found ${count}.`));
  }
  const [first, ...rest] = problems;
  return first ? failure(first, ...rest) : success(compileFilters(filters));
}

const aFilter = objectWith({
  path: arrayOf(aString),
  operator: oneOf(...filterOperators),
  values: arrayOf(either(aString, aNumber, aBoolean, oneOf(null))),
});

/** Compiles filters, to be evaluated for many images. */
export function compileFilters(filters: readonly MetadataFilter[]): CompiledFilters {
  requireArgument("filters", filters, arrayOf(aFilter));
  const tests = filters.map((filter) => ({ find: compilePath(filter.path), accepts: compileTest(filter) }));
  const levels = Math.max(0, ...filters.map((filter) => filter.path.length));
  const matches = (metadata: unknown) => {
    const escaped = escapeNames(metadata, levels);
    return tests.every(({ find, accepts }) => accepts(find(escaped)));
  };
  return { filters, matches };
}

/** A filter, or its problem as the predicate of a sentence. */
function parseFilter(name: string, value: string): MetadataFilter | string {
  const [, dotted, operator] = /^meta\.([^[\]]*)\[([^[\]]*)\]$/.exec(name) ?? [];
  if (dotted === undefined || operator === undefined) {
    return "must have the format `meta.<path>[<operator>]`";
  }
  if (!isOperator(operator)) {
    return `must have one of the operators ${filterOperators.join(", ")}; found ${quote(operator)}`;
  }
  const path = dotted.split(".");
  if (path.some((name) => name === "")) return "must not have an empty name in its path";
  if (path.length > filterLimits.levels) {
    return `must have a path of at most ${filterLimits.levels} names; found ${path.length}`;
  }
  const values = parseValues(operators[operator], value);
  return typeof values === "string" ? values : { path, operator, values };
}

/** The values, or their problem as the predicate of a sentence. */
function parseValues(
  { isList, type }: Pick<Operator, "isList" | "type">,
  value: string,
): FilterValue[] | string {
  const texts = isList ? value.split(separator) : [value];
  if (texts.length > filterLimits.elements) {
    return `must list at most ${filterLimits.elements} values; found ${texts.length}`;
  }
  const { parse, allowed } = valueParsers[type];
  const values: FilterValue[] = [];
  for (const text of texts) {
    const parsed = parse(text);
    if (parsed === undefined) return `must compare with ${allowed}; found ${quote(text)}`;
    values.push(parsed);
  }
  return values;
}

interface ValueParser {
  readonly parse: (text: string) => FilterValue | undefined;
  readonly allowed: string;
}

const anyString: ValueParser = { parse: (text) => text, allowed: "a string" };
const valueParsers: Record<ValueType, ValueParser> = {
  any: anyString,
  string: anyString,
  number: { parse: parseNumber, allowed: "a number" },
  boolean: { parse: parseBoolean, allowed: "`true` or `false`" },
};

/** A number in JSON syntax that is finite as a double. */
function parseNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}

/** Typed operators accept only their type; untyped ones compare the string form of strings, numbers and booleans. */
function compileTest({ operator, values }: MetadataFilter): (value: unknown) => boolean {
  const { holds }: Operator = operators[operator];
  const [bound] = values;
  if (holds) return (value) => typeof value === "number" && typeof bound === "number" && holds(value, bound);
  const accepted = new Set<unknown>(values);
  if (operators[operator].type !== "any") return (value) => accepted.has(value);
  return (value) => isScalar(value) && accepted.has(String(value));
}

function isOperator(text: string): text is FilterOperator {
  return Object.hasOwn(operators, text);
}
