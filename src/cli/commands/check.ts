/** `edgeproof check`: static analysis of the token rules of a world. */

import { profiles } from "../../core/profiles.ts";
import { analyze } from "../../engine/tokens/analysis/analyze.ts";
import type { check } from "../declarations/check.ts";
import type { InvocationOf, OptionsOf } from "../declare.ts";
import { readWorldZones, selectZones, type WorldZones } from "../input/zone-inputs.ts";
import { printReport } from "../output/report/formats.ts";
import { type CheckedZone, checkReport } from "../output/results/check.ts";

export async function run({ options, words, io }: InvocationOf<typeof check>): Promise<number> {
  const world = await readWorldZones(words[0] ?? "", options, io);
  const checked = analyzeZones(world, options);
  const report = checkReport(checked, undecidedOf(world, options), options.failOn ?? "warning", world);
  return printReport(report, options, io);
}

/** Rules, keys and hosts that the file does not decide. */
function undecidedOf(
  { source }: WorldZones,
  options: OptionsOf<typeof check>,
): WorldZones["source"]["undecided"] {
  const only = options.zone;
  return source.undecided.filter(
    ({ effect, zone }) => effect && (only === undefined || zone === undefined || zone === only),
  );
}

function analyzeZones(world: WorldZones, options: OptionsOf<typeof check>): readonly CheckedZone[] {
  const { precedence, headerCase } = profiles[world.profile];
  const only = options.zone;
  return selectZones(world, only).map((zone) => ({
    zone,
    findings: analyze(zone.input, { precedence, headerCase }),
  }));
}
