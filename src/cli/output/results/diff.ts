/** The result of `edgeproof diff`: text, JSON, and a report with a case for each zone. */
import { diagnostic, type Rules } from "../../../core/diagnostic.ts";
import type { ZoneComparison } from "../../../engine/tokens/analysis/compare-zones.ts";
import type { SideOfDifference, ZoneDifference } from "../../../engine/tokens/analysis/zone-difference.ts";
import { nameWithTitle } from "../../../engine/tokens/name-with-title.ts";
import { printEffect } from "../../../engine/tokens/verdict/effect.ts";
import { startOf } from "../../../import/origin.ts";
import { formatJson } from "../../command.ts";
import type { ValidZones } from "../../input/zone-inputs.ts";
import { describeClaims, describeGiven, describeRequest } from "../given-members.ts";
import type { Report, ReportCase } from "../report/report.ts";
import { leftOutCases, type Reason, statusOfReasons, undecidedAt, undecidedRules } from "./undecided.ts";

/** A zone of one of two worlds, or of both. */
export interface ComparedZone {
  readonly zone: string;
  readonly comparison: ZoneComparison;
  /** Undecided parts that could change the comparison, or prevent it. */
  readonly undecided: readonly Reason[];
  /** The file that has the zone, when the other one does not. */
  readonly onlyIn?: string;
  /** The number of rules that are compared. */
  readonly rules: number;
  /** The titles of the rules and configurations of the old and the new zone, by id. */
  readonly titles: readonly [old: Titles, new: Titles];
}

/** Titles by id; parts without one are missing. */
export type Titles = ReadonlyMap<string, string>;

/** Prints the comparisons for people. */
export function printText(compared: readonly ComparedZone[]): string {
  if (compared.length === 0) return "no zone has rules\n";
  return `${compared.flatMap(describeZone).join("\n")}\n`;
}

/** Prints the JSON of `diffOutput`. */
export function printJson(compared: readonly ComparedZone[]): string {
  return formatJson(
    compared.map(({ zone, comparison, undecided, onlyIn }) => ({
      zone,
      ...comparison,
      ...(onlyIn !== undefined && { onlyIn }),
      ...(undecided.length > 0 && { undecided: undecided.map(({ message }) => message) }),
    })),
  );
}

function describeZone({ zone, comparison, undecided, onlyIn, titles }: ComparedZone): readonly string[] {
  const only = onlyIn === undefined ? [] : [`zone ${zone}: only in ${onlyIn}`];
  const mark = comparison.result === "undecided" ? "undecided" : "could change";
  return [
    ...only,
    ...describe(zone, comparison, titles),
    ...undecided.map(({ message }) => `  ${mark}: ${message}`),
  ];
}

function describe(
  zone: string,
  comparison: ZoneComparison,
  titles: ComparedZone["titles"],
): readonly string[] {
  if (comparison.result === "equivalent") return [`zone ${zone}: equivalent for every request`];
  if (comparison.result === "undecided") return [`zone ${zone}: undecided: ${comparison.reason}`];
  const differences = comparison.differences.flatMap((difference) => [
    "",
    ...describeDifference(difference, titles),
  ]);
  return [`zone ${zone}: different`, ...differences];
}

function describeDifference(
  difference: ZoneDifference,
  [oldTitles, newTitles]: ComparedZone["titles"],
): readonly string[] {
  const { request, placeholderTokens, timeMs, left, right } = difference;
  return [
    ...describeRequest(request).map((line) => `  ${line}`),
    ...placeholderTokens.map(
      ({ value, kid, alg, claims }) =>
        `    (${value} is a placeholder for a valid token: kid ${kid}, alg ${alg}${describeClaims(claims)})`,
    ),
    ...describeGiven(request),
    ...(timeMs === undefined ? [] : [`    at ${new Date(timeMs).toISOString()}`]),
    `    old: ${describeSide(left, oldTitles)}`,
    `    new: ${describeSide(right, newTitles)}`,
  ];
}

function describeSide(
  { action, rule, logged = [], custom = {}, tokens }: SideOfDifference,
  titles: Titles,
): string {
  const nameOf = (id: string) => nameWithTitle({ id, title: titles.get(id) });
  const states = Object.entries(tokens).map(([id, state]) => `token of ${nameOf(id)} ${state}`);
  const by = rule === undefined ? [] : [`by ${nameOf(rule)}`];
  const logs = logged.length === 0 ? [] : [`logged by ${logged.map(nameOf).join(", ")}`];
  return [action, ...by, ...logs, ...printEffect(custom), ...states].join(", ");
}

/** The report of a comparison. */
export const diffRules = {
  ...undecidedRules,
  "different-action": {
    level: "error",
    description: "Two worlds take different actions for a request.",
    help: "Correct the rules, or accept the difference.",
    tags: ["tokens"],
  },
  "different-effect": {
    level: "error",
    description: "Two worlds take the same action for a request, and do something else beside it.",
    help: "Correct the rules, accept the difference, or compare actions alone with --effect action.",
    tags: ["tokens"],
  },
  "zone-in-one-world": {
    level: "error",
    description: "A zone with rules is in one of two worlds only.",
    help: "Add the zone to the other world, or select the zones to compare with --zone.",
    tags: ["tokens"],
  },
} as const satisfies Rules;

/** The report; a comparison that is not decided counts nothing as evaluated. */
export function diffReport(
  compared: readonly ComparedZone[],
  oldWorld: ValidZones,
  newWorld: ValidZones,
): Report {
  return {
    command: "diff",
    rules: diffRules,
    cases: [
      ...compared.map((zone) => caseOf(zone, oldWorld, newWorld)),
      ...[oldWorld, newWorld].flatMap(leftOutCases),
    ],
    whenEmpty: `${oldWorld.file} and ${newWorld.file} have no rule to compare.`,
    inputs: startOf(newWorld.file),
  };
}

function caseOf(compared: ComparedZone, oldWorld: ValidZones, newWorld: ValidZones): ReportCase {
  const { zone, comparison, onlyIn } = compared;
  const location = locate(zone, newWorld) ?? locate(zone, oldWorld) ?? startOf(newWorld.file);
  const base = { kind: "rule", count: compared.rules, group: zone, name: `zone ${zone}`, location } as const;
  if (comparison.result === "undecided") {
    const reasons = compared.undecided.length > 0 ? compared.undecided : [{ message: comparison.reason }];
    return { ...base, status: statusOfReasons(reasons), diagnostics: undecidedAt(reasons, location) };
  }
  const differences = comparison.result === "different" ? comparison.differences : [];
  const only =
    onlyIn === undefined
      ? []
      : [diagnostic(diffRules, "zone-in-one-world", `Zone \`${zone}\` is only in ${onlyIn}.`)];
  const found = differences.map((difference) => {
    const { left, right } = difference;
    const isAction = left.action !== right.action;
    const message = isAction
      ? `A request has the action ${right.action} in the new world; old: ${left.action}.`
      : `A request has another effect in the new world; the action of both is ${left.action}.`;
    return diagnostic(diffRules, isAction ? "different-action" : "different-effect", message, {
      details: describeDifference(difference, compared.titles).join("\n"),
    });
  });
  const diagnostics = [...only, ...found].map((diagnosed) => ({ ...diagnosed, at: location }));
  return { ...base, status: diagnostics.length > 0 ? "failed" : "passed", diagnostics };
}

function locate(id: string, { zones, source }: ValidZones) {
  const zone = zones.find((candidate) => candidate.id === id);
  return zone && source.place(zone.at);
}
