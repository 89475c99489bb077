/** `check` of proxy applications: each is validated against those before it, and fixed with `--fix`. */
import type { Level } from "../../../core/diagnostic.ts";
import { createValueIndex, type Splice, spliceAll } from "../../../core/json/edits.ts";
import { profiles } from "../../../core/profiles.ts";
import { createEdge, type Edge } from "../../../edge.ts";
import { fixBody, fixText } from "../../../engine/proxy/fix.ts";
import type { App, Validation } from "../../../engine/proxy/model.ts";
import { createAppSequence } from "../../../engine/proxy/validate-list.ts";
import { InvalidInputError, pointer } from "../../../errors.ts";
import type { World } from "../../../service/world/schema.ts";
import { type Io, UsageError } from "../../command.ts";
import type { CheckValues } from "../../declarations/check.ts";
import { isYamlText, parseJsonText, readInput } from "../../input/files.ts";
import type { CheckedFile, CheckedWorld } from "../../input/imports/checked-files.ts";
import { worldSource } from "../../input/imports/world-source.ts";
import { loadWorld } from "../../input/world-file.ts";
import { replaceFile } from "../../output/atomic-write.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import type { ReportCase } from "../../output/report/report.ts";
import { applicationCase, type Linted, undecidedApplicationCase } from "../../output/results/applications.ts";

/** Zone id for a world without zones. */
const anyZone = "lint";

/** The cases of the applications of all files. @param failOn level from which a diagnostic fails its application */
export async function checkApplications(
  files: readonly CheckedFile[],
  failOn: Level,
  options: CheckValues,
  io: Io,
): Promise<readonly ReportCase[]> {
  const isFix = options.fix;
  if (isFix) files.forEach(assertFixable);
  const given = await givenSequence(files, options, io);
  const { restrictions } = profiles[options.profile ?? "spec"];
  const withoutFacts = given ?? sequenceWithoutFacts(createAppSequence({}, { restrictions }));
  const results: CheckedApplications[] = [];
  for (const one of files) {
    const sequence = one.world ? (given ?? sequenceOfZones(one.world)) : withoutFacts;
    results.push(await validateFile(one, sequence, isFix, options.zone));
  }
  const linted: Linted[] = [];
  for (const result of results) linted.push(...(await writeFixes(result, io)));
  const undecided = files.flatMap((one) => undecidedCases(one, options.zone, given !== undefined));
  return [...linted.map((one) => applicationCase(one, failOn)), ...undecided];
}

/** Applications that a file leaves undecided, and zones without a domain, in which no name of an application is checked. */
function undecidedCases(
  { source, world }: CheckedFile,
  zone: string | undefined,
  hasFacts: boolean,
): readonly ReportCase[] {
  const zones = (world?.value.zones ?? []).filter(({ id, name, proxy }) => {
    const isChecked = zone === undefined || zone === id;
    return isChecked && name === undefined && !hasFacts && proxy?.applications?.length;
  });
  const nameless = new Set(zones.map(({ id }) => id));
  const parts = source.undecided.filter(({ about, subject }) => {
    return about === "application" || (about === "zone" && nameless.has(subject?.["zone"] ?? ""));
  });
  return parts.map((part) => undecidedApplicationCase(part, source));
}

