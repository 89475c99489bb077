/** What the analysis of a zone looks for: one entry a check. */

/** How much a finding matters: an error makes the zone unusable, a warning is hardly meant, a note may well be. */
export type Severity = "error" | "warning" | "note";

interface Check {
  readonly severity: Severity;
  /** What it finds, as one sentence. */
  readonly what: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Every check by its id. */
export const analysisChecks = {
  invalid: {
    severity: "error",
    what: "Something in the zone cannot be read.",
    fix: "Correct it as the message says.",
  },
  "unknown-config": {
    severity: "error",
    what: "An expression asks a token configuration that does not exist.",
    fix: "Name an existing configuration, or add this one.",
  },
  "always-true": {
    severity: "warning",
    what: "An expression is true for every request that its rule covers, so the rule never acts.",
    fix: "Remove the rule, or correct its expression.",
  },
  "always-false": {
    severity: "warning",
    what: "An expression is false for every request that its rule covers, so the rule acts on all of them.",
    fix: "Correct the expression, unless everything is meant to be refused.",
  },
  "constant-part": {
    severity: "warning",
    what: "A part of an expression has the same value for every request that its rule covers.",
    fix: "Remove the part, or correct it.",
  },
  "duplicate-operand": {
    severity: "warning",
    what: "A combination has the same operand twice.",
    fix: "Remove one of the two, or correct it if another one was meant.",
  },
  "redundant-operand": {
    severity: "note",
    what: "An operand changes nothing, because the others imply it or are implied by it.",
    fix: "Remove the operand, unless it is there for readers.",
  },
  "empty-selector": {
    severity: "warning",
    what: "A rule includes no host, so it covers nothing.",
    fix: "Add the hosts to `selector.include`.",
  },
  "unknown-host": {
    severity: "warning",
    what: "A rule includes a host on which there is no operation.",
    fix: "Correct the host, or add its operations.",
  },
  "unknown-operation": {
    severity: "warning",
    what: "A rule excludes an operation that does not exist.",
    fix: "Correct the id, or remove it.",
  },
  "all-excluded": {
    severity: "warning",
    what: "A rule excludes every operation of the hosts that it includes.",
    fix: "Exclude fewer operations, or remove the rule.",
  },
  shadowed: {
    severity: "warning",
    what: "With precedence `first`, earlier rules decide about everything that a rule covers.",
    fix: "Move the rule before them, or narrow their selectors.",
  },
  "behind-block": {
    severity: "warning",
    what: "Whenever a rule would act, an earlier rule has blocked the request already.",
    fix: "Remove the rule, or move it before the other.",
  },
  disabled: {
    severity: "note",
    what: "A rule is disabled.",
    fix: "Enable it, or remove it when it is not needed any more.",
  },
  "unused-config": {
    severity: "note",
    what: "No enabled rule asks a token configuration.",
    fix: "Write a rule that does, or remove the configuration.",
  },
  "duplicate-source": {
    severity: "warning",
    what: "A configuration names the same token source twice; the later one finds nothing new.",
    fix: "Remove the later one.",
  },
  "header-case": {
    severity: "warning",
    what: "A token source has a header name with upper-case letters.",
    fix: "Write the name in lower case: it matches the same headers, and the provider takes nothing else.",
  },
  undecided: {
    severity: "note",
    what: "A question about a rule was too large to be answered.",
    fix: "Allow more steps, or simplify the expression.",
  },
} as const satisfies Record<string, Check>;

/** The id of a check. */
export type AnalysisCheck = keyof typeof analysisChecks;

/** Something found in a zone. */
export interface AnalysisFinding {
  readonly check: AnalysisCheck;
  readonly severity: Severity;
  /** The id of the rule; absent when the finding is not about one. */
  readonly rule?: string;
  /** RFC 6901 pointer into the zone. */
  readonly pointer: string;
  /** One sentence. */
  readonly message: string;
  readonly fix: string;
}

/** Makes a finding of a check. */
export function finding(
  check: AnalysisCheck,
  at: { readonly rule?: string; readonly pointer: string },
  message: string,
): AnalysisFinding {
  const { severity, fix } = analysisChecks[check];
  return { check, severity, ...at, message, fix };
}
