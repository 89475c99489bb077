/** `edgeproof mutate`: which mutants of the token rules a list of requests notices. */
import { profiles } from "../../../core/profiles.ts";
import { mutationReport } from "../../../engine/tokens/suite/mutants/mutation-report.ts";
import { couldChange } from "../../../import/world/could-change.ts";
import { parseTimestamp } from "../../../service/time.ts";
import type { World } from "../../../service/world/schema.ts";
import {
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  UsageError,
} from "../../command.ts";
import { readJsonSource, standardInput } from "../../input/files.ts";
import { importOptions, partialOption } from "../../input/imports/import-options.ts";
import { type RequestLine, readRequests, zoneOf } from "../../input/requests/requests-file.ts";
import { mintRequestTokens } from "../../input/requests/suite-tokens.ts";
import { profileOption, worldOption } from "../../input/world-file.ts";
import { readValidZones, selectZones, type ValidZones } from "../../input/zone-inputs.ts";
import type { Accepted } from "../../output/report/exit-code.ts";
import {
  acceptOptions,
  formatOptions,
  printReport,
  readAccepted,
  readFormat,
} from "../../output/report/formats.ts";
import { type MutatedZone, mutationReportOf, printJson, printText } from "../../output/suite/mutation.ts";

export const mutate: CommandDefinition = {
  about: [
    "Changes one thing at a time in the token rules (operator, operand, value, method, host, configuration id, action, enabled, exclusion, order, position), and says which of these mutants the requests notice: the action, the rule that decided or the list of rules that logged is another one. For each survivor there is a request that would notice it. Mutants that no request can notice are equivalent, and do not count.",
    "The requests are those of eval. What they expect is not compared.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    requests: {
      type: "string",
      value: "file",
      help: "JSON file with a request or an array of requests; `-` reads standard input.",
    },
    zone: { type: "string", value: "id", help: "Only this zone. Default: all zones." },
    "min-score": {
      type: "string",
      value: "percent",
      help: "Minimum share of mutants that must be noticed, 0 to 100. Default: 100.",
    },
    ...formatOptions,
    ...acceptOptions,
    ...profileOption,
    ...importOptions,
    ...partialOption,
  },
  exits: {
    0: "The requests notice every mutant that can be noticed, or the minimum share.",
    1: "They do not, a mutant or a zone is undecided, or a zone has no mutant or no request.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof mutate --world world.json --requests suite.json",
    "edgeproof mutate --world world.json --requests suite.json --min-score 80 --format junit",
  ],
  run: runMutate,
};

async function runMutate(input: CommandInput, io: Io): Promise<number> {
  const format = readFormat(input);
  const minScore = readScore(stringOption(input, "min-score"));
  const [worldPath, path] = [stringOption(input, "world"), stringOption(input, "requests")];
  if (worldPath === undefined) throw new UsageError("--world is missing; it must name a world file");
  if (path === undefined)
    throw new UsageError(
      "--requests is missing; it must name a file of requests, or be `-` for standard input",
    );
  const { value } = await readJsonSource(path, io);
  const requests = readRequests(value, path === standardInput ? "standard input" : path);
  const only = stringOption(input, "zone");
  const world = await readValidZones(worldPath, input, io, only);
  const accepted = readAccepted(input);
  const tested = await testZones(world, requests, only, accepted);
  const printing = {
    format,
    text: () => printText(tested, world),
    json: () => printJson(tested),
    ...accepted,
  };
  return printReport(mutationReportOf(tested, minScore, world, only), printing, io);
}

async function testZones(
  world: ValidZones,
  requests: readonly RequestLine[],
  only: string | undefined,
  { partial = false }: Accepted,
): Promise<readonly MutatedZone[]> {
  const { profile } = world;
  const { precedence, clockToleranceSeconds } = profiles[profile];
  const zones = requests.map((one) => zoneOf(one, world.source.value as World, only));
  const started = Date.now();
  const nowOf = ({ now }: RequestLine) => (now === undefined ? undefined : parseTimestamp(now)) ?? started;
  const tested: MutatedZone[] = [];
  for (const zone of selectZones(world, only)) {
    const own = requests.filter((_one, i) => zones[i] === zone.id);
    const undecided = couldChange(world.source.undecided, { zone: zone.id });
    if (undecided.length > 0 && !partial) {
      tested.push({ zone, mutants: [], requests: own, undecided });
      continue;
    }
    const minted = await mintRequestTokens(zone.input, own, profile, nowOf);
    const timed = minted.lines.map((line) => {
      const { method, url, headers } = line;
      return { request: { method, url, ...(headers && { headers }) }, nowMs: nowOf(line) };
    });
    const mutants = mutationReport(minted.zone, timed, { precedence, clockToleranceSeconds });
    tested.push({ zone, mutants, requests: own, undecided });
  }
  return tested;
}

function readScore(value: string | undefined): number {
  if (value === undefined) return 100;
  const score = Number(value);
  if (/^\d+(?:\.\d+)?$/.test(value) && score <= 100) return score;
  throw new UsageError(`--min-score must be a number from 0 to 100; found \`${value}\``);
}
