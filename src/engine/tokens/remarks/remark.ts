/** Remarks on input that is accepted and probably a mistake: the checks of the analysis that need no analysis. */
import { type Diagnostic, diagnostic, type Rules } from "../../../core/diagnostic.ts";
import { noteCodes } from "../../../errors.ts";

const tags = ["tokens"];

/** Every remark by its id; the interface reports them with these codes. */
export const remarkRules = {
  "cannot-match": {
    tags,
    level: "warning",
    description:
      "A host, method or endpoint does not have the format of requests, so it matches none as it is meant.",
    help: "Correct it as the message says.",
    code: noteCodes.valueNoted,
  },
  "port-removed": {
    tags,
    level: "note",
    description: "A host has a port, which is ignored.",
    help: "Remove the port; the provider rejects it.",
    code: noteCodes.valueNoted,
  },
  "pattern-escapes": {
    tags,
    level: "note",
    description:
      "The pattern of a `matches` has another meaning than in version 0.1, which removed backslashes and read brackets and operators in classes as characters.",
    help: 'Check the pattern; to keep the earlier meaning, write it as a raw string, such as r"\\.".',
    code: noteCodes.valueNoted,
  },
  "earlier-form": {
    tags,
    level: "note",
    description:
      "The expression has a form of version 0.2, which the one language of all rules reads in another way or rejects.",
    help: "Write the form that the message names, before version 0.3.",
    code: noteCodes.valueNoted,
  },
  "list-limit": {
    tags: [...tags, "custom rules"],
    level: "warning",
    description: "The lists of an account exceed a limit of the provider.",
    why: "The provider does not accept them, so rules that name them match other requests than here.",
    help: "Remove or merge items, such as addresses of one network, as the message says.",
    code: noteCodes.valueNoted,
  },
  "plan-feature": {
    tags: [...tags, "custom rules", "plans"],
    level: "warning",
    description:
      "A zone uses what its plan does not have; an error where restrictions of the provider are enforced.",
    why: "The provider rejects it when it is applied.",
    help: "Write the rule without it, or give the zone a plan that the message names.",
    code: noteCodes.valueNoted,
  },
  "plan-limit": {
    tags: [...tags, "custom rules", "plans"],
    level: "warning",
    description:
      "A zone has more rules or rulesets than its plan; an error where restrictions of the provider are enforced.",
    why: "The provider rejects them when they are applied.",
    help: "Combine rules with `or`, or give the zone a plan that the message names.",
    code: noteCodes.valueNoted,
  },
  "unknown-member": {
    tags,
    level: "note",
    description:
      "A configuration, rule, selector or operation has a member that is not known and is ignored.",
    help: "Correct the name, or remove the member.",
    code: noteCodes.memberIgnored,
  },
} as const satisfies Rules;

/** The id of a remark. */
export type RemarkKind = keyof typeof remarkRules;

/** Remarks on what the provider accepts as well. */
const accepted: readonly RemarkKind[] = ["unknown-member", "pattern-escapes", "earlier-form", "list-limit"];

/** Whether the provider rejects what a remark is about. */
export function isRejected(kind: RemarkKind): boolean {
  return !accepted.includes(kind);
}

/** Creates a remark on the value at an RFC 6901 pointer. */
export function remark(kind: RemarkKind, pointer: string, message: string): Diagnostic<RemarkKind> {
  return diagnostic(remarkRules, kind, message, { code: remarkRules[kind].code, pointer });
}
