/** `edgeproof replay`: replays recorded traffic against the rules of a world. */
import { profiles } from "../../core/profiles.ts";
import { InvalidInputError } from "../../errors.ts";
import { type ExpectedChange, readExpectedChanges } from "../../import/replay/expected-changes.ts";
import { createReplay, type Replay } from "../../import/replay/replay.ts";
import { type TrafficFormat, trafficFormats } from "../../import/traffic/format.ts";
import { createTrafficReader } from "../../import/traffic/reader.ts";
import { parseTimestamp } from "../../service/time.ts";
import {
  type CommandDefinition,
  type CommandInput,
  choiceOption,
  formatJson,
  type Io,
  stoppedExitCode,
  stringOption,
  UsageError,
} from "../command.ts";
import { byteStream } from "../input/byte-stream.ts";
import { readJsonInput, standardInput } from "../input/files.ts";
import { importOptions, partialOption } from "../input/imports/import-options.ts";
import { type AssumedState, assumedStates, assumeTokens } from "../input/traffic/assumed-tokens.ts";
import { profileOption, worldOption } from "../input/world-file.ts";
import { assertSameProfile, readValidZones, type ValidZones } from "../input/zone-inputs.ts";
import { createProgressLine, formatCount } from "../output/progress.ts";
import {
  acceptOptions,
  formatOptions,
  printReport,
  readAccepted,
  readFormat,
} from "../output/report/formats.ts";
import { printReplay } from "../output/results/replay.ts";
import { replayCases } from "../output/results/replay-report.ts";

const formats = Object.keys(trafficFormats) as TrafficFormat[];

export const replay: CommandDefinition = {
  about: [
    "Reads recorded requests: HTTP archives (HAR) of browsers, Logpush records of HTTP requests (JSON Lines, plain or gzip, any size), and curl commands, which are never run. Each request is evaluated at its recorded time.",
    "A token that the recording redacted or stripped is never taken as missing: the request is not evaluated, unless --as assumes a token for it. With Logpush records the verdicts are compared with what the edge really did.",
    "Recorded tokens are secrets: the output has key ids and names of claims only, and paths without queries.",
  ],
  positionals: "<traffic...>",
  options: {
    ...worldOption,
    against: {
      type: "string",
      value: "file",
      help: "World file to compare with: reports the verdicts that change. Default: the edge's own answers, if recorded.",
    },
    as: {
      type: "string",
      value: assumedStates.join("|"),
      help: "Evaluate requests with a redacted or stripped token as if it were valid, missing or expired.",
    },
    expect: {
      type: "string",
      value: "file",
      help: "JSON file with the changes that are expected: an array of objects with rule, operation or host, and from, to.",
    },
    "allow-changes": {
      type: "string",
      value: "number",
      help: "Number of changed requests that are allowed beside the expected ones. Default: 0.",
    },
    input: {
      type: "string",
      value: formats.join("|"),
      help: "Format of the recorded traffic. Default: detected for each file.",
    },
    now: {
      type: "string",
      value: "time",
      help: "RFC 3339 time of requests whose recording has none, such as curl commands. Default: now.",
    },
    ...formatOptions,
    ...acceptOptions,
    ...profileOption,
    ...importOptions,
    ...partialOption,
  },
  exits: {
    0: "Every request has a verdict, and no verdict changed, or only as expected or allowed.",
    1: "More verdicts changed, a verdict is undecided, or there was nothing to compare.",
    2: "A file or an option is invalid; standard error says why.",
    130: "Stopped; the report covers the requests so far.",
  },
  examples: [
    "edgeproof replay --world world.json traffic.har",
    "edgeproof replay --world new.json --against old.json http_requests.ndjson.gz",
    "edgeproof replay --world new.json --against old.json --as valid --expect changes.json traffic.har",
  ],
  run: runReplay,
};

