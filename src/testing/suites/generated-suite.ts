/** The result of `edgeproof suite generate`: requests for `eval`, and a summary. */

import { formatCount } from "../../core/format-count.ts";
import { createPartPhrases } from "../../engine/tokens/names/part-phrases.ts";
import { nameSuite } from "../../engine/tokens/names/suite-names.ts";
import type { SuiteRequest } from "../../engine/tokens/suite/suite-request.ts";
import type { ZoneSuite } from "../../engine/tokens/suite/zone-suite.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";

/** The suite of a zone. */
export interface GeneratedSuite {
  /** Id of the zone. */
  readonly zone: string;
  readonly input: ZoneInput;
  readonly suite: ZoneSuite;
  /** The requests of an earlier suite, which were kept where their decision did not change. */
  readonly kept?: readonly SuiteRequest[] | undefined;
}

/** The options with which a suite is generated. */
export interface GeneratedWith {
  readonly operations: "each" | "classes";
  /** The selected zone. */
  readonly zone?: string | undefined;
  /** The time at which the requests arrive. */
  readonly now: number;
}

/** The requests as `edgeproof eval` reads them, each with the options, so that it can name the command to write them again. */
export function printRequests(suites: readonly GeneratedSuite[], options: GeneratedWith): string {
  const requests = suites.flatMap((suite) => requestsOf(suite, options));
  return `${JSON.stringify(requests, null, 2)}\n`;
}

function requestsOf({ zone, input, suite: { requests } }: GeneratedSuite, options: GeneratedWith) {
  const { operations, zone: selected, now: nowMs } = options;
  const generated = { operations, ...(selected !== undefined && { zone: selected }) };
  return nameSuite(input, requests).map(({ name, request, tokens, expected }) => ({
    name,
    zone: input.name ?? zone,
    ...request,
    ...(tokens.length > 0 && { token: tokens }),
    now: new Date(nowMs).toISOString(),
    expect: expected,
    generated,
  }));
}

/** The summary of a suite for people. */
export interface SuiteSummary {
  /** Counts and sizes. */
  readonly counts: readonly string[];
  /** The unreachable and undecided parts, each in one line. */
  readonly open: readonly { readonly result: "unreachable" | "undecided"; readonly line: string }[];
}

export function summaryOf({ zone, input, suite, kept }: GeneratedSuite): SuiteSummary {
  const { requests, fulfilled, unreachable, mutants, sizes } = suite;
  const { noticed, equivalent, undecided } = mutants;
  const nameOfPart = createPartPhrases(input);
  return {
    counts: [
      `zone ${zone}: ${formatCount(requests.length, "request")} for ${formatCount(fulfilled, "requirement")}; ${noticed} of ${formatCount(noticed + equivalent + undecided.length, "mutant")} noticed, ${equivalent} equivalent, ${undecided.length} undecided`,
      `zone ${zone}: ${formatCount(sizes.each, "request")} with --operations each, ${formatCount(sizes.classes, "request")} with --operations classes`,
      ...(kept === undefined ? [] : [describeKept(zone, kept, requests)]),
    ],
    open: [
      ...unreachable.map(({ requirement, reason, isProven }) => {
        const result = isProven ? "unreachable" : "undecided";
        return { result, line: `  ${result}: ${requirement}: ${reason}` } as const;
      }),
      ...undecided.map((mutant) => {
        const line = `  undecided: mutant of ${nameOfPart(mutant)}: ${mutant.description}: ${mutant.reason}`;
        return { result: "undecided", line } as const;
      }),
    ],
  };
}

/** How many requests of an earlier suite are still part of it. */
function describeKept(
  zone: string,
  kept: readonly SuiteRequest[],
  requests: readonly SuiteRequest[],
): string {
  const names = new Set(requests.map(({ name }) => name));
  const unchanged = kept.filter(({ name }) => names.has(name)).length;
  const changed = kept.length - unchanged;
  return `zone ${zone}: ${unchanged} kept, ${changed} left out because their decision changed, ${requests.length - unchanged} added`;
}
