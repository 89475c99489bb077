/** The requests of a suite as users get them: a name, the request with placeholders, its tokens, and the decision. */

import { acceptsKey } from "../analysis/bound-expression.ts";
import type { PlainRequest } from "../analysis/requests/concretize.ts";
import type { Decision } from "../verdict/decision.ts";
import type { ReadZone } from "../zone/zone-input.ts";
import { type Candidate, outcomeOf } from "./candidate.ts";
import { describeState } from "./requirements/requirements.ts";
import type { SuiteModel } from "./suite-model.ts";
import type { GeneratedToken, SuiteToken } from "./suite-token.ts";

/** A request of a suite. */
export interface SuiteRequest {
  /** Unique in its suite: the request, its tokens, and the decision. */
  readonly name: string;
  /** The request, with placeholders for tokens in its headers. */
  readonly request: PlainRequest;
  /** The tokens that take the place of the placeholders. */
  readonly tokens: readonly SuiteToken[];
  /** The decision of the zone. */
  readonly expected: Decision;
}

/** Requests without candidates' state; names are unique, also among those of other requests. */
export function suiteRequests(
  model: SuiteModel,
  candidates: readonly Candidate[],
  others: readonly SuiteRequest[] = [],
): SuiteRequest[] {
  const used = new Map(others.map(({ name }) => [name, 1]));
  return candidates.map((candidate) => {
    const request = suiteRequest(model, candidate);
    const count = (used.get(request.name) ?? 0) + 1;
    used.set(request.name, count);
    return count === 1 ? request : { ...request, name: `${request.name} (${count})` };
  });
}

/** The request of a candidate. */
export function suiteRequest(model: SuiteModel, candidate: Candidate): SuiteRequest {
  const tokens = candidate.tokens.map((token) => suiteToken(model, token));
  const expected = decisionOfCandidate(model, candidate);
  const request = candidate.request as PlainRequest;
  return suiteRequestOf(model.zone, request, tokens, expected);
}

/** A request with its tokens and its decision. */
export function suiteRequestOf(
  zone: ReadZone,
  request: PlainRequest,
  tokens: readonly SuiteToken[],
  expected: Decision,
): SuiteRequest {
  return { name: nameOf(zone, request, tokens, expected), request, tokens, expected };
}

function suiteToken({ zone, configs }: SuiteModel, { placeholder, key, state }: GeneratedToken): SuiteToken {
  const owner = zone.configs.find(({ id }) => {
    const config = configs.get(id);
    return config !== undefined && acceptsKey(config, key);
  });
  return { placeholder, config: owner?.id ?? "", kid: key.kid, alg: key.alg, state };
}

function decisionOfCandidate(model: SuiteModel, candidate: Candidate): Decision {
  const rules = candidate.zoneClass?.rules ?? [];
  const decision = model.evaluator.decide(rules, candidate);
  const { action, decider } = outcomeOf(decision);
  const logged = decision.fired.filter(({ rule }) => rule.action === "log").map(({ rule }) => rule.id);
  const isTarget = candidate.zoneClass !== undefined || model.zone.operations === undefined;
  const unevaluated = isTarget ? "no_rule" : "not_an_operation";
  return {
    action,
    ...(decision.evaluated.length === 0 && { outcome: unevaluated }),
    ...(decider && { rule: decider.rule.id }),
    logged,
  };
}

/** Maximum length of an address in a name, in code units. */
const maxAddress = 80;

/** The title with the id beside it; the id alone without one. */
function titledId(id: string, title: string | undefined): string {
  return title === undefined || title === "" ? id : `${title} (${id})`;
}

function nameOf(
  zone: ReadZone,
  { method, url }: PlainRequest,
  tokens: readonly SuiteToken[],
  { action, rule, logged }: Decision,
): string {
  const nameOfRule = (id: string) => titledId(id, zone.rules.find((one) => one.rule.id === id)?.rule.title);
  const address = url.length > maxAddress ? `${url.slice(0, maxAddress)}...` : url;
  const nameOfConfig = (id: string) => titledId(id, zone.configs.find((one) => one.id === id)?.title);
  const states = tokens.map(
    ({ config, state }) => `${describeState(state)} token of ${nameOfConfig(config)}`,
  );
  const others = logged.filter((id) => id !== rule).map(nameOfRule);
  return [
    `${method} ${address}`,
    states.length > 0 ? ` with ${states.join(" and ")}` : "",
    `: ${action}`,
    rule === undefined ? "" : ` by ${nameOfRule(rule)}`,
    others.length > 0 ? `, logged by ${others.join(", ")}` : "",
  ].join("");
}
