/** `edgeproof lint`: validates the proxy applications in files. */
import { createValueIndex, type Splice, spliceAll } from "../../core/json/edits.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { profiles } from "../../core/profiles.ts";
import { createEdge, type Edge } from "../../edge.ts";
import { fixBody, fixText } from "../../engine/proxy/fix.ts";
import type { App, Validation } from "../../engine/proxy/model.ts";
import { createAppSequence } from "../../engine/proxy/validate-list.ts";
import { pointer } from "../../errors.ts";
import { parseWorld } from "../../service/world/parse.ts";
import type { World } from "../../service/world/schema.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  UsageError,
} from "../command.ts";
import { isYamlText, parseJsonText, readInput, standardInput } from "../input/files.ts";
import { sourceOption } from "../input/imports/import-options.ts";
import { readWorldSource, type WorldSource, worldSource } from "../input/imports/world-source.ts";
import { invalidWorldError, loadWorld, profileOf, profileOption, worldOption } from "../input/world-file.ts";
import { replaceFile } from "../output/atomic-write.ts";
import { escapeControlCharacters, escapeLines } from "../output/escape-control-characters.ts";
import {
  acceptOptions,
  failOnOption,
  formatOptions,
  printReport,
  readAccepted,
  readFailOn,
  readFormat,
} from "../output/report/formats.ts";
import { printUndecided } from "../output/results/import-report.ts";
import { type Linted, lintReport, type UndecidedApplication } from "../output/results/lint.ts";
import { watchOption } from "../watch/watch.ts";

export const lint: CommandDefinition = {
  about: [
    "A file contains one application or an array of them, in the format of a request body (JSON, JSON with comments or YAML), or is a Terraform plan or state, a saved response of the interface, or a world file. Each violation is reported with its error code, its position in the file and a fix. The applications of all files are checked as if they were created in order. Checks that need facts about the account are reported as not evaluated, unless a world file contains the facts.",
    "--fix changes only what it fixes: it removes nothing, and keeps the layout, the comments and the spelling of numbers.",
  ],
  positionals: "<file...>",
  options: {
    ...sourceOption,
    ...worldOption,
    zone: { type: "string", value: "id", help: "Zone of the applications. Default: the world's only zone." },
    ...formatOptions,
    ...failOnOption,
    ...acceptOptions,
    ...watchOption,
    fix: { type: "boolean", help: "Apply all unambiguous fixes to the JSON files." },
    ...profileOption,
  },
  exits: {
    0: "There is no violation.",
    1: "There is a violation that was not fixed.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof lint app.json",
    "edgeproof lint apps/*.json --world world.json --zone z1 --format sarif",
    "edgeproof lint plan.json --format sarif > plan.sarif",
    "edgeproof lint app.json --fix",
    "cat app.json | edgeproof lint -",
  ],
  run: runLint,
};

/** Zone id for a world without zones. */
const anyZone = "lint";

async function runLint(input: CommandInput, io: Io): Promise<number> {
  const format = readFormat(input);
  const files = input.positionals;
  const isFix = booleanOption(input, "fix");
  if (files.length === 0)
    throw new UsageError("`file` is missing: pass at least one file, or `-` for standard input");
  if (isFix && booleanOption(input, "watch"))
    throw new UsageError("--fix changes the files that --watch waits for; use one of the two");
  if (isFix && files.includes(standardInput))
    throw new UsageError("--fix writes files; it cannot fix standard input");
  const given = await givenSequence(input, io);
  const read: SourceOfFile[] = [];
  for (const file of files) read.push({ file, source: await readWorldSource(file, input, io) });
  if (isFix) read.forEach(assertFixable);
  const undecided = read.flatMap(({ source }) => undecidedOf(source));
  printNamelessZones(read, io);
  const results: LintedFile[] = [];
  const { restrictions } = profiles[profileOf(input, {}) ?? "spec"];
  const withoutFacts = given ?? sequenceWithoutFacts(createAppSequence({}, { restrictions }));
  for (const one of read) {
    const world = worldOf(one);
    const sequence = world ? (given ?? sequenceOfZones(world, input)) : withoutFacts;
    results.push(await lintFile(one, sequence, isFix));
  }
  const linted: Linted[] = [];
  for (const result of results) linted.push(...(await writeFixes(result, io)));
  const report = lintReport(linted, undecided, readFailOn(input) ?? "error");
  return printReport(report, { format, ...readAccepted(input) }, io);
}

