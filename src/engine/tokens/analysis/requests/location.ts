/** Locations in a request that an expression compares or a token comes from, and their possible values. */

import { type Field, type FieldName, printField, type SingleName } from "../../expression/field.ts";
import { readTarget } from "../../zone/target.ts";
import type { UriPart } from "../strings/derived-dfas.ts";
import { accepts, type Dfa } from "../strings/dfa.ts";
import {
  cookieDfa,
  hostDfa,
  methodDfa,
  pathDfa,
  queryDfa,
  queryFillers,
  sendableCookieDfa,
  sendableHeaderDfa,
  sendableHostDfa,
  uriDfa,
  uriFillers,
} from "../strings/request-dfas.ts";

/** A field whose value can be chosen: also the query, and the URI in place of path and query. */
export type LocationField = Field | { readonly name: SingleName };

/** The part of the URI that a field is. */
type PartOfUri = UriPart | "whole" | "none";

/** The possible values of a field. */
export interface FieldValues {
  /** The part of the URI that the field is. */
  readonly uri: PartOfUri;
  /** Whether the field can be missing. */
  readonly optional: boolean;
  /** Accept every value that the field can have. */
  readonly requiredDfas: readonly Dfa[];
  /** Accept values that a client can send; they only steer the search. */
  readonly guideDfas: readonly Dfa[];
  /** Candidates for the code unit that represents all units without transitions of their own, best first. */
  readonly fillerUnits: string;
  /** Values that read better than the shortest ones. */
  readonly preferred: readonly string[];
  isSendable(value: string): boolean;
}

const letters = "xyzabcdefghijklmnopqrstuvw";
const upperLetters = letters.toUpperCase();
const digits = "0123456789";

/** A field without an entry does not compile; comparisons of an `undecided` one are not looked into. */
const valuesByField: { readonly [N in FieldName]: FieldValues | "undecided" } = {
  "http.request.method": {
    uri: "none",
    optional: false,
    requiredDfas: [methodDfa],
    guideDfas: [],
    fillerUnits: `${upperLetters}${digits}-_.!#$%&'*+^\`|~`,
    preferred: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    isSendable: () => true,
  },
  "http.host": {
    uri: "none",
    optional: false,
    requiredDfas: [hostDfa],
    guideDfas: [sendableHostDfa],
    fillerUnits: `${letters}${digits}-_.~!$&'()*+,;=`,
    preferred: ["example.com"],
    isSendable: (host) => readTarget(`https://${host}/`)?.host === host,
  },
  "http.request.uri.path": {
    uri: "path",
    optional: false,
    requiredDfas: [pathDfa],
    guideDfas: [],
    fillerUnits: `${letters}${upperLetters}${digits}-._~!$&'()*+,;=:@%|[]`,
    preferred: ["/"],
    isSendable: (path) => readTarget(`https://h${path}`)?.path === path,
  },
  "http.request.uri": {
    uri: "whole",
    optional: false,
    requiredDfas: [uriDfa],
    guideDfas: [],
    fillerUnits: uriFillers,
    preferred: ["/"],
    isSendable: isSendableUri,
  },
  "http.request.uri.query": {
    uri: "query",
    optional: false,
    requiredDfas: [queryDfa],
    guideDfas: [],
    fillerUnits: queryFillers,
    preferred: [""],
    isSendable: (query) => isSendableUri(query === "" ? "/" : `/?${query}`),
  },
  "http.request.headers": {
    uri: "none",
    optional: true,
    requiredDfas: [],
    guideDfas: [sendableHeaderDfa],
    fillerUnits: anyUnit(),
    preferred: [],
    isSendable: (value) => accepts(sendableHeaderDfa, value),
  },
  "http.request.cookies": {
    uri: "none",
    optional: true,
    requiredDfas: [cookieDfa],
    guideDfas: [sendableCookieDfa],
    fillerUnits: anyUnit(),
    preferred: [],
    isSendable: (value) => accepts(sendableCookieDfa, value),
  },
};

/** The possible values of a field; none is sendable when the name of its header or cookie is not. */
export function valuesOfField(field: LocationField): FieldValues {
  const values = valuesByField[field.name];
  if (values === "undecided") throw new RangeError(`the analysis does not look into ${field.name}`);
  return hasSendableName(field) ? values : { ...values, isSendable: () => false };
}

/** Whether the analysis looks into the values of a field. */
export function isDecidedField(name: FieldName): boolean {
  return valuesByField[name] !== "undecided";
}

/** The part of the URI that a field is. */
export function uriPartOf(name: FieldName): PartOfUri {
  const values = valuesByField[name];
  return values === "undecided" ? "none" : values.uri;
}

/** The key of a location: equal for fields that read the same value. */
export function locationKey(field: LocationField): string {
  return printField(
    field.name === "http.request.headers" ? { ...field, key: field.key.toLowerCase() } : field,
  );
}

/** The name of a cookie as it is sent; undefined when it cannot be sent. */
export function cookieName(name: string): string | undefined {
  if (/^[!#$&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name;
  return name === "" || /\p{Surrogate}/u.test(name) ? undefined : encodeURIComponent(name);
}

/** Header names (RFC 9110, section 5.1: a token). */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function isSendableUri(uri: string): boolean {
  if (!URL.canParse(`https://h${uri}`)) return false;
  const { pathname, search } = new URL(`https://h${uri}`);
  return pathname + search === uri;
}

function hasSendableName(field: LocationField): boolean {
  if (field.name === "http.request.headers") return headerName.test(field.key);
  return field.name !== "http.request.cookies" || cookieName(field.key) !== undefined;
}

/** Letters first, then the rest of Latin, then more code units than an expression can name, surrogates included. */
function anyUnit(): string {
  const unitsFrom = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i)).join("");
  const printable = unitsFrom(0x21, 0x2fff).replace(";", "");
  // The halves of surrogate pairs come in an order in which they do not make pairs.
  const surrogates = unitsFrom(0xdc00, 0xdfff) + unitsFrom(0xd800, 0xdbff);
  return `${letters}${upperLetters}${digits}${printable}${unitsFrom(0, 0x1f)}${surrogates}`;
}
