/** Strings and integers that a field never has, by the documented values of the fields. */

import { maskText } from "../../../../../core/text/secrets.ts";
import { quote } from "../../../../../errors.ts";
import { type IntDomain, knownFields } from "../../../expression/language/fields.ts";
import { printString } from "../../../expression/literal.ts";
import type { NotedSpan } from "../../../expression/noted-expression.ts";
import { printTree } from "../../../expression/printer.ts";
import type { Comparison, Value } from "../../../expression/tree.ts";
import { ownName } from "../../../expression/values/given.ts";
import { type ComparedText, comparedTexts, comparisonsOf, type Part, replacedBy } from "./compared-texts.ts";
import type { RuleExpression } from "./rule-expression.ts";

/** A property that no value of a field has. */
interface WrongForm {
  readonly pattern: RegExp;
  /** The parts of the value that it is about; all by default. */
  readonly parts?: readonly Part[];
  /** Whether it is about the case of letters, which functions and operators can ignore. */
  readonly isCase?: true;
  /** The predicate of the message. */
  readonly says: string;
  /** The next step when there is no correction. */
  readonly advice?: string;
}

/** The values of fields, and the corrections of others. */
interface Format {
  readonly fields: readonly string[];
  readonly faults: readonly WrongForm[];
  /** The probable value; the same string when there is none. */
  readonly correct: (text: string) => string;
}

const fromStart = ["whole", "start"] as const;
const path = "compare the path with `http.request.uri.path`";
const query = "compare the rest with `http.request.uri.query`";

