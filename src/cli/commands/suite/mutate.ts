/** `edgeproof suite mutate`: which mutants of the custom and token rules a list of requests notices. */

import { profiles } from "../../../core/profiles.ts";
import { mutationReport } from "../../../engine/tokens/suite/mutants/mutation-report.ts";
import { coverOperations } from "../../../engine/tokens/suite/mutants/operation-coverage.ts";
import { couldChange } from "../../../import/world/could-change.ts";
import { parseTimestamp } from "../../../service/time.ts";
import type { World } from "../../../service/world/schema.ts";
import type { Io, Output } from "../../command.ts";
import type { mutate } from "../../declarations/suite.ts";
import type { InvocationOf } from "../../declare.ts";
import { type ReadRequests, readRequestFiles } from "../../input/requests/request-files.ts";
import { type RequestLine, simulated } from "../../input/requests/requests-file.ts";
import { mintRequestTokens } from "../../input/requests/suite-tokens.ts";
import { describeNoZone, zonesOf } from "../../input/requests/zone-of.ts";
import { selectZones } from "../../input/world-zones.ts";
import { readValidZones, type ValidZones } from "../../input/zone-inputs.ts";
import type { Accepted } from "../../output/report/exit-code.ts";
import { printReport } from "../../output/report/formats.ts";
import type { ReportCase } from "../../output/report/report.ts";
import { titleOf } from "../../output/results/eval.ts";
import { notAZone } from "../../output/results/not-a-zone.ts";
import { measureMutants } from "../../output/suite/measure-mutants.ts";
import { type MutatedZone, mutationReportOf, printJson, printText } from "../../output/suite/mutation.ts";

export async function run({ options, io }: InvocationOf<typeof mutate>): Promise<number> {
  const { world: worldPath, minScore, zone: only } = options;
  const read = await readRequestFiles(options.requests, io);
  const world = await readValidZones(worldPath, options, io, only);
  const zones = zonesOf(read.requests, world.source.value as World, only);
  const tested = await testZones(world, read.requests, { zones, only }, options, io);
  const printing = {
    ...options,
    text: (output: Output) => printText(output, tested, world, options),
    json: () => printJson(tested),
  };
  const report = mutationReportOf(tested, read, minScore, world, only);
  const cases = [...report.cases, ...outsideCases(read, zones, world)];
  return printReport({ ...report, cases }, printing, io);
}

/** Requests to hosts of no zone: no rule is tested with them. */
function outsideCases(
  { requests, places }: ReadRequests,
  zones: readonly (string | undefined)[],
  { source }: ValidZones,
): readonly ReportCase[] {
  return requests.flatMap((request, i): ReportCase[] => {
    const location = places[i];
    if (zones[i] !== undefined || location === undefined) return [];
    const message = describeNoZone(request, source.value as World);
    const diagnostics = [notAZone(`not_a_zone: ${message}`, location)];
    const name = titleOf(request);
    return [{ kind: "request", group: "no zone", name, status: "undecided", diagnostics, location }];
  });
}

async function testZones(
  world: ValidZones,
  requests: readonly RequestLine[],
  { zones, only }: { readonly zones: readonly (string | undefined)[]; readonly only: string | undefined },
  { partial = false }: Accepted,
  io: Io,
): Promise<readonly MutatedZone[]> {
  const { profile } = world;
  const { precedence, clockToleranceSeconds } = profiles[profile];
  const started = Date.now();
  const nowOf = ({ now }: RequestLine) => (now === undefined ? undefined : parseTimestamp(now)) ?? started;
  const tested: MutatedZone[] = [];
  for (const zone of selectZones(world, only)) {
    const own = requests.filter((_, i) => zones[i] === zone.id);
    const undecided = couldChange(world.source.undecided, { zone: zone.id });
    if (own.length === 0 || (undecided.length > 0 && !partial)) {
      const operations = coverOperations(zone.input, []);
      tested.push({ zone, isTested: false, mutants: [], requests: own, operations, undecided });
      continue;
    }
    const minted = await mintRequestTokens(zone.input, own, profile, nowOf);
    const timed = minted.lines.map((line) => ({ request: simulated(line), nowMs: nowOf(line) }));
    const measured = measureMutants(io, zone.id, "tested", (onProgress) => {
      const found = mutationReport(minted.zone, timed, { precedence, clockToleranceSeconds, onProgress });
      return { result: found, mutants: found.length };
    });
    const operations = coverOperations(
      zone.input,
      timed.map(({ request }) => request),
    );
    tested.push({ zone, isTested: true, mutants: measured, requests: own, operations, undecided });
  }
  return tested;
}
