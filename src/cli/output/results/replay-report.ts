/** The result of `edgeproof replay` as a report: a case for each file, for the changes, and for the edge's answers. */

import type { Level, Location, Placed, Rules } from "../../../core/diagnostic.ts";
import { formatCount, formatNumber } from "../../../core/format-count.ts";
import { runCommand } from "../../../core/text/run-command.ts";
import { startOf } from "../../../import/origin.ts";
import type { Difference, DifferenceSide } from "../../../import/replay/difference-table.ts";
import type { RequestExample } from "../../../import/replay/printable.ts";
import type { DifferenceCounts, FileCounts, ReplayCounts } from "../../../import/replay/replay-report.ts";
import type { ValidZones } from "../../input/zone-inputs.ts";
import { standardInput } from "../../standard-input.ts";
import { type Report, type ReportCase, skippedCase } from "../report/report.ts";
import { runGiven } from "./given-advice.ts";
import { listHosts, notAZone, notAZoneRules } from "./not-a-zone.ts";
import { invalidCases, undecidedAt, undecidedRules } from "./undecided.ts";

const tags = ["tokens"];

/** The report of a replay. */
export const replayRules = {
  ...undecidedRules,
  ...notAZoneRules,
  "changed-verdict": {
    tags,
    level: "error",
    description: "The new configuration gives recorded requests another verdict than the old one.",
    help: "Correct the rules, or list the change in the file of --expect.",
  },
  "other-than-edge": {
    tags,
    level: "error",
    description: "The configuration gives recorded requests another verdict than the edge did.",
    help: "Correct the rules, or list the change in the file of --expect.",
  },
  "unread-record": {
    tags,
    level: "warning",
    description: "A part of a file of recorded traffic is not a request.",
    help: "Export the file again; the message says what is missing.",
  },
} as const satisfies Rules;

const group = "replay";

const runAssume = `${runCommand} replay ... --as valid`;

/** The options that the report depends on. */
interface ReplayChoices {
  /** Number of unexpected changes that are allowed. */
  readonly allowChanges: number;
  /** The state of assumed tokens. */
  readonly as: string | undefined;
}

/**
 * Creates the report.
 *
 * @param worlds the new world, and the old one when two are compared
 */
export function replayCases(
  report: ReplayCounts,
  worlds: readonly [ValidZones, ...ValidZones[]],
  { allowChanges: allowed, as: assumed }: ReplayChoices,
): Report {
  const { changes, edge } = report;
  const place: Location = startOf(worlds[0].file);
  const isAllowed = report.unexpected <= allowed;
  const cases = [
    ...report.files.map(fileCase),
    ...outsideCases(report),
    ...unknownTokens(report, place),
    ...(assumed === undefined ? [] : unusedAssumption(report, place)),
    ...couldChangeCases(report, worlds, place),
    ...neededCases(report, place),
    ...worlds.flatMap((world) => invalidCases(world)),
    ...(edge ? [edgeCase(report, place, changes !== undefined || isAllowed)] : []),
    ...(changes ? [changesCase(changes, report.evaluated, place, isAllowed)] : []),
  ];
  const { evaluated } = report;
  const missing = evaluated > 0 && {
    missing: `Nothing was compared: there ${evaluated === 1 ? "is" : "are"} ${formatCount(evaluated, "verdict")}, but nothing that ${evaluated === 1 ? "it" : "they"} should be equal to.`,
  };
  const whenEmpty = adviceOf(report, worlds);
  const inputs = startOf(report.files[0]?.file ?? standardInput);
  return { command: "replay", rules: replayRules, cases, ...missing, whenEmpty, inputs };
}

/** That `--as` changed nothing. */
function unusedAssumption({ assumed, tokens }: ReplayCounts, location: Location): ReportCase[] {
  const { redacted, stripped, absent } = tokens;
  if (assumed + redacted + stripped > 0) return [];
  const rest = absent === 0 ? "" : `; ${formatCount(absent, "request")} really had none`;
  const message = `no request of the recording has a redacted or stripped token${rest}`;
  return [skippedCase({ kind: "request", count: 0, group, name: "the token of --as", message, location })];
}

/** The addition when nothing was compared. */
function adviceOf({ files, evaluated, notEvaluated }: ReplayCounts, worlds: readonly ValidZones[]): string {
  if (files.every(({ requests }) => requests === 0)) return "Add a file with requests.";
  const empty = worlds.find(({ zones }) => zones.length === 0);
  if (empty) return `Add a zone with rules to ${empty.file}.`;
  if (evaluated > 0)
    return "The recording has no answers of the edge; set --against to compare with another world, or --allow-empty to see the verdicts only.";
  return notEvaluated > 0
    ? "The recording does not show the tokens; set --as to assume one."
    : "The files have no request to a host of a zone of the world.";
}

/** Requests to hosts of no zone, by file. */
function outsideCases({ files }: ReplayCounts): ReportCase[] {
  return files.flatMap(({ file, outside, outsideHosts }): ReportCase[] => {
    if (outside === 0) return [];
    const location = lineOf(file, 1);
    const message = `${formatCount(outside, "request")} to hosts of no zone: ${listHosts(outsideHosts)}`;
    return [
      {
        kind: "request",
        count: outside,
        group,
        name: `requests of ${file} to hosts of no zone`,
        status: "undecided",
        message,
        diagnostics: [notAZone(`not_a_zone: ${message}.`, location)],
        location,
      },
    ];
  });
}