/** A star and an anchor are reported as such. */
const notSlash = /^[^/*^]/;

/** The formats by the mistake. */
export const formats = {
  "host-format": {
    fields: ["http.host"],
    faults: [
      { pattern: /:\/\//, says: "has no scheme" },
      { pattern: /[/?#]/, says: "has no path", advice: path },
      { pattern: /^[^[]*:\d*$/, says: "has no port", advice: "the port is `cf.edge.server_port`" },
      { pattern: /[A-Z]/, says: "is in lower case", isCase: true },
      { pattern: /\s/, says: "has no white space" },
    ],
    correct: (text) => {
      const host = text
        .trim()
        .replace(/^[A-Za-z]+:\/\//, "")
        .replace(/\/$/, "")
        .toLowerCase();
      return host.startsWith("[") ? host : host.replace(/:\d*$/, "");
    },
  },
  "path-format": {
    fields: ["http.request.uri.path"],
    faults: [
      { pattern: /\?/, says: "ends before `?`", advice: query },
      { pattern: /#/, says: "has no fragment: browsers do not send it" },
      {
        pattern: /^[A-Za-z]+:\/\//,
        parts: fromStart,
        says: "has no scheme and no host",
        advice: "compare the URL with `http.request.full_uri`",
      },
      { pattern: notSlash, parts: fromStart, says: "starts with `/`" },
    ],
    correct: (text) => (/[?#:]/.test(text) ? text : `/${text}`),
  },
  "uri-format": {
    fields: ["http.request.uri"],
    faults: [
      {
        pattern: notSlash,
        parts: fromStart,
        says: "starts with `/`: it has no scheme and no host",
        advice: "the whole URL is `http.request.full_uri`",
      },
    ],
    correct: (text) => (text.includes(":") ? text : `/${text}`),
  },
  "url-format": {
    fields: ["http.request.full_uri"],
    faults: [
      {
        pattern: /^(?!https?:\/\/|https?:?\/?$|https?\*|\*|\^|h?t?t?p?$)/i,
        parts: fromStart,
        says: "starts with `https://` or `http://`",
      },
    ],
    correct: (text) => (/^[\w-]+\.[\w.-]+\//.test(text) ? `https://${text}` : text),
  },
  "query-format": {
    fields: ["http.request.uri.query"],
    faults: [
      { pattern: /^\?/, parts: fromStart, says: "does not have its `?`" },
      { pattern: /^\?[\w.-]+=/, parts: ["part"], says: "does not have its `?`" },
    ],
    correct: (text) => text.slice(1),
  },
  "extension-format": {
    fields: ["http.request.uri.path.extension"],
    faults: [
      { pattern: /^[^*./]*[./][^*]*$/, says: "is what follows the last dot, without it" },
      { pattern: /[A-Z]/, says: "is in lower case", isCase: true },
    ],
    correct: (text) => text.slice(text.lastIndexOf(".") + 1).toLowerCase(),
  },
  "method-format": {
    fields: ["http.request.method"],
    faults: [{ pattern: /[a-z]/, says: "is in capital letters", isCase: true }],
    correct: (text) => text.toUpperCase(),
  },
  "country-format": {
    fields: ["ip.src.country"],
    faults: [
      { pattern: /^UK$/i, parts: ["whole"], says: "is `GB` for the United Kingdom" },
      {
        pattern: /^(?![A-Za-z][A-Za-z0-9]$)/,
        parts: ["whole"],
        says: "is two capital letters, such as `US`",
      },
      { pattern: /[a-z]/, says: "is two capital letters, such as `US`", isCase: true },
    ],
    correct: (text) => (/^UK$/i.test(text) ? "GB" : text.length === 2 ? text.toUpperCase() : text),
  },
  "header-name-case": {
    fields: ["http.request.headers.names"],
    faults: [{ pattern: /[A-Z]/, says: "is in lower case", isCase: true }],
    correct: (text) => text.toLowerCase(),
  },
} as const satisfies Readonly<Record<string, Format>>;

/** Strings without the format of their field. */
export const findFormat =
  ({ fields, faults, correct }: Format) =>
  (expression: RuleExpression): NotedSpan[] =>
    comparedTexts(expression).flatMap((compared) => {
      const { field, changesCase, part, text, span } = compared;
      if (field === undefined || !fields.includes(field)) return [];
      const fault = faults.find(({ pattern, parts, isCase }) => {
        if (isCase && (compared.ignoresCase || changesCase !== undefined)) return false;
        return (parts === undefined || parts.includes(part)) && pattern.test(text);
      });
      if (fault === undefined) return [];
      const fixed = compared.isWildcard ? text : correct(text);
      const isFixed = fixed !== text && fixed !== "" && hasFormat(field, part, fixed);
      const step = isFixed ? `write ${printString(fixed)}` : fault.advice;
      const message = `${never(compared)}: it ${fault.says}${step === undefined ? "" : `; ${step}`}.`;
      return [{ span, message, ...replacedBy(compared, isFixed ? fixed : undefined) }];
    });

/** Whether a string can be a value, or a part of one. */
function hasFormat(field: string, part: Part, text: string): boolean {
  const domain = knownFields.get(field)?.domain ?? "any";
  return part !== "whole" || domain === "any" || !("pattern" in domain) || domain.pattern.test(text);
}

const verbs: Readonly<Record<Part, string>> = {
  whole: "is",
  part: "contains",
  start: "starts with",
  end: "ends with",
};

function never({ field = "", part, text }: ComparedText): string {
  return `\`${field}\` never ${verbs[part]} ${quote(text)}`;
}

/** Strings that are not among the documented values of their field. */
export function findValues(expression: RuleExpression): NotedSpan[] {
  return comparedTexts(expression).flatMap((compared) => {
    const { field = "", changesCase, part, text, span } = compared;
    const domain = knownFields.get(field)?.domain ?? "any";
    if (domain === "any" || !("pattern" in domain) || domain.words === undefined) return [];
    const { pattern } = domain;
    const found = [text.toUpperCase(), text.toLowerCase(), text.replace(/\.0$/, "")];
    const fixed = found.find((candidate) => pattern.test(candidate));
    const isKnown = pattern.test(text) || (compared.ignoresCase && fixed !== undefined);
    if (part !== "whole" || changesCase !== undefined || isKnown) return [];
    const step = fixed === undefined ? "" : `; write ${printString(fixed)}`;
    const message = `${never(compared)}: it is ${domain.words}${step}.`;
    return [{ span, message, ...replacedBy(compared, fixed) }];
  });
}

/** Whether a string is compared with a value of a secret name, so that no message has it. */
function isSecret({ test }: ComparedText): boolean {
  const printed = printTree(test);
  return maskText(printed) !== printed;
}

/** Strings in capital letters that are compared with `lower` of a value, and the other way round. */
export function findCases(expression: RuleExpression): NotedSpan[] {
  return comparedTexts(expression).flatMap((compared) => {
    const { changesCase, ignoresCase, isWildcard, text, span } = compared;
    if (changesCase === undefined || ignoresCase) return [];
    const fixed = text.replace(/[A-Za-z]+/g, (letters) =>
      changesCase === "lower" ? letters.toLowerCase() : letters.toUpperCase(),
    );
    if (fixed === text) return [];
    const letters = changesCase === "lower" ? "capital letters" : "small letters";
    const advice = isSecret(compared)
      ? `write the string in ${changesCase === "lower" ? "small" : "capital"} letters`
      : `write ${printString(fixed)} instead of ${printString(text)}`;
    const message = `The result of \`${changesCase}\` has no ${letters}; ${advice}.`;
    return [{ span, message, ...replacedBy(compared, isWildcard ? undefined : fixed) }];
  });
}

/** Integers outside of the documented values of their field; lengths are not negative. */
export function findNumbers({ text, tree }: RuleExpression): NotedSpan[] {
  return comparisonsOf(tree).flatMap((test) => {
    const compared = numberOf(test.left);
    if (compared === undefined) return [];
    const { name, domain } = compared;
    return numbersOf(test).flatMap(({ first, last }) => {
      if (!isOutside(test.operator, domain, first, last)) return [];
      const found = first === last ? `${first}` : `${first}..${last}`;
      const { min, max } = domain;
      const range = min === max ? `always ${min}` : max === Infinity ? "not negative" : `${min} to ${max}`;
      const from = text.indexOf(found, test.left.span.end);
      const isFound = from !== -1 && from < test.span.end;
      const span = isFound ? { start: from, end: from + found.length } : test.span;
      return [{ span, message: `\`${name}\` is ${range}; ${found} is outside.` }];
    });
  });
}

function numberOf(value: Value): { readonly name: string; readonly domain: IntDomain } | undefined {
  const call = value.kind === "each" ? value.of : value;
  if (call.kind === "call")
    return call.name === "len" ? { name: "len", domain: { min: 0, max: Infinity } } : undefined;
  const field = value.kind === "field" ? knownFields.get(value.name) : undefined;
  if (field === undefined || field.type !== "Int" || field.domain === "any") return undefined;
  return { name: ownName(field), domain: field.domain };
}

function numbersOf({ right }: Comparison): { readonly first: number; readonly last: number }[] {
  if (right.kind === "set")
    return right.items.flatMap((item) =>
      item.type === "Int" ? { first: Number(item.first), last: Number(item.last) } : [],
    );
  if (right.kind !== "literal" || right.type !== "Int") return [];
  return [{ first: Number(right.value), last: Number(right.value) }];
}

/** Whether a comparison never holds; or always, with a number that is not next to the others. */
function isOutside(operator: string, { min, max }: IntDomain, first: number, last: number): boolean {
  if (last < 0) return true;
  switch (operator) {
    case "gt":
      return first >= max || first < min - 1;
    case "ge":
      return first > max || first < min - 1;
    case "lt":
      return first <= min || first > max + 1;
    case "le":
      return first < min || first > max + 1;
    default:
      return last < min || first > max;
  }
}
