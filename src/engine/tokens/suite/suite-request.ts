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
  const used = new Map(others.map(({ name }) => [name, 1]));
  return list.map((request) => {
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

/** A title that no other part has is the name, since ids change when the service gives new ones; else the id is part of it. */
function nameOfPart(id: string, parts: readonly { readonly id: string; readonly title?: string }[]): string {
  const title = parts.find((part) => part.id === id)?.title;
  if (title === undefined || title === "") return id;
  return parts.filter((part) => part.title === title).length === 1 ? title : `${title} (${id})`;
}

/** The token rules and the custom rules, which have descriptions for titles. */
function rulesOf({ rules, custom }: ReadZone): readonly { readonly id: string; readonly title?: string }[] {
  const { entries, executable } = custom?.rulesets ?? { entries: {}, executable: new Map() };
  const lists = [entries.account, entries.zone, ...executable.values()];
  const own = lists
    .flatMap((ruleset) => ruleset?.rules ?? [])
    .map(({ rule: { id, description: title } }) => ({
      id,
      ...(title !== undefined && { title }),
    }));
  return [...rules.map(({ rule }) => rule), ...own];
}

/** A name that starts with the parts in which requests of a suite differ: the tokens, then the method and the address. */
function nameOf(
  zone: ReadZone,
  request: PlainRequest,
  tokens: readonly SuiteToken[],
  { action, rule, logged }: Decision,
): string {
  const rules = rulesOf(zone);
  const nameOfRule = (id: string) => nameOfPart(id, rules);
  const others = logged.filter((id) => id !== rule).map(nameOfRule);
  return [
    ...tokens.map((token) => `${nameOfToken(zone, token)}, `),
    describeRequest(request, tokens),
    `: ${action}`,
    rule === undefined ? "" : ` by ${nameOfRule(rule)}`,
    others.length > 0 ? `, logged by ${others.join(", ")}` : "",
  ].join("");
}

function nameOfToken({ configs }: ReadZone, { config, state }: SuiteToken): string {
  const owner = configs.length > 1 ? ` of ${nameOfPart(config, configs)}` : "";
  return `${describeState(state)} token${owner}`;
}

/** The members of a request that only custom rules read. */
export const givenMembers = ["ip", "httpVersion", "body", "challengePassed", "fields"] as const;

/** Method, address, and the names of what else the request has beside its tokens. */
function describeRequest(request: PlainRequest, tokens: readonly SuiteToken[]): string {
  const { method, url, headers } = request;
  const address = url.length > maxAddress ? `${url.slice(0, maxAddress)}...` : url;
  const isToken = (value: string) => tokens.some(({ placeholder }) => value.includes(placeholder));
  const others = headers.filter(([, value]) => !isToken(value)).map(([name]) => name);
  const given = [
    ...new Set(others),
    ...givenMembers.filter((member) => member !== "ip" && request[member] !== undefined),
  ];
  const from = request.ip === undefined ? "" : ` from ${request.ip}`;
  return `${method} ${address}${from}${given.length > 0 ? ` with ${given.join(", ")}` : ""}`;
}
