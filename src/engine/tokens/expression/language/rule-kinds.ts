/** The kinds of expressions: which words one can have is the only difference between their languages. */

const rewritten = {
  "action_parameters/uri/path/expression": "values",
  "action_parameters/uri/query/expression": "values",
  "action_parameters/headers/*/expression": "values",
} as const;

/**
 * The phases whose expressions are checked and not evaluated (`observed`): the members of a rule that have one besides its
 * condition, where `*` is any name or position, and what it is.
 */
export const checkedPhases = {
  http_ratelimit: {
    "ratelimit/counting_expression": "counting expressions",
    "ratelimit/characteristics/*": "characteristics",
  },
  http_request_dynamic_redirect: { "action_parameters/from_value/target_url/expression": "values" },
  http_request_redirect: { "action_parameters/from_list/key": "values" },
  http_request_transform: rewritten,
  http_request_late_transform: rewritten,
  http_response_headers_transform: rewritten,
  http_request_origin: {},
  http_request_cache_settings: {},
  http_config_settings: {},
  http_response_compression: {},
  http_custom_errors: {},
  http_log_custom_fields: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, RulePart>>>>;

/** The parts of a rule with expressions, besides its condition; `values` and `characteristics` are values, not tests. */
type RulePart = "counting expressions" | "characteristics" | "values";

/** A phase whose expressions are checked and not evaluated. */
export type CheckedPhase = keyof typeof checkedPhases;

/** Rules that are evaluated: those that require tokens, or custom rules. */
export type EvaluatedKind = "token" | "custom";

type PartOf<P extends CheckedPhase> = (typeof checkedPhases)[P][keyof (typeof checkedPhases)[P]] & string;

/** The conditions of token rules, of custom rules or of another phase, or another part of such a rule. */
export type RuleKind =
  | EvaluatedKind
  | CheckedPhase
  | { [P in CheckedPhase]: `${PartOf<P>} of ${P}` }[CheckedPhase];

/** Every kind. */
export const ruleKinds: readonly RuleKind[] = [
  "token",
  "custom",
  ...Object.entries(checkedPhases).flatMap(([phase, parts]) => [
    phase as CheckedPhase,
    ...new Set(Object.values(parts).map((part) => `${part} of ${phase}` as RuleKind)),
  ]),
];

/** The name of a kind in messages. */
export function nameKind(kind: RuleKind): string {
  if (kind === "token" || kind === "custom") return `${kind} rules`;
  return `${kind.startsWith("http") ? "conditions of " : ""}${kind.replace(/http_\w+/, "`$&`")}`;
}

/** Whether an expression is a value, and not a test. */
export function isValueKind(kind: RuleKind): boolean {
  return kind.startsWith("values ") || kind.startsWith("characteristics ");
}

const uriValues = "values of http_request_transform";
const responseHeaders = [
  "http_response_headers_transform",
  "values of http_response_headers_transform",
] as const;
const headers = [
  "http_request_late_transform",
  "values of http_request_late_transform",
  ...responseHeaders,
] as const;
const rewriteValues = [uriValues, headers[1], responseHeaders[1]] as const;
const targetAndUri = ["values of http_request_dynamic_redirect", uriValues] as const;

/** Which kinds have a word that others lack (`observed`). */
export const kindsWith = {
  all: ruleKinds,
  tokens: ["token"],
  allButTokens: ruleKinds.slice(1),
  networks: ["token", "custom", "http_ratelimit", "counting expressions of http_ratelimit"],
  characteristics: ["characteristics of http_ratelimit"],
  targetAndUri,
  headers,
  responseHeaders,
  rewriteValues,
  rewrites: ["http_request_transform", uriValues, ...headers],
  values: [...targetAndUri, headers[1], responseHeaders[1]],
  errors: [...responseHeaders, "http_custom_errors"],
  responses: [
    ...responseHeaders,
    "http_custom_errors",
    "http_response_compression",
    "http_log_custom_fields",
    "counting expressions of http_ratelimit",
  ],
} as const satisfies Readonly<Record<string, readonly RuleKind[]>>;
