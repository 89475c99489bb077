/** `edgeproof eval`: evaluates a user's requests against the rules of a world file. */
import type { JsonSource } from "../../core/json-source.ts";
import { pointer } from "../../errors.ts";
import type { Undecided } from "../../import/undecided.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { parseTimestamp } from "../../service/time.ts";
import type { World } from "../../service/world/schema.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  UsageError,
} from "../command.ts";
import { readJsonSource, standardInput } from "../input/files.ts";
import { partialOption } from "../input/imports/import-options.ts";
import { invalidZones } from "../input/left-out.ts";
import {
  actions,
  describeNoZone,
  type RequestLine,
  readRequests,
  zoneOf,
} from "../input/requests/requests-file.ts";
import { mintForWorld } from "../input/requests/suite-world.ts";
import {
  invalidWorldError,
  type LoadedWorld,
  loadWorld,
  profileOption,
  worldOption,
} from "../input/world-file.ts";
import {
  coverageOptions,
  measureCoverage,
  readCoverageChoice,
  writeCoverage,
} from "../output/coverage-report/coverage-option.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import {
  acceptOptions,
  formatOptions,
  printReport,
  readAccepted,
  readFormat,
} from "../output/report/formats.ts";
import {
  type Answer,
  describeUnexpected,
  type Evaluated,
  evalReport,
  isEvaluated,
  isUnexpected,
  printExplanations,
  printJson,
  printText,
} from "../output/results/eval.ts";
import { invalidReasons, leftOutCases, type Reason } from "../output/results/undecided.ts";
import { escapeWorkflowCommands } from "../output/workflow-commands.ts";
import { watchOption } from "../watch/watch.ts";

export const evaluate: CommandDefinition = {
  about: [
    "A request is a JSON object: url, and optionally method (default GET), headers (an object or a list of pairs), name, zone, now, expect (an action, or an object with action, rule and logged) and token ({config, kid, alg, state}: minted for the request, with a new key in the zone). Each request is evaluated as the edge does: operation, rules, token, verdict.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    request: {
      type: "string",
      value: "file",
      help: "JSON file with a request or an array of requests; `-` reads standard input.",
    },
    zone: {
      type: "string",
      value: "id",
      help: "Zone of the requests. Default: the zone whose name the host ends with.",
    },
    now: { type: "string", value: "time", help: "RFC 3339 time at which the requests arrive. Default: now." },
    expect: {
      type: "string",
      value: "action",
      help: "allow, log or block: exit with 1 when a verdict differs.",
    },
    explain: { type: "boolean", help: "Print the explanation of each verdict." },
    ...coverageOptions,
    ...formatOptions,
    ...acceptOptions,
    ...watchOption,
    ...profileOption,
    ...partialOption,
  },
  exits: {
    0: "Requests were evaluated, and every verdict is decided and as expected, if one was expected.",
    1: "A verdict differs from the expected one or is undecided, or there was no request.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof eval --world world.json --request requests.json",
    "edgeproof eval --world world.json --request requests.json --expect allow --json",
    `echo '{"url":"https://api.example.com/"}' | edgeproof eval --world world.json --request - --explain`,
    "edgeproof eval --world world.json --request suite.json --coverage html --coverage-out coverage.html",
  ],
  run: runEval,
};

async function runEval(input: CommandInput, io: Io): Promise<number> {
  const format = readFormat(input);
  const coverage = readCoverageChoice(input, format);
  const path = stringOption(input, "request");
  if (path === undefined)
    throw new UsageError(
      "--request is missing; it must name a file of requests, or be `-` for standard input",
    );
  if (stringOption(input, "world") === undefined)
    throw new UsageError("--world is missing; it must name a world file");
  const source = await readJsonSource(path, io);
  const { answers, ...loaded } = await evaluateAll(input, source, path, io);
  const evaluated = answers.filter(isEvaluated);
  const print = booleanOption(input, "explain") ? printExplanations : printText;
  const printing = {
    format,
    text: () => print(answers, io.stdout.columns),
    json: () => printJson(answers),
    isSilent: coverage?.replacesVerdicts === true,
    ...readAccepted(input),
  };
  const left = leftOutCases(stringOption(input, "world") ?? "", loaded.leftOut, loaded.source);
  const exitCode = printReport(evalReport(answers, left, path, source), printing, io);
  if (coverage) {
    const zones = await measureCoverage(loaded, evaluated, stringOption(input, "zone"));
    if (coverage.out === undefined && format === "text" && !coverage.replacesVerdicts) io.stdout.write("\n");
    await writeCoverage(zones, coverage, io);
  }
  const unexpected = evaluated.filter(isUnexpected);
  if (format === "text" || format === "json") writeUnexpected(unexpected, io);
  return exitCode;
}

