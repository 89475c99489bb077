/** Remarks on lookups of registered claims by a function of another type (RFC 7519, section 4.1). */

import type { NotedExpression, NotedSpan } from "./noted-expression.ts";
import { printBytes } from "./printer.ts";
import type { CallValue, Value } from "./tree.ts";
import { leavesOf, valuesOf } from "./tree-queries.ts";

type Lookup = "lookup_json_string" | "lookup_json_integer";

interface ClaimType {
  readonly isText: boolean;
  readonly noun: string;
}

const aText: ClaimType = { isText: true, noun: "a string" };
const aTime: ClaimType = { isText: false, noun: "a number" };

/** The types of the registered claims; `aud` is a string or an array of strings. */
const claimTypes: ReadonlyMap<unknown, ClaimType> = new Map([
  ["iss", aText],
  ["sub", aText],
  ["jti", aText],
  ["exp", aTime],
  ["nbf", aTime],
  ["iat", aTime],
]);

/** A lookup of one claim of a configuration. */
interface ClaimLookup {
  readonly call: CallValue;
  readonly lookup: Lookup;
  /** The field of the claims, with its index, as printed. */
  readonly config: string;
  readonly claim: unknown;
}

/** The remarks on the lookups in an expression. */
export function claimLookupNotes({ tree, text }: NotedExpression): NotedSpan[] {
  const corrections = new Map(
    leavesOf(tree).flatMap((leaf) => {
      const found = leaf.kind === "comparison" && leaf.operator !== "ne" ? readLookup(leaf.left) : undefined;
      if (
        found?.claim !== "aud" ||
        found.lookup !== "lookup_json_string" ||
        leaf.kind !== "comparison" ||
        found.call.isEach
      )
        return [];
      const rest = text.slice(found.call.span.end, leaf.span.end);
      return [[found.call, { span: leaf.span, text: `any(${audienceOf(found)}${rest})` }] as const];
    }),
  );
  return valuesOf(tree).flatMap((value): NotedSpan[] => {
    const found = readLookup(value);
    const message = found && describe(found);
    if (found === undefined || message === undefined) return [];
    const correction = corrections.get(found.call);
    return [{ span: value.span, message, ...(correction && { correction }) }];
  });
}

const audienceOf = ({ config }: ClaimLookup) => `http.request.jwt.claims.aud[${config}][*]`;

function describe(found: ClaimLookup): string | undefined {
  const { lookup, claim } = found;
  if (claim === "aud")
    return `The claim \`aud\` may be an array, and then \`${lookup}\` of it is missing; compare \`${audienceOf(found)}\` in \`any(...)\`.`;
  const type = claimTypes.get(claim);
  if (type === undefined || type.isText === (lookup === "lookup_json_string")) return undefined;
  const other: Lookup = type.isText ? "lookup_json_string" : "lookup_json_integer";
  return `The claim \`${String(claim)}\` is ${type.noun}, so \`${lookup}\` of it is missing; use \`${other}\`.`;
}

function readLookup(value: Value): ClaimLookup | undefined {
  if (value.kind !== "call") return undefined;
  const { name, args } = value;
  const [source, key, ...path] = args;
  if (name !== "lookup_json_string" && name !== "lookup_json_integer") return undefined;
  if (key?.kind !== "literal" || path.length > 0 || source?.kind !== "index") return undefined;
  const { of } = source;
  if (of.kind !== "index" || of.of.kind !== "field" || of.of.name !== "http.request.jwt.claims")
    return undefined;
  if (typeof of.key !== "string") return undefined;
  return { call: value, lookup: name, config: printBytes(of.key), claim: key.value };
}