/** Verdicts that something undecided could change. */
function couldChangeCases(
  { couldChange }: ReplayCounts,
  worlds: readonly ValidZones[],
  location: Location,
): ReportCase[] {
  if (couldChange === 0) return [];
  const parts = worlds.flatMap(({ source }) => source.undecided.filter(({ effect }) => effect));
  return [
    {
      kind: "request",
      count: couldChange,
      group,
      name: "verdicts that undecided parts could change",
      status: "undecided",
      diagnostics: undecidedAt(parts, location),
      location,
    },
  ];
}

/** Verdicts of custom rules that depend on what the recording does not have. */
function neededCases({ needs, verdicts }: ReplayCounts, location: Location): ReportCase[] {
  const names = Object.entries(needs).map(([name, count]) => `\`${name}\` (${formatNumber(count)})`);
  if (names.length === 0) return [];
  const count = Math.max(verdicts.undecided, 1);
  const message = `${formatCount(count, "verdict")} undecided: the custom rules need values that the recording does not have: ${names.join(", ")}.`;
  return [
    {
      kind: "request",
      count,
      group,
      name: "verdicts of custom rules",
      status: "undecided",
      message,
      diagnostics: undecidedAt([{ message, ...runGiven("replay", Object.keys(needs)) }], location),
      location,
    },
  ];
}

function fileCase({ file, requests, rejected }: FileCounts): ReportCase {
  const findings = rejected.listed.map(({ position, line = position, reason }): Placed => {
    return { rule: "unread-record", level: "warning", message: reason, at: lineOf(file, line) };
  });
  const unread = rejected.count > 0 ? `, ${formatNumber(rejected.count)} could not be read` : "";
  return {
    kind: "file",
    group,
    name: `requests of ${file}`,
    status: rejected.count > 0 ? "undecided" : "passed",
    message: `${formatCount(requests, "request")}${unread}`,
    diagnostics: findings,
    location: lineOf(file, 1),
  };
}

/** Requests to the zones without a verdict. */
function unknownTokens({ notEvaluated, tokens }: ReplayCounts, location: Location): ReportCase[] {
  if (notEvaluated === 0) return [];
  const { redacted, stripped } = tokens;
  const message = `${formatCount(notEvaluated, "request")} not evaluated: ${formatNumber(redacted)} redacted, ${formatNumber(stripped)} stripped`;
  return [
    {
      kind: "request",
      count: notEvaluated,
      group,
      name: "requests with unknown tokens",
      status: "undecided",
      message,
      diagnostics: undecidedAt([{ message: `${message}.`, run: runAssume }], location),
      location,
    },
  ];
}

function edgeCase(
  { edge, changes, evaluated }: ReplayCounts,
  location: Location,
  isPassed: boolean,
): ReportCase {
  const { compared = 0, same = 0, differences = [] } = edge ?? {};
  const level = changes === undefined ? levelOf(isPassed) : "note";
  return {
    kind: "request",
    count: changes === undefined ? evaluated : 0,
    group,
    name: "the answers are those of the edge",
    status: isPassed ? "passed" : "failed",
    message: `same answer as the edge on ${formatNumber(same)} of ${formatCount(compared, "request")}`,
    diagnostics: findingsOf(differences, "other-than-edge", level, "edge", location),
    location,
  };
}

function changesCase(
  changes: DifferenceCounts,
  evaluated: number,
  location: Location,
  isPassed: boolean,
): ReportCase {
  const { total, unexpected, differences } = changes;
  return {
    kind: "request",
    count: evaluated,
    group,
    name: "no verdict changes unexpectedly",
    status: isPassed ? "passed" : "failed",
    message: `${formatCount(total, "verdict")} changed, ${formatNumber(unexpected)} of them not expected`,
    diagnostics: findingsOf(differences, "changed-verdict", levelOf(isPassed), "old", location),
    location,
  };
}

function levelOf(isPassed: boolean): Level {
  return isPassed ? "note" : "error";
}

function findingsOf(
  differences: readonly Difference[],
  rule: string,
  level: Level,
  from: string,
  location: Location,
): Placed[] {
  return differences.map((difference) => {
    const { examples } = difference;
    const [first] = examples;
    return {
      rule,
      level: difference.expected ? "note" : level,
      message: describe(difference, from),
      details: examples.map(printExample).join("\n"),
      at: first ? lineOf(first.file, first.line ?? first.position) : location,
    };
  });
}

function describe({ count, host, operation, from, to }: Difference, name: string): string {
  const where = operation === undefined ? host : `${host}, operation ${operation}`;
  return `${formatCount(count, "request")} to ${where}: ${printSide(to)}; ${name}: ${printSide(from)}.`;
}

/** A side of a difference in one line. */
export function printSide({ action, rule, title, reason }: DifferenceSide): string {
  const by = rule === undefined ? "" : ` by ${title === undefined ? rule : `"${title}" (${rule})`}`;
  return `${action}${by}${reason === undefined ? "" : `: ${reason}`}`;
}

/** A request in one line: where it is recorded, what it asks for, and the parts of its token that are not secret. */
export function printExample({ request, file, position, method, path, time, token }: RequestExample): string {
  const claims = token && token.claims.length > 0 ? `, claims ${token.claims.join(" ")}` : "";
  const shown = token && `token with ${token.kid === undefined ? "no kid" : `kid ${token.kid}`}${claims}`;
  const name = request === `line ${position}` || request === `entry ${position}` ? "" : ` ${request}`;
  const more = [time, shown].filter((part) => part !== undefined).join(", ");
  return `${file}:${position}${name} ${method} ${path}${more === "" ? "" : ` (${more})`}`;
}

function lineOf(file: string, line: number): Location {
  return { file: file === "standard input" ? "-" : file, start: { line, column: 1 } };
}
