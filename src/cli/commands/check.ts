/** `edgeproof check`: static analysis of the token rules of a world. */

import type { TextPosition } from "../../core/json-source.ts";
import { profiles } from "../../core/profiles.ts";
import { analyze } from "../../engine/tokens/analysis/analyze.ts";
import { type AnalysisFinding, analysisChecks } from "../../engine/tokens/analysis/findings/checks.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  choiceOption,
  formatJson,
  type Io,
  stringOption,
  UsageError,
} from "../command.ts";
import { profileOption } from "../input/world-file.ts";
import { readWorldZones, type WorldZones } from "../input/zone-inputs.ts";
import { colorLines } from "../output/color.ts";
import { escapeLines } from "../output/escape-control-characters.ts";
import { formatCount } from "../output/progress.ts";
import { printSarifLog } from "../output/sarif.ts";

export const check: CommandDefinition = {
  about: [
    "Analyzes the rules of each zone without any request: expressions that are always true or always false, rules after a rule that always decides first, duplicate operands, unknown ids, empty selectors. Every finding holds for all possible requests; questions that are too large are reported as undecided.",
  ],
  positionals: "<world.json>",
  options: {
    zone: { type: "string", value: "id", help: "Only this zone. Default: all zones." },
    format: { type: "string", value: "text|json|sarif", help: "Output format. Default: text." },
    json: { type: "boolean", help: "The same as --format json." },
    ...profileOption,
  },
  exits: {
    0: "There are no errors and no warnings.",
    1: "There is at least one error or warning.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof check world.json",
    "edgeproof check world.json --profile provider --json",
    "edgeproof check world.json --format sarif > rules.sarif",
  ],
  run: runCheck,
};

const formats = ["text", "json", "sarif"] as const;

interface ZoneFinding {
  readonly zone: string;
  readonly finding: AnalysisFinding;
  /** Pointer into the file. */
  readonly pointer: string;
  readonly position: TextPosition;
}

async function runCheck(input: CommandInput, io: Io): Promise<number> {
  const format = booleanOption(input, "json") ? "json" : choiceOption(input, "format", formats, "text");
  const [file, ...more] = input.positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(
      `expected 1 world file; found ${input.positionals.length}: \`edgeproof check world.json\``,
    );
  const world = await readWorldZones(file, io);
  const findings = analyzeZones(world, input);
  const printed = { text: printText, json: printJson, sarif: printSarif }[format](findings, world);
  io.stdout.write(format === "text" ? colorLines(io.stdout, escapeLines(printed)) : printed);
  return findings.some(({ finding }) => finding.severity !== "note") ? 1 : 0;
}

function analyzeZones({ source, zones }: WorldZones, input: CommandInput): readonly ZoneFinding[] {
  const { precedence, headerCase } = profiles[choiceOption(input, "profile", ["spec", "provider"], "spec")];
  const only = stringOption(input, "zone");
  if (only !== undefined && !zones.some(({ id }) => id === only)) {
    const known = zones.map(({ id }) => `\`${id}\``).join(", ") || "none";
    throw new UsageError(`no zone \`${only}\` has token validation; zones with token validation: ${known}`);
  }
  return zones
    .filter(({ id }) => only === undefined || id === only)
    .flatMap((zone) =>
      analyze(zone.input, { precedence, headerCase }).map((finding) => {
        const pointer = zone.at + finding.pointer;
        return { zone: zone.id, finding, pointer, position: source.locate(pointer) };
      }),
    );
}

function printText(findings: readonly ZoneFinding[], { file, zones }: WorldZones): string {
  const lines = findings.flatMap(({ finding, pointer, position }) => [
    `${file}:${position.line}:${position.column}: ${finding.severity} ${finding.check} at ${pointer}`,
    `  ${finding.message}`,
    `  fix: ${finding.fix}`,
  ]);
  const rules = zones.reduce((count, { input }) => count + input.rules.length, 0);
  const of = (severity: string) => findings.filter(({ finding }) => finding.severity === severity).length;
  const counts = (["error", "warning", "note"] as const).map((severity) =>
    formatCount(of(severity), severity),
  );
  return `${[...lines, `${formatCount(rules, "rule")}: ${counts.join(", ")}`].join("\n")}\n`;
}

function printJson(findings: readonly ZoneFinding[]): string {
  const list = findings.map(({ zone, finding, pointer, position }) => {
    return { zone, ...finding, pointer, ...position };
  });
  return formatJson(list);
}

function printSarif(findings: readonly ZoneFinding[], { file }: WorldZones): string {
  const rules = Object.entries(analysisChecks).map(([id, { description, fix }]) => {
    return { id, description, fix };
  });
  const results = findings.map(({ finding, pointer, position }) => {
    const { check: rule, severity: level, message } = finding;
    return { rule, level, message, file, position, pointer };
  });
  return printSarifLog(rules, results);
}
