/** `edgeproof suite generate`: a suite of requests for the token rules of a world. */

import { dirname, relative, resolve, sep } from "node:path";
import { profiles } from "../../../core/profiles.ts";
import { suiteFor } from "../../../engine/tokens/suite/suite-for.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { type GeneratedSuite, printRequests, printSummary } from "../../../testing/suites/generated-suite.ts";
import { printTestFile } from "../../../testing/suites/test-file.ts";
import { type Io, UsageError } from "../../command.ts";
import type { generate } from "../../declarations/suite.ts";
import type { InvocationOf } from "../../declare.ts";
import { acceptsUndecided } from "../../input/imports/undecided.ts";
import { printLeftOut } from "../../input/world-file.ts";
import { readValidZones, selectZones, type WorldZones } from "../../input/zone-inputs.ts";
import { openAtomicFile } from "../../output/atomic-write.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { generateCommand } from "../../output/suite/generate-again.ts";
import { measureMutants } from "../../output/suite/measure-mutants.ts";

export async function run({ options, io }: InvocationOf<typeof generate>): Promise<number> {
  const { format, now: nowMs, world: path, zone: only, out, operations } = options;
  const world = await readValidZones(path, options, io, only);
  const zones = only === undefined ? undefined : new Set([only]);
  if (!acceptsUndecided(world.source.undecided, options, io, zones)) return 1;
  const invalid = [...world.invalid].map(([zone, problems]) => ({ pointer: `zone ${zone}`, problems }));
  printLeftOut({ ...world, leftOut: [...invalid, ...world.leftOut] }, io);
  if (format !== "json") assertReadable(world);
  const { precedence } = profiles[world.profile];
  const earlier = await readEarlier(options, io);
  const suites = selectZones(world, only).map(({ id, input: zone }): GeneratedSuite => {
    const before = earlier?.get(id);
    const kept = before && suiteFor(before, { precedence, operations }).requests;
    const suite = measureMutants(io, id, "generated", (onProgress) => {
      const found = suiteFor(zone, { precedence, operations, onProgress, ...(kept && { keep: kept }) });
      const { noticed, equivalent, undecided } = found.mutants;
      return { result: found, mutants: noticed + equivalent + undecided.length };
    });
    return { zone: id, input: zone, suite, kept };
  });
  if (suites.every(({ suite }) => suite.requests.length === 0)) {
    io.stderr.write(
      `edgeproof: ${escapeLines(path)} has no rules to generate requests for; nothing was written\n`,
    );
    return 1;
  }
  const text =
    format === "json"
      ? printRequests(suites, options)
      : printTestFile(suites, {
          runner: format,
          worldPath: pathFrom(out, path),
          profile: world.profile,
          nowMs,
          command: generateCommand({ ...options, now: new Date(nowMs).toISOString() }),
        });
  await write(text, out, io);
  for (const suite of suites) io.stderr.write(escapeLines(printSummary(suite)));
  return 0;
}

/** The zones of the earlier world by id; undefined without one. */
async function readEarlier(
  options: InvocationOf<typeof generate>["options"],
  io: Io,
): Promise<ReadonlyMap<string, ZoneInput> | undefined> {
  const { onlyChanged: path, zone: only } = options;
  if (path === undefined) return undefined;
  const { zones } = await readValidZones(path, options, io, only);
  return new Map(zones.map(({ id, input }) => [id, input]));
}

/** Tests read the world file themselves, so that they test the rules of today. */
function assertReadable({ file, source }: WorldZones): void {
  const isWorld = typeof source.value === "object" && source.value !== null && "zones" in source.value;
  if (isWorld && file.endsWith(".json")) return;
  throw new UsageError(
    `tests need a world file in JSON; found ${file}; write one with \`edgeproof world from\`, or use --format json`,
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
