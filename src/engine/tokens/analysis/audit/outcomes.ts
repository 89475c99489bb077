/** The outcomes of an audit: one for each documented operation. */

import type { Level } from "../../../../core/diagnostic.ts";

/** The outcomes, with the level of each, its meaning and its remedy. */
export const auditOutcomes = {
  protected: {
    level: "none",
    description: "The document secures the operation, and no request without a valid token gets through.",
    help: "Nothing to do.",
  },
  logged: {
    level: "error",
    description:
      "The document secures the operation; the rules log requests without a valid token, and let them through.",
    help: "Set the action of the rule to `block`.",
  },
  unprotected: {
    level: "error",
    description: "The document secures the operation, but a request without a valid token gets through.",
    help: "Add a rule with action `block` that requires a valid token, or repair the selector or the expression of the rule.",
  },
  "no-token-source": {
    level: "error",
    description:
      "The document secures the operation by schemes that no token configuration reads, and a request without a valid token gets through.",
    help: "Add the header or cookie of the scheme to `token_sources` of a configuration, or leave the operation out of the audit.",
  },
  unknown: {
    level: "error",
    description:
      "The document secures the operation, but the zone has no such operation, so no rule matches its requests.",
    help: "Add the operation to the zone, and select its host in a rule.",
  },
  undecided: {
    level: "error",
    description: "Whether a request without a valid token gets through is not decided.",
    help: "Simplify the expressions of the rules that match the operation, or raise `maxSteps`.",
  },
  "public-blocked": {
    level: "warning",
    description:
      "The document requires no token for the operation, but a request without a token is blocked.",
    help: "Exclude the operation in the selector of the rule, or document its security.",
  },
  "public-undecided": {
    level: "warning",
    description:
      "The document requires no token for the operation; whether a request without a token is blocked is not decided.",
    help: "Simplify the expressions of the rules that match the operation, or raise `maxSteps`.",
  },
  public: {
    level: "none",
    description:
      "The document requires no token for the operation, and no request without a token is blocked.",
    help: "Nothing to do.",
  },
} as const satisfies Record<string, OutcomeDescription>;

interface OutcomeDescription {
  readonly level: Level | "none";
  /** One sentence. */
  readonly description: string;
  /** One sentence. */
  readonly help: string;
}

/** The outcome of an audit for one documented operation (closed union). */
export type AuditOutcome = keyof typeof auditOutcomes;
