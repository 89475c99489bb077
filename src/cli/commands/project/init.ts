/** `edgeproof init`: a configuration file for what is in the folder, and a first suite. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { createFolder } from "../../../core/files/folders.ts";
import { writeNewFile } from "../../../core/files/write-file.ts";
import { runCommand } from "../../../core/text/run-command.ts";
import { tokenZonesOf } from "../../../service/world/rulesets/world-zones.ts";
import { formatDocument, type Io, UsageError } from "../../command.ts";
import type { init } from "../../declarations/first-steps/project.ts";
import { generate } from "../../declarations/suite.ts";
import type { InvocationOf } from "../../declare.ts";
import { readOnlySource } from "../../input/imports/world-source.ts";
import { printCommandLine } from "../../output/command-line.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { describeNameless, namelessZones, nameZones } from "../../output/results/nameless-zones.ts";
import { parseWords } from "../../parse.ts";
import { findFrom } from "../../project/find-file.ts";
import { type FoundFile, findFiles } from "../../project/found-files.ts";
import { type PlannedWorld, planWorlds, unusedName } from "../../project/plan-worlds.ts";
import { printConfig } from "../../project/print-config.ts";
import { run as generateSuite } from "../suite/generate.ts";

const configFile = "edgeproof.config.yaml";
const suiteFile = "edgeproof/suite.json";

/** A found file, and what becomes of it. */
interface UsedFile extends FoundFile {
  readonly use: string;
}

export async function run({ options, io }: InvocationOf<typeof init>): Promise<number> {
  const existing = findFrom(process.cwd());
  if (existing !== undefined)
    throw new UsageError(`${existing} exists already; change it, or remove it first`);
  const found = await findFiles(".", io);
  const plan = await planProject(found, io);
  const written: string[] = [];
  const isEmpty = plan.worlds.length === 0;
  if (!isEmpty) {
    if (plan.suite !== undefined) written.push(await writeNew(suiteFile, plan.suite));
    written.push(await writeNew(configFile, printConfig(plan)));
  }
  const nameless = await namelessIn(plan.worlds, io);
  const next = isEmpty ? [`${runCommand} demo`] : nextCommands(plan, nameless);
  const files = plan.files.map(({ file, format, use }) => ({ file, kind: format, use }));
  if (options.json) io.stdout.write(formatDocument({ found: files, written, next }));
  else printResult(files, { ...plan, written }, nameless, next, io);
  return isEmpty ? 1 : 0;
}

/** Everything that the configuration file will have. */
interface PlannedProject {
  readonly files: readonly UsedFile[];
  readonly worlds: readonly PlannedWorld[];
  readonly suites: readonly string[];
  readonly openapi: string | undefined;
  readonly traffic: readonly string[];
  /** Text of a suite to write. */
  readonly suite: string | undefined;
  /** Whether there is no suite because answers are undecided. */
  readonly isUndecided: boolean;
}

async function planProject(found: readonly FoundFile[], io: Io): Promise<PlannedProject> {
  const quiet = quietly(io);
  const reasons = new Map<string, string>();
  const worlds = await readableWorlds(planWorlds(found), reasons, quiet);
  const filesOf = (kind: FoundFile["kind"]) =>
    found.filter((file) => file.kind === kind).map(({ file }) => file);
  const documents = filesOf("openapi");
  if (worlds.length === 0)
    worlds.push(...(await readableWorlds(worldsOfDocuments(documents), reasons, quiet)));
  const openapi = await comparedDocument(documents, worlds, quiet);
  const [onlyWorld, ...otherWorlds] = worlds;
  const suites = filesOf("suite");
  const canWrite = onlyWorld !== undefined && suites.length === 0 && !existsSync(suiteFile);
  const suite = canWrite ? await firstSuite(onlyWorld, quiet) : undefined;
  const isUndecided = canWrite && suite === undefined && (await lacksAnswers(onlyWorld, quiet));
  const traffic = otherWorlds.length === 0 ? filesOf("traffic") : [];
  const ownSuites = suite === undefined ? suites : [suiteFile];
  const plan = { worlds, suites: ownSuites, openapi, traffic, suite, isUndecided };
  return { ...plan, files: found.map((file) => ({ ...file, use: useOf(file, plan, reasons) })) };
}

function worldsOfDocuments(documents: readonly string[]): readonly PlannedWorld[] {
  const names = new Set<string>();
  return documents.map((file) => ({
    name: unusedName(file.replace(/^.*\/|\.[^.]*$/g, ""), names),
    files: [file],
  }));
}

/** The worlds that commands can read. */
async function readableWorlds(
  worlds: readonly PlannedWorld[],
  reasons: Map<string, string>,
  io: Io,
): Promise<PlannedWorld[]> {
  const readable: PlannedWorld[] = [];
  for (const world of worlds) {
    const reason = await reasonAgainst(world, io);
    if (reason === undefined) readable.push(world);
    else for (const file of world.files) reasons.set(file, reason);
  }
  return readable;
}

/** Why a world cannot be read; undefined when it can. */
async function reasonAgainst(world: PlannedWorld, io: Io): Promise<string | undefined> {
  try {
    await readPlanned(world, io);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message.split("\n").slice(0, 2).join(" ");
    throw error;
  }
}

/** Without what commands write to standard error. */
function quietly(io: Io): Io {
  return { ...io, stderr: { ...io.stderr, write: () => {} } };
}

