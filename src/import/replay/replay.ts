/** Replays recorded requests against a configuration, and compares its verdicts with those of another one and of the edge. */

import {
  aNumber,
  anyObject,
  anyValue,
  arrayOf,
  aString,
  objectWith,
  optional,
  optionsOf,
  requireArgument,
} from "../../core/arguments.ts";
import { decidingExpression, decidingRuleId } from "../../engine/tokens/verdict/decider.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { readTarget } from "../../engine/tokens/zone/target.ts";
import { InvalidInputError } from "../../errors.ts";
import type { RecordedRequest, RejectedRecord, TrafficSink } from "../traffic/recorded-request.ts";
import type { Undecided } from "../undecided.ts";
import { couldChange } from "../world/could-change.ts";
import type { AssumedToken } from "./assumed-token.ts";
import type { DifferenceSide } from "./difference-table.ts";
import { answerOf } from "./edge-answer.ts";
import { type Answer, evaluateRequest, type Outcome, type UnsureOutcome } from "./evaluate-request.ts";
import type { ExpectedChange } from "./expected-changes.ts";
import { exampleOf } from "./printable.ts";
import { createReport, type FileCounts, type ReplayCounts } from "./replay-report.ts";
import {
  type ComparedZone,
  compileZones,
  createZoneFinder,
  type ReplaySettings,
  type ReplayZone,
  type ZoneSide,
} from "./replay-zone.ts";
import { addTally, createTally, type Tally } from "./tally.ts";

/** Options of {@link createReplay}. */
export interface ReplayOptions {
  /** The zones of the configuration. */
  readonly zones: readonly ReplayZone[];
  /** Id of the zone of every request. Default: the zone whose domain the host of a request is or ends in. */
  readonly zone?: string | undefined;
  /** The zones of the configuration to compare with. Default: none. */
  readonly against?: readonly ReplayZone[];
  /** The settings that change verdicts, such as `profiles.provider`. Default: those of the profile `spec`. */
  readonly settings?: ReplaySettings;
  /** Time of requests whose recording has none, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Evaluates requests with a redacted or stripped token as if they had this one. Default: they are not evaluated. */
  readonly assumed?: AssumedToken;
  /** Undecided parts of the configurations; requests whose verdict it could change are counted. Default: nothing. */
  readonly undecided?: readonly Undecided[];
  /** Changes that are expected. Default: none. */
  readonly expected?: readonly ExpectedChange[];
}

/** A file of a replay: pass it its requests, then call `end`. */
export interface ReplayFile extends TrafficSink {
  /** Settles the requests that depend on the whole file. */
  end(): void;
}

/** A replay in progress. */
export interface Replay {
  /** Starts a file; its name is used in the report. Files may follow each other, not overlap. */
  startFile(name: string): ReplayFile;
  /** The report on all files so far. */
  report(): ReplayCounts;
}

/** Maximum number of rejected records that are listed for a file (`chosen`). */
const maxListed = 20;

/** Maximum number of different reasons and remarks that are counted for a file. */
const maxReasons = 50;

/** Maximum number of combinations of fields that requests of one file wait for. */
const maxPending = 64;

/** Requests that are settled at the end of the file. */
interface Pending {
  readonly fields: readonly string[];
  readonly ifSeen: Tally;
  readonly ifStripped: Tally;
}

interface FileState {
  readonly name: string;
  readonly rejected: { count: number; readonly listed: RejectedRecord[] };
  readonly skipped: Map<string, number>;
  readonly remarks: Map<string, number>;
  readonly seen: Set<string>;
  readonly pending: Map<string, Pending>;
  requests: number;
  /** Requests of no zone, by host. */
  readonly outside: Map<string, number>;
  /** Requests without a time. */
  untimed: number;
}

interface ReplayState {
  readonly options: ReplayOptions;
  readonly tally: Tally;
  readonly files: FileState[];
  readonly findZone: (request: RecordedRequest) => ComparedZone | undefined;
}

const zonesKind = arrayOf(objectWith({ id: aString, name: optional(aString), input: anyObject }));
const replaySettings = optionsOf<ReplaySettings>("settings", {
  precedence: anyValue,
  clockToleranceSeconds: anyValue,
  headerCase: anyValue,
});
const replayOptions = optionsOf<ReplayOptions>("createReplay", {
  zones: zonesKind,
  zone: optional(aString),
  against: optional(zonesKind),
  settings: optional(replaySettings),
  nowMs: aNumber,
  assumed: anyValue,
  undecided: optional(arrayOf(anyObject)),
  expected: optional(arrayOf(anyObject)),
});

