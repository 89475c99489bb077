/** `edgeproof check`: everything that can be checked without a request, in files of any kind. */
import type { Level } from "../../../core/diagnostic.ts";
import { profiles } from "../../../core/profiles.ts";
import { createEdge } from "../../../edge.ts";
import { analyzeValidParts } from "../../../engine/tokens/analysis/analyze-valid-parts.ts";
import { type CodedDiagnostic, counted, InvalidInputError } from "../../../errors.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  UsageError,
} from "../../command.ts";
import { type CheckedFile, type CheckedWorld, readCheckedFile } from "../../input/checked-files.ts";
import { standardInput } from "../../input/files.ts";
import { hostOption, partialOption, sourceOption } from "../../input/imports/import-options.ts";
import { profileOption, worldOption } from "../../input/world-file.ts";
import { selectZones } from "../../input/zone-inputs.ts";
import { issuerOptions } from "../../network/issuer-keys.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import {
  acceptOptions,
  failOnOption,
  formatOptions,
  printReport,
  readAccepted,
  readFailOn,
  readFormat,
} from "../../output/report/formats.ts";
import { type Report, type ReportCase, summaryOf } from "../../output/report/report.ts";
import { checkRules } from "../../output/results/check-rules.ts";
import { printUndecided } from "../../output/results/import-report.ts";
import { undecidedCase, zoneCases } from "../../output/results/token-rules.ts";
import { worldPartCases } from "../../output/results/world-parts.ts";
import { watchOption } from "../../watch/watch.ts";
import { checkApplications } from "./applications.ts";
import { type Area, areas, leftOutCases, readAreas } from "./areas.ts";

export const check: CommandDefinition = {
  about: [
    "Checks files without any request: the token rules, proxy applications, domain queries and image variants of a world file, a Terraform plan or state, or a saved response of the interface; and files with one proxy application or an array of them, in the format of a request body (JSON, JSON with comments or YAML).",
    "Token rules: expressions that are always true or always false, rules after a rule that always decides first, duplicate operands, unknown ids. Every finding holds for all possible requests; questions that are too large are undecided. Applications are checked as if they were created in order; checks that need facts about the account are reported as not evaluated, unless a world contains the facts.",
    "--openapi also compares the rules of a zone with an OpenAPI document (2.0, 3.0 or 3.1): for each documented operation, whether a request without a valid token gets through, shown with a request that the real engine confirms. --issuer or --jwks also compares the keys of a configuration with those of its issuer. Only --issuer opens a connection.",
    "--fix changes only what it fixes: it removes nothing, and keeps the layout, the comments and the spelling of numbers.",
  ],
  positionals: "<file...>",
  options: {
    only: {
      type: "string",
      multiple: true,
      value: areas.join("|"),
      help: "Check only this. May be repeated.",
    },
    zone: {
      type: "string",
      value: "id",
      help: "Only this zone; of applications in files, the zone of --world.",
    },
    ...worldOption,
    ...profileOption,
    ...sourceOption,
    fix: { type: "boolean", help: "Apply all unambiguous fixes to the JSON files of applications." },
    openapi: {
      type: "string",
      value: "file",
      help: "An OpenAPI document, JSON or YAML, to compare with the rules.",
    },
    ...hostOption,
    ignore: {
      type: "string",
      multiple: true,
      value: "x-name",
      help: "Leave out path items and operations of the document with this extension, unless it is false. May be repeated.",
    },
    html: {
      type: "string",
      value: "file",
      help: "Also write a page with the matrix of operations and outcomes.",
    },
    jwks: { type: "string", value: "file", help: "File with the keys of the issuer, instead of --issuer." },
    config: {
      type: "string",
      value: "id",
      help: "Id or title of the configuration of the issuer. Default: the only one.",
    },
    ...issuerOptions,
    ...formatOptions,
    ...failOnOption,
    ...acceptOptions,
    ...partialOption,
    ...watchOption,
  },
  exits: {
    0: "Something was checked, all of it was decided, and there is no finding of the level --fail-on.",
    1: "There is a finding, something is undecided, or nothing was checked.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof check world.json",
    "edgeproof check apps/*.json --world world.json --zone z1 --fix",
    "terraform show -json plan.bin > plan.json && edgeproof check plan.json --format sarif > plan.sarif",
    "edgeproof check world.json --openapi api.yaml --html audit.html",
    "edgeproof check world.json --only keys --issuer https://login.example.com/realms/shop",
  ],
  run: runCheck,
};

