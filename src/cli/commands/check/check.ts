/** `edgeproof check`: everything that can be checked without a request, in files of any kind. */

import { alternatives, type CodedDiagnostic, counted } from "../../../errors.ts";
import { startOf } from "../../../import/origin.ts";
import { type Io, UsageError } from "../../command.ts";
import type { Area, CheckValues, check } from "../../declarations/check.ts";
import type { InvocationOf } from "../../declare.ts";
import { type CheckedFile, type CheckedWorld, readCheckedFiles } from "../../input/imports/checked-files.ts";
import { validSource } from "../../input/imports/world-source.ts";
import { selectZones } from "../../input/world-zones.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printReport } from "../../output/report/formats.ts";
import { type Report, type ReportCase, skippedCase, summaryOf } from "../../output/report/report.ts";
import { type UnnamedZone, unnamedCase } from "../../output/results/applications.ts";
import { checkRules } from "../../output/results/check-rules.ts";
import {
  describeNameless,
  isNameless,
  namelessZones,
  nameZones,
} from "../../output/results/nameless-zones.ts";
import { worldPartCases } from "../../output/results/world-parts.ts";
import { undecidedCase } from "../../output/zones/token-rules.ts";
import { standardInput } from "../../standard-input.ts";
import { acceptReport } from "./accept-report.ts";
import { hasGivenZone, leftOutCases, rejectedCases, wantedAreas } from "./areas.ts";
import { otherParts } from "./unknown-rules.ts";

/** Checks the areas that are asked for, each by itself, and prints one report. */
export async function run({ options, words, io }: InvocationOf<typeof check>): Promise<number> {
  const files = await readFiles(options, words, io, wantedAreas(options));
  return printReport(await checkFiles(files, { options, words, io }), options, io);
}

/** The options of a check of files. */
interface CheckInput {
  readonly options: CheckValues;
  readonly words: readonly string[];
  readonly io: Io;
  /** Steps of the analysis for one question. Default: those of the engine. */
  readonly maxSteps?: number;
}

/** The report about files. @throws {UsageError} for options that do not fit the files */
export async function checkFiles(files: readonly CheckedFile[], input: CheckInput): Promise<Report> {
  const { options, words, io } = input;
  const isWanted = wantedAreas(options);
  const worlds = files.flatMap(({ world }) => world ?? []);
  const applicationFiles = files.filter(({ world }) => !world);
  const zone = options.zone;
  const [first] = worlds;
  if (first && worlds.every(({ value }) => !value.zones?.some(({ id }) => id === zone)))
    selectZones(first, zone);
  const others = await checkWithOthers(files, options, io, isWanted);
  const cases = [
    ...(isWanted("tokens") ? await rulesOf(worlds, input) : []),
    ...worlds.flatMap((world) => undecidedCases(world, zone, isWanted)),
    ...(isWanted("proxy") && hasApplications(files, options) ? await applicationsOf(files, input) : []),
    ...namelessCases(files, options, io),
    ...worlds.flatMap((world) => worldPartCases(world, problemsOf(world), isWanted)),
    ...files.flatMap(({ file, source }) => rejectedCases(file, source)),
    ...others.cases,
    ...worlds.flatMap(({ file, value, source }) => leftOutCases(file, value, source, isWanted)),
    ...(isWanted("proxy") ? [] : applicationFiles.map(leftOutFile)),
  ];
  const whenEmpty = describeEmpty(files, cases, isWanted);
  const inputs = startOf(files[0]?.file ?? standardInput);
  const found: Report = { command: "check", rules: checkRules, cases, whenEmpty, inputs };
  const report = await acceptReport(found, files, { options, words, io });
  const summary = [...others.summaries, summaryOf(report)].join("\n");
  return { ...report, summary };
}

/** The cases of rules; the analysis is loaded when there are some. */
async function rulesOf(
  worlds: readonly CheckedWorld[],
  { options: { zone, failOn = "warning" }, maxSteps }: CheckInput,
): Promise<readonly ReportCase[]> {
  if (!worlds.some(hasRules)) return [];
  const { ruleCases } = await import("./rules.ts");
  return worlds.flatMap((world) => ruleCases(world, zone, failOn, maxSteps));
}

function hasRules({ zones, value, problems }: CheckedWorld): boolean {
  const ofAccounts = value.accounts?.some(({ rulesets, lists }) => rulesets ?? lists);
  return (
    zones.length > 0 || ofAccounts === true || problems.some(({ pointer = "" }) => ruleParts.test(pointer))
  );
}

/** The cases of applications, whose checks are loaded when there are some. */
async function applicationsOf(
  files: readonly CheckedFile[],
  { options, io }: CheckInput,
): Promise<readonly ReportCase[]> {
  const { checkApplications } = await import("./applications.ts");
  return checkApplications(files, options.failOn ?? "error", options, io);
}

/** Whether files have applications, or options are about some. */
function hasApplications(files: readonly CheckedFile[], { fix, zone, world: given }: CheckValues): boolean {
  if (fix || zone !== undefined || given !== undefined) return true;
  return files.some(({ world, source }) => {
    const hasOpen = source.undecided.some(({ about }) => about === "application");
    return !world || hasOpen || world.value.zones?.some(({ proxy }) => proxy?.applications?.length);
  });
}

const nouns: Readonly<Record<Area, string>> = {
  tokens: "token rule or configuration",
  proxy: "proxy application",
  brand: "domain query",
  images: "image variant",
  keys: "token configuration",
  openapi: "documented operation",
};

