/** The checks of the analysis of a zone: one entry each. */

/** An error makes the zone unusable, a warning is probably a mistake, a note may be intended. */
export type Severity = "error" | "warning" | "note";

interface AnalysisCheckEntry {
  readonly severity: Severity;
  /** The situation that the check finds, in one sentence. */
  readonly description: string;
  /** The recommended change. */
  readonly fix: string;
}

/** Every check by its id: severity, description and fix. */
export const analysisChecks = {
  invalid: {
    severity: "error",
    description: "A part of the zone is invalid.",
    fix: "Correct it as the message says.",
  },
  "unknown-config": {
    severity: "error",
    description: "An expression references a token configuration that does not exist.",
    fix: "Reference an existing configuration, or add this one.",
  },
  "always-true": {
    severity: "warning",
    description: "An expression is true for every request that its rule covers, so the rule never acts.",
    fix: "Remove the rule, or correct its expression.",
  },
  "always-false": {
    severity: "warning",
    description:
      "An expression is false for every request that its rule covers, so the rule acts on all of them.",
    fix: "Correct the expression, unless every request should be rejected.",
  },
  "constant-part": {
    severity: "warning",
    description: "A part of an expression has the same value for every request that its rule covers.",
    fix: "Remove the part, or correct it.",
  },
  "duplicate-operand": {
    severity: "warning",
    description: "A combination has the same operand twice.",
    fix: "Remove one of the two, or correct it if another one was meant.",
  },
  "redundant-operand": {
    severity: "note",
    description: "An operand has no effect, because the others imply it or are implied by it.",
    fix: "Remove the operand, unless it makes the expression easier to read.",
  },
  "missing-value": {
    severity: "note",
    description:
      "A comparison asks that a header or cookie does not have a value, which is decided otherwise than expected when it is missing.",
    fix: "Add a comparison that says what a missing value means, unless this is intended.",
  },
  "empty-selector": {
    severity: "warning",
    description: "A rule includes no host, so it covers no request.",
    fix: "Add the hosts to `selector.include`.",
  },
  "unknown-host": {
    severity: "warning",
    description: "A rule includes a host without operations.",
    fix: "Correct the host, or add its operations.",
  },
  "unknown-operation": {
    severity: "warning",
    description: "A rule excludes an operation that does not exist.",
    fix: "Correct the id, or remove it.",
  },
  "cannot-match": {
    severity: "warning",
    description:
      "A host, method or endpoint does not have the format of requests, so it matches none as it is meant.",
    fix: "Correct it as the message says.",
  },
  "port-removed": {
    severity: "note",
    description: "A host has a port, which is ignored.",
    fix: "Remove the port; the provider rejects it.",
  },
  "unknown-member": {
    severity: "note",
    description:
      "A configuration, rule, selector or operation has a member that is not known and is ignored.",
    fix: "Correct the name, or remove the member.",
  },
  "all-excluded": {
    severity: "warning",
    description: "A rule excludes every operation of the hosts that it includes.",
    fix: "Exclude fewer operations, or remove the rule.",
  },
  shadowed: {
    severity: "warning",
    description: "With precedence `first`, earlier rules decide about every request that a rule covers.",
    fix: "Move the rule before them, or narrow their selectors.",
  },
  "behind-block": {
    severity: "warning",
    description: "Whenever a rule would act, an earlier rule has already blocked the request.",
    fix: "Remove the rule, or move it before the other.",
  },
  disabled: {
    severity: "note",
    description: "A rule is disabled.",
    fix: "Enable it, or remove it when it is not needed any more.",
  },
  "unused-config": {
    severity: "note",
    description: "No enabled rule references a token configuration.",
    fix: "Add a rule that does, or remove the configuration.",
  },
  "duplicate-source": {
    severity: "warning",
    description: "A configuration lists the same token source twice; the second one has no effect.",
    fix: "Remove the second one.",
  },
  "header-case": {
    severity: "warning",
    description: "A token source has a header name with upper-case letters.",
    fix: "Write the name in lower case: it matches the same headers, and the provider accepts no other names.",
  },
  undecided: {
    severity: "note",
    description: "A question about a rule is too large.",
    fix: "Allow more steps, or simplify the expression.",
  },
} as const satisfies Record<string, AnalysisCheckEntry>;

/** The id of a check. */
export type AnalysisCheck = keyof typeof analysisChecks;

/** A finding in a zone. */
export interface AnalysisFinding {
  /** The id of the check. */
  readonly check: AnalysisCheck;
  /** The severity of the check. */
  readonly severity: Severity;
  /** The id of the rule; absent when the finding is not about one rule. */
  readonly rule?: string;
  /** RFC 6901 pointer into the zone. */
  readonly pointer: string;
  /** The finding in one sentence. */
  readonly message: string;
  /** The recommended change. */
  readonly fix: string;
}

/** Creates a finding of a check. */
export function finding(
  check: AnalysisCheck,
  at: { readonly rule?: string; readonly pointer: string },
  message: string,
): AnalysisFinding {
  const { severity, fix } = analysisChecks[check];
  return { check, severity, ...at, message, fix };
}
