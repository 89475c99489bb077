/** The checks of the analysis of a zone: one entry each. */
import { type Diagnostic, diagnostic, type Rules } from "../../../../core/diagnostic.ts";
import { remarkRules } from "../../remarks/remark.ts";
import { mistakeChecks } from "./mistakes/checks.ts";
import { customChecks } from "./rulesets/checks.ts";

const tags = ["tokens"];

/** Every check of token rules by its id: its level, description and help. */
export const tokenChecks = {
  invalid: {
    tags,
    level: "error",
    description: "A part of the zone is invalid.",
    help: "Correct it as the message says.",
  },
  "unknown-config": {
    tags,
    level: "error",
    description: "An expression references a token configuration that does not exist.",
    help: "Reference an existing configuration, or add this one.",
  },
  "always-true": {
    tags,
    level: "warning",
    description: "An expression is true for every request that its rule covers, so the rule never acts.",
    help: "Remove the rule, or correct its expression.",
  },
  "always-false": {
    tags,
    level: "warning",
    description:
      "An expression is false for every request that its rule covers, so the rule acts on all of them.",
    help: "Correct the expression, unless every request should be rejected.",
  },
  "constant-part": {
    tags,
    level: "warning",
    description: "A part of an expression has the same value for every request that its rule covers.",
    help: "Remove the part, or correct it.",
  },
  "duplicate-operand": {
    tags,
    level: "warning",
    description: "A combination has the same operand twice.",
    help: "Remove one of the two, or correct it if another one was meant.",
  },
  "redundant-operand": {
    tags,
    level: "note",
    description: "An operand has no effect, because the others imply it or are implied by it.",
    help: "Remove the operand, unless it makes the expression easier to read.",
  },
  "missing-value": {
    tags,
    level: "note",
    description:
      "A comparison asks that a header or cookie does not have a value, which is decided otherwise than expected when it is missing.",
    help: "Add a comparison that says what a missing value means, unless this is intended.",
  },
  "empty-selector": {
    tags,
    level: "warning",
    description: "A rule includes no host, so it covers no request.",
    help: "Add the hosts to `selector.include`.",
  },
  "unknown-host": {
    tags,
    level: "warning",
    description: "A rule includes a host without operations.",
    help: "Correct the host, or add its operations.",
  },
  "unknown-operation": {
    tags,
    level: "warning",
    description: "A rule excludes an operation that does not exist.",
    help: "Correct the id, or remove it.",
  },
  ...remarkRules,
  "all-excluded": {
    tags,
    level: "warning",
    description: "A rule excludes every operation of the hosts that it includes.",
    help: "Exclude fewer operations, or remove the rule.",
  },
  shadowed: {
    tags,
    level: "warning",
    description: "With precedence `first`, earlier rules decide about every request that a rule covers.",
    help: "Move the rule before them, or narrow their selectors.",
  },
  "behind-block": {
    tags,
    level: "warning",
    description: "Whenever a rule would act, an earlier rule has already blocked the request.",
    help: "Remove the rule, or move it before the other.",
  },
  disabled: {
    tags,
    level: "note",
    description: "A rule is disabled.",
    help: "Enable it, or remove it when it is not needed any more.",
  },
  "unused-config": {
    tags,
    level: "note",
    description: "No enabled rule references a token configuration.",
    help: "Add a rule that does, or remove the configuration.",
  },
  "duplicate-source": {
    tags,
    level: "warning",
    description: "A configuration lists the same token source twice; the second one has no effect.",
    help: "Remove the second one.",
  },
  "header-case": {
    tags,
    level: "warning",
    description: "A token source has a header name with upper-case letters.",
    help: "Write the name in lower case: it matches the same headers, and the provider accepts no other names.",
  },
  "search-limit": {
    tags,
    leavesOpen: true,
    level: "note",
    description: "A question about a rule needs more steps than the analysis may take.",
    help: "Allow more steps, or simplify the expression.",
  },
  "not-analyzed": {
    tags,
    level: "note",
    description: "The analysis does not look into a part of an expression.",
    why: "The part may have any value, so findings that depend on it are missing.",
    help: "Test the rule with requests; the message names the part.",
  },
  "after-invalid": {
    tags,
    leavesOpen: true,
    level: "note",
    description: "Parts of a zone are not analyzed, because of invalid ones.",
    help: "Correct the invalid parts.",
  },
} as const satisfies Rules;

/** Every check by its id: its level, description and help. */
export const analysisChecks = { ...customChecks, ...tokenChecks, ...mistakeChecks } as const satisfies Rules;

/** The id of a check. */
export type AnalysisCheck = keyof typeof analysisChecks;

/** Creates a finding of a check. @param at place in the zone, and the id of the rule, when it is about one */
export function finding(
  check: AnalysisCheck,
  { rule, pointer }: { readonly rule?: string; readonly pointer: string },
  message: string,
): Diagnostic<AnalysisCheck> {
  return diagnostic(analysisChecks, check, message, {
    pointer,
    ...(rule !== undefined && { subject: { rule } }),
  });
}
