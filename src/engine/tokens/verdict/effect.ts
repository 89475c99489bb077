/** The effect of custom rules on a request beside its action: a part of the decision, and what `diff` compares. */

import type { BlockResponse, CustomAction } from "../rulesets/model.ts";
import { type SkipKind, skipKinds } from "../rulesets/skip-targets.ts";
import type { PlainVerdict } from "./verdict.ts";

/** The effect of custom rules beside the action; a member without a value is absent, and lists are sorted. */
export interface CustomEffect {
  /** The kind of challenge. */
  readonly kind?: CustomAction | undefined;
  /** The response of a rule that blocks, when the rule states one. */
  readonly response?: BlockResponse | undefined;
  /** The parts of later phases that `skip` leaves out; absent when custom rules end the evaluation before these. */
  readonly skipped?: { readonly [K in SkipKind]?: readonly string[] | undefined } | undefined;
  /** The ids of the rules that are recorded: those with `log`, and those with `skip` whose `logging` is enabled. */
  readonly logged?: readonly string[] | undefined;
  /** The ids of the rules that may act or not: what they read is unknown, or not simulated as `rewrite` is. */
  readonly undecided?: readonly string[] | undefined;
}

/** The effect that a verdict shows; without any member in a zone without custom rules. */
export function customEffectOf({ custom }: Pick<PlainVerdict, "custom">): CustomEffect {
  if (custom === undefined) return {};
  const { action, kind, response, skipped, rules } = custom;
  const isEnded = action === "block" || action === "challenge";
  const { status_code, content, content_type } = response ?? {};
  const isStated = status_code !== undefined && content !== undefined && content_type !== undefined;
  const names = isEnded
    ? []
    : skipKinds.flatMap((target) =>
        skipped[target]?.length ? [[target, sorted(skipped[target])] as const] : [],
      );
  const logged = rules.filter((rule) => rule.result === "matched" && isRecorded(rule));
  const undecided = rules.filter(({ result }) => result === "undecided");
  return {
    ...(kind && { kind }),
    ...(isStated && { response: { status_code, content, content_type } }),
    ...(names.length > 0 && { skipped: Object.fromEntries(names) }),
    ...(logged.length > 0 && { logged: sorted(logged.map(({ rule }) => rule)) }),
    ...(undecided.length > 0 && { undecided: sorted(undecided.map(({ rule }) => rule)) }),
  };
}

/** Whether each match of a rule is recorded. */
export function isRecorded({ action, logging }: { action: CustomAction; logging?: boolean }): boolean {
  return action === "log" || (action === "skip" && logging === true);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** Whether two effects are the same; an absent one has no member. */
export function isSameEffect(left: CustomEffect = {}, right: CustomEffect = {}): boolean {
  return describe(left) === describe(right);
}

function describe({ kind, response, skipped = {}, logged = [], undecided = [] }: CustomEffect): string {
  const stated = response && [response.status_code, response.content_type, response.content];
  const names = skipKinds.map((target) => sorted(skipped[target] ?? []));
  return JSON.stringify([kind, stated, names, sorted(logged), sorted(undecided)]);
}

/** Whether the effects of two verdicts differ, whatever the results of undecided rules are. */
export function isOtherEffect(left: PlainVerdict, right: PlainVerdict): boolean {
  const isKnown = ({ custom }: PlainVerdict) =>
    custom?.rules.every(({ result, action }) => result !== "undecided" || action === "rewrite") ?? true;
  const [leftEffect, other] = [left, right].map((verdict) => ({ ...customEffectOf(verdict), undecided: [] }));
  return isKnown(left) && isKnown(right) && !isSameEffect(leftEffect, other);
}

/** The parts of an effect, in a few words each. */
export function printEffect({ kind, response, skipped = {}, logged, undecided }: CustomEffect): string[] {
  return [
    ...(kind === undefined ? [] : [kind]),
    ...(response === undefined
      ? []
      : [`status ${response.status_code} with ${response.content_type} ${JSON.stringify(response.content)}`]),
    ...skipKinds.flatMap((target) =>
      skipped[target]?.length ? [`skips ${target} ${skipped[target].join(", ")}`] : [],
    ),
    ...(logged?.length ? [`custom rules log: ${logged.join(", ")}`] : []),
    ...(undecided?.length ? [`undecided custom rules: ${undecided.join(", ")}`] : []),
  ];
}