/** @throws {UsageError} for imported files, and for YAML, whose layout an edit could change */
function assertFixable({ file, source, world }: CheckedFile): void {
  if (world) throw new UsageError(`--fix changes files of applications; it cannot fix ${file}`);
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
async function givenSequence(
  files: readonly CheckedFile[],
  options: CheckValues,
  io: Io,
): Promise<Sequence | undefined> {
  if (options.world === undefined || files.some(({ file, world }) => world && file === options.world)) {
    if (options.zone !== undefined && files.every(({ world }) => !world))
      throw new UsageError("--zone needs a world file; pass one with --world");
    return undefined;
  }
  const { edge, world } = await loadWorld(options, io);
  const zone = chooseZone(options, world.zones ?? []);
  return sequenceOf(edge, () => zone);
}

function chooseZone(options: CheckValues, zones: NonNullable<World["zones"]>): string {
  const zone = options.zone ?? (zones.length > 1 ? undefined : (zones[0]?.id ?? anyZone));
  const known = zones.map(({ id }) => `\`${id}\``).join(", ");
  if (zone === undefined)
    throw new UsageError(`the world has several zones (${known}); choose one with --zone`);
  if (zones.length > 0 && !zones.some(({ id }) => id === zone))
    throw new UsageError(`the world has no zone \`${zone}\`; its zones are ${known}`);
  return zone;
}

/**
 * The zones and accounts of a file are facts; its applications are validated as new ones. Without the domain of a zone
 * nothing is known about the names in it.
 */
function sequenceOfZones({ value: world, profile }: CheckedWorld): Sequence {
  const accounts = world.accounts?.map(({ id, proxy }) => ({ id, ...(proxy && { proxy }) }));
  const zones = world.zones?.map(({ proxy, token_validation, ...zone }) => {
    const { applications, ...facts } = proxy ?? {};
    return { ...zone, ...(proxy && { proxy: facts }) };
  });
  const { restrictions } = profiles[profile];
  const withoutFacts = sequenceWithoutFacts(createAppSequence({}, { restrictions }));
  const edge = edgeWithFacts({ ...(accounts && { accounts }), ...(zones && { zones }) }, profile);
  const withFacts = edge ? sequenceOf(edge, (zone = anyZone) => zone) : withoutFacts;
  const nameless = new Set(world.zones?.flatMap(({ id, name }) => (name === undefined ? [id] : [])));
  const sequenceIn = (zone = anyZone) => (nameless.has(zone) ? withoutFacts : withFacts);
  return {
    validate: (body, zone) => sequenceIn(zone).validate(body, zone),
    add: (body, app, zone) => sequenceIn(zone).add(body, app, zone),
  };
}

/** Undefined for invalid facts, which are reported with the other parts of the world. */
function edgeWithFacts(world: World, profile: CheckedWorld["profile"]): Edge | undefined {
  try {
    return createEdge({ world, profile });
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

interface Application {
  /** RFC 6901 pointer in the file. */
  readonly at: string;
  readonly body: unknown;
  readonly zone?: string;
}

/** The applications of all zones of a world, or of a file, which contains a single one or an array of them. */
function applicationsOf({ source, world }: CheckedFile): readonly Application[] {
  if (world) {
    return (world.value.zones ?? []).flatMap(({ id, proxy }, i) =>
      (proxy?.applications ?? []).map((body, j) => {
        return { at: pointer("zones", i, "proxy", "applications", j), body, zone: id };
      }),
    );
  }
  const { value } = source;
  if (!Array.isArray(value)) return [{ at: "", body: value }];
  return value.map((body, i) => ({ at: pointer(i), body }));
}

/** The validations of a file, and its text with all fixes. */
interface CheckedApplications extends CheckedFile {
  readonly applications: readonly Omit<Linted, "source">[];
  readonly text: string;
  /** Applications whose fixes cannot be applied to the text. */
  readonly unfixed: readonly string[];
}

async function validateFile(
  checked: CheckedFile,
  sequence: Sequence,
  isFix: boolean,
  only: string | undefined,
): Promise<CheckedApplications> {
  const { file, source } = checked;
  const applications: Omit<Linted, "source">[] = [];
  const splices: Splice[] = [];
  const unfixed: string[] = [];
  const spanOf = isFix ? createValueIndex(source.text) : undefined;
  for (const { at, body: written, zone } of applicationsOf(checked)) {
    if (only !== undefined && zone !== undefined && zone !== only) continue;
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
  return { ...checked, applications, text: spliceAll(source.text, splices), unfixed };
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
async function writeFixes(result: CheckedApplications, io: Io): Promise<readonly Linted[]> {
  const { file, source, applications, text, unfixed } = result;
  const name = escapeControlCharacters(file);
  for (const at of unfixed)
    io.stderr.write(`not fixed: ${name} repeats a member of the application at ${at || "/"}\n`);
  if (text === source.text) return applications.map((one) => ({ ...one, source }));
  const fixed = await worldSource(file, await parseJsonText(file, text), text);
  await replaceFile(file, (await startOfFile(file, io)) + text);
  io.stderr.write(`fixed ${name}\n`);
  return applications.map((one) => ({ ...one, source: fixed }));
}

/** The byte order mark of a file, which its text does not have. */
async function startOfFile(file: string, io: Io): Promise<string> {
  const [first, second, third] = await readInput(file, io);
  return first === 0xef && second === 0xbb && third === 0xbf ? "\ufeff" : "";
}
