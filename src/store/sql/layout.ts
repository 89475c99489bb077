/**
 * The tables of a database: one for each collection, with scope, id, a column for each declared field, and the whole
 * record as JSON text. Text, not a JSON type: no query looks into it, it keeps the order of members, and the database
 * does not parse it.
 */
import { createHash } from "node:crypto";
import { type Definitions, indexField, type PlainDefinition } from "../definition.ts";
import { columnType } from "./engines/engine.ts";

/** Name of the column of whole records; no field has this name. */
export const recordColumn = "_record";
export const metaTable = "_meta";
export const sequenceTable = "_sequences";
/** Scope and name of a sequence as a JSON array, since the columns that are compared cut long ones. */
export const sequenceLabel = "label";
export const blobTable = "_blobs";
/** When an unclaimed blob was put or released, in milliseconds since 1970; null for one with claims. */
export const provisionalColumn = "provisional";
/** Number of claims on a blob; null counts as 0. */
export const claimsColumn = "claims";
/** Length and SHA-256 of a blob's bytes, as `length:digits`: those of the last puts, the newest first. */
export const checksumColumn = "checksums";
/** The object of a bucket that has the bytes of a blob; null without one. */
export const objectColumn = "object";
/** Objects that no row of a blob names. */
export const objectTable = "_objects";
/** When the put of an object began, in milliseconds since 1970; 0 for an object that is to be removed. */
export const startedColumn = "started";
export const countTable = "_counts";

/** Maximum length of a name in PostgreSQL. */
const maxNameLength = 63;

export interface IndexLayout {
  readonly unique: boolean;
  /** Names of columns; descending ones end in ` desc`. */
  readonly columns: readonly string[];
}

export interface TableLayout {
  /** The kind of each declared field's column; `key` is indexed text. */
  readonly columns: Readonly<Record<string, "text" | "key" | "number" | "boolean">>;
  readonly indexes: Readonly<Record<string, IndexLayout>>;
  /** The combinations with maintained counts; absent before format 3. */
  readonly counted?: readonly (readonly string[])[];
  /** The fields by which changes are counted; absent before format 5. */
  readonly changes?: readonly string[];
}

/** The layout of a database, as it is stored in `_meta`. */
export interface Layout {
  /** Increased when older versions of edgeproof cannot use the tables any more. */
  readonly format: number;
  readonly tables: Readonly<Record<string, TableLayout>>;
  /** Whether blobs are in a bucket; absent otherwise. */
  readonly bucket?: true;
}

/**
 * The format that this version writes. Before 2, sequences did not keep whole names; before 3, there were no
 * maintained counts, and blobs did not record whether they were claimed; before 4, blobs had no checksums; before 5,
 * changes were not counted; before 6, claims on a blob were not counted; before 7, blobs could not be in a bucket.
 */
export const currentFormat = 7;

export function layoutOf(definitions: Definitions, hasBucket = false): Layout {
  const tables = [...definitions.values()].map((d) => [d.name, tableLayout(d)]);
  return { format: currentFormat, tables: Object.fromEntries(tables), ...(hasBucket && { bucket: true }) };
}

function tableLayout(definition: PlainDefinition): TableLayout {
  const keys = indexedFields(definition);
  const columns = Object.entries(definition.fields).map(([field, kind]) => {
    const type = columnType(kind);
    return [field, type === "text" && keys.has(field) ? "key" : type];
  });
  const indexes = [
    ...definition.unique.map((fields) => ({ unique: true, columns: ["scope", ...fields] })),
    ...definition.indexes.map((entries) => ({ unique: false, columns: indexColumns(entries) })),
  ];
  return {
    columns: Object.fromEntries(columns),
    indexes: Object.fromEntries(indexes.map((index) => [indexName(definition.name, index), index])),
    counted: definition.maintainedCounts,
    changes: definition.changeCounters,
  };
}

/** The fields of all indexes. */
export function indexedFields({ unique, indexes }: PlainDefinition): ReadonlySet<string> {
  return new Set([...unique.flat(), ...indexes.flat().map((entry) => indexField(entry).field)]);
}

function indexColumns(entries: PlainDefinition["indexes"][number]): string[] {
  const fields = entries.map(indexField);
  const tieBreak = fields.some((f) => f.field === "id") ? [] : ["id"];
  return ["scope", ...fields.map((f) => (f.direction === "desc" ? `${f.field} desc` : f.field)), ...tieBreak];
}

function indexName(table: string, { unique, columns }: IndexLayout): string {
  const name = [table, ...columns.slice(1), ...(unique ? ["key"] : [])].join("_").replaceAll(" ", "_");
  if (name.length <= maxNameLength) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `${name.slice(0, maxNameLength - hash.length - 1)}_${hash}`;
}
