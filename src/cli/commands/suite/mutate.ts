/** `edgeproof suite mutate`: which mutants of the token rules a list of requests notices. */

import { profiles } from "../../../core/profiles.ts";
import { mutationReport } from "../../../engine/tokens/suite/mutants/mutation-report.ts";
import { parseTimestamp } from "../../../service/time.ts";
import { parseWorld } from "../../../service/world/parse.ts";
import type { mutate } from "../../declarations/suite.ts";
import type { InvocationOf } from "../../declare.ts";
import { readJsonSource, standardInput } from "../../input/files.ts";
import { assertDecided } from "../../input/imports/undecided.ts";
import { type RequestLine, readRequests, zoneOf } from "../../input/requests/requests-file.ts";
import { mintRequestTokens } from "../../input/requests/suite-tokens.ts";
import { assertValidZones, readWorldZones, selectZones, type WorldZones } from "../../input/zone-inputs.ts";
import { printReport } from "../../output/report/formats.ts";
import { type MutatedZone, mutationReportOf, printJson, printText } from "../../output/suite/mutation.ts";

export async function run({ options, io }: InvocationOf<typeof mutate>): Promise<number> {
  const { world: worldPath, requests: path, minScore, zone: only } = options;
  const { value } = await readJsonSource(path, io);
  const requests = readRequests(value, path === standardInput ? "standard input" : path);
  const world = await readWorldZones(worldPath, options, io);
  assertDecided(world.source.undecided, {}, only === undefined ? undefined : new Set([only]));
  assertValidZones(world, "mutated", only);
  const tested = await testZones(world, requests, only);
  const printing = {
    ...options,
    text: () => printText(tested, world),
    json: () => printJson(tested),
  };
  return printReport(mutationReportOf(tested, minScore, world), printing, io);
}

async function testZones(
  world: WorldZones,
  requests: readonly RequestLine[],
  only: string | undefined,
): Promise<readonly MutatedZone[]> {
  const { profile } = world;
  const { precedence, clockToleranceSeconds } = profiles[profile];
  const parsed = parseWorld(world.source.value);
  const zonesOfWorld = parsed.ok ? parsed.value.world : {};
  const started = Date.now();
  const nowOf = ({ now }: RequestLine) => (now === undefined ? undefined : parseTimestamp(now)) ?? started;
  const tested: MutatedZone[] = [];
  for (const zone of selectZones(world, only)) {
    const own = requests.filter((one) => zoneOf(one, zonesOfWorld as never, only) === zone.id);
    const minted = await mintRequestTokens(zone.input, own, profile, nowOf);
    const timed = minted.lines.map((line) => {
      const { method, url, headers } = line;
      return { request: { method, url, ...(headers && { headers }) }, nowMs: nowOf(line) };
    });
    const mutants = mutationReport(minted.zone, timed, { precedence, clockToleranceSeconds });
    tested.push({ zone, mutants, requests: own });
  }
  return tested;
}
