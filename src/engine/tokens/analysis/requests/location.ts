/** Places in a request that an expression looks at, and what texts they can have. */

import type { Field } from "../../expression/ast.ts";
import { printField } from "../../expression/field.ts";
import { readTarget } from "../../zone/target.ts";
import type { Automaton } from "../strings/dfa.ts";
import {
  cookieShape,
  hostShape,
  methodShape,
  pathShape,
  usualCookie,
  usualHeader,
  usualHost,
} from "../strings/request-dfas.ts";

/** What holds for the texts of a field. */
export interface FieldKind {
  /** Whether the field can be missing. */
  readonly optional: boolean;
  readonly required: readonly Automaton[];
  readonly guides: readonly Automaton[];
  /** Units that no automaton names are tried in this order. */
  readonly others: string;
  /** Texts that read better than the shortest ones. */
  readonly usual: readonly string[];
  isReal(text: string): boolean;
}

const letters = "xyzabcdefghijklmnopqrstuvw";
const upperLetters = letters.toUpperCase();
const digits = "0123456789";

const kinds: Readonly<Record<Field["name"], FieldKind>> = {
  "http.request.method": {
    optional: false,
    required: [methodShape],
    guides: [],
    others: `${upperLetters}${digits}-_.!#$%&'*+^\`|~`,
    usual: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    isReal: () => true,
  },
  "http.host": {
    optional: false,
    required: [hostShape],
    guides: [usualHost],
    others: `${letters}${digits}-_.~!$&'()*+,;=`,
    usual: ["example.com"],
    isReal: (text) => readTarget(`https://${text}/`)?.host === text,
  },
  "http.request.uri.path": {
    optional: false,
    required: [pathShape],
    guides: [],
    others: `${letters}${upperLetters}${digits}-._~!$&'()*+,;=:@%|[]`,
    usual: ["/"],
    isReal: (text) => readTarget(`https://h${text}`)?.path === text,
  },
  "http.request.headers": {
    optional: true,
    required: [],
    guides: [usualHeader],
    others: anyUnit(),
    usual: [],
    isReal: (text) => accepts(usualHeader, text),
  },
  "http.request.cookies": {
    optional: true,
    required: [cookieShape],
    guides: [usualCookie],
    others: anyUnit(),
    usual: [],
    isReal: (text) => accepts(usualCookie, text),
  },
};

/** What a header's name has (RFC 9110, section 5.1: a token). */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** What holds for the texts of a field. */
export function kindOf(field: Field): FieldKind {
  const kind = kinds[field.name];
  return isSendable(field) ? kind : { ...kind, isReal: () => false };
}

/** Names a place: fields that read the same text have the same name. */
export function placeOf(field: Field): string {
  return printField(
    field.name === "http.request.headers" ? { ...field, key: field.key.toLowerCase() } : field,
  );
}

/** The name of a cookie as it is sent; undefined when it cannot be. */
export function cookieName(name: string): string | undefined {
  if (/^[!#$&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name;
  return name === "" || /\p{Surrogate}/u.test(name) ? undefined : encodeURIComponent(name);
}

function isSendable(field: Field): boolean {
  if (field.name === "http.request.headers") return headerName.test(field.key);
  return field.name !== "http.request.cookies" || cookieName(field.key) !== undefined;
}

function accepts(automaton: Automaton, text: string): boolean {
  const end = text.split("").reduce((state, unit) => automaton.step(state, unit), automaton.start);
  return automaton.output(end) !== 0;
}

/** Letters first, then the rest of Latin, then more units than an expression can name. */
function anyUnit(): string {
  const first = 0x21;
  const last = 0x2fff;
  const rest = Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
  return `${letters}${upperLetters}${digits}${rest.filter((unit) => unit !== ";").join("")}`;
}
