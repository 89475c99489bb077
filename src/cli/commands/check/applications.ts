/** `check` of proxy applications: each is validated against those before it, and fixed with `--fix`. */
import type { Level } from "../../../core/diagnostic.ts";
import { replaceFile } from "../../../core/files/write-file.ts";
import { createValueIndex, type Splice, spliceAll } from "../../../core/json/edits.ts";
import { type Profile, profiles } from "../../../core/profiles.ts";
import { fixBody, fixText } from "../../../engine/proxy/fix.ts";
import type { Validation } from "../../../engine/proxy/model.ts";
import { pointer } from "../../../errors.ts";
import {
  type AppLedger,
  type ApplicationChange,
  createAppLedger,
  ledgerWithoutFacts,
  validateChanges,
} from "../../../service/world/applications.ts";
import { type Io, UsageError } from "../../command.ts";
import type { CheckValues } from "../../declarations/check.ts";
import { isYamlText, parseJsonText, readInput } from "../../input/files.ts";
import type { CheckedFile } from "../../input/imports/checked-files.ts";
import { worldSource } from "../../input/imports/world-source.ts";
import { type FactZone, readFactZone } from "../../input/world-facts.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import type { ReportCase } from "../../output/report/report.ts";
import { applicationCase, type Linted, undecidedApplicationCase } from "../../output/results/applications.ts";
import { hasGivenZone } from "./areas.ts";

/** The cases of the applications of all files. @param failOn level from which a diagnostic fails its application */
export async function checkApplications(
  files: readonly CheckedFile[],
  failOn: Level,
  options: CheckValues,
  io: Io,
): Promise<readonly ReportCase[]> {
  if (options.fix) files.forEach(assertFixable);
  const given = await givenZone(files, options, io);
  const withoutFacts = ledgerWithoutFacts(settingsOf(options.profile));
  const ledgerOf = ({ world }: CheckedFile): AppLedger => {
    if (given) return given.ledger;
    return world ? createAppLedger(world.value, settingsOf(world.profile)) : withoutFacts;
  };
  const linted: Linted[] = [];
  for (const file of files) {
    const ledger = ledgerOf(file);
    if (file.world) linted.push(...checkWorld(file, ledger, given?.zone, options.zone));
    else linted.push(...(await writeFixes(await checkFile(file, ledger, given?.zone, options.fix), io)));
  }
  const undecided = files.flatMap(undecidedCases);
  return [...linted.map((application) => applicationCase(application, failOn)), ...undecided];
}

function settingsOf(profile: Profile = "spec") {
  return { restrictions: profiles[profile].restrictions };
}

/** The zone of the world that the user passed for other files; undefined without one. */
async function givenZone(
  files: readonly CheckedFile[],
  options: CheckValues,
  io: Io,
): Promise<FactZone | undefined> {
  const { world, zone } = options;
  if (world !== undefined && hasGivenZone(files, options)) return readFactZone(world, options, io);
  if (zone !== undefined && files.every((file) => !file.world))
    throw new UsageError("--zone needs a world file; pass one with --world");
  return undefined;
}

/** Applications that a file leaves undecided. */
function undecidedCases({ source }: CheckedFile): readonly ReportCase[] {
  const parts = source.undecided.filter(({ about }) => about === "application");
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

/** The zone of applications of which nothing is known. */
const anyZone = "lint";

/** The applications of all zones of a world, as they are created or changed together. */
function checkWorld(
  { file, source, world }: CheckedFile,
  ledger: AppLedger,
  zone: string | undefined,
  only: string | undefined,
): readonly Linted[] {
  const applications = (world?.value.zones ?? []).flatMap(({ id, proxy }, i) =>
    (proxy?.applications ?? []).map((body, j) => {
      const at = pointer("zones", i, "proxy", "applications", j);
      return { at, body, owner: id, zone: zone ?? id, previous: source.previous.get(at) };
    }),
  );
  const from = performance.now();
  const validations = validateChanges(applications satisfies readonly ApplicationChange[], ledger);
  const seconds = (performance.now() - from) / 1_000 / Math.max(1, applications.length);
  return applications.flatMap(({ at, body, owner }, i) => {
    const validation = validations[i];
    const isAsked = only === undefined || only === owner;
    return validation && isAsked ? [{ file, source, at, body, validation, canFix: false, seconds }] : [];
  });
}

interface Application {
  /** RFC 6901 pointer in the file. */
  readonly at: string;
  readonly body: unknown;
}

/** The applications of a file, which contains a single one or an array of them. */
function applicationsOf({ source: { value } }: CheckedFile): readonly Application[] {
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

async function checkFile(
  checked: CheckedFile,
  ledger: AppLedger,
  zone: string = anyZone,
  isFix: boolean,
): Promise<CheckedApplications> {
  const { file, source } = checked;
  const applications: Omit<Linted, "source">[] = [];
  const splices: Splice[] = [];
  const unfixed: string[] = [];
  const canFix = !isYamlText(file, source.text);
  const spanOf = isFix ? createValueIndex(source.text) : undefined;
  const validate = (body: unknown) => ledger.validate(zone, body);
  for (const { at, body: written } of applicationsOf(checked)) {
    const from = performance.now();
    const fixed = spanOf && (await fixApplication(source.text, spanOf(at), written, validate));
    if (fixed?.splice) splices.push(fixed.splice);
    if (fixed?.isBlocked) unfixed.push(at);
    const body = fixed?.splice ? fixed.body : written;
    const validation = validate(body);
    if (validation.app) ledger.add(zone, validation.app);
    const seconds = (performance.now() - from) / 1_000;
    applications.push({ file, at, body, validation, canFix, seconds });
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
  validate: (body: unknown) => Validation,
): Promise<FixedApplication> {
  const fixed = await fixBody(body, async (current) => validate(current));
  if (fixed.rounds.length === 0) return {};
  const content = fixText(text.slice(span.start, span.end), fixed);
  return content === undefined ? { isBlocked: true } : { body: fixed.body, splice: { ...span, content } };
}

/** Writes a fixed file. @throws {FileWriteError} the file is then as it was */
async function writeFixes(result: CheckedApplications, io: Io): Promise<readonly Linted[]> {
  const { file, source, applications, text, unfixed } = result;
  const name = escapeControlCharacters(file);
  for (const at of unfixed)
    io.stderr.write(`not fixed: ${name} repeats a member of the application at ${at || "/"}\n`);
  if (text === source.text) return applications.map((application) => ({ ...application, source }));
  const fixed = await worldSource(file, await parseJsonText(file, text), text);
  await replaceFile(file, (await startOfFile(file, io)) + text);
  io.stderr.write(`fixed ${name}\n`);
  return applications.map((application) => ({ ...application, source: fixed }));
}

/** The byte order mark of a file, which its text does not have. */
async function startOfFile(file: string, io: Io): Promise<string> {
  const [first, second, third] = await readInput(file, io);
  return first === 0xef && second === 0xbb && third === 0xbf ? "\ufeff" : "";
}