/** Checks the areas that are asked for, each by itself, and prints one report. */
export async function runCheck(input: CommandInput, io: Io): Promise<number> {
  const format = readFormat(input);
  const isWanted = readAreas(input);
  const files = await readFiles(input, io, isWanted);
  const worlds = files.flatMap(({ world }) => world ?? []);
  const applicationFiles = files.filter(({ world }) => !world);
  const zone = stringOption(input, "zone");
  const [first] = worlds;
  if (first && worlds.every(({ value }) => !value.zones?.some(({ id }) => id === zone)))
    selectZones(first, zone);
  printNamelessZones(worlds, io);
  const failOn = readFailOn(input);
  const others = await checkWithOthers(files, input, io, isWanted);
  const cases = [
    ...(isWanted("tokens") ? worlds.flatMap((world) => tokenCases(world, zone, failOn ?? "warning")) : []),
    ...(isWanted("tokens") || isWanted("openapi")
      ? worlds.flatMap((world) => undecidedCases(world, zone))
      : []),
    ...(isWanted("proxy") ? await checkApplications(files, failOn ?? "error", input, io) : []),
    ...worlds.flatMap((world) => worldPartCases(world, problemsOf(world), isWanted)),
    ...others.cases,
    ...worlds.flatMap(({ file, value, source }) => leftOutCases(file, value, source, isWanted)),
    ...(isWanted("proxy") ? [] : applicationFiles.map(leftOutFile)),
  ];
  const whenEmpty = `${files.map(({ file }) => file).join(", ")} has no ${wantedNouns(isWanted)}.`;
  const report: Report = { command: "check", rules: checkRules, cases, whenEmpty };
  const summary = [...others.summaries, summaryOf(report)].join("\n");
  const accepted = readAccepted(input);
  return printReport({ ...report, summary }, { format, ...accepted }, io);
}

const nouns: Readonly<Partial<Record<Area, string>>> = {
  tokens: "token rule",
  proxy: "proxy application",
  brand: "domain query",
  images: "image variant",
};

function wantedNouns(isWanted: (area: Area) => boolean): string {
  const wanted = areas.flatMap((area) => (isWanted(area) ? (nouns[area] ?? []) : []));
  return wanted.join(", no ") || "rule";
}

async function readFiles(
  input: CommandInput,
  io: Io,
  isWanted: (area: Area) => boolean,
): Promise<readonly CheckedFile[]> {
  const world = stringOption(input, "world");
  const names = input.positionals.length === 0 && world !== undefined ? [world] : input.positionals;
  if (names.length === 0)
    throw new UsageError("`file` is missing: pass at least one file, or `-` for standard input");
  if (booleanOption(input, "fix") && booleanOption(input, "watch"))
    throw new UsageError("--fix changes the files that --watch waits for; use one of the two");
  if (booleanOption(input, "fix") && names.includes(standardInput))
    throw new UsageError("--fix writes files; it cannot fix standard input");
  const onlyApplications = isWanted("proxy") && !isWanted("tokens");
  const files: CheckedFile[] = [];
  for (const name of names) files.push(await readCheckedFile(name, input, io, onlyApplications));
  return files;
}

/** Zones without a domain are no faults, but leave checks out. */
function printNamelessZones(worlds: readonly CheckedWorld[], io: Io): void {
  const parts = worlds.flatMap(({ source }) => source.undecided);
  for (const part of parts.filter(({ about }) => about === "zone"))
    io.stderr.write(escapeLines(`${printUndecided(part)}\n`));
}

function tokenCases(world: CheckedWorld, only: string | undefined, failOn: Level): readonly ReportCase[] {
  const { precedence, headerCase } = profiles[world.profile];
  return world.zones
    .filter(({ id }) => only === undefined || id === only)
    .flatMap((zone) => {
      const within = world.problems.filter(({ pointer = "" }) => pointer.startsWith(zone.at));
      const found = analyzeValidParts(zone.input, { precedence, headerCase });
      const findings = [...unreported(within, found, zone.at), ...found];
      return zoneCases({ zone, findings }, failOn, world.source);
    });
}