interface SourceOfFile {
  readonly file: string;
  readonly source: WorldSource;
}

/** Zones without a domain are no violations, but leave checks out. */
function printNamelessZones(read: readonly SourceOfFile[], io: Io): void {
  const parts = read.flatMap(({ source }) => source.undecided);
  for (const part of parts.filter(({ about }) => about === "zone"))
    io.stderr.write(escapeLines(`${printUndecided(part)}\n`));
}

function undecidedOf(source: WorldSource): readonly UndecidedApplication[] {
  const parts = source.undecided.filter(({ about }) => about === "application");
  return parts.map((part) => ({ part, location: source.placeOf(part.at) }));
}

/** @throws {UsageError} for imported files, and for YAML, whose layout an edit could change */
function assertFixable({ file, source }: SourceOfFile): void {
  if (source.isImported || isWorld(source.value))
    throw new UsageError(`--fix changes files of applications; it cannot fix ${file}`);
  if (isYamlText(file, source.text))
    throw new UsageError(
      `--fix changes JSON and JSONC files; it cannot fix the YAML file ${file}. Without --fix its fixes are reported`,
    );
}

/** Applications that are created one after another: each is validated against those before. */
interface Sequence {
  /** The zone is that of the file, unless the user chose one. */
  readonly validate: (body: unknown, zone?: string) => Promise<Validation>;
  /** Adds a valid application. */
  readonly add: (body: unknown, app: App, zone?: string) => Promise<void>;
}

/** No facts are known, and every check that needs one is reported as not evaluated. */
function sequenceWithoutFacts({ validate, add }: ReturnType<typeof createAppSequence>): Sequence {
  return { validate: async (body) => validate(body), add: async (_, app) => add(app) };
}

/** A sequence in the zones of an edge. */
function sequenceOf({ proxy: { apps } }: Edge, zoneOf: (zone?: string) => string): Sequence {
  return {
    validate: (body, zone) => apps.validate(zoneOf(zone), body),
    add: async (body, _, zone) => {
      await apps.create(zoneOf(zone), body);
    },
  };
}

/** The sequence in the zone of the world that the user passed; undefined without one. */
async function givenSequence(input: CommandInput, io: Io): Promise<Sequence | undefined> {
  if (stringOption(input, "world") === undefined) {
    if (stringOption(input, "zone") !== undefined)
      throw new UsageError("--zone needs a world file; pass one with --world");
    return undefined;
  }
  const { edge, world } = await loadWorld(input, io);
  const zone = chooseZone(input, world.zones ?? []);
  return sequenceOf(edge, () => zone);
}

function chooseZone(input: CommandInput, zones: NonNullable<World["zones"]>): string {
  const zone = stringOption(input, "zone") ?? (zones.length > 1 ? undefined : (zones[0]?.id ?? anyZone));
  const known = zones.map(({ id }) => `\`${id}\``).join(", ");
  if (zone === undefined)
    throw new UsageError(`the world has several zones (${known}); choose one with --zone`);
  if (zones.length > 0 && !zones.some(({ id }) => id === zone))
    throw new UsageError(`the world has no zone \`${zone}\`; its zones are ${known}`);
  return zone;
}

/** An application has neither member. */
function isWorld(value: unknown): boolean {
  return isJsonObject(value) && (Array.isArray(value["zones"]) || Array.isArray(value["accounts"]));
}

/** The world of an imported file or of a world file. @throws {UsageError} with every problem of the world file */
function worldOf({ file, source }: SourceOfFile): World | undefined {
  if (source.isImported) return source.value as World;
  if (!isWorld(source.value)) return undefined;
  const parsed = parseWorld(source.value);
  if (!parsed.ok) throw invalidWorldError(file, source, parsed.problems);
  return source.value as World;
}

/**
 * The zones and accounts of a file are facts; its applications are validated as new ones. Without the domain of a zone
 * nothing is known about the names in it.
 */