/** The other formats contain them. */
function writeUnexpected(unexpected: readonly Evaluated[], io: Io): void {
  for (const one of unexpected) {
    const line = `${describeUnexpected(one)}: ${escapeControlCharacters(one.request.name ?? one.request.url)}\n`;
    io.stderr.write(escapeWorkflowCommands(line, io));
  }
}

/** The answers, and the world that they are about. */
interface EvaluatedWorld extends LoadedWorld {
  readonly answers: readonly Answer[];
}

async function evaluateAll(
  input: CommandInput,
  { value }: JsonSource,
  path: string,
  io: Io,
): Promise<EvaluatedWorld> {
  const expectAll = readExpect(stringOption(input, "expect"));
  const nowAll = readNow(stringOption(input, "now"));
  let now = Date.now();
  let requests = readRequests(value, path === standardInput ? "standard input" : path);
  const nowOf = (request: RequestLine) =>
    (request.now === undefined ? nowAll : parseTimestamp(request.now)) ?? Date.now();
  const adjust = async (read: World) => {
    const minted = await mintForWorld(read, requests, { input, nowOf });
    requests = minted.requests;
    return minted.world;
  };
  const loaded = await loadWorld(input, io, { clock: () => now, leavesOut: true }, adjust);
  const { world, edge } = loaded;
  const zones = requests.map((request) => zoneOf(request, world, stringOption(input, "zone")));
  const invalid = invalidZonesOf(loaded, zones, input);
  const answers: Answer[] = [];
  for (const [i, request] of requests.entries()) {
    now = nowOf(request);
    const { method, url, headers } = request;
    const zone = zones[i];
    const at = Array.isArray(value) ? pointer(i) : "";
    const asked = { request, at, zone, expected: request.expect ?? expectAll };
    const reasons = zone === undefined ? [{ message: describeNoZone(request, world) }] : invalid.get(zone);
    if (zone === undefined || reasons) {
      answers.push({ ...asked, seconds: 0, undecided: reasons ?? [] });
      continue;
    }
    const from = performance.now();
    const verdict = await edge.tokens.evaluate(zone, { method, url, ...(headers && { headers }) });
    const seconds = (performance.now() - from) / 1_000;
    const undecided = couldChangeIt(loaded.undecided, zone, url, verdict.operation?.operation_id);
    const isDecided = undecided.length === 0 || booleanOption(input, "partial");
    answers.push({ ...asked, seconds, undecided, ...(isDecided && { verdict }) });
  }
  return { ...loaded, answers };
}

/**
 * Why no request to a zone can be evaluated, by the id of the zone.
 *
 * @param zones the zones of all requests
 * @throws {UsageError} when every request is to such a zone
 */
function invalidZonesOf(
  { world, leftOut, source }: LoadedWorld,
  zones: readonly (string | undefined)[],
  input: CommandInput,
): ReadonlyMap<string, readonly Reason[]> {
  const invalid = invalidZones(leftOut, world.zones ?? []);
  const problemsOf = (zone = "") => invalid.get(zone) ?? [];
  if (zones.length > 0 && zones.every((zone) => problemsOf(zone).length > 0))
    throw invalidWorldError(
      stringOption(input, "world") ?? "",
      source,
      [...new Set(zones)].flatMap(problemsOf),
    );
  return new Map([...invalid].map(([zone, problems]) => [zone, invalidReasons(zone, problems, source)]));
}

/** What could change the verdict on a request. */
function couldChangeIt(
  undecided: readonly Undecided[],
  zone: string,
  url: string,
  operation: string | undefined,
): readonly Reason[] {
  const request = { zone, host: new URL(url).hostname, ...(operation !== undefined && { operation }) };
  return couldChange(undecided, request);
}

function readExpect(value: string | undefined): string | undefined {
  if (value === undefined || (actions as readonly string[]).includes(value)) return value;
  throw new UsageError(`--expect must be \`allow\`, \`log\` or \`block\`; found \`${value}\``);
}

function readNow(value: string | undefined): number | undefined {
  const now = value === undefined ? undefined : parseTimestamp(value);
  if (value === undefined || now !== undefined) return now;
  throw new UsageError(`--now must be an RFC 3339 time such as 2026-01-31T12:00:00Z; found \`${value}\``);
}
