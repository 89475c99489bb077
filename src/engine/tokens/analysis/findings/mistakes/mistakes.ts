/** Frequent mistakes in the expressions of rules: one row each, with an expression that has it and one that has not (`chosen`). */

import type { Rule, Span } from "../../../../../core/diagnostic.ts";
import type { NotedSpan } from "../../../expression/noted-expression.ts";
import { replaceSpan } from "../../../expression/notes.ts";
import { findCases, findFormat, findNumbers, findValues, formats } from "./formats.ts";
import { findMixedOperators } from "./mixed-operators.ts";
import { findDots, findExactPatterns, findGlobs, findStars } from "./patterns.ts";
import { findBlockedPreflight } from "./preflight.ts";
import type { RuleExpression } from "./rule-expression.ts";
import { findAllOfIpv4, findRedundantItems } from "./sets.ts";

/** A mistake. */
export interface Mistake extends Pick<Rule, "level" | "description" | "help"> {
  readonly why: string;
  /** An expression with the mistake, and a similar one without. */
  readonly examples: readonly [wrong: string, right: string];
  readonly find: (expression: RuleExpression) => readonly NotedSpan[];
}

const notEqual = "The comparison is false for every request, or the item of the set has no effect.";

/** Every mistake by its id. */
export const mistakes = {
  "host-format": {
    level: "warning",
    description: "A host is compared with a string that has a scheme, a port, a path or capital letters.",
    why: notEqual,
    help: "Write the host name alone, in lower case.",
    examples: ['http.host eq "https://example.com"', 'http.host eq "example.com"'],
    find: findFormat(formats["host-format"]),
  },
  "path-format": {
    level: "warning",
    description: "A path is compared with a string that has `?` or `#`, or does not start with `/`.",
    why: notEqual,
    help: "Write the path alone; the query is in `http.request.uri.query`.",
    examples: ['http.request.uri.path eq "/search?q=1"', 'http.request.uri eq "/search?q=1"'],
    find: findFormat(formats["path-format"]),
  },
  "uri-format": {
    level: "warning",
    description: "The path with its query is compared with a string that does not start with `/`.",
    why: notEqual,
    help: "Start it with `/`, or compare the whole URL with `http.request.full_uri`.",
    examples: ['http.request.uri eq "login"', 'http.request.uri eq "/login"'],
    find: findFormat(formats["uri-format"]),
  },
  "url-format": {
    level: "warning",
    description: "The URL is compared with a string without `https://` or `http://`.",
    why: notEqual,
    help: "Start it with the scheme, or compare host and path.",
    examples: [
      'http.request.full_uri eq "www.example.com/a"',
      'http.request.full_uri eq "https://www.example.com/a"',
    ],
    find: findFormat(formats["url-format"]),
  },
  "query-format": {
    level: "warning",
    description: "The query is compared with a string that starts with `?`.",
    why: "The query does not have the `?` before it.",
    help: "Remove the `?`.",
    examples: ['http.request.uri.query contains "?id="', 'http.request.uri.query contains "id="'],
    find: findFormat(formats["query-format"]),
  },
  "extension-format": {
    level: "warning",
    description: "The extension of the path is compared with a string that has a dot or capital letters.",
    why: notEqual,
    help: "Write what follows the last dot, in lower case.",
    examples: ['http.request.uri.path.extension eq ".jpg"', 'http.request.uri.path.extension eq "jpg"'],
    find: findFormat(formats["extension-format"]),
  },
  "method-format": {
    level: "warning",
    description: "The method is compared with a string in small letters.",
    why: notEqual,
    help: "Write it in capital letters.",
    examples: ['http.request.method in {"GET" "post"}', 'http.request.method in {"GET" "POST"}'],
    find: findFormat(formats["method-format"]),
  },
  "country-format": {
    level: "warning",
    description: "The country is compared with a string that is not two capital letters.",
    why: notEqual,
    help: "Write the code of ISO 3166-1, such as `US` or `GB`.",
    examples: ['ip.src.country in {"us"}', 'ip.src.country in {"US"}'],
    find: findFormat(formats["country-format"]),
  },
  "header-name-case": {
    level: "warning",
    description: "The names of headers are compared with a string that has capital letters.",
    why: "Names of headers are in lower case.",
    help: "Write the name in lower case.",
    examples: [
      'any(http.request.headers.names[*] eq "X-Id")',
      'any(http.request.headers.names[*] eq "x-id")',
    ],
    find: findFormat(formats["header-name-case"]),
  },
  "value-domain": {
    level: "warning",
    description: "A field is compared with a string that is not one of its documented values.",
    why: notEqual,
    help: "Use one of the values that the message names.",
    examples: ['ip.src.continent eq "Europe"', 'ip.src.continent eq "EU"'],
    find: findValues,
  },
  "number-domain": {
    level: "warning",
    description: "A score or another integer is compared with a number outside of its documented values.",
    why: "The comparison has the same result for every request that has a documented value.",
    help: "Use a number within the range; `cf.threat_score` always is 0.",
    examples: ["cf.threat_score gt 40", "cf.bot_management.score lt 30"],
    find: findNumbers,
  },
  "case-of-function": {
    level: "warning",
    description: "`lower` is compared with capital letters, or `upper` with small ones.",
    why: notEqual,
    help: "Write the string in the case that the function has.",
    examples: ['lower(http.user_agent) contains "Googlebot"', 'lower(http.user_agent) contains "googlebot"'],
    find: findCases,
  },
  "star-in-comparison": {
    level: "note",
    description: "A string with `*` is compared exactly.",
    why: "`*` is a character like any other there.",
    help: "Use `wildcard`, `starts_with` or `ends_with`.",
    examples: ['http.request.uri.path in {"/" "/@*"}', 'http.request.uri.path wildcard "/@*"'],
    find: findStars,
  },
  "pattern-in-comparison": {
    level: "note",
    description: "A regular expression is compared exactly.",
    why: "Its special characters are characters like any others there.",
    help: "Use `matches`, or several comparisons.",
    examples: ['http.user_agent contains "curl|wget"', 'http.user_agent matches "curl|wget"'],
    find: findExactPatterns,
  },
  "glob-in-pattern": {
    level: "note",
    description: "The pattern of `matches` is written as one of `wildcard`.",
    why: "In a regular expression `*` repeats what is before it, and the pattern matches any part of the value.",
    help: "Use `wildcard`, or write `.*` and anchors.",
    examples: ['http.request.uri.path matches "/admin/*"', 'http.request.uri.path wildcard "/admin/*"'],
    find: findGlobs,
  },
  "host-pattern-dot": {
    level: "note",
    description: "A pattern of hosts has a dot without a backslash.",
    why: "The dot matches any character, so other hosts match as well.",
    help: "Write `\\.` in place of the dot.",
    examples: ['http.host matches "^www.example.com$"', 'http.host matches "^www\\.example\\.com$"'],
    find: findDots,
  },
  "redundant-item": {
    level: "note",
    description: "An item of a set is there twice, or is in a range or network of the same set.",
    why: "It has no effect.",
    help: "Remove it, or correct it if another one was meant.",
    examples: ["ip.src in {10.0.0.1 10.0.0.0/8}", "ip.src in {10.0.0.0/8 192.0.2.1}"],
    find: findRedundantItems,
  },
  "mixed-operators": {
    level: "note",
    description: "`and` and `or` are mixed without parentheses.",
    why: "`and` is evaluated before `or`, which may not be what is meant.",
    help: "Write the parentheses that are meant.",
    examples: [
      'http.host eq "a.example" and ssl or http.host eq "b.example"',
      '(http.host eq "a.example" and ssl) or http.host eq "b.example"',
    ],
    find: findMixedOperators,
  },
  "all-of-ipv4": {
    level: "note",
    description: "A set has all IPv4 addresses and no IPv6 address.",
    why: "It is meant to be all addresses, and clients with IPv6 are left out.",
    help: "Add `::/0`, or write `true`.",
    examples: ["ip.src in {0.0.0.0/0}", "ip.src in {0.0.0.0/0 ::/0}"],
    find: findAllOfIpv4,
  },
  "blocked-preflight": {
    level: "note",
    description: "A rule that requires a token, credentials or a method rejects the preflights of browsers.",
    why: "Scripts of other origins cannot send their requests, since a preflight has the method OPTIONS and no credentials.",
    help: "Exempt the method OPTIONS, unless no browser is a client.",
    examples: [
      'not any(http.request.headers["authorization"][*] contains "Bearer")',
      'not any(http.request.headers["authorization"][*] contains "Bearer") and http.request.method ne "OPTIONS"',
    ],
    find: findBlockedPreflight,
  },
} as const satisfies Readonly<Record<string, Mistake>>;

/** The id of a mistake. */
export type MistakeKind = keyof typeof mistakes;

/** A mistake in an expression. */
export interface FoundMistake {
  readonly kind: MistakeKind;
  /** One sentence. */
  readonly message: string;
  readonly span: Span;
  /** The expression with the correction, when there is only one. */
  readonly corrected?: string;
}

/** The maximum number of findings of a mistake in one expression. */
const maxFindings = 16;

/** The mistakes in an expression, from left to right. */
export function findMistakes(expression: RuleExpression): FoundMistake[] {
  const { text } = expression;
  const kinds = Object.keys(mistakes) as MistakeKind[];
  return kinds
    .flatMap((kind) =>
      mistakes[kind]
        .find(expression)
        .slice(0, maxFindings)
        .map(({ span, message, correction }: NotedSpan): FoundMistake => {
          const corrected = correction && { corrected: replaceSpan(text, correction.span, correction.text) };
          return { kind, message, span, ...corrected };
        }),
    )
    .sort((a, b) => a.span.start - b.span.start);
}
