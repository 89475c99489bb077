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
      "The pattern of a `matches` has another meaning than in version 0.1, which removed backslashes.",
    help: 'Check the pattern; to keep the earlier meaning, write it as a raw string, such as r"\\.".',
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

/** Creates a remark on the value at an RFC 6901 pointer. */
export function remark(kind: RemarkKind, pointer: string, message: string): Diagnostic<RemarkKind> {
  return diagnostic(remarkRules, kind, message, { code: remarkRules[kind].code, pointer });
}
