/** `edgeproof eval`: evaluates a user's requests against the rules of a world file. */

import { readUrl } from "../../core/idna/url.ts";
import { startOf } from "../../import/origin.ts";
import type { Undecided } from "../../import/undecided.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { parseTimestamp } from "../../service/time.ts";
import type { World } from "../../service/world/schema.ts";
import { whenIntended } from "../../testing/suites/generate-words.ts";
import type { Io, Output } from "../command.ts";
import type { evaluate } from "../declarations/eval.ts";
import type { InvocationOf, OptionsOf } from "../declare.ts";
import { invalidZones } from "../input/imports/left-out.ts";
import { createExpectations, plainExpectation } from "../input/requests/expectation.ts";
import { readGivenFields } from "../input/requests/given-fields.ts";
import { type ReadRequests, readRequestFiles } from "../input/requests/request-files.ts";
import { requestOfWords } from "../input/requests/request-of-words.ts";
import { type RequestLine, simulated } from "../input/requests/requests-file.ts";
import { mintForWorld } from "../input/requests/suite-world.ts";
import { describeNoZone, zonesOf } from "../input/requests/zone-of.ts";
import { type LoadedWorld, loadWorld } from "../input/world-file.ts";
import { invalidWorldError } from "../input/world-problems.ts";
import { firstOfGroups } from "../output/bounded.ts";
import {
  measureCoverage,
  readCoverageChoice,
  writeCoverage,
} from "../output/coverage-report/coverage-option.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { printReport } from "../output/report/formats.ts";
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
  titleOf,
} from "../output/results/eval.ts";
import { invalidReasons, leftOutCases, type Reason } from "../output/results/undecided.ts";
import { generateAgain } from "../output/suite/generate-again.ts";

export async function run({ options, words: [address], io }: InvocationOf<typeof evaluate>): Promise<number> {
  const coverage = readCoverageChoice(options);
  const format = options.format.printed;
  const asked =
    address === undefined ? await readRequestFiles(options.requests, io) : requestOfWords(address, options);
  const read = { ...asked, requests: asked.requests.map(readGivenFields(options.given)) };
  const { answers, ...loaded } = await evaluateAll(options, read, io);
  const evaluated = answers.filter(isEvaluated);
  const unexpected = evaluated.filter(isUnexpected);
  const again = againFor(unexpected, answers, options);
  const print = options.explain ? printExplanations : printText;
  const printing = {
    ...options,
    text: (output: Output) => print(answers, output),
    json: () => printJson(answers, again),
    isSilent: coverage?.replacesVerdicts === true,
  };
  const left = leftOutCases({ ...loaded, file: options.world });
  const { partial } = options;
  const { files } = read;
  const exitCode = await printReport(evalReport(answers, { left, files, partial, again }), printing, io);
  if (coverage) {
    const zones = await measureCoverage(loaded, evaluated, options.zone);
    if (coverage.out === undefined && format === "text" && !coverage.replacesVerdicts) io.stdout.write("\n");
    await writeCoverage(zones, coverage, io);
  }
  if (format === "text" || format === "json") writeUnexpected(unexpected, again, options, io);
  return exitCode;
}

/** The commands that write generated suites again, of the files that have an unexpected verdict. */
function againFor(
  unexpected: readonly Evaluated[],
  answers: readonly Answer[],
  options: OptionsOf<typeof evaluate>,
): ReadonlyMap<string, string> {
  const files = new Set(unexpected.map(({ at }) => at.file));
  return generateAgain(
    answers.filter(({ at }) => files.has(at.file)),
    options,
  );
}

/** The other formats contain them. */
function writeUnexpected(
  unexpected: readonly Evaluated[],
  again: ReadonlyMap<string, string>,
  { all }: OptionsOf<typeof evaluate>,
  io: Io,
): void {
  const { kept, more } = firstOfGroups(unexpected, () => "unexpected-verdict", all);
  for (const evaluated of kept) {
    const name = escapeControlCharacters(titleOf(evaluated.request));
    io.stderr.write(`${describeUnexpected(evaluated)}: ${name}\n`);
  }
  const lines = [
    ...more,
    ...(again.size > 0 ? [whenIntended] : []),
    ...[...again.values()].map((run) => `  ${run}`),
  ];
  for (const line of lines) io.stderr.write(`${escapeControlCharacters(line)}\n`);
}

/** The answers, and the world that they are about. */
interface EvaluatedWorld extends LoadedWorld {
  readonly answers: readonly Answer[];
}

async function evaluateAll(
  options: OptionsOf<typeof evaluate>,
  read: ReadRequests,
  io: Io,
): Promise<EvaluatedWorld> {
  const { expect: expectAll, now: nowAll } = options;
  let now = Date.now();
  let { requests } = read;
  const nowOf = (request: RequestLine) =>
    (request.now === undefined ? nowAll : parseTimestamp(request.now)) ?? Date.now();
  const adjust = async (given: World) => {
    const minted = await mintForWorld(given, requests, { options, nowOf });
    requests = minted.requests;
    return minted.world;
  };
  const loaded = await loadWorld(options, io, { clock: () => now, leavesOut: true }, adjust);
  const { world, edge } = loaded;
  const zones = zonesOf(requests, world, options.zone);
  const invalid = invalidZonesOf(loaded, zones, options);
  const expectationOf = createExpectations(loaded);
  const answers: Answer[] = [];
  for (const [i, request] of requests.entries()) {
    now = nowOf(request);
    const zone = zones[i];
    const at = read.places[i] ?? startOf("-");
    const expected = request.expect ?? expectAll;
    const asked = { request, at, zone, expected, expectation: plainExpectation(expected) };
    const reasons = zone === undefined ? [{ message: describeNoZone(request, world) }] : invalid.get(zone);
    if (zone === undefined || reasons) {
      answers.push({ ...asked, seconds: 0, undecided: reasons ?? [] });
      continue;
    }
    const from = performance.now();
    const verdict = await edge.tokens.evaluate(zone, simulated(request));
    const seconds = (performance.now() - from) / 1_000;
    const undecided = couldChangeIt(loaded.undecided, zone, request.url, verdict.operation?.operation_id);
    const isDecided = undecided.length === 0 || options.partial;
    const expectation = await expectationOf(zone, expected);
    answers.push({ ...asked, expectation, seconds, undecided, ...(isDecided && { verdict }) });
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
  { world: file }: OptionsOf<typeof evaluate>,
): ReadonlyMap<string, readonly Reason[]> {
  const invalid = invalidZones(leftOut, world);
  const problemsOf = (zone = "") => invalid.get(zone) ?? [];
  if (zones.length > 0 && zones.every((zone) => problemsOf(zone).length > 0))
    throw invalidWorldError(file, source, [...new Set(zones)].flatMap(problemsOf));
  return new Map([...invalid].map(([zone, problems]) => [zone, invalidReasons(zone, problems, source)]));
}

/** Undecided parts that could change the verdict on a request. */
function couldChangeIt(
  undecided: readonly Undecided[],
  zone: string,
  url: string,
  operation: string | undefined,
): readonly Reason[] {
  const request = { zone, host: readUrl(url)?.hostname ?? "", ...(operation !== undefined && { operation }) };
  return couldChange(undecided, request);
}
