/** The fields of expressions: one entry each. How a field is read and analyzed is in tables of those layers. */

import type { ValueType } from "./types.ts";

/** Everything about a field that all layers share; an entry without one of the members does not compile. */
export interface FieldEntry {
  /** The type of the value; a `list` has lists of strings by name. */
  readonly type: ValueType | "list";
  /** The node of the syntax tree for a comparison without functions. */
  readonly node: "comparison" | "function";
  /** The kind of mutants with another value. */
  readonly mutant: "method" | "host" | "value";
  /** One sentence, for completion and the reference. */
  readonly help: string;
}

/** The fields. */
export const fields = {
  "http.request.method": {
    type: "String",
    node: "comparison",
    mutant: "method",
    help: "The method, in upper case.",
  },
  "http.host": {
    type: "String",
    node: "comparison",
    mutant: "host",
    help: "The host of the URL, in lower case.",
  },
  "http.request.uri.path": {
    type: "String",
    node: "comparison",
    mutant: "value",
    help: "The path of the URL.",
  },
  "http.request.uri": {
    type: "String",
    node: "function",
    mutant: "value",
    help: "The path, with the query when there is one.",
  },
  "http.request.uri.query": {
    type: "String",
    node: "function",
    mutant: "value",
    help: "The query without its question mark; empty without a query.",
  },
  "http.request.headers": {
    type: "list",
    node: "comparison",
    mutant: "value",
    help: "The values of a header, whose name is compared without case.",
  },
  "http.request.cookies": {
    type: "list",
    node: "comparison",
    mutant: "value",
    help: "The values of a cookie, whose name is decoded.",
  },
} as const satisfies Readonly<Record<string, FieldEntry>>;

/** The name of a field. */
export type FieldName = keyof typeof fields;

/** The fields whose entry has some members. */
export type FieldWith<Members> = {
  [N in FieldName]: (typeof fields)[N] extends Members ? N : never;
}[FieldName];

/** A field with lists of strings by name. */
export type ListedName = FieldWith<{ readonly type: "list" }>;
/** A field with one value. */
export type SingleName = Exclude<FieldName, ListedName>;

const names = Object.keys(fields) as readonly FieldName[];

/** The names of the fields with lists of strings by name. */
export const listedFields = names.filter((name): name is ListedName => fields[name].type === "list");
/** The names of the fields with one value. */
export const singleFields = names.filter((name): name is SingleName => fields[name].type !== "list");
