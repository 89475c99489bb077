/** Remarks on accepted expressions, with positions: one entry a kind (`chosen`). */

import { didYouMean } from "../../../core/suggest.ts";
import { quote } from "../../../errors.ts";
import { claimLookupNotes } from "./claim-lookups.ts";
import type { Scope } from "./compile-value.ts";
import { knownFields } from "./language/fields.ts";
import type { ValueType } from "./language/types.ts";
import type { NotedExpression, NotedSpan } from "./noted-expression.ts";
import { undecidedPart } from "./patterns/regular-expression.ts";
import { printBytes } from "./printer.ts";
import { type ExpressionError, errorAt, type Span } from "./syntax-error.ts";
import type { Expression, Value } from "./tree.ts";
import { configReferences, leavesOf, testsOf, valuesOf } from "./tree-queries.ts";

/** Maximum length of a name that is compared with others, whose cost is quadratic. */
const maxCompared = 100;

/** The kinds of lists by the type of the values that are compared with one. */
const listKinds: Readonly<Partial<Record<ValueType, string>>> = { IP: "ip", String: "hostname", Int: "asn" };

/** The next step for a list without a similar name: worlds and zones have lists at different places. */
function addition(name: string, type: ValueType): string {
  const members = `"kind": "${listKinds[type] ?? "ip"}", "items": [...] }`;
  return `; add \`{ "name": "${name}", ${members}\` to \`accounts[].lists\` of a world, or \`"${name}": { ${members}\` to \`lists\` of a zone.`;
}

const finders = {
  "unknown-claims": ({ scope: { configurations }, tree }) =>
    configReferences(tree)
      .filter(({ id }) => !configurations.has(id))
      .map(({ id, at }) => ({ span: at.keySpan, message: describeConfig(id, [...configurations]) })),
  "unknown-list": ({ scope: { lists }, tree }) =>
    testsOf(tree).flatMap((test) => {
      if (test.kind !== "comparison" || test.right.kind !== "list" || lists.has(test.right.name)) return [];
      const { name, span } = test.right;
      const suggestion =
        name.length > maxCompared
          ? "."
          : didYouMean(name, [...lists.keys()]) || addition(name, test.left.type);
      const message = `There is no list \`$${name}\`: whether it has a value is unknown${suggestion}`;
      return [{ span, message }];
    }),
  "undecided-pattern": ({ tree }) =>
    testsOf(tree).flatMap((test) => {
      const { right } = test.kind === "comparison" ? test : {};
      const part = right?.kind === "regex" ? undecidedPart(right.value) : undefined;
      if (part === undefined) return [];
      return [{ span: test.span, message: `Whether the pattern matches is unknown, because of ${part}.` }];
    }),
  "header-key-case": ({ tree }) => valuesOf(tree).flatMap(upperCaseKeys),
  "claim-type": claimLookupNotes,
  "deprecated-field": ({ tree }) =>
    valuesOf(tree).flatMap((value) => {
      if (value.kind !== "field" || !value.name.startsWith("ip.geoip.")) return [];
      const { span, name } = value;
      const text = knownFields.get(name)?.base ?? name;
      return [{ span, message: `\`${name}\` is deprecated; write \`${text}\`.`, correction: { span, text } }];
    }),
  "address-order": ({ tree }) =>
    testsOf(tree).flatMap((test) => {
      if (test.kind !== "comparison" || test.left.type !== "IP") return [];
      if (!["lt", "le", "gt", "ge"].includes(test.operator)) return [];
      const message = "The order of addresses is not documented; addresses of two families have none.";
      return [{ span: test.span, message }];
    }),
  "missing-in-all": ({ tree }) =>
    leavesOf(tree).flatMap((leaf) => {
      if (leaf.kind !== "quantified" || leaf.quantifier !== "all" || leaf.operand.kind !== "test") return [];
      const message =
        "`all` of the results of a call is false when its array is missing; of comparisons it is true.";
      return [{ span: leaf.span, message }];
    }),
  "timed-hmac": ({ tree }) =>
    valuesOf(tree).flatMap((value) => {
      if (value.kind !== "call" || value.name !== "is_timed_hmac_valid_v0") return [];
      const message =
        "The samples of the provider's documentation are not valid by `is_timed_hmac_valid_v0`.";
      return [{ span: value.span, message }];
    }),
} as const satisfies Readonly<Record<string, (expression: NotedExpression) => readonly NotedSpan[]>>;

/** The kind of a remark. */
export type ExpressionNoteKind = keyof typeof finders;

/** A remark on a part of an expression. */
export interface NotedPart extends ExpressionError {
  readonly kind: ExpressionNoteKind;
  /** The expression with the correction, when there is only one. */
  readonly corrected?: string;
}

/** The remarks on an expression, from left to right. */
export function noteExpression(scope: Scope, text: string, tree: Expression): NotedPart[] {
  return (Object.keys(finders) as ExpressionNoteKind[])
    .flatMap((kind) =>
      finders[kind]({ scope, text, tree }).map(({ span, message, correction }: NotedSpan): NotedPart => {
        const corrected = correction && { corrected: replaceSpan(text, correction.span, correction.text) };
        return { kind, ...errorAt(text, span, [], message), ...corrected };
      }),
    )
    .sort((a, b) => a.offset - b.offset);
}

/** A text with another part in place of a span. */
export function replaceSpan(text: string, { start, end }: Span, part: string): string {
  return text.slice(0, start) + part + text.slice(end);
}

function describeConfig(id: string, known: readonly string[]): string {
  const suggestion = id.length > maxCompared ? "" : didYouMean(id, known);
  return `There is no token configuration ${quote(id)}: its claims are always missing${suggestion || "."}`;
}

/** The keys of headers that no request has, since names of headers are in lower case. */
function upperCaseKeys(value: Value): NotedSpan[] {
  const [map, key] =
    value.kind === "index"
      ? [value.of, { value: value.key, span: value.keySpan }]
      : value.kind === "call" && value.name === "has_key"
        ? value.args
        : [];
  if (map?.kind !== "field" || map.name !== "http.request.headers" || key === undefined) return [];
  if (!("value" in key) || typeof key.value !== "string") return [];
  const lower = key.value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (lower === key.value) return [];
  const text = printBytes(lower);
  const message = `Names of headers are in lower case, so ${printBytes(key.value)} is always missing; write ${text}.`;
  return [{ span: key.span, message, correction: { span: key.span, text } }];
}
