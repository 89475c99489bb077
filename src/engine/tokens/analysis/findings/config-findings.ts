/** Findings about a zone's token configurations. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { pointer, quote } from "../../../../errors.ts";
import type { CompiledCustom } from "../../expression/compile.ts";
import { references } from "../../expression/references.ts";
import type { ReadCustomRules, ReadZone } from "../../zone/zone-input.ts";
import { locationKey } from "../requests/location.ts";
import { type AnalysisCheck, finding } from "./checks.ts";

/** Unused configurations, and token sources that are duplicates or have upper-case letters. */
export function configFindings({ configs, rules, custom }: ReadZone): Diagnostic<AnalysisCheck>[] {
  const inCustomRules = custom === undefined ? [] : enabledExpressions(custom);
  const referenced = new Set([
    ...rules
      .filter(({ rule }) => rule.enabled)
      .flatMap(({ expression }) => references(expression).map(({ id }) => id)),
    ...inCustomRules.flatMap((expression) => expression.configs),
    ...(inCustomRules.some(({ allConfigs }) => allConfigs) ? configs.map(({ id }) => id) : []),
  ]);
  return configs.flatMap((config, i) => [
    ...(referenced.has(config.id) ? [] : [unused(config.id, i)]),
    ...config.sources.flatMap((source, j) => {
      const at = { pointer: pointer("configs", i, "token_sources", j) };
      const first = config.sources.findIndex((other) => locationKey(other) === locationKey(source));
      const isUpper = source.name === "http.request.headers" && source.key !== source.key.toLowerCase();
      return [
        ...(first < j
          ? [finding("duplicate-source", at, `The token source ${quote(source.text)} is listed twice.`)]
          : []),
        ...(isUpper
          ? [finding("header-case", at, `The header name ${quote(source.key)} has upper-case letters.`)]
          : []),
      ];
    }),
  ]);
}

function enabledExpressions({
  rulesets: { entries, executable },
}: ReadCustomRules): readonly CompiledCustom[] {
  const all = [entries.account, entries.zone, ...executable.values()];
  return all.flatMap((ruleset) =>
    (ruleset?.rules ?? []).flatMap(({ rule, expression }) =>
      rule.enabled === false ? [] : (expression ?? []),
    ),
  );
}

function unused(id: string, index: number): Diagnostic<AnalysisCheck> {
  const message = `No enabled rule references the configuration ${quote(id)}.`;
  return finding("unused-config", { pointer: pointer("configs", index) }, message);
}
