/** The result of `edgeproof suite mutate`: text, JSON, and a report with a case for each mutant. */

import { diagnostic, type Rules } from "../../../core/diagnostic.ts";
import { runCommand } from "../../../core/text/run-command.ts";
import { maskValue } from "../../../core/text/secrets.ts";
import { lowerFirst } from "../../../core/text/sentence.ts";
import { createPartPhrases } from "../../../engine/tokens/names/part-phrases.ts";
import {
  type MutantKind,
  mutantCatalogue,
  mutantKinds,
  notMutated,
} from "../../../engine/tokens/suite/mutants/catalogue.ts";
import type { TestedMutant } from "../../../engine/tokens/suite/mutants/mutant.ts";
import type { CoveredOperations } from "../../../engine/tokens/suite/mutants/operation-coverage.ts";
import { startOf } from "../../../import/origin.ts";
import type { WorldZone } from "../../../service/world/rulesets/world-zones.ts";
import { formatJson, type Output } from "../../command.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { ReadRequests } from "../../input/requests/request-files.ts";
import type { RequestLine } from "../../input/requests/requests-file.ts";
import type { WorldZones } from "../../input/world-zones.ts";
import type { ValidZones } from "../../input/zone-inputs.ts";
import { standardInput } from "../../standard-input.ts";
import { firstOfGroups } from "../bounded.ts";
import { describeClaims, describeGiven, describeRequest } from "../given-members.ts";
import type { Report, ReportCase } from "../report/report.ts";
import { titleOf } from "../results/eval.ts";
import { notAZoneRules } from "../results/not-a-zone.ts";
import {
  invalidCases,
  type Reason,
  undecidedAt,
  undecidedRules,
  undecidedZone,
} from "../results/undecided.ts";
import { printTable } from "../table.ts";
import { wrapLines } from "../wrap.ts";

/** A zone with its mutants, in the order of its rules, operations and configurations. */
export interface MutatedZone {
  readonly zone: WorldZone;
  /** False without requests, and when undecided parts prevent the results: there are no mutants then. */
  readonly isTested: boolean;
  readonly mutants: readonly TestedMutant[];
  /** The requests of the zone; a noticed mutant has the index of one. */
  readonly requests: readonly RequestLine[];
  readonly operations: CoveredOperations;
  /** Undecided parts that could change the results, or prevent them. */
  readonly undecided: readonly Reason[];
}

function count({ mutants }: MutatedZone, result: TestedMutant["result"]): number {
  return mutants.filter((mutant) => mutant.result === result).length;
}

/** The share of noticed mutants among those that are not equivalent, in percent. Without any it is 100. */
function scoreOf(zone: MutatedZone): number {
  const noticed = count(zone, "noticed");
  const all = noticed + count(zone, "survived") + count(zone, "undecided");
  return all === 0 ? 100 : (100 * noticed) / all;
}

/** Whether fewer mutants are noticed than should be. */
function isWeak(zone: MutatedZone, minScore: number): boolean {
  return scoreOf(zone) < minScore;
}

/** Prints the survivors for people, each with a request that would notice it; of each kind the first, unless all are asked for. */
export function printText(
  output: Output,
  tested: readonly MutatedZone[],
  { source }: WorldZones,
  { all }: { readonly all: boolean },
): string {
  const found = tested.flatMap(({ zone, mutants }) => {
    const nameOfPart = createPartPhrases(zone.input);
    return mutants.filter(isOpen).map((mutant) => ({ zone, mutant, part: nameOfPart(mutant) }));
  });
  const { kept, more } = firstOfGroups(found, ({ mutant }) => `${mutant.result} ${mutant.kind}`, all);
  const noted = new Set<string>();
  const describeOpen = ({ zone, mutant, part }: (typeof found)[number]) => {
    const { file, start } = source.place(zone.pointerOf(mutant.pointer));
    const head = `${file}:${start.line}:${start.column}: ${mutant.result}: ${part}: ${mutant.description}`;
    return [
      head,
      ...(mutant.result === "undecided" ? [`  ${mutant.reason}`] : describeNoticing(mutant, noted)),
    ];
  };
  const lines = [
    ...kept.flatMap(describeOpen),
    ...more,
    ...tested.flatMap((zone) => [
      ...zone.undecided.map(({ message }) => `zone ${zone.zone.id}: undecided: ${message}`),
      ...(zone.isTested ? summaryOf(output, zone) : []),
    ]),
  ];
  return wrapLines(output, lines.map((line) => `${line}\n`).join(""));
}

