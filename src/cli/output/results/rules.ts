/** Every rule that a diagnostic can have, for `explain` and the page of rules. */
import type { Rule, Rules } from "../../../core/diagnostic.ts";
import { syntaxRules } from "../../../core/json-source.ts";
import { catalogue } from "../../../errors.ts";
import { importRules } from "../../../import/import-rules.ts";
import { renderRules } from "../../render/check-report.ts";
import { outcomeRules } from "../report/exit-code.ts";
import { mutationRules } from "../suite/mutation.ts";
import { checkRuleTables } from "./check-rules.ts";
import { errorRules, noteRules } from "./code-rules.ts";
import { diffRules } from "./diff.ts";
import { evalRules } from "./eval.ts";
import { replayRules } from "./replay-report.ts";

const { "invalid-resource": _, conflict: __, ...otherImportRules } = importRules;

/** The rules by area. */
export const ruleTables: Readonly<Record<string, Rules>> = {
  ...checkRuleTables,
  "Differences of worlds": diffRules,
  Requests: evalRules,
  "Recorded traffic": replayRules,
  "Changes of rules": mutationRules,
  "Rendered pictures": renderRules,
  "Imported files": otherImportRules,
  "Every file": syntaxRules,
  "Every command": outcomeRules,
  "Rejected requests": errorRules,
  "Messages of responses": noteRules,
};

const codes: ReadonlyMap<number, { readonly name: string; readonly status: number }> = new Map(
  Object.entries(catalogue).map(([code, { name, status }]) => [Number(code), { name, status }]),
);

/** A rule with its id, its area, and what the catalogue says about its code. */
export interface NamedRule extends Rule {
  readonly id: string;
  readonly area: string;
  /** Name of the code. */
  readonly name?: string;
  /** HTTP status of the code. */
  readonly status?: number;
}

/** The rules of all areas. Areas share an id where the same situation is found by another question. */
export const allRules: readonly NamedRule[] = Object.entries(ruleTables).flatMap(([area, rules]) =>
  Object.entries(rules).map(([id, rule]) => ({ id, area, ...rule, ...codes.get(rule.code ?? 0) })),
);

/** The rule in lines. */
export function explainRule(rule: NamedRule): string {
  const { id, area, level, code, name, status, description, why, help, docs, source } = rule;
  const title = [level, code, id].filter((part) => part !== undefined).join(" ");
  const lines = [
    `${title}: ${description}`,
    why,
    `fix: ${help}`,
    `area: ${area}`,
    name && `code: ${code} ${name}, status ${status}`,
    source && `source: ${source}`,
    docs && `docs: docs/${docs}`,
  ];
  return lines.flatMap((line) => (line ? [`${line}\n`] : [])).join("");
}