/**
 * Starts a replay.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method eq "GET"';
 * const rules = [{ id: "read-only", action: "block", enabled: true, expression, selector } as const];
 * const replay = createReplay({ zones: [{ id: "z1", input: { configs: [], rules } }], nowMs: Date.now() });
 * const file = replay.startFile("requests.txt");
 * for (const request of requestsFrom("curl -X POST https://api.example.com/orders").requests) file.request(request);
 * file.end();
 * replay.report().verdicts.block; // => 1
 * ```
 * @throws InvalidInputError when a zone cannot be compiled
 */
export function createReplay(options: ReplayOptions): Replay {
  requireArgument("options", options, replayOptions);
  const zones = compileZones(options.zones, options.against, options.settings);
  const findZone = createZoneFinder(zones, options.zone);
  const state: ReplayState = { options, tally: createTally(), files: [], findZone };
  return {
    startFile: (name) => {
      requireArgument("name", name, aString);
      return startFile(state, name);
    },
    report: () =>
      createReport(state.files.map(reportFile), state.tally, {
        compares: options.against !== undefined,
        expected: options.expected ?? [],
        undecided: options.undecided ?? [],
      }),
  };
}

function startFile(state: ReplayState, name: string): ReplayFile {
  const file: FileState = {
    name,
    rejected: { count: 0, listed: [] },
    skipped: new Map(),
    remarks: new Map(),
    seen: new Set(),
    pending: new Map(),
    outside: new Map(),
    requests: 0,
    untimed: 0,
  };
  state.files.push(file);
  return {
    request: (request) => replayRequest(state, file, request),
    rejected: (record) => reject(file, record),
    skipped: (reason) => countReason(file.skipped, reason),
    noted: (remark) => countReason(file.remarks, remark),
    end: () => settle(state, file),
  };
}

function reject({ rejected }: FileState, record: RejectedRecord): void {
  rejected.count++;
  if (rejected.listed.length < maxListed) rejected.listed.push(record);
}

