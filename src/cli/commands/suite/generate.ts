/** `edgeproof generate`: a suite of requests for the token rules of a world. */
import { dirname, relative, resolve, sep } from "node:path";
import { profiles } from "../../../core/profiles.ts";
import { suiteFor } from "../../../engine/tokens/suite/suite-for.ts";
import { parseTimestamp } from "../../../service/time.ts";
import {
  type CommandDefinition,
  type CommandInput,
  choiceOption,
  type Io,
  stringOption,
  UsageError,
} from "../../command.ts";
import { importOptions } from "../../input/imports/import-options.ts";
import { assertDecided } from "../../input/imports/undecided.ts";
import { printLeftOut, profileOption, worldOption } from "../../input/world-file.ts";
import { readValidZones, selectZones, type WorldZones } from "../../input/zone-inputs.ts";
import { openAtomicFile } from "../../output/atomic-write.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { type GeneratedSuite, printRequests, printSummary } from "../../output/suite/generated-suite.ts";
import { printTestFile, testRunners } from "../../output/suite/test-file.ts";

/** The time at which the requests arrive unless `--now` says otherwise: any will do, so that files do not change. */
const defaultNow = "2026-01-01T00:00:00Z";

export const generate: CommandDefinition = {
  about: [
    "Writes a small suite of requests that exercises the token rules completely: every rule fires and passes, every condition of every expression decides, tokens have every state and come from every source, and every mutant of the rules is noticed. None of the requests can be left out.",
    "The tests contain no key and no token: they mint both when they start, under the kid and alg of the world. The JSON is input of eval and mutate, which mint them, too. Standard error has what is unreachable, with the reason.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    zone: { type: "string", value: "id", help: "Only this zone. Default: all zones." },
    out: { type: "string", value: "file", help: "File to write. Default: standard output." },
    format: {
      type: "string",
      value: "vitest|jest|node|json",
      help: "A test file for vitest, jest or node:test, or JSON for eval and mutate. Default: vitest.",
    },
    now: {
      type: "string",
      value: "time",
      help: `RFC 3339 time at which the requests arrive. Default: ${defaultNow}.`,
    },
    ...profileOption,
    ...importOptions,
  },
  exits: {
    0: "The suite was written.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof generate --world world.json --out rules.test.ts",
    "edgeproof generate --world world.json --format json --out suite.json",
  ],
  run: runGenerate,
};

async function runGenerate(input: CommandInput, io: Io): Promise<number> {
  const format = choiceOption(input, "format", [...testRunners, "json"] as const, "vitest");
  const nowMs = readNow(stringOption(input, "now") ?? defaultNow);
  const path = stringOption(input, "world");
  if (path === undefined) throw new UsageError("--world is missing; it must name a world file");
  const only = stringOption(input, "zone");
  const world = await readValidZones(path, input, io, only);
  assertDecided(world.source.undecided, input, only === undefined ? undefined : new Set([only]));
  const invalid = [...world.invalid].map(([zone, problems]) => ({ pointer: `zone ${zone}`, problems }));
  printLeftOut({ ...world, leftOut: [...invalid, ...world.leftOut] }, io);
  if (format !== "json") assertReadable(world);
  const { precedence } = profiles[world.profile];
  const suites = selectZones(world, only).map(({ id, input: zone }): GeneratedSuite => {
    return { zone: id, input: zone, suite: suiteFor(zone, { precedence }) };
  });
  const out = stringOption(input, "out");
  const text =
    format === "json"
      ? printRequests(suites, nowMs)
      : printTestFile(suites, {
          runner: format,
          worldPath: pathFrom(out, path),
          profile: world.profile,
          nowMs,
        });
  await write(text, out, io);
  for (const suite of suites) io.stderr.write(escapeLines(printSummary(suite)));
  return 0;
}

/** Tests read the world file themselves, so that they test the rules of today. */
function assertReadable({ file, source }: WorldZones): void {
  const isWorld = typeof source.value === "object" && source.value !== null && "zones" in source.value;
  if (isWorld && file.endsWith(".json")) return;
  throw new UsageError(
    `tests need a world file in JSON; found ${file}; write one with \`edgeproof world\`, or use --format json`,
  );
}

function pathFrom(out: string | undefined, world: string): string {
  const path = relative(dirname(resolve(out ?? "rules.test.ts")), resolve(world))
    .split(sep)
    .join("/");
  return path.startsWith(".") ? path : `./${path}`;
}

async function write(text: string, out: string | undefined, io: Io): Promise<void> {
  if (out === undefined) {
    io.stdout.write(text);
    return;
  }
  const file = await openAtomicFile(out, 0o644);
  await file.write(text);
  await file.commit();
}

function readNow(value: string): number {
  const now = parseTimestamp(value);
  if (now !== undefined) return now;
  throw new UsageError(`--now must be an RFC 3339 time such as ${defaultNow}; found \`${value}\``);
}
