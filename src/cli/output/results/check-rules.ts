/** The rules of `check`. */
import type { Rules } from "../../../core/diagnostic.ts";
import { customChecks } from "../../../engine/tokens/analysis/custom-checks/checks.ts";
import { tokenChecks } from "../../../engine/tokens/analysis/findings/checks.ts";
import { importRules } from "../../../import/import-rules.ts";
import { keyChecks } from "../../../import/keys/compare-keys.ts";
import { keyRules } from "../../../import/keys/rejected-key.ts";
import { auditRules } from "../audit/audited-zone.ts";
import { acceptanceRules } from "../report/acceptance/accept.ts";
import { applicationRules } from "./applications.ts";
import { worldPartRules } from "./world-parts.ts";

/** The rules by area. The id `undecided` is shared: a later table has precedence. */
export const checkRuleTables = {
  "Documented operations": auditRules,
  "Custom rules": customChecks,
  "Token rules": { ...tokenChecks, undecided: importRules.undecided },
  "Keys of an issuer": { ...keyRules, ...keyChecks },
  "Proxy applications": applicationRules,
  "Other parts of a world": worldPartRules,
  "Accepted findings": acceptanceRules,
} as const satisfies Readonly<Record<string, Rules>>;

/** Every rule by its id. */
export const checkRules: Rules = Object.assign({}, ...Object.values(checkRuleTables));