/** Why nothing was evaluated. */
function describeEmpty(
  files: readonly CheckedFile[],
  cases: readonly ReportCase[],
  isWanted: (area: string) => boolean,
): string {
  const names = files.map(({ file }) => file).join(", ");
  if (cases.some(({ status }) => status === "undecided")) return `What ${names} has is undecided.`;
  const wanted = Object.entries(nouns).flatMap(([area, noun]) => (isWanted(area) ? [noun] : []));
  return `There is no ${alternatives(wanted)} in ${names}.`;
}

async function readFiles(
  options: CheckValues,
  words: readonly string[],
  io: Io,
  isWanted: (area: Area) => boolean,
): Promise<readonly CheckedFile[]> {
  const names = words.length === 0 && options.world !== undefined ? [options.world] : words;
  return readCheckedFiles(names, options, io, isWanted("proxy") && !isWanted("tokens"));
}

/** Asks once for the domains of zones: in a case when the names of applications are not checked, else on standard error. */
function namelessCases(files: readonly CheckedFile[], options: CheckValues, io: Io): readonly ReportCase[] {
  const found = files.flatMap(({ world }) => (world ? namelessOf(world, options.zone) : []));
  if (found.length === 0) return [];
  const zones = namelessZones(found.map(({ part }) => part));
  const run = nameZones(zones, io.commandLine);
  const unchecked = found.find(({ hasApplications }) => hasApplications);
  if (unchecked && wantedAreas(options)("proxy") && !hasGivenZone(files, options))
    return [
      unnamedCase(
        unchecked,
        `${describeNameless(zones)} The names of applications there are not checked.`,
        run,
      ),
    ];
  const line = `${describeNameless(zones)} Nothing that was checked depends on it.\n  run: ${run}\n`;
  io.stderr.write(escapeLines(line));
  return [];
}

function namelessOf({ source, value }: CheckedWorld, only: string | undefined): readonly UnnamedZone[] {
  return source.undecided.filter(isNameless).flatMap((part) => {
    const id = part.subject?.["zone"];
    if (only !== undefined && id !== only) return [];
    const zone = value.zones?.find((candidate) => candidate.id === id);
    return [{ part, source, hasApplications: (zone?.proxy?.applications?.length ?? 0) > 0 }];
  });
}

/** Rules, keys and hosts that the file does not decide, and resources whose zone it does not. */
function undecidedCases(
  world: CheckedWorld,
  only: string | undefined,
  isWanted: (area: Area) => boolean,
): readonly ReportCase[] {
  const hasRules = isWanted("tokens") || isWanted("openapi");
  // Only the cases of rules have those that are rules of the world.
  const parts = isWanted("tokens") ? otherParts(world) : world.source.undecided;
  return parts
    .filter(({ about, effect, subject: { zone } = {} }) => {
      if (!hasRules && about !== "zone") return false;
      return effect && (only === undefined || zone === undefined || zone === only);
    })
    .map((part) => undecidedCase(part, world.source));
}

/** The parts that `ruleCases` reports. */
const ruleParts = /^\/(?:zones|accounts)\/\d+\/(?:token_validation|rulesets|lists)(?=\/|$)/;

/** The parts that `checkApplications` reports. */
const applicationParts = /^\/zones\/\d+\/proxy\/applications\/\d+(?=\/|$)/;

/** The problems of the parts of a world that are neither rules nor applications. */
function problemsOf({ problems }: CheckedWorld): readonly CodedDiagnostic[] {
  return problems.filter(({ pointer = "" }) => !ruleParts.test(pointer) && !applicationParts.test(pointer));
}

/** The checks against an OpenAPI document and against an issuer, whose code is loaded only now. */
async function checkWithOthers(
  files: readonly CheckedFile[],
  options: CheckValues,
  io: Io,
  isWanted: (area: Area) => boolean,
): Promise<{ readonly cases: readonly ReportCase[]; readonly summaries: readonly string[] }> {
  const openapi = isWanted("openapi") ? options.openapi : undefined;
  const results: { readonly cases: readonly ReportCase[]; readonly summary?: string }[] = [];
  if (openapi === undefined && !isWanted("keys")) return { cases: [], summaries: [] };
  // With applications in the files, their check has printed the notes of the world.
  const quiet = { ...io, stderr: { ...io.stderr, write: () => true } };
  const world = await onlyWorld(files, options, isWanted("proxy") ? quiet : io);
  if (openapi !== undefined) {
    const { checkDocument } = await import("./openapi.ts");
    results.push(await checkDocument(openapi, world, options, io));
  }
  if (isWanted("keys")) {
    const { checkKeys } = await import("./keys.ts");
    results.push(await checkKeys(world, options.failOn ?? "warning", options, io));
  }
  return {
    cases: results.flatMap(({ cases }) => cases),
    summaries: results.flatMap(({ summary }) => summary ?? []),
  };
}

/** @throws {UsageError} unless one world is given, as a file or with `--world` */
async function onlyWorld(files: readonly CheckedFile[], options: CheckValues, io: Io): Promise<CheckedWorld> {
  const worlds = files.flatMap(({ world }) => world ?? []);
  const given = options.world;
  const [only] = worlds;
  if (only && worlds.length === 1) return only;
  const read =
    worlds.length === 0 && given !== undefined ? await readCheckedFiles([given], options, io, false) : [];
  const [other] = read;
  if (other?.world && read.length === 1) {
    validSource(other.source);
    return other.world;
  }
  throw new UsageError(
    `--openapi, --issuer and --jwks need one world file; found ${counted(worlds.length, "world file")}`,
  );
}

function leftOutFile({ file, source }: CheckedFile): ReportCase {
  const message = "--only does not name `proxy`";
  const location = source.place("");
  return skippedCase({ kind: "application", group: file, name: "applications", message, location });
}
