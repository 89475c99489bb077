/** The requests of a suite as users get them: a name, the request with placeholders, its tokens, and the decision. */

import { acceptsKey } from "../analysis/bound-expression.ts";
import type { PlainRequest } from "../analysis/requests/concretize.ts";
import type { Decision } from "../verdict/decision.ts";
import type { ReadZone } from "../zone/zone-input.ts";
import { type Candidate, outcomeOf } from "./candidate.ts";
import { nameOfRequest } from "./request-name.ts";
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
  return withUniqueNames(
    candidates.map((candidate) => suiteRequest(model, candidate)),
    others,
  );
}

/** Adds numbers to names that others have already. */
export function withUniqueNames(
  list: readonly SuiteRequest[],
  others: readonly SuiteRequest[] = [],
): SuiteRequest[] {
  const used = new Set(others.map(({ name }) => name));
  const counts = new Map<string, number>();
  return list.map((request) => {
    let { name } = request;
    // A title may end like a name with a number.
    for (let count = counts.get(request.name) ?? 1; used.has(name); name = `${request.name} (${count})`)
      counts.set(request.name, ++count);
    used.add(name);
    return name === request.name ? request : { ...request, name };
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
  return { name: nameOfRequest(zone, request, tokens, expected), request, tokens, expected };
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
