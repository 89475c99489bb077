/** All findings about the custom rules of a zone. */

import { type Diagnostic, diagnostic } from "../../../../core/diagnostic.ts";
import { quote } from "../../../../errors.ts";
import type { CompiledCustom } from "../../expression/custom/compile.ts";
import type { ReadCustomRule, ReadRuleset } from "../../rulesets/input/read-rulesets.ts";
import type { ReadCustomRules, ReadZone } from "../../zone/zone-input.ts";
import type { AnalysisOptions } from "../budget.ts";
import { type AnalysisCheck, analysisChecks } from "../findings/checks.ts";
import {
  attempt,
  type CustomAnalysis,
  type CustomStep,
  ruleFinding,
  startCustomAnalysis,
} from "./analysis.ts";
import { failOpenFindings } from "./fail-open.ts";
import { constantFindings, reachFindings } from "./rule-findings.ts";
import { skipFindings } from "./skip-findings.ts";

/** The findings, rule by rule in the order of the input. */
export function customFindings(zone: ReadZone, options: AnalysisOptions): Diagnostic<AnalysisCheck>[] {
  const { custom } = zone;
  if (custom === undefined) return [];
  const analysis = startCustomAnalysis(zone, custom, options);
  const places = placesOf(analysis);
  return [
    ...rulesetsOf(custom).flatMap(({ ruleset, rules }) =>
      rules.flatMap((read) => [
        ...plainFindings({ ruleset, ...read }),
        ...decidedFindings(analysis, places.get(read.at) ?? []),
      ]),
    ),
    ...rulesetFindings(custom),
  ];
}

function rulesetsOf({ rulesets: { entries, executable } }: ReadCustomRules): ReadRuleset<CompiledCustom>[] {
  return [entries.account, entries.zone, ...executable.values()].flatMap((one) => one ?? []);
}

/** The steps of each rule, by its pointer. */
function placesOf({ program }: CustomAnalysis): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [i, { at }] of program.steps.entries()) {
    const known = places.get(at);
    if (known === undefined) places.set(at, [i]);
    else known.push(i);
  }
  return places;
}

type PlacedRule = ReadCustomRule<CompiledCustom> & Pick<CustomStep, "ruleset">;

/** Findings that need no analysis. */
function plainFindings(read: PlacedRule): Diagnostic<AnalysisCheck>[] {
  const { rule, expression } = read;
  const member = "expression";
  return [
    ...(rule.enabled === false
      ? [ruleFinding("disabled-custom-rule", read, "The rule is disabled, so it is never evaluated.")]
      : []),
    ...(rule.undecided === undefined
      ? []
      : [ruleFinding("undecided", read, `The rule is not evaluated: ${rule.undecided}.`)]),
    ...deprecatedFindings(read),
    ...(expression?.notes ?? []).map(({ kind, message, span, corrected }) =>
      ruleFinding(kind, read, message, {
        member,
        span,
        ...(corrected !== undefined && {
          fix: [{ op: "replace" as const, path: `${read.at}/expression`, value: corrected }],
        }),
      }),
    ),
  ];
}

function deprecatedFindings(read: PlacedRule): Diagnostic<AnalysisCheck>[] {
  const { rule } = read;
  const member = "exposed_credential_check";
  return [
    ...(rule.action === "rewrite"
      ? [
          ruleFinding("deprecated-rule", read, "The action `rewrite` is deprecated, and does nothing here.", {
            member: "action",
          }),
        ]
      : []),
    ...(rule.exposed_credential_check === undefined
      ? []
      : [
          ruleFinding(
            "deprecated-rule",
            read,
            "Checks of exposed credentials are deprecated and not simulated: where the expression is true, the result of the rule is unknown.",
            { member },
          ),
        ]),
  ];
}

/** Findings over all requests. */
function decidedFindings(
  analysis: CustomAnalysis,
  places: readonly number[],
): readonly Diagnostic<AnalysisCheck>[] {
  const [first] = places;
  const step = first === undefined ? undefined : (analysis.program.steps[first] as CustomStep);
  if (step === undefined || !step.enabled) return [];
  const { expression } = step;
  return attempt(analysis, step, () => {
    const constant = expression === undefined ? [] : constantFindings(analysis, step, expression);
    const failOpen = places.flatMap((at) => failOpenFindings(analysis, at));
    return [
      ...distinct(failOpen),
      ...constant,
      ...reachFindings(analysis, places),
      ...skipFindings(analysis, places),
    ];
  });
}

/** Findings at different places of a rule are the same when they are about the same part. */
function distinct(findings: readonly Diagnostic<AnalysisCheck>[]): Diagnostic<AnalysisCheck>[] {
  return [...new Map(findings.map((one) => [`${one.message} ${one.span?.start}`, one])).values()];
}

/** Rulesets whose rules are not evaluated. */
function rulesetFindings({ rulesets }: ReadCustomRules): Diagnostic<AnalysisCheck>[] {
  const { entries, executable, others } = rulesets;
  const executed = new Set(
    [entries.account, entries.zone].flatMap((entry) =>
      (entry?.rules ?? []).map(({ rule }) =>
        rule.action === "execute" ? rule.action_parameters?.id : undefined,
      ),
    ),
  );
  const unused = [...executable.values()].filter(({ ruleset }) => !executed.has(ruleset.id));
  return [
    ...unused.map(({ ruleset, at }) =>
      rulesetFinding(
        "unused-ruleset",
        ruleset,
        at,
        `No entry point executes the ruleset ${quote(ruleset.id)}.`,
      ),
    ),
    ...others.map(({ ruleset, at }) =>
      rulesetFinding(
        "other-phase",
        ruleset,
        `${at}/phase`,
        `The rules of the phase ${quote(ruleset.phase)} are not evaluated.`,
      ),
    ),
  ];
}

function rulesetFinding(
  check: AnalysisCheck,
  { id }: CustomStep["ruleset"],
  pointer: string,
  message: string,
): Diagnostic<AnalysisCheck> {
  return diagnostic(analysisChecks, check, message, { pointer, subject: { ruleset: id } });
}