function hasRequests({ requests }: MutatedZone): boolean {
  return requests.length > 0;
}

/** A mutant that no request notices, unless it is equivalent. */
type OpenMutant = Extract<TestedMutant, { result: "survived" | "undecided" }>;

function isOpen(mutant: TestedMutant): mutant is OpenMutant {
  return mutant.result === "survived" || mutant.result === "undecided";
}

/** The counts of all kinds and of each, the operations, and what is not mutated: never one number alone. */
function summaryOf(output: Output, tested: MutatedZone): readonly string[] {
  const { zone, mutants, operations } = tested;
  const kinds = Object.entries(kindsOf(tested)).map(([kind, counts]) => [
    kind,
    ...resultNames.map((name) => String(counts[name])),
  ]);
  const covered = operations.all - operations.missing.length;
  const share = ` (${Math.floor((100 * covered) / operations.all)} %)`;
  return [
    ...(kinds.length === 0
      ? []
      : printTable(output, ["kind", ...resultNames], kinds)
          .trimEnd()
          .split("\n")),
    ...(operations.all === 0
      ? []
      : [
          `zone ${zone.id}: ${covered} of ${operations.all} operations have a request${share}${operations.missing.length === 0 ? "" : `; none: ${listSome(operations.missing)}`}`,
        ]),
    `zone ${zone.id}: not mutated: ${notMutated.join("; ")}; \`${runCommand} diff\` finds such changes between two worlds`,
    `zone ${zone.id}: ${count(tested, "noticed")} of ${mutants.length} mutants noticed, ${count(tested, "survived")} survived, ${count(tested, "equivalent")} equivalent, ${count(tested, "undecided")} undecided; score ${Math.floor(scoreOf(tested))} %`,
  ];
}

const resultNames = ["noticed", "survived", "equivalent", "undecided"] as const;

type ResultCounts = Record<(typeof resultNames)[number], number>;

/** The numbers of mutants by kind, in the order of the catalogue; kinds without mutants are missing. */
function kindsOf({ mutants }: MutatedZone): Partial<Record<MutantKind, ResultCounts>> {
  const counts: Partial<Record<MutantKind, ResultCounts>> = {};
  for (const kind of mutantKinds) {
    const own = mutants.filter((mutant) => mutant.kind === kind);
    if (own.length === 0) continue;
    const numberOf = (name: TestedMutant["result"]) => own.filter(({ result }) => result === name).length;
    counts[kind] = {
      noticed: numberOf("noticed"),
      survived: numberOf("survived"),
      equivalent: numberOf("equivalent"),
      undecided: numberOf("undecided"),
    };
  }
  return counts;
}

/** The maximum number of operations that are listed. */
const maxListed = 5;

