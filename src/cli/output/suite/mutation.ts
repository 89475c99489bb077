/** The result of `edgeproof suite mutate`: text, JSON, and a report with a case for each mutant. */
import { diagnostic, type Rules } from "../../../core/diagnostic.ts";
import { type MutantKind, mutantKinds } from "../../../engine/tokens/suite/mutants/mutant.ts";
import type { TestedMutant } from "../../../engine/tokens/suite/mutants/mutation-report.ts";
import { formatJson } from "../../command.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { RequestLine } from "../../input/requests/requests-file.ts";
import type { ValidZones, WorldZone, WorldZones } from "../../input/zone-inputs.ts";
import type { Report, ReportCase } from "../report/report.ts";
import {
  invalidCases,
  type Reason,
  undecidedAt,
  undecidedRules,
  undecidedZone,
} from "../results/undecided.ts";

/** A zone with its mutants, in the order of its rules. */
export interface MutatedZone {
  readonly zone: WorldZone;
  readonly mutants: readonly TestedMutant[];
  /** The requests of the zone; a noticed mutant has the index of one. */
  readonly requests: readonly RequestLine[];
  /** Undecided parts that could change the results, or prevent them. */
  readonly undecided: readonly Reason[];
}

function count({ mutants }: MutatedZone, result: TestedMutant["result"]): number {
  return mutants.filter((one) => one.result === result).length;
}

/** The share of noticed mutants among those that can be noticed, in percent. Without any it is 100. */
function scoreOf(zone: MutatedZone): number {
  const noticed = count(zone, "noticed");
  const all = noticed + count(zone, "survived");
  return all === 0 ? 100 : (100 * noticed) / all;
}

/** Whether fewer mutants are noticed than should be. */
function isWeak(zone: MutatedZone, minScore: number): boolean {
  return scoreOf(zone) < minScore;
}

/** Prints the survivors for people, each with a request that would notice it. */
export function printText(tested: readonly MutatedZone[], { source }: WorldZones): string {
  const lines = tested.flatMap((one) => [
    ...one.mutants.flatMap((mutant) => {
      const { file, start } = source.place(one.zone.at + mutant.pointer);
      const head = `${file}:${start.line}:${start.column}: ${mutant.result}: rule ${nameOfRule(one.zone, mutant.rule)}: ${mutant.description}`;
      if (mutant.result === "undecided") return [head, `  ${mutant.reason}`];
      return mutant.result === "survived" ? [head, ...describeNoticing(mutant)] : [];
    }),
    ...one.undecided.map(({ message }) => `zone ${one.zone.id}: undecided: ${message}`),
    `zone ${one.zone.id}: ${count(one, "noticed")} of ${one.mutants.length} mutants noticed, ${count(one, "survived")} survived, ${count(one, "equivalent")} equivalent, ${count(one, "undecided")} undecided; score ${Math.floor(scoreOf(one))} %`,
  ]);
  return `${lines.join("\n")}\n`;
}

/** The id of a rule, with its title where it has one. */
function nameOfRule({ input }: WorldZone, id: string): string {
  const title = input.rules.find((rule) => rule.id === id)?.title;
  return title ? `${id} (${title})` : id;
}

/** The request that would notice a survivor. */
function describeNoticing({ noticedBy }: Extract<TestedMutant, { result: "survived" }>): readonly string[] {
  const { name, request, tokens } = noticedBy;
  return [
    `  a request that would notice it: ${name}`,
    ...request.headers.map(([header, value]) => `    ${header}: ${value}`),
    ...tokens.map(
      ({ placeholder, config, kid, alg, state }) =>
        `    (${placeholder} is a placeholder for a token that is ${state}: configuration ${config}, kid ${kid}, alg ${alg})`,
    ),
  ];
}

/** Prints the JSON of `mutateOutput`. */
export function printJson(tested: readonly MutatedZone[]): string {
  return formatJson(
    tested.map((one) => ({
      zone: one.zone.id,
      score: scoreOf(one),
      ...(one.undecided.length > 0 && { undecided: one.undecided.map(({ message }) => message) }),
      mutants: one.mutants.map((mutant) => ({ ...mutant, pointer: one.zone.at + mutant.pointer })),
    })),
  );
}

/** A rule for each kind of change. */
export const mutationRules: Rules = Object.fromEntries(
  mutantKinds.map((kind: MutantKind) => [
    `survived-${kind}`,
    {
      level: "warning",
      description: `A change of a rule (${kind}) that no request notices.`,
      help: "Add the request that would notice it.",
      tags: ["tokens"],
    },
  ]),
);

const rules: Rules = { ...undecidedRules, ...mutationRules };

/**
 * The report. Equivalent mutants are skipped.
 *
 * @param minScore survivors fail a zone whose score is lower
 * @param only the only zone that is asked for
 */
export function mutationReportOf(
  tested: readonly MutatedZone[],
  minScore: number,
  world: ValidZones,
  only: string | undefined,
): Report {
  const { file, source } = world;
  const cases = [
    ...tested.flatMap((one) => [...zoneCases(one, source), ...mutantCases(one, minScore, source)]),
    ...invalidCases(world, only),
  ];
  const hasRequests = tested.some(({ requests }) => requests.length > 0);
  const whenEmpty = hasRequests
    ? `${file} has no rule with a mutant.`
    : `There is no request to a zone with token validation of ${file}.`;
  return { command: "mutate", rules, cases, whenEmpty };
}

/** A zone about which nothing can be said, or less than was asked for. */
function zoneCases({ zone, requests, undecided }: MutatedZone, source: WorldSource): readonly ReportCase[] {
  const message = `No request is to zone \`${zone.id}\`; add one, or select the zones with --zone.`;
  const reasons = [...undecided, ...(requests.length === 0 ? [{ message }] : [])];
  return reasons.length === 0 ? [] : [undecidedZone(zone.id, reasons, source.place(zone.at))];
}

/** Without requests no mutant was tested. */
function mutantCases(one: MutatedZone, minScore: number, source: WorldSource): readonly ReportCase[] {
  if (one.requests.length === 0) return [];
  return one.mutants.map((mutant): ReportCase => {
    const { rule, description, kind } = mutant;
    const at = source.place(one.zone.at + mutant.pointer);
    const name = `rule ${nameOfRule(one.zone, rule)}: ${description}`;
    const base = { kind: "mutant", group: one.zone.id, name, diagnostics: [], location: at } as const;
    if (mutant.result === "noticed")
      return { ...base, status: "passed", message: `noticed by ${nameOf(one.requests[mutant.request])}` };
    if (mutant.result === "equivalent")
      return { ...base, status: "skipped", message: "equivalent: no request can notice it" };
    if (mutant.result === "undecided")
      return { ...base, status: "undecided", diagnostics: undecidedAt([{ message: mutant.reason }], at) };
    const message = `No request notices that ${description} in rule ${nameOfRule(one.zone, rule)}.`;
    const found = diagnostic(mutationRules, `survived-${kind}`, message, {
      details: describeNoticing(mutant).join("\n"),
    });
    return {
      ...base,
      status: isWeak(one, minScore) ? "failed" : "passed",
      diagnostics: [{ ...found, at }],
    };
  });
}

function nameOf(request: RequestLine | undefined): string {
  return request === undefined ? "a request" : (request.name ?? `${request.method} ${request.url}`);
}
