/** How a collection describes itself to the stores: which members can be asked for, and what is unique. */

/** Every record belongs to a zone or an account (or to `world`), and has an id within it. */
export interface StoredRecord {
  readonly scope: string;
  readonly id: string;
}

/** The kind of a field that conditions and orders can use. A `?` says that it may be null or absent. */
export type FieldKind = "text" | "number" | "boolean" | "text?" | "number?";

export interface CollectionDefinition<R extends StoredRecord> {
  /** The members that conditions and orders may name; `id` always may. All others are only kept. */
  readonly fields: { readonly [K in Exclude<keyof R, "scope" | "id">]?: FieldKind };
  /** Combinations of fields that are unique within a scope; a combination with a null in it is not looked at. */
  readonly unique?: readonly (readonly Extract<keyof R, string>[])[];
  /**
   * Combinations that lists are filtered or ordered by: first the fields that conditions equate, then those of
   * the order. The id stands behind them by itself, ascending; `-field` is for lists in descending order whose
   * field has many equal values.
   */
  readonly indexes?: readonly (readonly IndexField<Extract<keyof R, string>>[])[];
  /**
   * Combinations of fields by whose values records are counted: for `eq` conditions on just these, stores keep the
   * number and need not look at the records.
   */
  readonly maintainedCounts?: readonly (readonly Extract<keyof R, string>[])[];
}

/** A field of an index; with a minus in front, in descending order. */
export type IndexField<F extends string> = F | `-${F}`;

/** Checks a definition against its record type and gives it back. */
export function defineCollection<R extends StoredRecord>(definition: CollectionDefinition<R>) {
  return definition;
}

/** A collection's definition without its record type, for adapters that treat all alike. */
export interface PlainDefinition {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldKind>>;
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly (readonly IndexField<string>[])[];
  readonly maintainedCounts: readonly (readonly string[])[];
}

/** A table of collections as `collections.ts` has it, whatever their records are. */
export type CollectionTable = Readonly<Record<string, CollectionDefinition<never>>>;

/** All definitions of a store, by name. */
export type Definitions = ReadonlyMap<string, PlainDefinition>;

/** The definitions of a table of collections as plain data. */
export function plainDefinitions(table: CollectionTable): Definitions {
  return new Map(Object.entries(table).map(([name, definition]) => [name, plain(name, definition)]));
}

function plain(name: string, definition: CollectionDefinition<never>): PlainDefinition {
  const { fields, unique = [], indexes = [], maintainedCounts: counted = [] } = definition;
  return { name, fields: fields as Record<string, FieldKind>, unique, indexes, maintainedCounts: counted };
}

/** The field that an entry of an index names, and the direction in which it stands there. */
export function indexField(entry: IndexField<string>): {
  readonly field: string;
  readonly direction: "asc" | "desc";
} {
  return entry.startsWith("-")
    ? { field: entry.slice(1), direction: "desc" }
    : { field: entry, direction: "asc" };
}
