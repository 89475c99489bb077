/**
 * Reads what the edge did from a log record of Logpush: from the parallel arrays of security events, of either name
 * (`observed`: reference pages on security and firewall fields), or from the event that ended the request.
 */
import type { JsonObject } from "../../core/json-value.ts";
import type { CustomAnswer, EdgeAnswer } from "./recorded-request.ts";

/** The names of token validation and of custom rules in the sources of events (`observed`). */
const tokenValidation = "apiShieldTokenValidation";
const customRules = "firewallCustom";

/** The effect of each action of an event; `passed`: a client that passed a challenge goes on. */
const effects = {
  block: "block",
  drop: "block",
  connectionClose: "block",
  challenge: "challenge",
  challengeFailed: "challenge",
  jschallenge: "challenge",
  js_challenge: "challenge",
  jschallengeFailed: "challenge",
  managedChallenge: "challenge",
  managed_challenge: "challenge",
  redirect: "redirect",
  log: "log",
  simulate: "log",
  allow: "allow",
  bypass: "allow",
  skip: "allow",
  challengeSolved: "passed",
  challengeBypassed: "passed",
  jschallengeSolved: "passed",
  jschallengeBypassed: "passed",
  managedChallengeSkipped: "passed",
  managedChallengeNonInteractiveSolved: "passed",
  managedChallengeInteractiveSolved: "passed",
  managedChallengeBypassed: "passed",
} as const;

type Effect = (typeof effects)[keyof typeof effects];

function effectOf(action: unknown): Effect | undefined {
  return typeof action === "string" && Object.hasOwn(effects, action)
    ? effects[action as keyof typeof effects]
    : undefined;
}

/** The effects that end a request. */
const endings: ReadonlySet<Effect | undefined> = new Set(["block", "challenge", "redirect"]);

/** The events of a request, by position. */
interface Events {
  readonly sources: readonly unknown[];
  readonly actions: readonly unknown[];
  readonly rules: unknown;
  /** Whether token validation has events in these fields. */
  readonly haveTokens: boolean;
}

/** The events, of the current fields or of those that came before them. */
function eventsOf(record: JsonObject): Events | undefined {
  const { SecuritySources: sources, SecurityActions: actions } = record;
  if (Array.isArray(sources) && Array.isArray(actions))
    return { sources, actions, rules: record["SecurityRuleIDs"], haveTokens: true };
  const { FirewallMatchesSources: earlier, FirewallMatchesActions: taken } = record;
  if (Array.isArray(earlier) && Array.isArray(taken))
    return { sources: earlier, actions: taken, rules: record["FirewallMatchesRuleIDs"], haveTokens: false };
  return undefined;
}

/** The answer of the edge; undefined for a record that does not have it. */
export function readEdge(record: JsonObject): EdgeAnswer | undefined {
  const operationId = textOf(record["WebAssetsOperationID"]);
  const events = eventsOf(record);
  if (events === undefined) return readEnding(record, operationId);
  const { actions, rules, haveTokens } = events;
  const { at, ended } = findEvent(events);
  const action: unknown = at === -1 && !ended && haveTokens ? "allow" : actions[at];
  const custom = readCustom(events);
  return {
    action: isAction(action) ? action : undefined,
    ruleId: ruleOf(rules, at),
    operationId,
    endedByOther: at === -1 && ended,
    ...(custom && { custom }),
  };
}

/** The event that ended a request, of any product: its rule tells which. */
function readEnding(record: JsonObject, operationId: string | undefined): EdgeAnswer | undefined {
  const effect = effectOf(record["SecurityAction"]);
  const ruleId = textOf(record["SecurityRuleID"]);
  if ((effect !== "block" && effect !== "challenge") || ruleId === undefined) return undefined;
  return { operationId, endedByOther: true, endedBy: { action: effect, ruleId } };
}

/** Whether the client passed a challenge, so that custom rules do not issue one. */
export function passedChallenge(record: JsonObject): boolean {
  const { sources, actions } = eventsOf(record) ?? { sources: [], actions: [] };
  return sources.some((source, i) => source === customRules && effectOf(actions[i]) === "passed");
}

function isAction(action: unknown): action is "allow" | "log" | "block" {
  return action === "allow" || action === "log" || action === "block";
}

function ruleOf(rules: unknown, at: number): string | undefined {
  return at !== -1 && Array.isArray(rules) ? textOf(rules[at]) : undefined;
}

/**
 * The position of the first `block` of token validation, or else of its first event, or -1; and whether another product
 * ended the request. Most records have no event.
 */
function findEvent({ sources, actions }: Events): { at: number; ended: boolean } {
  let at = -1;
  let ended = false;
  for (let i = 0; i < sources.length; i++) {
    if (sources[i] !== tokenValidation) ended ||= endings.has(effectOf(actions[i]));
    else if (at === -1 || (actions[i] === "block" && actions[at] !== "block")) at = i;
  }
  return { at, ended };
}

/** The outcome of custom rules: the first event that ended the request, or else the first that logged it. */
function readCustom({ sources, actions, rules }: Events): CustomAnswer | undefined {
  const positions = sources.flatMap((source, i) => (source === customRules ? [i] : []));
  if (positions.length === 0) return undefined;
  const first = (wanted: readonly (Effect | undefined)[]) =>
    positions.find((i) => wanted.includes(effectOf(actions[i]))) ?? -1;
  const ending = first(["block", "challenge"]);
  const unknown = first([undefined, "redirect"]);
  const at = ending === -1 ? first(["log"]) : ending;
  const effect = effectOf(actions[at]);
  const known = effect === "block" || effect === "challenge" || effect === "log" ? effect : "allow";
  const ruleId = ruleOf(rules, at);
  return {
    ...((ending !== -1 || unknown === -1) && { action: known }),
    ...(ruleId !== undefined && { ruleId }),
  };
}

/** A string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