function listSome(ids: readonly string[]): string {
  const more = ids.length - maxListed;
  return ids.slice(0, maxListed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/**
 * The request that would notice a survivor.
 *
 * @param noted the notes about placeholders that were printed; each is printed once
 */
function describeNoticing(
  { noticedBy }: Extract<TestedMutant, { result: "survived" }>,
  noted = new Set<string>(),
): readonly string[] {
  const { name, request, tokens } = noticedBy;
  const notes = tokens.map(
    ({ placeholder, config, kid, alg, state, claims }) =>
      `    (${placeholder} is a placeholder for a token that is ${state}: configuration ${config}, kid ${kid}, alg ${alg}${describeClaims(claims)})`,
  );
  const added = notes.filter((note) => !noted.has(note));
  for (const note of added) noted.add(note);
  return [
    `  a request that would notice it: ${name}`,
    ...describeRequest(request)
      .slice(1)
      .map((line) => `    ${line}`),
    ...added,
    ...describeGiven(request),
  ];
}

/** Prints the JSON of `mutateOutput`. */
export function printJson(tested: readonly MutatedZone[]): string {
  return formatJson(
    maskValue(
      tested.map((zone) => ({
        zone: zone.zone.id,
        ...(zone.isTested && { score: scoreOf(zone) }),
        kinds: kindsOf(zone),
        operations: zone.operations,
        notMutated,
        ...(zone.undecided.length > 0 && { undecided: zone.undecided.map(({ message }) => message) }),
        mutants: zone.mutants.map((mutant) => ({ ...mutant, pointer: zone.zone.pointerOf(mutant.pointer) })),
      })),
    ),
  );
}

/** A rule for each kind of change. */
export const mutationRules: Rules = Object.fromEntries(
  mutantKinds.map((kind: MutantKind) => [
    `survived-${kind}`,
    {
      level: "warning",
      description: `A change that no request notices (${kind}): ${lowerFirst(mutantCatalogue[kind].changes)}`,
      help: "Add the request that would notice it.",
      tags: ["tokens"],
    },
  ]),
);

const rules: Rules = { ...undecidedRules, ...notAZoneRules, ...mutationRules };

/**
 * The report. Equivalent mutants are skipped.
 *
 * @param minScore survivors fail a zone whose score is lower
 * @param only the only zone that is asked for
 */
export function mutationReportOf(
  tested: readonly MutatedZone[],
  { requests, files }: ReadRequests,
  minScore: number,
  world: ValidZones,
  only: string | undefined,
): Report {
  const { file, source } = world;
  const cases = [
    ...tested.flatMap((zone) => [
      ...zoneCases(zone, requests.length === 0 ? [] : files, source),
      ...mutantCases(zone, minScore, source),
    ]),
    ...invalidCases(world, only),
  ];
  const whenEmpty = tested.some(hasRequests)
    ? `${file} has no rule with a mutant.`
    : `Add a request to a zone with rules of ${file} to ${files.join(", ")}.`;
  const inputs = startOf(tested.some(hasRequests) ? file : (files[0] ?? standardInput));
  return { command: "mutate", rules, cases, whenEmpty, inputs };
}

/**
 * A zone about which nothing can be said, or less than was asked for.
 *
 * @param files the files to which a request to the zone can be added; none when the report says that they are empty
 */
function zoneCases(
  tested: MutatedZone,
  files: readonly string[],
  source: WorldSource,
): readonly ReportCase[] {
  const { zone, undecided } = tested;
  const message = `No request is to zone \`${zone.id}\`. Add one to ${files.join(", ")}, or select the zones with --zone.`;
  const [file] = files;
  return [
    ...(undecided.length === 0 ? [] : [undecidedZone(zone.id, undecided, source.place(zone.at))]),
    ...(file === undefined || hasRequests(tested)
      ? []
      : [undecidedZone(zone.id, [{ message }], startOf(file))]),
  ];
}

function mutantCases(zone: MutatedZone, minScore: number, source: WorldSource): readonly ReportCase[] {
  const nameOfPart = createPartPhrases(zone.zone.input);
  return zone.mutants.map((mutant): ReportCase => {
    const { description, kind } = mutant;
    const part = nameOfPart(mutant);
    const at = source.place(zone.zone.pointerOf(mutant.pointer));
    const name = `${part}: ${description}`;
    const base = { kind: "mutant", group: zone.zone.id, name, diagnostics: [], location: at } as const;
    if (mutant.result === "noticed")
      return { ...base, status: "passed", message: `noticed by ${nameOf(zone.requests[mutant.request])}` };
    if (mutant.result === "equivalent")
      return { ...base, status: "skipped", message: "equivalent: no request can notice it" };
    if (mutant.result === "undecided")
      return { ...base, status: "undecided", diagnostics: undecidedAt([{ message: mutant.reason }], at) };
    const message = `No request notices that ${description} in ${part}.`;
    const found = diagnostic(mutationRules, `survived-${kind}`, message, {
      details: describeNoticing(mutant).join("\n"),
    });
    return {
      ...base,
      status: isWeak(zone, minScore) ? "failed" : "passed",
      diagnostics: [{ ...found, at }],
    };
  });
}

function nameOf(request: RequestLine | undefined): string {
  return request === undefined ? "a request" : titleOf(request);
}