function sequenceOfZones(world: World, input: CommandInput): Sequence {
  const accounts = world.accounts?.map(({ id, proxy }) => ({ id, ...(proxy && { proxy }) }));
  const zones = world.zones?.map(({ proxy, token_validation, ...zone }) => {
    const { applications, ...facts } = proxy ?? {};
    return { ...zone, ...(proxy && { proxy: facts }) };
  });
  const profile = profileOf(input, world);
  const edge = createEdge({
    world: { ...(accounts && { accounts }), ...(zones && { zones }) },
    ...(profile && { profile }),
  });
  const { restrictions } = profiles[profile ?? "spec"];
  const withFacts = sequenceOf(edge, (zone = anyZone) => zone);
  const withoutFacts = sequenceWithoutFacts(createAppSequence({}, { restrictions }));
  const nameless = new Set(world.zones?.flatMap(({ id, name }) => (name === undefined ? [id] : [])));
  const sequenceIn = (zone = anyZone) => (nameless.has(zone) ? withoutFacts : withFacts);
  return {
    validate: (body, zone) => sequenceIn(zone).validate(body, zone),
    add: (body, app, zone) => sequenceIn(zone).add(body, app, zone),
  };
}

interface Application {
  /** RFC 6901 pointer in the file. */
  readonly at: string;
  readonly body: unknown;
  readonly zone?: string;
}

/** The applications of all zones of a world, or of a file, which contains a single one or an array of them. */
function applicationsOf({ isImported, value }: WorldSource): readonly Application[] {
  if (isImported || isWorld(value)) {
    return ((value as World).zones ?? []).flatMap(({ id, proxy }, i) =>
      (proxy?.applications ?? []).map((body, j) => {
        return { at: pointer("zones", i, "proxy", "applications", j), body, zone: id };
      }),
    );
  }
  if (!Array.isArray(value)) return [{ at: "", body: value }];
  return value.map((body, i) => ({ at: pointer(i), body }));
}

/** The validations of a file, and its text with all fixes. */
interface LintedFile extends SourceOfFile {
  readonly applications: readonly Omit<Linted, "source">[];
  readonly text: string;
  /** Applications whose fixes cannot be applied to the text. */
  readonly unfixed: readonly string[];
}

async function lintFile(
  { file, source }: SourceOfFile,
  sequence: Sequence,
  isFix: boolean,
): Promise<LintedFile> {
  const applications: Omit<Linted, "source">[] = [];
  const splices: Splice[] = [];
  const unfixed: string[] = [];
  const spanOf = isFix ? createValueIndex(source.text) : undefined;
  for (const { at, body: written, zone } of applicationsOf(source)) {
    const from = performance.now();
    const fixed = spanOf && (await fixApplication(source.text, spanOf(at), written, sequence));
    if (fixed?.splice) splices.push(fixed.splice);
    if (fixed?.isBlocked) unfixed.push(at);
    const body = fixed?.splice ? fixed.body : written;
    const validation = await sequence.validate(body, zone);
    if (validation.app) await sequence.add(body, validation.app, zone);
    const seconds = (performance.now() - from) / 1_000;
    applications.push({ file, at, body, validation, seconds });
  }
  return { file, source, applications, text: spliceAll(source.text, splices), unfixed };
}

/** The outcome of fixing one application; nothing without a fix. */
interface FixedApplication {
  readonly body?: unknown;
  readonly splice?: Splice;
  /** Whether the fix cannot be applied to the text. */
  readonly isBlocked?: boolean;
}

async function fixApplication(
  text: string,
  span: Pick<Splice, "start" | "end">,
  body: unknown,
  { validate }: Sequence,
): Promise<FixedApplication> {
  const fixed = await fixBody(body, validate);
  if (fixed.rounds.length === 0) return {};
  const content = fixText(text.slice(span.start, span.end), fixed);
  return content === undefined ? { isBlocked: true } : { body: fixed.body, splice: { ...span, content } };
}

/** Writes a fixed file. @throws {UsageError} when that fails; the file is then as it was */
async function writeFixes(result: LintedFile, io: Io): Promise<readonly Linted[]> {
  const { file, source, applications, text, unfixed } = result;
  const name = escapeControlCharacters(file);
  for (const at of unfixed)
    io.stderr.write(`not fixed: ${name} repeats a member of the application at ${at || "/"}\n`);
  if (text === source.text) return applications.map((one) => ({ ...one, source }));
  const fixed = worldSource(file, await parseJsonText(file, text), text);
  await replaceFile(file, (await startOfFile(file, io)) + text);
  io.stderr.write(`fixed ${name}\n`);
  return applications.map((one) => ({ ...one, source: fixed }));
}

/** The byte order mark of a file, which its text does not have. */
async function startOfFile(file: string, io: Io): Promise<string> {
  const [first, second, third] = await readInput(file, io);
  return first === 0xef && second === 0xbb && third === 0xbf ? "\ufeff" : "";
}
