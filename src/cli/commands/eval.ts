/** `edgeproof eval`: evaluates a user's requests against the rules of a world file. */

import type { JsonSource } from "../../core/json-source.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { pointer } from "../../errors.ts";
import { couldChange } from "../../import/world/could-change.ts";
import type { Undecided } from "../../import/world/report.ts";
import { parseTimestamp } from "../../service/time.ts";
import type { World } from "../../service/world/schema.ts";
import type { Io } from "../command.ts";
import type { evaluate } from "../declarations/eval.ts";
import type { InvocationOf, OptionsOf } from "../declare.ts";
import { readJsonSource, standardInput } from "../input/files.ts";
import { assertDecided } from "../input/imports/undecided.ts";
import { type RequestLine, readRequests, zoneOf } from "../input/requests/requests-file.ts";
import { mintForWorld } from "../input/requests/suite-world.ts";
import { loadWorld } from "../input/world-file.ts";
import {
  type MeasuredWorld,
  measureCoverage,
  readCoverageChoice,
  writeCoverage,
} from "../output/coverage-report/coverage-option.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { printReport } from "../output/report/formats.ts";
import {
  describeUnexpected,
  type Evaluated,
  evalReport,
  isUnexpected,
  printExplanations,
  printJson,
  printText,
} from "../output/results/eval.ts";
import { escapeWorkflowCommands } from "../output/workflow-commands.ts";

export async function run({ options, io }: InvocationOf<typeof evaluate>): Promise<number> {
  const coverage = readCoverageChoice(options);
  const { request: path, format } = options;
  const source = await readJsonSource(path, io);
  const { evaluated, ...measured } = await evaluateAll(options, source, path, io);
  const print = options.explain ? printExplanations : printText;
  const printing = {
    ...options,
    text: () => print(evaluated, io.stdout.columns),
    json: () => printJson(evaluated),
    isSilent: coverage?.replacesVerdicts === true,
  };
  const exitCode = printReport(evalReport(evaluated, path, source), printing, io);
  if (coverage) {
    const zones = await measureCoverage(measured, evaluated, options.zone);
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

/** The verdicts, and the world that they are about. */
interface EvaluatedWorld extends MeasuredWorld {
  readonly evaluated: readonly Evaluated[];
}

async function evaluateAll(
  options: OptionsOf<typeof evaluate>,
  { value }: JsonSource,
  path: string,
  io: Io,
): Promise<EvaluatedWorld> {
  const { expect: expectAll, now: nowAll } = options;
  let now = Date.now();
  let requests = readRequests(value, path === standardInput ? "standard input" : path);
  const nowOf = (request: RequestLine) =>
    (request.now === undefined ? nowAll : parseTimestamp(request.now)) ?? Date.now();
  const adjust = async (read: World) => {
    const minted = await mintForWorld(read, requests, { options, nowOf });
    requests = minted.requests;
    return minted.world;
  };
  const { edge, world, source, undecided } = await loadWorld(options, io, { clock: () => now }, adjust);
  const zones = requests.map((request) => zoneOf(request, world, options.zone));
  assertDecided(undecided, options, new Set(zones));
  const evaluated: Evaluated[] = [];
  for (const [i, request] of requests.entries()) {
    now = nowOf(request);
    const { method, url, headers } = request;
    const zone = zones[i] ?? "";
    const from = performance.now();
    const verdict = await edge.tokens.evaluate(zone, { method, url, ...(headers && { headers }) });
    const seconds = (performance.now() - from) / 1_000;
    const at = Array.isArray(value) ? pointer(i) : "";
    const marks = undecidedFor(undecided, zone, url, verdict);
    const expected = request.expect ?? expectAll;
    evaluated.push({ request, at, zone, verdict, expected, seconds, undecided: marks });
  }
  return { evaluated, edge, world, source };
}

/** What could change the verdict on a request. */
function undecidedFor(
  undecided: readonly Undecided[],
  zone: string,
  url: string,
  { operation }: Verdict,
): readonly string[] {
  const id = operation?.operation_id;
  const request = { zone, host: new URL(url).hostname, ...(id !== undefined && { operation: id }) };
  return couldChange(undecided, request).map(({ message }) => message);
}