function countReason(counts: Map<string, number>, reason: string, others = "another reason"): void {
  const name = counts.has(reason) || counts.size < maxReasons ? reason : others;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function replayRequest(state: ReplayState, file: FileState, request: RecordedRequest): void {
  const { nowMs, assumed, undecided = [] } = state.options;
  try {
    const zone = state.findZone(request);
    const outcome = zone && evaluateRequest(request, { zone, nowMs, seen: file.seen, assumed });
    const host = zone === undefined ? readTarget(request.url)?.host : undefined;
    if (zone === undefined && host === undefined) {
      rejectUrl(file, request);
      return;
    }
    file.requests++;
    if (request.nowMs === undefined) file.untimed++;
    if (host !== undefined) countReason(file.outside, host, "other hosts");
    if (zone && outcome) countOutcome(state, file, { request, zone, file: file.name, undecided }, outcome);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const isMethod = error.problems[0]?.pointer === "/method";
    if (isMethod) rejectRequest(file, request, "the method is not a method name");
    else rejectUrl(file, request);
  }
}

function rejectUrl(file: FileState, request: RecordedRequest): void {
  rejectRequest(file, request, "the URL is not an absolute http or https URL");
}

function rejectRequest(file: FileState, { position, line }: RecordedRequest, reason: string): void {
  reject(file, { position, line, reason });
}

/** A request with what its differences are described with. */
interface Subject {
  readonly request: RecordedRequest;
  readonly zone: ComparedZone;
  readonly file: string;
  readonly undecided: readonly Undecided[];
}

function countOutcome(
  state: ReplayState,
  file: FileState,
  subject: Subject,
  outcome: Outcome | UnsureOutcome,
): void {
  const pending = "state" in outcome ? undefined : pendingOf(file, outcome.fields);
  if ("state" in outcome) count(state.tally, subject, outcome);
  else if (pending === undefined) count(state.tally, subject, outcome.ifStripped);
  else {
    count(pending.ifSeen, subject, outcome.ifSeen);
    count(pending.ifStripped, subject, outcome.ifStripped);
  }
}

/** The tallies of requests that wait for the same fields; undefined when there are too many. */
function pendingOf({ pending }: FileState, fields: readonly string[]): Pending | undefined {
  const key = fields.join("\n");
  const known = pending.get(key);
  if (known !== undefined || pending.size >= maxPending) return known;
  const created = { fields, ifSeen: createTally(), ifStripped: createTally() };
  pending.set(key, created);
  return created;
}

/** A field that no request of the file has was left out by the recorder. */
function settle({ tally }: ReplayState, { pending, seen }: FileState): void {
  for (const { fields, ifSeen, ifStripped } of pending.values()) {
    addTally(tally, fields.every((field) => seen.has(field)) ? ifSeen : ifStripped);
  }
  pending.clear();
}

function count(tally: Tally, subject: Subject, { state, answer }: Outcome): void {
  tally.tokens[state]++;
  if (answer === undefined) {
    tally.numbers.notEvaluated++;
    return;
  }
  tally.numbers.evaluated++;
  tally.verdicts[answer.now.action]++;
  if (isUndecided(subject, answer.now)) tally.numbers.couldChange++;
  if (countNeeds(tally, answer)) return;
  countChange(tally, subject, answer);
  if (answer.assumed) tally.numbers.assumed++;
  else countEdge(tally, subject, answer.before ?? answer.now, answer.before === undefined ? "now" : "before");
}

/** Whether a verdict is undecided, so that there is nothing to compare; counts what it needs. */
function countNeeds({ needs }: Tally, { now, before }: Answer): boolean {
  const open = [now, before].filter((verdict) => verdict?.action === "undecided");
  const names = new Set(open.flatMap((verdict) => verdict?.custom?.needs ?? []));
  for (const name of names) needs[name] = (needs[name] ?? 0) + 1;
  return open.length > 0;
}

function isUndecided({ request, zone, undecided }: Subject, { operation }: Verdict): boolean {
  if (undecided.length === 0) return false;
  const host = readTarget(request.url)?.host ?? "";
  const id = operation?.operation_id;
  return (
    couldChange(undecided, { zone: zone.id, host, ...(id !== undefined && { operation: id }) }).length > 0
  );
}

function countChange(tally: Tally, subject: Subject, { now, before }: Answer): void {
  if (before === undefined || before.action === now.action) return;
  addDifference(tally.changes, subject, now, sideOf(before), sideOf(now));
}

/** The edge had the configuration that the requests are compared with, or the only one. */
function countEdge(
  { numbers, edge: differences }: Tally,
  subject: Subject,
  verdict: Verdict,
  side: "now" | "before",
): void {
  const { edge } = subject.request;
  const known = subject.zone[side];
  if (edge === undefined || known === undefined) return;
  const { action, ruleId, endedByOther } = answerOf(edge, known);
  if (endedByOther) numbers.endedByOther++;
  if (action === undefined) return;
  numbers.compared++;
  if (action !== verdict.action) {
    const from = { action, ...(ruleId !== undefined && { rule: ruleId }) };
    addDifference(differences, subject, verdict, from, sideOf(verdict));
    return;
  }
  numbers.same++;
  const { operationId } = edge;
  if (ruleId !== undefined && isOtherRule(known, ruleId.toLowerCase(), verdict)) numbers.otherRule++;
  if (operationId !== undefined && known.operationIds.has(operationId)) {
    if (operationId !== verdict.operation?.operation_id) numbers.otherOperation++;
  }
}

function isOtherRule({ ruleIds, customIds }: ZoneSide, rule: string, verdict: Verdict): boolean {
  const isKnown = ruleIds.has(rule) || customIds.has(rule);
  return isKnown && rule !== decidingRuleId(verdict)?.toLowerCase();
}

function addDifference(
  table: Tally["changes"],
  { request, zone, file }: Subject,
  verdict: Verdict,
  from: DifferenceSide,
  to: DifferenceSide,
): void {
  const host = readTarget(request.url)?.host ?? "";
  const operation = verdict.operation?.operation_id;
  // Without a list of operations, the id is made of the path, which may have secrets.
  const isListed =
    operation !== undefined &&
    [zone.now, zone.before].some((side) => side?.operationIds.has(operation) === true);
  table.add({ zone: zone.id, host, ...(isListed && { operation }), from, to }, () =>
    exampleOf(request, file, zone.sources),
  );
}

function sideOf(verdict: Verdict): DifferenceSide {
  const { action, rule } = verdict;
  const id = decidingRuleId(verdict);
  const reason = reasonOf(verdict);
  return {
    action,
    ...(id !== undefined && { rule: id }),
    ...(rule?.title !== undefined && { title: rule.title }),
    ...(reason !== "" && { reason }),
  };
}

/** The reasons of the token checks that decided, or the parts of the expression. */
function reasonOf(verdict: Verdict): string {
  const { outcome, trace } = verdict;
  if (outcome === "not_an_operation") return "no operation matches";
  if (outcome === "no_rule") return "no enabled rule matches";
  const decider = decidingExpression(verdict);
  if (decider === undefined && outcome === "custom_rule") return "";
  const parts = (decider ? [decider] : trace.expressions).flatMap(({ decidedBy }) => decidedBy);
  const reasons = parts.map(({ text, value, config, reason }) => (config && reason) ?? `${text} is ${value}`);
  return [...new Set(reasons)].join(", ");
}

function reportFile(file: FileState): FileCounts {
  const { name, requests, rejected, skipped, remarks, outside, untimed } = file;
  const counts = { skipped: Object.fromEntries(skipped), remarks: Object.fromEntries(remarks) };
  const byHost = [...outside].sort(([, a], [, b]) => b - a);
  return {
    file: name,
    requests,
    outside: byHost.reduce((sum, [, count]) => sum + count, 0),
    outsideHosts: Object.fromEntries(byHost),
    untimed,
    rejected,
    ...counts,
  };
}
