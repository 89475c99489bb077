/** `edgeproof suite`: its subcommands, which write a suite of requests and measure one. */
import { runCommand } from "../../core/text/run-command.ts";
import { suiteTimeMs } from "../../testing/suites/suite-time.ts";
import { UsageError } from "../command.ts";
import {
  choice,
  declare,
  file,
  flag,
  given,
  outFile,
  required,
  requiredList,
  single,
  time,
  usual,
} from "../declare.ts";
import { acceptOptions, formatOptions } from "../options/output.ts";
import { requestFiles, requestsMeaning } from "../options/requests.ts";
import { partialOption, profileOption, worldMeaning, worldOption, zonesOption } from "../options/world.ts";

export const generate = declare({
  name: "suite generate",
  summary:
    "Write a test suite for the custom and token rules of a world that notices every change of a rule.",
  about: [
    "Writes a suite of requests that exercises the rules completely: every rule fires and passes, every condition of every expression decides, tokens have every state and come from every source, every operation has a request for each action that each rule takes on it, and every mutant of the catalogue is noticed.",
    "The tests contain no key and no token: they mint both when they start, under the kid and alg of the world. The JSON is input of `eval` and `suite mutate`, which mint them, too. Standard error has both sizes, the time, and what is unreachable, with the reason.",
  ],
  options: {
    ...worldOption,
    world: given(required(worldOption.world, worldMeaning), "worlds"),
    ...zonesOption,
    out: outFile("File to write. Default: standard output."),
    operations: usual(
      choice(
        ["each", "classes"],
        "Whether each operation has its own requests, or one of those that the same rules cover. Default: each.",
      ),
      "each",
    ),
    "only-changed": file(
      "An earlier world file: keep the requests of its suite whose decision did not change, and add what is missing.",
    ),
    format: usual(
      choice(
        ["vitest", "jest", "node", "json"],
        "A test file for vitest, jest (an ES module: name it `.mjs`) or node:test, or JSON for `eval` and `suite mutate`. Default: vitest.",
      ),
      "vitest",
    ),
    now: usual(
      time("RFC 3339 time at which the requests arrive. Default: 2026-01-01T00:00:00Z."),
      suiteTimeMs,
    ),
    all: flag(
      "Print everything that is unreachable or undecided. Default: the first 10 of each, and the number of the others.",
    ),
    ...profileOption,
    ...partialOption,
  },
  exits: {
    0: "The suite was written.",
    1: "The world lacks a rule, key or host; --partial writes the suite without it.",
  },
  examples: [
    "edgeproof suite generate --world world.json --out rules.test.ts",
    "edgeproof suite generate --world world.json --format json --out suite.json",
    "edgeproof suite generate --world world.json --only-changed old-world.json --out rules.test.ts",
  ],
});

export const mutate = declare({
  name: "suite mutate",
  summary:
    "Change the custom and token rules one part at a time, and show which changes a list of requests notices.",
  about: [
    "Changes one thing at a time in rules, operations and configurations, as the catalogue of docs/test-suite.md lists them, and says by kind which of these mutants the requests notice: the action, the rule that decided or the list of rules that logged is another one. For each survivor there is a request that would notice it. Mutants that no request can notice are proven to be equivalent, and do not count.",
    `The score is the share of noticed mutants among the others: an undecided mutant counts as not noticed, and is exit code 1 whatever the minimum score, unless --partial is given. Values that are nowhere in the zone are not mutated: \`${runCommand} diff\` finds such changes.`,
    "The requests are those of `eval`. What they expect is not compared.",
  ],
  options: {
    ...worldOption,
    world: given(required(worldOption.world, worldMeaning), "worlds"),
    requests: given(requiredList(requestFiles, requestsMeaning), "suites"),
    ...zonesOption,
    "min-score": usual(
      single("percent", "Minimum share of mutants that must be noticed, 0 to 100. Default: 100.", readScore),
      100,
    ),
    ...formatOptions,
    ...acceptOptions,
    ...profileOption,
    ...partialOption,
  },
  exits: {
    0: "The requests notice every mutant that can be noticed, or the minimum share.",
    1: "They do not, a mutant or a zone is undecided, or a zone has no mutant or no request.",
  },
  examples: [
    "edgeproof suite mutate --world world.json --requests suite.json",
    "edgeproof suite mutate --world world.json --requests suite.json --min-score 80 --format junit",
  ],
  schema: "mutate",
});

function readScore(word: string, name: string): number {
  if (/^\d+(?:\.\d+)?$/.test(word) && Number(word) <= 100) return Number(word);
  throw new UsageError(`${name} must be a number from 0 to 100; found \`${word}\``);
}
