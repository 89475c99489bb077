/** The definition of a collection for the stores: members that queries can name, unique combinations, indexes, counts. */
import {
  anyObject,
  arrayOf,
  aString,
  either,
  objectWith,
  oneOf,
  optional,
  recordOf,
  requireArgument,
} from "../core/arguments.ts";

/** Every record belongs to a zone or an account (or to `world`), and has an id within it. */
export interface StoredRecord {
  readonly scope: string;
  readonly id: string;
}

/** The kind of a field that conditions and orders can name. With `?`, the field may be null or absent. */
export type FieldKind = "text" | "number" | "boolean" | "text?" | "number?";

/** The definition of one collection. */
export interface CollectionDefinition<R extends StoredRecord> {
  /** The members that conditions and orders can name, besides `id`. All others are only stored. */
  readonly fields: { readonly [K in Exclude<keyof R, "scope" | "id">]?: FieldKind };
  /** Combinations of fields that are unique within a scope; combinations that contain null are not compared. */
  readonly unique?: readonly (readonly Extract<keyof R, string>[])[];
  /**
   * Combinations that lists are filtered or ordered by: first the fields that conditions equate, then those of the
   * order. The id follows by itself, ascending; `-field` is for lists in descending order by a field with many equal
   * values.
   */
  readonly indexes?: readonly (readonly IndexField<Extract<keyof R, string>>[])[];
  /**
   * Combinations of fields for which stores maintain counts: a count with `eq` conditions on exactly these fields is
   * answered without reading records.
   */
  readonly maintainedCounts?: readonly (readonly Extract<keyof R, string>[])[];
  /** Fields for each value of which stores count the changes of the records that have it (`changes` of the port). */
  readonly changeCounters?: readonly Extract<keyof R, string>[];
}

/** A field of an index; descending with a leading minus. */
export type IndexField<F extends string> = F | `-${F}`;

/** Returns a definition, checked against its record type by the compiler. */
export function defineCollection<R extends StoredRecord>(definition: CollectionDefinition<R>) {
  return definition;
}

/** A collection's definition without its record type. */
export interface PlainDefinition {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldKind>>;
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly (readonly IndexField<string>[])[];
  readonly maintainedCounts: readonly (readonly string[])[];
  readonly changeCounters: readonly string[];
}

/** Definitions of collections by name, as in `collections.ts`. */
export type CollectionTable = Readonly<Record<string, CollectionDefinition<never>>>;

/** All definitions of a store, by name. */
export type Definitions = ReadonlyMap<string, PlainDefinition>;

const fieldNames = arrayOf(aString);
const aDefinition = objectWith({
  fields: recordOf(oneOf("text", "text?", "number", "number?", "boolean")),
  unique: optional(arrayOf(fieldNames)),
  indexes: optional(arrayOf(arrayOf(either(aString, anyObject)))),
  maintainedCounts: optional(arrayOf(fieldNames)),
  changeCounters: optional(fieldNames),
});

/** The definitions of a table of collections as plain data. */
export function plainDefinitions(table: CollectionTable): Definitions {
  requireArgument("collections", table, recordOf(aDefinition));
  return new Map(Object.entries(table).map(([name, definition]) => [name, plain(name, definition)]));
}

function plain(name: string, definition: CollectionDefinition<never>): PlainDefinition {
  const { unique = [], indexes = [], maintainedCounts = [], changeCounters = [] } = definition;
  const fields = definition.fields as Record<string, FieldKind>;
  return { name, fields, unique, indexes, maintainedCounts, changeCounters };
}

/** The field and the direction of an index entry. */
export function indexField(entry: IndexField<string>): {
  readonly field: string;
  readonly direction: "asc" | "desc";
} {
  return entry.startsWith("-")
    ? { field: entry.slice(1), direction: "desc" }
    : { field: entry, direction: "asc" };
}
