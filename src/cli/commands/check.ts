/** `edgeproof check`: finds out about the rules of a world what no single request shows. */

import type { TextPosition } from "../../core/json-source.ts";
import { analyse } from "../../engine/tokens/analysis/analyse.ts";
import { type AnalysisFinding, analysisChecks } from "../../engine/tokens/analysis/findings/checks.ts";
import { profiles } from "../../service/settings.ts";
import {
  asJsonText,
  type Command,
  type CommandInput,
  choice,
  flag,
  type Io,
  text,
  UsageError,
} from "../command.ts";
import { profileOption } from "../input/world-file.ts";
import { readWorldZones, type WorldZones } from "../input/zone-inputs.ts";
import { paintLines } from "../output/color.ts";
import { visibleLines } from "../output/escape-control-characters.ts";
import { counted } from "../output/progress.ts";
import { printSarifLog } from "../output/sarif.ts";

export const check: Command = {
  name: "check",
  group: "rules",
  summary: "Analyse the token rules of a world: what can never be true, never decide, never match.",
  about: [
    "Looks at the rules of each zone without any request: expressions that are always true or always false, rules behind a rule that decides first, duplicate operands, unknown ids, empty selectors. What it says holds for every request there can be; what it could not answer it says, too.",
  ],
  positionals: "<world.json>",
  options: {
    zone: { type: "string", value: "id", help: "Only this zone. Default: all of them." },
    format: { type: "string", value: "text|json|sarif", help: "How to print what was found. Default text." },
    json: { type: "boolean", help: "The same as --format json." },
    ...profileOption,
  },
  exits: {
    0: "There is nothing but notes.",
    1: "There is an error or a warning.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof check world.json",
    "edgeproof check world.json --profile provider --json",
    "edgeproof check world.json --format sarif > rules.sarif",
  ],
  run: runCheck,
};

const formats = ["text", "json", "sarif"] as const;

interface Found {
  readonly zone: string;
  readonly finding: AnalysisFinding;
  /** Pointer into the file. */
  readonly pointer: string;
  readonly place: TextPosition;
}

async function runCheck(input: CommandInput, io: Io): Promise<number> {
  const format = flag(input, "json") ? "json" : choice(input, "format", formats, "text");
  const [file, ...more] = input.positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("name one world file: `edgeproof check world.json`");
  const world = await readWorldZones(file, io);
  const found = analyseZones(world, input);
  const printed = { text: printText, json: printJson, sarif: printSarif }[format](found, world);
  io.stdout.write(format === "text" ? paintLines(io.stdout, visibleLines(printed)) : printed);
  return found.some(({ finding }) => finding.severity !== "note") ? 1 : 0;
}

function analyseZones({ source, zones }: WorldZones, input: CommandInput): readonly Found[] {
  const { precedence, headerCase } = profiles[choice(input, "profile", ["spec", "provider"], "spec")];
  const only = text(input, "zone");
  if (only !== undefined && !zones.some(({ id }) => id === only)) {
    const known = zones.map(({ id }) => `\`${id}\``).join(", ") || "none";
    throw new UsageError(`no zone \`${only}\` has token validation; those that have it are ${known}`);
  }
  return zones
    .filter(({ id }) => only === undefined || id === only)
    .flatMap((zone) =>
      analyse(zone.input, { precedence, headerCase }).map((finding) => {
        const pointer = zone.at + finding.pointer;
        return { zone: zone.id, finding, pointer, place: source.locate(pointer) };
      }),
    );
}

function printText(found: readonly Found[], { file, zones }: WorldZones): string {
  const lines = found.flatMap(({ finding, pointer, place }) => [
    `${file}:${place.line}:${place.column}: ${finding.severity} ${finding.check} at ${pointer}`,
    `  ${finding.message}`,
    `  mend: ${finding.fix}`,
  ]);
  const rules = zones.reduce((count, { input }) => count + input.rules.length, 0);
  const of = (severity: string) => found.filter(({ finding }) => finding.severity === severity).length;
  const counts = (["error", "warning", "note"] as const).map((severity) => counted(of(severity), severity));
  return `${[...lines, `${counted(rules, "rule")}: ${counts.join(", ")}`].join("\n")}\n`;
}

function printJson(found: readonly Found[]): string {
  const list = found.map(({ zone, finding, pointer, place }) => ({ zone, ...finding, pointer, ...place }));
  return asJsonText(list);
}

function printSarif(found: readonly Found[], { file }: WorldZones): string {
  const rules = Object.entries(analysisChecks).map(([id, { what, fix }]) => ({ id, description: what, fix }));
  const results = found.map(({ finding, pointer, place }) => {
    const { check: rule, severity: level, message } = finding;
    return { rule, level, message, file, position: place, pointer };
  });
  return printSarifLog(rules, results);
}
