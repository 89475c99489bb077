/** `edgeproof lint`: validates the proxy applications in files. */
import { writeFile } from "node:fs/promises";
import { createEdge } from "../../edge.ts";
import { applyFixes } from "../../engine/proxy/fix.ts";
import type { Validation } from "../../engine/proxy/model.ts";
import { validateApp } from "../../engine/proxy/validate.ts";
import { pointer } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  UsageError,
} from "../command.ts";
import { standardInput } from "../input/files.ts";
import { sourceOption } from "../input/imports/import-options.ts";
import { readWorldSource, type WorldSource } from "../input/imports/world-source.ts";
import { loadWorld, profileOf, profileOption, worldOption } from "../input/world-file.ts";
import { colorLines } from "../output/color.ts";
import { escapeControlCharacters, escapeLines } from "../output/escape-control-characters.ts";
import { formatOptions, printFormatted, readFormat } from "../output/report/formats.ts";
import {
  type Linted,
  lintReport,
  printJson,
  printText,
  type UndecidedApplication,
} from "../output/results/lint.ts";
import { watchOption } from "../watch/watch.ts";

export const lint: CommandDefinition = {
  about: [
    "A file contains one application or an array of them, in the format of a request body, or is a Terraform plan or state, or a saved response of the interface. Each violation is reported with its error code, its position in the file and a fix. Checks that need facts about the account are reported as not evaluated, unless a world file contains the facts.",
  ],
  positionals: "<file...>",
  options: {
    ...sourceOption,
    ...worldOption,
    zone: { type: "string", value: "id", help: "Zone of the applications. Default: the world's only zone." },
    ...formatOptions,
    ...watchOption,
    fix: { type: "boolean", help: "Apply all unambiguous fixes to the files." },
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
  if (files.length === 0)
    throw new UsageError("`file` is missing: pass at least one file, or `-` for standard input");
  if (booleanOption(input, "fix")) assertFixable(files);
  if (booleanOption(input, "fix") && booleanOption(input, "watch"))
    throw new UsageError("--fix changes the files that --watch waits for; use one of the two");
  const validate = await validator(input, io);
  const linted: Linted[] = [];
  const undecided: UndecidedApplication[] = [];
  for (const file of files) {
    const source = await readWorldSource(file, input, io);
    linted.push(...(await lintFile(file, source, validate, input, io)));
    const parts = source.undecided.filter(({ subject }) => subject === "application");
    undecided.push(...parts.map((part) => ({ part, location: source.placeOf(part.location) })));
  }
  const formatted = {
    text: () => colorLines(io.stdout, escapeLines(printText(linted, undecided))),
    json: () => printJson(linted, undecided),
    report: () => lintReport(linted, undecided),
  };
  printFormatted(format, formatted, io);
  const isInvalid = linted.some(({ validation }) => validation.violations.length > 0);
  return isInvalid || undecided.length > 0 ? 1 : 0;
}

/** @throws {UsageError} for standard input, and for YAML, whose comments would be lost */
function assertFixable(files: readonly string[]): void {
  if (files.includes(standardInput)) throw new UsageError("--fix writes files; it cannot fix standard input");
  const yaml = files.find((file) => /\.ya?ml$/i.test(file));
  if (yaml !== undefined) throw new UsageError(`--fix writes JSON; it cannot fix the YAML file ${yaml}`);
}

/** The zone is that of the file, unless the user chose one. */
type Validate = (body: unknown, zone?: string) => Promise<Validation>;

/** Without a world no facts are known, and every check that needs one is reported as not evaluated. */
async function validator(input: CommandInput, io: Io): Promise<Validate | undefined> {
  if (stringOption(input, "world") === undefined) {
    if (stringOption(input, "zone") !== undefined)
      throw new UsageError("--zone needs a world file; pass one with --world");
    return undefined;
  }
  const { edge, world } = await loadWorld(input, io);
  const zones = world.zones ?? [];
  const zone = stringOption(input, "zone") ?? (zones.length > 1 ? undefined : (zones[0]?.id ?? anyZone));
  const known = zones.map(({ id }) => `\`${id}\``).join(", ");
  if (zone === undefined)
    throw new UsageError(`the world has several zones (${known}); choose one with --zone`);
  if (zones.length > 0 && !zones.some(({ id }) => id === zone)) {
    throw new UsageError(`the world has no zone \`${zone}\`; its zones are ${known}`);
  }
  return (body) => edge.proxy.apps.validate(zone, body);
}

const withoutFacts: Validate = async (body) => validateApp(body);

async function lintFile(
  file: string,
  source: WorldSource,
  given: Validate | undefined,
  input: CommandInput,
  io: Io,
): Promise<readonly Linted[]> {
  const fix = booleanOption(input, "fix");
  if (source.isImported) {
    if (fix) throw new UsageError(`--fix changes files of applications; it cannot fix ${file}`);
    return lintZones(file, source, given ?? validatorOfZones(source.value as World, input));
  }
  const validate = given ?? withoutFacts;
  if (!fix) return lintSource(file, source, validate);
  const fixed = await fixValue(source.value, validate);
  if (fixed === source.value) return lintSource(file, source, validate);
  await writeFile(file, `${JSON.stringify(fixed, null, 2)}\n`);
  io.stderr.write(`fixed ${escapeControlCharacters(file)}\n`);
  return lintSource(file, await readWorldSource(file, input, io), validate);
}

/** The zones and accounts of a file are facts; its applications are validated as new ones. */
function validatorOfZones(world: World, input: CommandInput): Validate {
  const accounts = world.accounts?.map(({ id }) => ({ id }));
  const zones = world.zones?.map(({ proxy, token_validation, ...zone }) => zone);
  const profile = profileOf(input, world);
  const edge = createEdge({
    world: { ...(accounts && { accounts }), ...(zones && { zones }) },
    ...(profile && { profile }),
  });
  return (body, zone = anyZone) => edge.proxy.apps.validate(zone, body);
}

/** The applications of all zones of a world. */
async function lintZones(file: string, source: WorldSource, validate: Validate): Promise<readonly Linted[]> {
  const { zones = [] } = source.value as World;
  const linted: Linted[] = [];
  for (const [i, { id, proxy }] of zones.entries()) {
    for (const [j, body] of (proxy?.applications ?? []).entries()) {
      const at = pointer("zones", i, "proxy", "applications", j);
      linted.push(await lintApplication({ file, source, at, body }, () => validate(body, id)));
    }
  }
  return linted;
}

async function lintSource(file: string, source: WorldSource, validate: Validate): Promise<readonly Linted[]> {
  const linted: Linted[] = [];
  for (const { at, body } of applications(source.value)) {
    linted.push(await lintApplication({ file, source, at, body }, () => validate(body)));
  }
  return linted;
}

async function lintApplication(
  application: Pick<Linted, "file" | "source" | "at" | "body">,
  validate: () => Promise<Validation>,
): Promise<Linted> {
  const from = performance.now();
  const validation = await validate();
  return { ...application, validation, seconds: (performance.now() - from) / 1_000 };
}

/** The applications of a file, which contains a single one or an array of them. */
function applications(value: unknown): readonly { readonly at: string; readonly body: unknown }[] {
  if (!Array.isArray(value)) return [{ at: "", body: value }];
  return value.map((body, i) => ({ at: pointer(i), body }));
}

/** The value with all fixes applied; the same value without fixes. */
async function fixValue(value: unknown, validate: Validate): Promise<unknown> {
  if (!Array.isArray(value)) return applyFixes(value, validate);
  const fixed: unknown[] = [];
  for (const body of value) fixed.push(await applyFixes(body, validate));
  return fixed.every((body, i) => body === value[i]) ? value : fixed;
}
