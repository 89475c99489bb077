/** The outcomes of an audit: one for each documented operation. */

import type { Severity } from "../findings/checks.ts";

/** The outcomes, with the severity of each, its meaning and its remedy. */
export const auditOutcomes = {
  protected: {
    severity: "none",
    description: "The document secures the operation, and no request without a valid token gets through.",
    fix: "Nothing to do.",
  },
  logged: {
    severity: "error",
    description:
      "The document secures the operation; the rules log requests without a valid token, and let them through.",
    fix: "Set the action of the rule to `block`.",
  },
  unprotected: {
    severity: "error",
    description: "The document secures the operation, but a request without a valid token gets through.",
    fix: "Add a rule with action `block` that requires a valid token, or repair the selector or the expression of the rule.",
  },
  "no-token-source": {
    severity: "error",
    description:
      "The document secures the operation by schemes that no token configuration reads, and a request without a valid token gets through.",
    fix: "Add the header or cookie of the scheme to `token_sources` of a configuration, or leave the operation out of the audit.",
  },
  unknown: {
    severity: "error",
    description:
      "The document secures the operation, but the zone has no such operation, so no rule matches its requests.",
    fix: "Add the operation to the zone, and select its host in a rule.",
  },
  undecided: {
    severity: "error",
    description: "Whether a request without a valid token gets through is not decided.",
    fix: "Simplify the expressions of the rules that match the operation, or raise `maxSteps`.",
  },
  "public-blocked": {
    severity: "warning",
    description:
      "The document requires no token for the operation, but a request without a token is blocked.",
    fix: "Exclude the operation in the selector of the rule, or document its security.",
  },
  "public-undecided": {
    severity: "warning",
    description:
      "The document requires no token for the operation; whether a request without a token is blocked is not decided.",
    fix: "Simplify the expressions of the rules that match the operation, or raise `maxSteps`.",
  },
  public: {
    severity: "none",
    description:
      "The document requires no token for the operation, and no request without a token is blocked.",
    fix: "Nothing to do.",
  },
} as const satisfies Record<string, OutcomeDescription>;

interface OutcomeDescription {
  readonly severity: Severity | "none";
  /** One sentence. */
  readonly description: string;
  /** One sentence. */
  readonly fix: string;
}

/** The outcome of an audit for one documented operation (closed union). */
export type AuditOutcome = keyof typeof auditOutcomes;