type Findings = Parameters<typeof zoneCases>[0]["findings"];

/** What does not match the schema, in parts of which the analysis reports nothing invalid. */
function unreported(problems: readonly CodedDiagnostic[], found: Findings, base: string): Findings {
  const partOf = (at: string) => at.split("/").slice(0, 3).join("/");
  const known = new Set(
    found.filter(({ level }) => level === "error").map(({ pointer = "" }) => partOf(pointer)),
  );
  return problems
    .map(({ message, pointer = "" }) => {
      return { rule: "invalid", level: "error", message, pointer: pointer.slice(base.length) } as const;
    })
    .filter(({ pointer }) => !known.has(partOf(pointer)));
}

/** Rules, keys and hosts that the file does not decide. */
function undecidedCases({ source }: CheckedWorld, only: string | undefined): readonly ReportCase[] {
  return source.undecided
    .filter(({ effect, subject: { zone } = {} }) => {
      return effect && (only === undefined || zone === undefined || zone === only);
    })
    .map((part) => undecidedCase(part, source));
}

/** What is wrong with the parts of a world that are neither token rules nor applications. */
function problemsOf({ value, profile, problems }: CheckedWorld): readonly CodedDiagnostic[] {
  const accounts = value.accounts?.map(({ brand, images, ...account }) => {
    const { logo_queries, scans, ...names } = brand ?? {};
    const { images: uploads, ...hosting } = images ?? {};
    return { ...account, ...(brand && { brand: names }), ...(images && { images: hosting }) };
  });
  const zones = value.zones?.map(({ token_validation, proxy, ...zone }) => {
    const { applications, ...facts } = proxy ?? {};
    return { ...zone, ...(proxy && { proxy: facts }) };
  });
  const own = problems.filter(({ pointer = "" }) => !/^\/zones\/\d+\/token_validation/.test(pointer));
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
  input: CommandInput,
  io: Io,
  isWanted: (area: Area) => boolean,
): Promise<{ readonly cases: readonly ReportCase[]; readonly summaries: readonly string[] }> {
  const openapi = stringOption(input, "openapi");
  const hasIssuer = (stringOption(input, "issuer") ?? stringOption(input, "jwks")) !== undefined;
  const results: { readonly cases: readonly ReportCase[]; readonly summary?: string }[] = [];
  if (openapi !== undefined && isWanted("openapi")) {
    const { checkDocument } = await import("./openapi.ts");
    results.push(await checkDocument(openapi, await onlyWorld(files, input, io), input, io));
  }
  if (hasIssuer && isWanted("keys")) {
    const { checkKeys } = await import("./keys.ts");
    const world = await onlyWorld(files, input, io);
    results.push(await checkKeys(world, readFailOn(input) ?? "warning", input, io));
  }
  return {
    cases: results.flatMap(({ cases }) => cases),
    summaries: results.flatMap(({ summary }) => summary ?? []),
  };
}

/** @throws {UsageError} unless one world is given, as a file or with `--world` */
async function onlyWorld(files: readonly CheckedFile[], input: CommandInput, io: Io): Promise<CheckedWorld> {
  const worlds = files.flatMap(({ world }) => world ?? []);
  const given = stringOption(input, "world");
  const [only] = worlds;
  if (only && worlds.length === 1) return only;
  const read =
    worlds.length === 0 && given !== undefined ? await readCheckedFile(given, input, io, false) : undefined;
  if (read?.world) return read.world;
  throw new UsageError(
    `--openapi, --issuer and --jwks need one world file; found ${counted(worlds.length, "world file")}`,
  );
}

function leftOutFile({ file, source }: CheckedFile): ReportCase {
  const message = "--only does not name `proxy`";
  const location = source.place("");
  return {
    kind: "application",
    group: file,
    name: "applications",
    status: "skipped",
    message,
    diagnostics: [],
    location,
  };
}