async function runReplay(input: CommandInput, io: Io): Promise<number> {
  const { positionals: files } = input;
  if (files.length === 0)
    throw new UsageError(
      "expected at least 1 file of recorded traffic: `edgeproof replay --world world.json traffic.har`",
    );
  const format = readFormat(input);
  const allowed = readAllowed(stringOption(input, "allow-changes"));
  const { running, worlds } = await startReplay(input, io);
  io.handleSignals?.();
  for (const file of files) {
    if (!io.signal.aborted) await replayFile(running, file, readTrafficFormat(input), io);
  }
  const report = running.report();
  const printing = {
    format,
    text: () => printReplay(report),
    json: () => formatJson(report),
    ...readAccepted(input),
  };
  const cases = replayCases(report, worlds, allowed);
  const exitCode = printReport(cases, printing, io);
  return io.signal.aborted ? stoppedExitCode : exitCode;
}

/** A replay and the worlds that it compares, the new one first. */
interface StartedReplay {
  readonly running: Replay;
  readonly worlds: readonly [ValidZones, ...ValidZones[]];
}

async function startReplay(input: CommandInput, io: Io): Promise<StartedReplay> {
  const world = stringOption(input, "world");
  if (world === undefined) throw new UsageError("--world is missing; it must name a world file");
  const expected = await readExpected(stringOption(input, "expect"), io);
  const old = stringOption(input, "against");
  const replayed = await readValidZones(world, input, io);
  const against = old === undefined ? undefined : await readValidZones(old, input, io);
  if (against) assertSameProfile(against, replayed);
  const assumed = await assumeTokens(readAssumed(input), replayed.zones, against?.zones);
  const worlds = [replayed, ...(against ? [against] : [])] as const;
  const undecided = worlds.flatMap(({ source }) => source.undecided);
  const options = {
    settings: profiles[replayed.profile],
    nowMs: readNow(input),
    expected,
    undecided,
    ...assumed,
  };
  try {
    return { running: createReplay(options), worlds };
  } catch (error) {
    // A problem of the profile, such as the case of header names.
    if (error instanceof InvalidInputError) throw new UsageError(error.message);
    throw error;
  }
}

function readAssumed(input: CommandInput): AssumedState | undefined {
  return stringOption(input, "as") === undefined
    ? undefined
    : choiceOption(input, "as", assumedStates, "valid");
}

function readTrafficFormat(input: CommandInput): TrafficFormat | undefined {
  return stringOption(input, "input") === undefined
    ? undefined
    : choiceOption(input, "input", formats, "har");
}

function readAllowed(value: string | undefined): number {
  const count = Number(value ?? 0);
  if (Number.isSafeInteger(count) && count >= 0 && /^\d+$/.test(value ?? "0")) return count;
  throw new UsageError(`--allow-changes must be an integer from 0; found \`${value}\``);
}

function readNow(input: CommandInput): number {
  const value = stringOption(input, "now");
  const now = value === undefined ? Date.now() : parseTimestamp(value);
  if (now !== undefined) return now;
  throw new UsageError(`--now must be an RFC 3339 time such as 2026-01-31T12:00:00Z; found \`${value}\``);
}

async function readExpected(path: string | undefined, io: Io): Promise<readonly ExpectedChange[]> {
  if (path === undefined) return [];
  const read = readExpectedChanges(await readJsonInput(path, io));
  if (read.ok) return read.value;
  const lines = read.problems.map(({ pointer, message }) => `  ${pointer || "/"}: ${message}`);
  throw new UsageError(`${path} is not a list of expected changes:\n${lines.join("\n")}`);
}

/** @throws {UsageError} when the file cannot be read, or its format is not known */
async function replayFile(
  running: Replay,
  path: string,
  format: TrafficFormat | undefined,
  io: Io,
): Promise<void> {
  const name = path === standardInput ? "standard input" : path;
  const file = running.startFile(name);
  const reader = createTrafficReader(file, format === undefined ? {} : { format });
  const progress = createProgressLine(io.stderr);
  let bytes = 0;
  for await (const chunk of byteStream(path, io)) {
    reader.push(chunk);
    bytes += chunk.length;
    progress.update(`${name}: ${formatCount(Math.floor(bytes / 1e6), "megabyte")}`);
    if (io.signal.aborted || reader.hasFailed) break;
  }
  progress.end();
  const end = reader.end();
  file.end();
  if (!end.ok && !io.signal.aborted) throw new UsageError(`cannot read ${name}: ${end.problems[0]}`);
}
