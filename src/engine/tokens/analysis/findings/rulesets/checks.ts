/** The checks of custom rules: one entry each. */
import type { Rules } from "../../../../../core/diagnostic.ts";
import type { ExpressionNoteKind } from "../../../expression/notes.ts";

const entry = {
  tags: ["tokens", "custom rules"],
  docs: "custom-rules.md#what-check-finds",
} as const;

/** Remarks on the expression of a rule. */
const expressionChecks = {
  "unknown-claims": {
    ...entry,
    level: "warning",
    description: "A custom rule reads the claims of a token configuration that does not exist.",
    why: "They are always missing, as if no request had a valid token.",
    help: "Use the id of an existing configuration, or add this one.",
  },
  "unknown-list": {
    ...entry,
    level: "note",
    description: "A custom rule names a list that is not given.",
    why: "The verdict on a request is undecided when it depends on the list.",
    help: "Add the list, with its kind and items, to `accounts[].lists` of the world, or to `lists` of the zone.",
  },
  "undecided-pattern": {
    ...entry,
    level: "note",
    description:
      "A custom rule has a pattern with a part that the service accepts and that is not computed here.",
    why: "The verdict on a request is undecided when it depends on the pattern.",
    help: "Write the part that the message names in another way, or test the rule at the service.",
  },
  "header-key-case": {
    ...entry,
    level: "warning",
    description: "A custom rule looks up a header by a name with upper-case letters.",
    why: "Names of headers are in lower case, so the value is always missing.",
    help: "Write the name in lower case.",
  },
  "claim-type": {
    ...entry,
    level: "warning",
    description: "A custom rule looks up a registered claim by a function of another type.",
    why: "The value is missing for some or all valid tokens.",
    help: "Use the function or the field that the message names.",
  },
  "deprecated-field": {
    ...entry,
    level: "note",
    description: "A custom rule uses a field that the provider has renamed.",
    help: "Use the new name; the value is the same.",
  },
  "address-order": {
    ...entry,
    level: "note",
    description: "A custom rule compares the order of addresses, which the provider does not document.",
    help: "Use `in` with a range or a network.",
  },
  "missing-in-all": {
    ...entry,
    level: "note",
    description: "`all` of the results of a call is false when the array is missing.",
    help: "Use a comparison in `all`, or add one that says what a missing array means.",
  },
  "timed-hmac": {
    ...entry,
    level: "note",
    description: "A custom rule uses `is_timed_hmac_valid_v0`, whose documented samples do not verify.",
    help: "Test the rule with a message that the provider accepts.",
  },
} as const satisfies Rules<ExpressionNoteKind>;

/** Every check of custom rules by its id: its level, description and help. */
export const customChecks = {
  "fail-open": {
    ...entry,
    level: "warning",
    description: "A custom rule lets requests without a valid token pass.",
    why: "A comparison with a missing claim is false, also one with `ne`, `lt` or `le`.",
    help: "Write the negated opposite, such as `not (... eq ...)` or `not (... ge ...)`: it is true when the claim is missing.",
  },
  "never-matches": {
    ...entry,
    level: "warning",
    description: "The expression of a custom rule is false for every request, so the rule never acts.",
    help: "Correct the expression, or remove the rule.",
  },
  "always-matches": {
    ...entry,
    level: "warning",
    description: "The expression of a custom rule is true for every request.",
    help: "Correct the expression, or write `true` when it is meant.",
  },
  "constant-comparison": {
    ...entry,
    level: "warning",
    description: "A part of the expression of a custom rule has the same value for every request.",
    help: "Correct the part, or remove it.",
  },
  "unknown-rule": {
    ...entry,
    leavesOpen: true,
    level: "note",
    description: "The expression or the action of a custom rule is not known.",
    why: "Verdicts that depend on the rule are undecided.",
    help: "Read a file that has it, such as the state after the apply.",
  },
  unreachable: {
    ...entry,
    level: "warning",
    description:
      "Earlier custom rules end or skip the evaluation of every request that a custom rule matches.",
    help: "Move the rule before them, or remove it.",
  },
  "skip-without-effect": {
    ...entry,
    level: "warning",
    description: "A rule with `skip` skips nothing.",
    help: "Correct what it names, move it before the rules to skip, or remove it.",
  },
  "skip-keeps-token-rules": {
    ...entry,
    level: "note",
    description:
      "A rule with `skip` leaves out custom rules; token validation rules are evaluated nevertheless.",
    help: "Exclude the operation in the selectors of the token validation rules when that is meant.",
  },
  "disabled-custom-rule": {
    ...entry,
    level: "note",
    description: "A custom rule is disabled.",
    help: "Enable it, or remove it when it is not needed any more.",
  },
  "deprecated-rule": {
    ...entry,
    level: "note",
    description: "A custom rule has an action or a member that is deprecated, and is not simulated.",
    help: "Replace it; verdicts that depend on it are undecided.",
  },
  "unused-ruleset": {
    ...entry,
    level: "note",
    description: "No entry point executes a custom ruleset.",
    help: "Add a rule with `execute`, or remove the ruleset.",
  },
  "other-phase": {
    ...entry,
    level: "note",
    description:
      "The rules of a ruleset belong to a phase that is not evaluated; where its language is known, their expressions are checked.",
    help: "Test them in another way; custom rules of the phase `http_request_firewall_custom` are evaluated.",
  },
  "plan-needed": {
    ...entry,
    tags: [...entry.tags, "plans"],
    level: "note",
    description: "The rules of a zone need a higher plan than Free, and the plan of the zone is not known.",
    why: "The provider rejects the rules in a zone of a lower plan.",
    help: "State `plan` of the zone in the world, or pass --plan.",
  },
  ...expressionChecks,
} as const satisfies Rules;
