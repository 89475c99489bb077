/** Evaluates one recorded request, as far as the recording shows what the verdict depends on. */
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import type { RecordedRequest } from "../traffic/recorded-request.ts";
import { type AssumedToken, assumeToken } from "./assumed-token.ts";
import type { ComparedZone, ZoneSide } from "./replay-zone.ts";
import { fieldValue } from "./rule-fields.ts";
import type { RecordedTokenState } from "./tally.ts";
import { type UnknownReason, unknownFields } from "./unknown-fields.ts";

/** The verdicts on a request. */
export interface Answer {
  readonly now: Verdict;
  /** Absent when the replay does not compare. */
  readonly before: Verdict | undefined;
  /** Whether the token is an assumed one. */
  readonly assumed: boolean;
}

/** The known parts of a request. */
export interface Outcome {
  readonly state: RecordedTokenState;
  /** Absent when the verdict depends on something that the recording does not show. */
  readonly answer: Answer | undefined;
}

/** The outcome depends on whether other requests of the file have certain fields. */
export interface UnsureOutcome {
  /** Keys of the fields. */
  readonly fields: readonly string[];
  /** The outcome when other requests have all of them. */
  readonly ifSeen: Outcome;
  /** The outcome when no other request has one of them. */
  readonly ifStripped: Outcome;
}

/** The configuration against which requests are evaluated. */
export interface EvaluationContext {
  readonly zone: ComparedZone;
  /** Time of requests without one, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Keys of fields that other requests of the file have. */
  readonly seen: Set<string>;
  readonly assumed: AssumedToken | undefined;
}

/** Evaluates a request. @throws InvalidInputError when method or URL are not those of a request */
export function evaluateRequest(
  request: RecordedRequest,
  context: EvaluationContext,
): Outcome | UnsureOutcome {
  const { zone, seen } = context;
  const unknown = unknownFields(request, zone.fields, seen);
  const answer = evaluateSides(request, context);
  if (unknown === undefined) return { state: stateOf(request, zone), answer };
  const needed = neededFields(request, answer, zone, unknown);
  const certain = needed.size === 0 ? answer : certainAnswer(request, context, unknown);
  if (certain !== undefined) return { state: stateOf(request, zone), answer: certain };
  const reasons = new Set([...needed].map((key) => unknown.get(key)));
  if (reasons.has("redacted")) return withoutToken("redacted", request, context, unknown);
  const ifStripped = withoutToken("stripped", request, context, unknown);
  if (reasons.has("stripped")) return ifStripped;
  return { fields: [...needed].sort(), ifSeen: { state: stateOf(request, zone), answer }, ifStripped };
}

/** A token for {@link certainAnswer}; it never leaves it. */
const placeholder = "placeholder";

/**
 * Evaluates as if the unknown tokens were valid: `is_jwt_valid("a") and http.host eq "b"` is then false by its second
 * part alone, whatever the token is. Undefined when the verdicts still depend on an unknown field.
 */
function certainAnswer(
  request: RecordedRequest,
  context: EvaluationContext,
  unknown: ReadonlyMap<string, UnknownReason>,
): Answer | undefined {
  const { zone } = context;
  const zones = sidesOf(zone).map(({ read }) => read);
  const complete = assumeToken(request, zones, unknown, { token: placeholder });
  const answer = evaluateSides(complete.request, context, { accepted: placeholder });
  return neededFields(complete.request, answer, zone, unknown).size === 0 ? answer : undefined;
}

function sidesOf({ now, before }: ComparedZone): readonly ZoneSide[] {
  return before === undefined ? [now] : [now, before];
}

function evaluateSides(
  request: RecordedRequest,
  { zone: { now, before }, nowMs }: EvaluationContext,
  { accepted, assumed = false }: { readonly accepted?: string; readonly assumed?: boolean } = {},
): Answer {
  const time = request.nowMs ?? nowMs;
  return {
    now: now.evaluate(request, time, accepted),
    before: before?.evaluate(request, time, accepted),
    assumed,
  };
}

/** The unknown fields that the verdict of either side depends on. */
function neededFields(
  request: RecordedRequest,
  { now, before }: Answer,
  zone: ComparedZone,
  unknown: ReadonlyMap<string, UnknownReason>,
): Set<string> {
  const needed = zone.now.dependencies.of(now, request, unknown);
  if (before === undefined) return needed;
  const more = zone.before?.dependencies.of(before, request, unknown) ?? [];
  return new Set([...needed, ...more]);
}

/** A token counts as present in whichever source it is. */
function stateOf(request: RecordedRequest, { sources }: ComparedZone): RecordedTokenState {
  return sources.some((source) => fieldValue(request, source)) ? "present" : "absent";
}

/** Evaluates with an assumed token, if there is one and nothing else is unknown. */
function withoutToken(
  state: RecordedTokenState,
  request: RecordedRequest,
  context: EvaluationContext,
  unknown: ReadonlyMap<string, UnknownReason>,
): Outcome {
  const { zone, assumed } = context;
  if (assumed === undefined) return { state, answer: undefined };
  const zones = sidesOf(zone).map(({ read }) => read);
  const complete = assumeToken(request, zones, unknown, assumed);
  const answer = evaluateSides(complete.request, context, { assumed: true });
  const needed = neededFields(complete.request, answer, zone, complete.unknown);
  return { state, answer: needed.size === 0 ? answer : undefined };
}
