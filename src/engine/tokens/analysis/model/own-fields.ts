/** The fields that have a location of their own: what they can be, and how a request states it. */

import { type IntDomain, knownFields, type StringDomain } from "../../expression/language/fields.ts";
import { type FieldValues, valuesOfField } from "../requests/location.ts";
import { patternDfa } from "../strings/pattern-dfa.ts";
import type { OwnDomain } from "./own-locations.ts";

/** The part of a request that states a value. */
export type FieldPart = "ip" | "httpVersion" | "body" | "scheme" | "header" | "fields";

/** A field with a location of its own. */
export interface OwnField {
  readonly part: FieldPart;
  readonly domain: OwnDomain;
  /** The header that the field is of. */
  readonly header?: string;
}

const headerValues = valuesOfField({ name: "http.request.headers", key: "x", index: 0 });

/** Values of a header that is empty when it is absent. */
const emptyByDefault: FieldValues = { ...headerValues, optional: false, preferred: [""] };

/** Any text. */
export const textValues: FieldValues = {
  ...headerValues,
  optional: false,
  guideDfas: [],
  isSendable: (value) => value.isWellFormed(),
};

const header = (name: string): OwnField => ({
  part: "header",
  header: name,
  domain: { kind: "String", values: emptyByDefault },
});

/** The fields whose values are not stated in `fields` of the request; `none` for one that others determine. */
const statedElsewhere: Readonly<Record<string, OwnField | "none">> = {
  "ip.src": { part: "ip", domain: { kind: "IP" } },
  ssl: { part: "scheme", domain: { kind: "Bool" } },
  "http.request.version": { part: "httpVersion", domain: { kind: "String", values: textValues } },
  "http.request.body.raw": { part: "body", domain: { kind: "String", values: textValues } },
  "http.request.body.size": { part: "body", domain: { kind: "Int", min: 0n } },
  "http.cookie": header("cookie"),
  "http.referer": header("referer"),
  "http.user_agent": header("user-agent"),
  "http.x_forwarded_for": header("x-forwarded-for"),
  "http.request.body.mime": "none",
  "http.request.uri.path.extension": "none",
  "http.request.full_uri": "none",
};

function boundsOf(domain: IntDomain | "any"): { readonly min?: bigint; readonly max?: bigint } {
  if (domain === "any") return {};
  const { min, max, others = [min, max] } = domain;
  return { min: BigInt(others[0]), max: BigInt(others[1]) };
}

function valuesOf(domain: StringDomain | "any"): FieldValues {
  const dfa = domain === "any" ? undefined : patternDfa(domain.pattern.source);
  if (domain === "any" || dfa === undefined) return textValues;
  return {
    ...textValues,
    requiredDfas: [dfa],
    preferred: domain.example === undefined ? [] : [domain.example],
  };
}

/** The values of fields that requests have: all that a test can have in `fields`, or the documented ones alone. */
export type ValuesOfFields = "given" | "documented";

/** The field with a location of its own, by its own name; undefined for any other. */
export function ownFieldOf(name: string, values: ValuesOfFields = "given"): OwnField | undefined {
  const elsewhere = statedElsewhere[name];
  if (elsewhere !== undefined) return elsewhere === "none" ? undefined : elsewhere;
  const field = knownFields.get(name);
  if (field === undefined || field.source === "claims" || field.part !== undefined) return undefined;
  const isBounded = values === "documented" || field.source === "clock";
  // The others are of the URL, a header or a cookie.
  if (field.source === "request" && field.type === "String") return undefined;
  switch (field.type) {
    case "Bool":
      return { part: "fields", domain: { kind: "Bool" } };
    case "Int":
      return { part: "fields", domain: { kind: "Int", ...boundsOf(isBounded ? field.domain : "any") } };
    case "IP":
      return { part: "fields", domain: { kind: "IP" } };
    case "String":
      return {
        part: "fields",
        domain: { kind: "String", values: valuesOf(isBounded ? field.domain : "any") },
      };
    default:
      return undefined;
  }
}
