/** Every rule that a diagnostic can have, for `explain` and the page of rules. */
import type { Rule, Rules } from "../../../core/diagnostic.ts";
import { renderRules } from "../../render/check-report.ts";
import { outcomeRules } from "../report/exit-code.ts";
import { mutationRules } from "../suite/mutation.ts";
import { checkRuleTables } from "./check-rules.ts";
import { diffRules } from "./diff.ts";
import { evalRules } from "./eval.ts";
import { replayRules } from "./replay-report.ts";

/** The rules by area. */
export const ruleTables: Readonly<Record<string, Rules>> = {
  ...checkRuleTables,
  "Differences of worlds": diffRules,
  Requests: evalRules,
  "Recorded traffic": replayRules,
  "Changes of rules": mutationRules,
  "Rendered pictures": renderRules,
  "Every command": outcomeRules,
};

/** Every rule by its id. */
export const allRules: Rules = Object.assign({}, ...Object.values(ruleTables));

/** The rule in lines; undefined for an unknown id. */
export function explainRule(id: string): string | undefined {
  if (!Object.hasOwn(allRules, id)) return undefined;
  const { level, code, description, why, help, docs, source } = allRules[id] as Rule;
  const name = [level, code, id].filter((part) => part !== undefined).join(" ");
  const origin = source === undefined ? undefined : `source: ${source}`;
  const page = docs === undefined ? undefined : `docs: docs/${docs}`;
  const lines = [`${name}: ${description}`, why, `fix: ${help}`, origin, page];
  return lines.flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join("");
}
