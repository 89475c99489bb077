/** One request that two zones treat differently. */

import { decidingRuleId } from "../verdict/decider.ts";
import { decisionOf, isSameByRules } from "../verdict/decision.ts";
import { type CustomEffect, customEffectOf, isOtherEffect } from "../verdict/effect.ts";
import type { Verdict, VerdictAction } from "../verdict/verdict.ts";
import type { ReadRule, ReadZone } from "../zone/zone-input.ts";
import type { BoundConfigs } from "./bound-expression.ts";
import type { Observation } from "./observation.ts";
import { mapPair, type Pair } from "./pair.ts";
import { type PlainRequest, type TokenState, tokenStateOf } from "./requests/concretize.ts";
import type { DecisionDiagram } from "./requests/decision-diagram.ts";
import type { PlaceholderToken } from "./requests/placeholder-token.ts";
import type { PlaceholderEvaluator } from "./requests/reference-engine.ts";
import { findRequest } from "./requests/search.ts";
import type { RequestVariables } from "./requests/variables.ts";
import { describeFreeParts } from "./rulesets/free-parts.ts";
import type { CustomPart } from "./rulesets/ruleset-part.ts";

/** The treatment of a request by one zone. */
export interface SideOfDifference {
  /** The action of the verdict. */
  readonly action: VerdictAction;
  /** The id of the rule that decided, a token rule or a custom rule; absent when none did. */
  readonly rule?: string;
  /** The ids of the `log` rules that fired, in order; only when decisions are compared. */
  readonly logged?: readonly string[];
  /** The effect of custom rules beside the action; absent when actions are compared, or the zone has no custom rules. */
  readonly custom?: CustomEffect;
  /** The id of the operation that the request matches; absent when it matches none. */
  readonly operationId?: string;
  /** The state of the token of each configuration that is referenced for this operation, by configuration id. */
  readonly tokens: Readonly<Record<string, TokenState>>;
}

/** A request for which two zones take different actions, confirmed by the real engine. */
export interface ZoneDifference {
  /** The request, with placeholders for valid tokens in its headers, and with what custom rules read. */
  readonly request: PlainRequest;
  /** The placeholders in the request; `fillPlaceholderTokens` replaces them by valid tokens. */
  readonly placeholderTokens: readonly PlaceholderToken[];
  /** The time of the evaluation, in milliseconds since 1970, when claims or custom rules compare times. */
  readonly timeMs?: number;
  /** The treatment by the first zone. */
  readonly left: SideOfDifference;
  /** The treatment by the second zone. */
  readonly right: SideOfDifference;
}

/** A zone with what a comparison needs. */
export interface ComparedZone {
  readonly read: ReadZone;
  readonly configs: BoundConfigs;
  /** An identifier of each rule's action and condition; equal identifiers mean equal effects. */
  readonly effects: ReadonlyMap<ReadRule, string>;
  readonly evaluate: PlaceholderEvaluator;
}

/** The zones in which a difference is searched. */
export interface SearchedZones {
  readonly zones: Pair<ComparedZone>;
  /** Undefined when no zone has custom rules. */
  readonly custom: CustomPart | undefined;
  readonly observation: Observation;
}

/** Whether both verdicts are decided, and differ. */
function isDifferent([left, right]: Pair<Verdict>, observation: Observation): boolean {
  if (left.action === "undecided" || right.action === "undecided") return false;
  if (left.action !== right.action) return true;
  if (observation === "decision" && !isSameByRules(decisionOf(left), decisionOf(right))) return true;
  return observation !== "action" && isOtherEffect(left, right);
}

/** A request that shows a difference, the reason why that is not known, or undefined when there is none. */
export function findDifference(
  variables: RequestVariables,
  differs: DecisionDiagram,
  { zones, custom, observation }: SearchedZones,
): ZoneDifference | string | undefined {
  const search = findRequest(variables, differs, (concrete) => {
    const verdicts = mapPair(zones, ({ evaluate }) => evaluate(concrete));
    return isDifferent(verdicts, observation) ? verdicts : undefined;
  });
  if (search.kind === "none") return undefined;
  if (search.kind === "undecided")
    return search.reason + describeFreeParts(custom?.freeParts(variables, differs) ?? []);
  const { concrete, confirmation } = search;
  const [left, right] = mapPair(confirmation, (verdict, i): SideOfDifference => {
    const { action, operation } = verdict;
    const rule = decidingRuleId(verdict);
    const referenced = variables.configs.filter((config) => zones[i].configs.get(config.id) === config);
    return {
      action,
      ...(rule !== undefined && { rule }),
      ...(observation === "decision" && { logged: decisionOf(verdict).logged }),
      ...(observation !== "action" && verdict.custom && { custom: customEffectOf(verdict) }),
      ...(operation && { operationId: operation.operation_id }),
      tokens: Object.fromEntries(referenced.map((config) => [config.id, tokenStateOf(config, concrete)])),
    };
  });
  const { request, placeholderTokens, timeMs } = concrete;
  return { request, placeholderTokens, ...(timeMs !== undefined && { timeMs }), left, right };
}
