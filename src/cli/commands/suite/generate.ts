/** `edgeproof suite generate`: a suite of requests for the custom and token rules of a world. */

import { dirname, relative, resolve, sep } from "node:path";
import { replaceFile } from "../../../core/files/write-file.ts";
import { profiles } from "../../../core/profiles.ts";
import { resolveDecision } from "../../../engine/tokens/names/decision-names.ts";
import { createPartNames } from "../../../engine/tokens/names/part-names.ts";
import { nameSuite } from "../../../engine/tokens/names/suite-names.ts";
import { suiteFor } from "../../../engine/tokens/suite/suite-for.ts";
import type { SuiteRequest } from "../../../engine/tokens/suite/suite-request.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import type { WorldZone } from "../../../service/world/rulesets/world-zones.ts";
import { type GeneratedSuite, printRequests, summaryOf } from "../../../testing/suites/generated-suite.ts";
import { printTestFile } from "../../../testing/suites/test-file.ts";
import { type Io, type Output, UsageError } from "../../command.ts";
import type { generate } from "../../declarations/suite.ts";
import type { InvocationOf } from "../../declare.ts";
import { acceptsUndecided } from "../../input/imports/undecided.ts";
import { invalidWorldError } from "../../input/world-problems.ts";
import { selectZones, type WorldZones } from "../../input/world-zones.ts";
import { readValidZones, type ValidZones } from "../../input/zone-inputs.ts";
import { firstOfGroups } from "../../output/bounded.ts";
import { printCommandLine } from "../../output/command-line.ts";
import { escapeControlCharacters, escapeLines } from "../../output/escape-control-characters.ts";
import { generateCommand } from "../../output/suite/generate-again.ts";
import { measureMutants } from "../../output/suite/measure-mutants.ts";
import { wrapLines } from "../../output/wrap.ts";

export async function run({ options, io }: InvocationOf<typeof generate>): Promise<number> {
  const { format, now: nowMs, world: path, zone: only, out, operations } = options;
  const world = await readValidZones(path, options, io, only);
  const zones = only === undefined ? undefined : new Set([only]);
  if (!acceptsUndecided(world.source.undecided, options, io, zones)) return 1;
  assertValid(world, only);
  if (format !== "json") assertReadable(world, options);
  const { precedence } = profiles[world.profile];
  const earlier = await readEarlier(options, io);
  const suites = selectZones(world, only).map(({ id, name, input: zone }): GeneratedSuite => {
    const isSame = (other: WorldZone) => name !== undefined && other.name === name;
    const before = (earlier?.find((other) => other.id === id) ?? earlier?.find(isSame))?.input;
    const kept = before && withIdsOf(zone, before, suiteFor(before, { precedence, operations }).requests);
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
  if (out === undefined) io.stdout.write(text);
  else await replaceFile(out, text);
  noteFormat(options, io);
  for (const suite of suites) io.stderr.write(printSummary(suite, io.stderr, options));
  return 0;
}

function printSummary(
  suite: GeneratedSuite,
  output: Output,
  { all }: InvocationOf<typeof generate>["options"],
): string {
  const { counts, open } = summaryOf(suite);
  const { kept, more } = firstOfGroups(open, ({ result }) => result, all);
  const lines = [...counts, ...kept.map(({ line }) => line), ...more.map((line) => `  ${line}`)];
  return wrapLines(output, escapeLines(`${lines.join("\n")}\n`));
}

/** Jest reads an ES module in TypeScript or JavaScript only with further settings. */
function noteFormat({ format, out }: InvocationOf<typeof generate>["options"], io: Io): void {
  if (format !== "jest" || out === undefined || out.endsWith(".mjs")) return;
  io.stderr.write(
    `note: the tests for jest are an ES module, which jest finds by the name \`.mjs\`; found ${escapeControlCharacters(out)}\n`,
  );
}

/** The requests of an earlier suite, with the ids that rules and configurations have now where there still is one. */
function withIdsOf(zone: ZoneInput, before: ZoneInput, requests: readonly SuiteRequest[]) {
  const names = createPartNames(zone);
  return nameSuite(before, requests).map((named, i): SuiteRequest => {
    const request = requests[i] as SuiteRequest;
    const resolved = resolveDecision(names, named.expected);
    const tokens = request.tokens.map((token, j) => {
      const found = names.configs.find(named.tokens[j]?.config ?? "");
      return "id" in found ? { ...token, config: found.id } : token;
    });
    return { ...request, tokens, ...("decision" in resolved && { expected: resolved.decision }) };
  });
}

/** The zones of the earlier world; undefined without one. */
async function readEarlier(
  options: InvocationOf<typeof generate>["options"],
  io: Io,
): Promise<readonly WorldZone[] | undefined> {
  const { onlyChanged: path, zone: only } = options;
  if (path === undefined) return undefined;
  return (await readValidZones(path, options, io, only)).zones;
}

/** @throws {UsageError} for invalid parts: a suite without them would pass */
function assertValid({ file, source, invalid, leftOut }: ValidZones, only: string | undefined): void {
  const ofZones = [...invalid].flatMap(([id, own]) => (only === undefined || only === id ? own : []));
  const problems = [...ofZones, ...leftOut.flatMap((part) => part.problems)];
  if (problems.length > 0) throw invalidWorldError(file, source, problems);
}

/** Tests read the world file themselves, so that they test the rules of today. */
function assertReadable(
  { file, source: { value, isImported } }: WorldZones,
  { world, partial }: InvocationOf<typeof generate>["options"],
): void {
  const isWorld = typeof value === "object" && value !== null && "zones" in value;
  if (isWorld && file.endsWith(".json") && !isImported) return;
  const words = ["world", "from", world, ...(partial ? ["--partial"] : []), "--out", "world.json"];
  const write = isImported ? `; write one with \`${printCommandLine(words)}\`, or` : ";";
  throw new UsageError(`tests need a world file in JSON; found ${file}${write} use --format json`);
}

function pathFrom(out: string | undefined, world: string): string {
  const path = relative(dirname(resolve(out ?? "rules.test.ts")), resolve(world))
    .split(sep)
    .join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