const importValues = { zoneName: [], plan: undefined, keysOf: undefined, withSecrets: false } as const;

function readPlanned(world: PlannedWorld, io: Io) {
  return readOnlySource(world.name, importValues, withWorld(world, io));
}

/** A project with one world. */
function withWorld({ name, files }: PlannedWorld, io: Io): Io {
  const at = { file: configFile, start: { line: 1, column: 1 } };
  // Advice about a command line is about that of a later command.
  const { commandLine: _, ...rest } = io;
  return {
    ...rest,
    project: { file: configFile, worlds: new Map([[name, { paths: files, at }]]), accepted: [] },
  };
}

/** The document that `check` compares with the only zone of the only world. */
async function comparedDocument(
  documents: readonly string[],
  worlds: readonly PlannedWorld[],
  io: Io,
): Promise<string | undefined> {
  const [document] = documents;
  const [world] = worlds;
  const isOnly = documents.length === 1 && worlds.length === 1;
  if (!isOnly || document === undefined || world === undefined || world.files.includes(document))
    return undefined;
  const { value } = await readPlanned(world, io);
  return tokenZonesOf(value).length === 1 ? document : undefined;
}

/** A suite that notices every change of a rule; undefined when the world has no rules, or is undecided. */
async function firstSuite(world: PlannedWorld, io: Io): Promise<string | undefined> {
  const chunks: string[] = [];
  const stdout = { isTerminal: false, write: (chunk: string) => void chunks.push(chunk) };
  const words = ["--world", world.name, "--format", "json"];
  try {
    const code = await generateSuite({
      ...parseWords(generate, words),
      io: { ...withWorld(world, io), stdout },
      commands: [],
    });
    return code === 0 ? chunks.join("") : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function lacksAnswers(world: PlannedWorld, io: Io): Promise<boolean> {
  const { undecided } = await readPlanned(world, io);
  return undecided.some(({ effect }) => effect !== undefined);
}

function useOf(
  { file, kind, format }: FoundFile,
  { worlds, suites, openapi, traffic }: Omit<PlannedProject, "files">,
  reasons: ReadonlyMap<string, string>,
): string {
  const world = worlds.find(({ files }) => files.includes(file));
  if (world) return `world ${world.name}`;
  if (suites.includes(file)) return "suite";
  if (file === openapi) return "compared by `check`";
  if (traffic.includes(file)) return "replayed by `replay`";
  const reason = reasons.get(file);
  if (reason !== undefined) return `not used: ${reason}`;
  const other: Readonly<Record<FoundFile["kind"], string>> = {
    terraform: `another form of the same resources as a file beside it (${format})`,
    sources: "a plan, a state or saved responses have their values",
    responses: "no world can be made of it",
    world: "no world can be made of it",
    openapi:
      "`check` compares one document with one zone that has token rules: choose with --openapi and --zone",
    traffic: "several worlds: choose with `replay --world`",
    suite: "no world was found",
  };
  return `not used: ${other[kind]}`;
}

/** Writes a file that must not exist, and returns its path. @throws {FileWriteError} */
async function writeNew(path: string, text: string): Promise<string> {
  await createFolder(dirname(path));
  await writeNewFile(path, text);
  return path;
}

/** The zones of the worlds whose domain no file has. */
async function namelessIn(worlds: readonly PlannedWorld[], io: Io): Promise<readonly string[]> {
  const sources = await Promise.all(worlds.map((world) => readPlanned(world, quietly(io))));
  return namelessZones(sources.flatMap(({ undecided }) => undecided));
}

function nextCommands(
  { worlds, suites, traffic, isUndecided }: PlannedProject,
  nameless: readonly string[],
): readonly string[] {
  const only = worlds.length === 1;
  const world = only ? [] : ["--world", worlds[0]?.name ?? ""];
  return [
    nameZones(nameless, ["check"]),
    ...(suites.length > 0 ? [printCommandLine(["eval", ...world])] : []),
    ...(isUndecided ? [printCommandLine(["suite", "generate", "--format", "json"])] : []),
    // Without another world to compare with, and answers of the edge, there are only verdicts.
    ...(traffic.length > 0 ? [printCommandLine(["replay", "--allow-empty"])] : []),
  ];
}

function printResult(
  files: readonly { readonly file: string; readonly kind: string; readonly use: string }[],
  { written, isUndecided }: Pick<PlannedProject, "isUndecided"> & { readonly written: readonly string[] },
  nameless: readonly string[],
  next: readonly string[],
  io: Io,
): void {
  const lines = [
    ...files.map(({ file, kind, use }) => `found ${file}: ${kind}: ${use}`),
    ...(files.length === 0
      ? [
          "found no Terraform plan, state or source of the edge, saved response, world file, OpenAPI document or HAR",
        ]
      : []),
    ...written.map((file) => `wrote ${file}`),
    ...(isUndecided ? ["wrote no suite: its answers would depend on what is undecided"] : []),
    ...(nameless.length === 0
      ? []
      : [
          `${describeNameless(nameless)} Pass it with --zone-name, or add \`zone-name\` to \`options\` of ${configFile}.`,
        ]),
    ...next.map((command) => `next: ${command}`),
  ];
  io.stdout.write(escapeLines(`${lines.join("\n")}\n`));
}
