/** `edgeproof check`: static analysis of the token rules of a world. */

import { profiles } from "../../core/profiles.ts";
import { analyze } from "../../engine/tokens/analysis/analyze.ts";
import { type CommandDefinition, type CommandInput, type Io, stringOption, UsageError } from "../command.ts";
import { importOptions, partialOption, sourceOption } from "../input/imports/import-options.ts";
import { profileOption } from "../input/world-file.ts";
import { readWorldZones, selectZones, type WorldZones } from "../input/zone-inputs.ts";
import {
  acceptOptions,
  failOnOption,
  formatOptions,
  printReport,
  readAccepted,
  readFailOn,
  readFormat,
} from "../output/report/formats.ts";
import { type CheckedZone, checkReport } from "../output/results/check.ts";
import { watchOption } from "../watch/watch.ts";

export const check: CommandDefinition = {
  about: [
    "Analyzes the rules of each zone without any request: expressions that are always true or always false, rules after a rule that always decides first, duplicate operands, unknown ids, empty selectors. Every finding holds for all possible requests; questions that are too large are reported as undecided.",
  ],
  positionals: "<world.json | plan.json>",
  options: {
    zone: { type: "string", value: "id", help: "Only this zone. Default: all zones." },
    ...formatOptions,
    ...failOnOption,
    ...acceptOptions,
    ...watchOption,
    ...profileOption,
    ...importOptions,
    ...sourceOption,
    ...partialOption,
  },
  exits: {
    0: "There are no errors and no warnings.",
    1: "There is at least one error or warning.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof check world.json",
    "terraform show -json plan.bin > plan.json && edgeproof check plan.json --format sarif > plan.sarif",
    "edgeproof check world.json --profile provider --json",
    "edgeproof check world.json --format sarif > rules.sarif",
  ],
  run: runCheck,
};

async function runCheck(input: CommandInput, io: Io): Promise<number> {
  const format = readFormat(input);
  const [file, ...more] = input.positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(
      `expected 1 world file; found ${input.positionals.length}: \`edgeproof check world.json\``,
    );
  const world = await readWorldZones(file, input, io);
  const checked = analyzeZones(world, input);
  const report = checkReport(checked, undecidedOf(world, input), readFailOn(input) ?? "warning", world);
  return printReport(report, { format, ...readAccepted(input) }, io);
}

/** Rules, keys and hosts that the file does not decide. */
function undecidedOf({ source }: WorldZones, input: CommandInput): WorldZones["source"]["undecided"] {
  const only = stringOption(input, "zone");
  return source.undecided.filter(
    ({ effect, subject: { zone } = {} }) =>
      effect && (only === undefined || zone === undefined || zone === only),
  );
}

function analyzeZones(world: WorldZones, input: CommandInput): readonly CheckedZone[] {
  const { precedence, headerCase } = profiles[world.profile];
  const only = stringOption(input, "zone");
  return selectZones(world, only).map((zone) => ({
    zone,
    findings: analyze(zone.input, { precedence, headerCase }),
  }));
}
