/** `edgeproof replay`: replays recorded traffic against the rules of a world. */

import { formatCount } from "../../core/format-count.ts";
import { profiles } from "../../core/profiles.ts";
import { type ExpectedChange, readExpectedChanges } from "../../import/replay/expected-changes.ts";
import { createReplay, type Replay } from "../../import/replay/replay.ts";
import type { ReplayZone } from "../../import/replay/replay-zone.ts";
import { createTrafficReader } from "../../import/traffic/reader.ts";
import type { TrafficSink } from "../../import/traffic/recorded-request.ts";
import type { World } from "../../service/world/schema.ts";
import { formatJson, type Io, stoppedExitCode, UsageError } from "../command.ts";
import type { replay } from "../declarations/replay.ts";
import type { InvocationOf, OptionsOf } from "../declare.ts";
import { assumeTokens } from "../input/assumed-tokens.ts";
import { byteStream } from "../input/byte-stream.ts";
import { readJsonInput } from "../input/files.ts";
import { expandPaths } from "../input/paths/expand.ts";
import { type AddGiven, readGivenFields } from "../input/requests/given-fields.ts";
import { selectZones } from "../input/world-zones.ts";
import { assertSameProfile, readValidZones, type ValidZones } from "../input/zone-inputs.ts";
import { createProgressLine } from "../output/progress.ts";
import { printReport } from "../output/report/formats.ts";
import { printReplay } from "../output/results/replay.ts";
import { replayCases } from "../output/results/replay-report.ts";
import { standardInput } from "../standard-input.ts";

export async function run({ options, words: files, io }: InvocationOf<typeof replay>): Promise<number> {
  const addGiven = readGivenFields(options.given);
  const { running, worlds } = await startReplay(options, io);
  io.handleSignals?.();
  for (const file of await expandPaths(files, io)) {
    if (!io.signal.aborted) await replayFile(running, file, { ...options, addGiven }, io);
  }
  const report = running.report();
  const printing = {
    ...options,
    text: () => printReplay(report),
    json: () => formatJson(report),
  };
  const cases = replayCases(report, worlds, options);
  const exitCode = await printReport(cases, printing, io);
  return io.signal.aborted ? stoppedExitCode : exitCode;
}

/** A replay and the worlds that it compares, the new one first. */
interface StartedReplay {
  readonly running: Replay;
  readonly worlds: readonly [ValidZones, ...ValidZones[]];
}

async function startReplay(options: OptionsOf<typeof replay>, io: Io): Promise<StartedReplay> {
  const expected = await readExpected(options.expect, io);
  const replayed = await readValidZones(options.world, options, io);
  const against =
    options.against === undefined ? undefined : await readValidZones(options.against, options, io);
  if (against) assertSameProfile(against, replayed);
  const assumed = await assumeTokens(options.as, replayed.zones, against?.zones);
  const worlds = [replayed, ...(against ? [against] : [])] as const;
  const undecided = worlds.flatMap(({ source }) => source.undecided);
  const { zone } = options;
  const isKnown = worlds.some(({ zones }) => zones.some(({ id }) => id === zone));
  if (zone !== undefined && !isKnown) selectZones(replayed, zone);
  const settings = {
    settings: profiles[replayed.profile],
    nowMs: options.now ?? Date.now(),
    expected,
    undecided,
    ...assumed,
    zones: [...assumed.zones, ...emptyZones(replayed)],
    zone,
  };
  return { running: createReplay(settings), worlds };
}

/** The zones without rules: a request to one of them is not to a host of no zone. */
function emptyZones({ zones, invalid, source }: ValidZones): readonly ReplayZone[] {
  if (zones.length === 0) return [];
  const { zones: all = [] } = source.value as World;
  return all.flatMap(({ id, name }) => {
    if (invalid.has(id) || zones.some((zone) => zone.id === id)) return [];
    return [{ id, ...(name !== undefined && { name }), input: { configs: [], rules: [] } }];
  });
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
  {
    input: format,
    host,
    addGiven,
  }: Pick<OptionsOf<typeof replay>, "input" | "host"> & { addGiven: AddGiven },
  io: Io,
): Promise<void> {
  const name = path === standardInput ? "standard input" : path;
  const file = running.startFile(name);
  const sink: TrafficSink = {
    ...file,
    request: (request) => file.request({ ...request, given: addGiven(request.given ?? {}) }),
  };
  const reader = createTrafficReader(sink, { ...(format && { format }), ...(host && { host }) });
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
