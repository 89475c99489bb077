/** `edgeproof check`: everything that can be checked without a request, in files of any kind. */
import { createEdge } from "../../../edge.ts";
import { alternatives, type CodedDiagnostic, counted, InvalidInputError } from "../../../errors.ts";
import { type Io, UsageError } from "../../command.ts";
import type { Area, CheckValues, check } from "../../declarations/check.ts";
import type { InvocationOf } from "../../declare.ts";
import { type CheckedFile, type CheckedWorld, readCheckedFiles } from "../../input/imports/checked-files.ts";
import { selectZones } from "../../input/zone-inputs.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printReport } from "../../output/report/formats.ts";
import { type Report, type ReportCase, skippedCase, summaryOf } from "../../output/report/report.ts";
import { checkRules } from "../../output/results/check-rules.ts";
import { printUndecided } from "../../output/results/import-report.ts";
import { worldPartCases } from "../../output/results/world-parts.ts";
import { undecidedCase } from "../../output/zones/token-rules.ts";
import { acceptReport } from "./accept-report.ts";
import { checkApplications } from "./applications.ts";
import { leftOutCases, wantedAreas } from "./areas.ts";
import { ruleCases } from "./rules.ts";

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
  const { options, words, io, maxSteps } = input;
  const isWanted = wantedAreas(options);
  const worlds = files.flatMap(({ world }) => world ?? []);
  const applicationFiles = files.filter(({ world }) => !world);
  const zone = options.zone;
  const [first] = worlds;
  if (first && worlds.every(({ value }) => !value.zones?.some(({ id }) => id === zone)))
    selectZones(first, zone);
  printNamelessZones(worlds, io);
  const failOn = options.failOn;
  const others = await checkWithOthers(files, options, io, isWanted);
  const rules = (world: CheckedWorld) => ruleCases(world, zone, failOn ?? "warning", maxSteps);
  const cases = [
    ...(isWanted("tokens") ? worlds.flatMap(rules) : []),
    ...(isWanted("tokens") || isWanted("openapi")
      ? worlds.flatMap((world) => undecidedCases(world, zone))
      : []),
    ...(isWanted("proxy") ? await checkApplications(files, failOn ?? "error", options, io) : []),
    ...worlds.flatMap((world) => worldPartCases(world, problemsOf(world), isWanted)),
    ...others.cases,
    ...worlds.flatMap(({ file, value, source }) => leftOutCases(file, value, source, isWanted)),
    ...(isWanted("proxy") ? [] : applicationFiles.map(leftOutFile)),
  ];
  const whenEmpty = describeEmpty(files, cases, isWanted);
  const found: Report = { command: "check", rules: checkRules, cases, whenEmpty };
  const report = await acceptReport(found, files, { options, words, io });
  const summary = [...others.summaries, summaryOf(report)].join("\n");
  return { ...report, summary };
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

/** Zones without a domain are no faults, but leave checks out. */
function printNamelessZones(worlds: readonly CheckedWorld[], io: Io): void {
  const parts = worlds.flatMap(({ source }) => source.undecided);
  for (const part of parts.filter(({ about }) => about === "zone"))
    io.stderr.write(escapeLines(`${printUndecided(part)}\n`));
}

/** Rules, keys and hosts that the file does not decide. */
function undecidedCases({ source }: CheckedWorld, only: string | undefined): readonly ReportCase[] {
  return source.undecided
    .filter(({ effect, subject: { zone } = {} }) => {
      return effect && (only === undefined || zone === undefined || zone === only);
    })
    .map((part) => undecidedCase(part, source));
}

/** The parts that `ruleCases` reports. */
const ruleParts = /^\/(?:zones|accounts)\/\d+\/(?:token_validation|rulesets|lists)(?=\/|$)/;

/** The faults of the parts of a world that are neither rules nor applications. */
function problemsOf({ value, profile, problems }: CheckedWorld): readonly CodedDiagnostic[] {
  const accounts = value.accounts?.map(({ brand, images, rulesets, lists, ...account }) => {
    const { logo_queries, scans, ...names } = brand ?? {};
    const { images: uploads, ...hosting } = images ?? {};
    return { ...account, ...(brand && { brand: names }), ...(images && { images: hosting }) };
  });
  const zones = value.zones?.map(({ token_validation, rulesets, proxy, ...zone }) => {
    const { applications, ...facts } = proxy ?? {};
    return { ...zone, ...(proxy && { proxy: facts }) };
  });
  const own = problems.filter(({ pointer = "" }) => !ruleParts.test(pointer));
  try {
    createEdge({ world: { ...value, ...(accounts && { accounts }), ...(zones && { zones }) }, profile });
    return own;
  } catch (error) {
    if (error instanceof InvalidInputError) return [...own, ...error.problems];
    throw error;
  }
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
  if (other?.world && read.length === 1) return other.world;
  throw new UsageError(
    `--openapi, --issuer and --jwks need one world file; found ${counted(worlds.length, "world file")}`,
  );
}

function leftOutFile({ file, source }: CheckedFile): ReportCase {
  const message = "--only does not name `proxy`";
  const location = source.place("");
  return skippedCase({ kind: "application", group: file, name: "applications", message, location });
}
