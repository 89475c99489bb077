/** The rules of `check`. */
import type { Rules } from "../../../core/diagnostic.ts";
import { tokenChecks } from "../../../engine/tokens/analysis/findings/checks.ts";
import { mistakeChecks } from "../../../engine/tokens/analysis/findings/mistakes/checks.ts";
import { customChecks } from "../../../engine/tokens/analysis/findings/rulesets/checks.ts";
import { importRules } from "../../../import/import-rules.ts";
import { keyChecks } from "../../../import/keys/compare-keys.ts";
import { keyRules } from "../../../import/keys/rejected-key.ts";
import { auditRules } from "../audit/audited-zone.ts";
import { acceptanceRules } from "../report/acceptance/accept.ts";
import { applicationRules } from "./applications.ts";
import { worldPartRules } from "./world-parts.ts";

/** The rules by area. */
export const checkRuleTables = {
  "Documented operations": auditRules,
  "Custom rules": customChecks,
  "Mistakes in expressions": mistakeChecks,
  "Token rules": tokenChecks,
  "Incomplete input": { undecided: importRules.undecided },
  "Files of one deployment": {
    "invalid-resource": importRules["invalid-resource"],
    conflict: importRules.conflict,
  },
  "Keys of an issuer": { ...keyRules, ...keyChecks },
  "Proxy applications": applicationRules,
  "Other parts of a world": worldPartRules,
  "Accepted findings": acceptanceRules,
} as const satisfies Readonly<Record<string, Rules>>;

/** Every rule by its id. */
export const checkRules: Rules = Object.assign({}, ...Object.values(checkRuleTables));
