/** The result of `edgeproof suite generate`: requests for `eval`, and a summary. */
import type { ZoneSuite } from "../../../engine/tokens/suite/suite-for.ts";
import type { SuiteRequest } from "../../../engine/tokens/suite/suite-request.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { formatJson } from "../../command.ts";
import { formatCount } from "../progress.ts";

/** The suite of a zone. */
export interface GeneratedSuite {
  /** Id of the zone. */
  readonly zone: string;
  readonly input: ZoneInput;
  readonly suite: ZoneSuite;
}

/** The requests as `edgeproof eval` reads them. */
export function printRequests(suites: readonly GeneratedSuite[], nowMs: number): string {
  return formatJson(suites.flatMap((one) => requestsOf(one, nowMs)));
}

function requestsOf({ zone, input, suite: { requests } }: GeneratedSuite, nowMs: number) {
  // A rule without an id in the world gets a new one in each run, so only the action can be expected.
  const hasIds = input.rules.every(({ id }, i) => id !== `rule ${i + 1}`);
  return requests.map(({ name, request: { method, url, headers }, tokens, expected }: SuiteRequest) => ({
    name,
    zone,
    method,
    url,
    headers,
    ...(tokens.length > 0 && { token: tokens }),
    now: new Date(nowMs).toISOString(),
    expect: hasIds ? expected : expected.action,
  }));
}

/** The summary for people: counts, then what is unreachable or undecided. */
export function printSummary({ zone, suite }: GeneratedSuite): string {
  const { requests, fulfilled, unreachable, mutants } = suite;
  const { noticed, equivalent, undecided } = mutants;
  return [
    `zone ${zone}: ${formatCount(requests.length, "request")} for ${formatCount(fulfilled, "requirement")} and ${formatCount(noticed, "mutant")} (${equivalent} equivalent, ${undecided.length} undecided)`,
    ...unreachable.map(({ requirement, reason, isProven }) => {
      return `  ${isProven ? "unreachable" : "undecided"}: ${requirement}: ${reason}`;
    }),
    ...undecided.map(({ rule, description, reason }) => {
      return `  undecided: mutant of rule ${rule}: ${description}: ${reason}`;
    }),
    "",
  ].join("\n");
}
