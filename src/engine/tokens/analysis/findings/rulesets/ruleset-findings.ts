/** All findings about the custom rules of a zone. */

import { type Diagnostic, diagnostic } from "../../../../../core/diagnostic.ts";
import { addTo } from "../../../../../core/groups.ts";
import { quote } from "../../../../../errors.ts";
import type { CompiledCustom } from "../../../expression/compile.ts";
import type { NotedPart } from "../../../expression/notes.ts";
import { customActions } from "../../../rulesets/actions.ts";
import { describePhase } from "../../../rulesets/input/other-rules.ts";
import type { ReadCustomRule, ReadRuleset } from "../../../rulesets/input/read-rulesets.ts";
import { planNeeds } from "../../../rulesets/plans/plan-needs.ts";
import { describeNeeded } from "../../../rulesets/plans/plan-remarks.ts";
import type { ReadCustomRules, ReadZone } from "../../../zone/zone-input.ts";
import type { AnalysisOptions } from "../../budget.ts";
import { type AnalysisCheck, analysisChecks } from "../checks.ts";
import { type FoundMistake, findMistakes } from "../mistakes/mistakes.ts";
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
        ...mistakeFindings({ ruleset, ...read }, custom),
      ]),
    ),
    ...rulesetFindings(custom),
    ...planFindings(zone, custom),
  ];
}

/** The plan that the rules need, where that of the zone is not known; its token configurations need the highest one. */
function planFindings(
  { configs }: ReadZone,
  { rulesets, program }: ReadCustomRules,
): Diagnostic<AnalysisCheck>[] {
  const isKnown = configs.length > 0 || program.zone["cf.zone.plan"] !== undefined;
  const needed = isKnown ? undefined : describeNeeded(planNeeds(rulesets));
  return needed === undefined
    ? []
    : [diagnostic(analysisChecks, "plan-needed", needed, { pointer: "/rulesets/0" })];
}

function rulesetsOf({ rulesets: { entries, executable } }: ReadCustomRules): ReadRuleset<CompiledCustom>[] {
  return [entries.account, entries.zone, ...executable.values()].flatMap((ruleset) => ruleset ?? []);
}

/** The steps of each rule, by its pointer. */
function placesOf({ program }: CustomAnalysis): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [i, { at }] of program.steps.entries()) addTo(places, at, i);
  return places;
}

type Noted = Pick<NotedPart, "kind" | "message" | "span" | "corrected">;

type PlacedRule = ReadCustomRule<CompiledCustom> & Pick<CustomStep, "ruleset">;

/** Findings that need no analysis. */
function plainFindings(read: PlacedRule): Diagnostic<AnalysisCheck>[] {
  const { rule, expression } = read;
  return [
    ...(rule.enabled === false
      ? [ruleFinding("disabled-custom-rule", read, "The rule is disabled, so it is never evaluated.")]
      : []),
    ...(rule.undecided === undefined
      ? []
      : [ruleFinding("unknown-rule", read, `The rule is not known: ${rule.undecided}.`)]),
    ...deprecatedFindings(read),
    ...(expression?.notes ?? []).map((noted) => notedFinding(read, noted)),
  ];
}

/** A remark on the expression of a rule. */
function notedFinding(read: PlacedRule, noted: Noted | FoundMistake): Diagnostic<AnalysisCheck> {
  const part = partOf(noted, `${read.at}/expression`);
  return ruleFinding(noted.kind, read, noted.message, { member: "expression", ...part });
}

function mistakeFindings(read: PlacedRule, { program }: ReadCustomRules): Diagnostic<AnalysisCheck>[] {
  const { rule, expression } = read;
  if (expression === undefined) return [];
  const { text, tree } = expression;
  const { ends } = customActions[rule.action];
  const ofRule = { text, tree, lists: program.lists, ...(ends !== undefined && { rejects: true }) };
  return findMistakes(ofRule).map((mistake) => notedFinding(read, mistake));
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
    const constant = expression === undefined ? [] : constantFindings(analysis, first as number, expression);
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
  return [
    ...new Map(findings.map((finding) => [`${finding.message} ${finding.span?.start}`, finding])).values(),
  ];
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
    ...others.flatMap(({ ruleset, at, expressions }) => [
      rulesetFinding("other-phase", ruleset, `${at}/phase`, describePhase(ruleset.phase, expressions)),
      ...(expressions ?? []).flatMap((expression) =>
        expression.notes.map((note) =>
          diagnostic(analysisChecks, note.kind, note.message, {
            pointer: expression.at,
            subject: { ruleset: ruleset.id },
            ...partOf(note, expression.at),
          }),
        ),
      ),
    ]),
  ];
}

/** The part of an expression that a remark is about, and its correction. */
function partOf({ span, corrected }: Noted | FoundMistake, path: string) {
  if (corrected === undefined) return { span };
  return { span, fix: [{ op: "replace" as const, path, value: corrected }] };
}

function rulesetFinding(
  check: AnalysisCheck,
  { id }: CustomStep["ruleset"],
  pointer: string,
  message: string,
): Diagnostic<AnalysisCheck> {
  return diagnostic(analysisChecks, check, message, { pointer, subject: { ruleset: id } });
}
