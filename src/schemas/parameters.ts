/**
 * Declarations of query parameters. One declaration decodes the strings of an address, checks the values of callers in the
 * same process, types them, and describes the parameter in the OpenAPI document.
 */
import { booleanText, integerText, parseBoolean, parseInteger } from "../core/text/typed-values.ts";
import { alternatives, quote } from "../errors.ts";

/** A JSON Schema. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The kind of a single value. */
interface Kind<Value> {
  /** Completes the sentence "it must be ...". */
  readonly text: string;
  readonly schema: JsonSchema;
  /** The value of a string, not yet checked; undefined for a string of another type. */
  parse(text: string): unknown;
  /** The value in force, such as the maximum of a page size for a larger one; undefined for an invalid value. */
  accept(value: unknown): Value | undefined;
}

/** A name of the query with its value. */
export type QueryPair = readonly [name: string, value: string];

/** A query parameter; its name is that of its member in {@link Parameters}. */
export interface Parameter<Value = unknown> {
  /**
   * `single`: once. `list`: repeated, with brackets, or separated by commas. `pairs`: every parameter whose name passes
   * `isName`.
   */
  readonly shape: "single" | "list" | "pairs";
  readonly isName?: (name: string) => boolean;
  /** Other names of a single parameter. */
  readonly aliases: readonly string[];
  readonly isRequired: boolean;
  /** JSON Schema of the value in its type. */
  readonly schema: JsonSchema;
  /** Completes the sentence "it must be ...", of one value of a list. */
  readonly text: string;
  /** The value of one string, not yet checked; undefined for a string of another type. */
  parse(text: string): unknown;
  /** The value in force, defaults filled in for `undefined`; undefined for an invalid value. */
  accept(given: unknown): { readonly value: Value } | undefined;
}

/** The query parameters of an endpoint, by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Declares no parameters. */
export type NoParameters = Readonly<Record<never, Parameter>>;

/** The decoded query of declared parameters. */
export type QueryOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

/** The same as callers in this process give it: what is absent gets its default. */
export type GivenQuery<P extends Parameters> = { readonly [Name in keyof P]?: QueryOf<P>[Name] | undefined };

interface Facts {
  readonly description?: string;
}

interface SingleFacts extends Facts {
  readonly aliases?: readonly string[];
}

/** A string that is not empty, or has a format. */
export function aText(
  text: string,
  { pattern, mayBeEmpty = false }: { readonly pattern?: RegExp; readonly mayBeEmpty?: boolean } = {},
): Kind<string> {
  const isValid = (value: string) => (mayBeEmpty || value !== "") && (pattern?.test(value) ?? true);
  return {
    text,
    schema: {
      type: "string",
      ...(!mayBeEmpty && !pattern && { minLength: 1 }),
      ...(pattern && { pattern: pattern.source }),
    },
    parse: (given) => given,
    accept: (value) => (typeof value === "string" && isValid(value) ? value : undefined),
  };
}

/** An integer from `min`, up to `max`; one above `cap` counts as `cap`. */
export function anInteger({
  min,
  max = Number.POSITIVE_INFINITY,
  cap = Number.MAX_SAFE_INTEGER,
}: {
  readonly min: number;
  readonly max?: number;
  readonly cap?: number;
}): Kind<number> {
  const hasMax = Number.isFinite(max);
  return {
    text: `${integerText}, from ${min}${hasMax ? ` to ${max}` : ""}`,
    schema: {
      type: "integer",
      minimum: min,
      ...(hasMax && { maximum: max }),
      ...(cap < Number.MAX_SAFE_INTEGER && { description: `A larger value counts as ${cap}.` }),
    },
    parse: parseInteger,
    accept: (value) => {
      if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max)
        return undefined;
      return Math.min(value, cap);
    },
  };
}

export const aBoolean: Kind<boolean> = {
  text: booleanText,
  schema: { type: "boolean" },
  parse: parseBoolean,
  accept: (value) => (typeof value === "boolean" ? value : undefined),
};

/** One of several words, in their letter case. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    text: alternatives(words.map(quote)),
    schema: { type: "string", enum: words },
    parse: (text) => text,
    accept: (value) => words.find((word) => word === value),
  };
}

/** A UUID, in any letter case. */
export const aUuid = aText("a UUID", {
  pattern: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
});

/** An id that is an integer, as a string. */
export const anIntegerId = aText(integerText, { pattern: /^(0|[1-9][0-9]{0,14})$/ });

/** A parameter that may be absent. */
export function optional<Value>(kind: Kind<Value>, facts: SingleFacts = {}): Parameter<Value | undefined> {
  return single(kind, facts, (given) => (given === undefined ? { value: undefined } : checked(kind, given)));
}

/** A parameter that has a value when it is absent. */
export function withDefault<Value>(
  kind: Kind<Value>,
  absent: NoInfer<Value>,
  facts: SingleFacts = {},
): Parameter<Value> {
  const schema = { ...kind.schema, default: absent };
  return single({ ...kind, schema }, facts, (given) => checked(kind, given === undefined ? absent : given));
}

/** A parameter that every request has. */
export function required<Value>(kind: Kind<Value>, facts: SingleFacts = {}): Parameter<Value> {
  return { ...single(kind, facts, (given) => checked(kind, given)), isRequired: true };
}

function single<Value>(
  { parse, text, schema }: Kind<unknown>,
  { description, aliases = [] }: SingleFacts,
  accept: Parameter<Value>["accept"],
): Parameter<Value> {
  const shown = { ...schema, ...(description !== undefined && { description }) };
  return { shape: "single", aliases, isRequired: false, schema: shown, text, parse, accept };
}

/** A list of values that may be absent. */
export function optionalList<Value>(
  kind: Kind<Value>,
  facts: Facts = {},
): Parameter<readonly Value[] | undefined> {
  return list(kind, facts, (given) =>
    given === undefined ? { value: undefined } : checkedList(kind, given),
  );
}

/** A list with at least one value. */
export function requiredList<Value>(kind: Kind<Value>, facts: Facts = {}): Parameter<readonly Value[]> {
  return { ...list(kind, facts, (given) => checkedList(kind, given)), isRequired: true };
}

function list<Value>(
  { text, schema, parse }: Kind<unknown>,
  { description }: Facts,
  accept: Parameter<Value>["accept"],
): Parameter<Value> {
  const own = {
    type: "array",
    items: schema,
    minItems: 1,
    ...(description !== undefined && { description }),
  };
  return { shape: "list", aliases: [], isRequired: false, schema: own, text, parse, accept };
}

/** All parameters whose names belong to a syntax of their own, in the order of the query. */
export function pairs(isName: (name: string) => boolean, schema: JsonSchema): Parameter<Iterable<QueryPair>> {
  return {
    shape: "pairs",
    isName,
    aliases: [],
    isRequired: false,
    schema,
    text: "pairs of a name and a value",
    parse: (text) => text,
    accept: (given = []) => ({ value: given as Iterable<QueryPair> }),
  };
}

function checked<Value>(kind: Kind<Value>, given: unknown): { readonly value: Value } | undefined {
  const value = kind.accept(given);
  return value === undefined ? undefined : { value };
}

function checkedList<Value>(
  kind: Kind<Value>,
  given: unknown,
): { readonly value: readonly Value[] } | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const value = given.map((item) => kind.accept(item));
  return value.includes(undefined) ? undefined : { value: value as Value[] };
}
