/**
 * Prints coverage in the format of lcov (geninfo(1)), which code hosts and editors read: lines and branches of the files
 * that have the rules.
 *
 * The first line of a rule and of an operation counts evaluations. Branches are the outcomes of a rule (fired, passed), of
 * each condition (true, false), of a custom rule (matched, not matched), and the reasons of a configuration's checks.
 */
import type { Location } from "../../../core/diagnostic.ts";
import type { AtomCoverage } from "../../../engine/tokens/verdict/coverage.ts";
import { pointer } from "../../../errors.ts";
import { escapeControlCharacters } from "../escape-control-characters.ts";
import type { ReportPath } from "../report/repository-path.ts";
import { expectedCounts, type ZoneCoverage } from "./zone-coverage.ts";

/** The counts of one line: how often it was evaluated, and the groups of branches that start there. */
interface Line {
  hits: number;
  readonly blocks: (readonly number[])[];
}

/** Lines by file and number. */
type Files = Map<string, Map<number, Line>>;

/** Prints a record for each file. */
export function printLcov(zones: readonly ZoneCoverage[], pathOf: ReportPath): string {
  const files: Files = new Map();
  for (const zone of zones) addZone(files, zone);
  return [...files].map(([file, lines]) => printRecord(pathOf(file), lines)).join("");
}

function addZone(files: Files, { input, report, place, placeOfCustom }: ZoneCoverage): void {
  const lineAt = (...members: readonly (string | number)[]) => {
    return lineOf(files, place(pointer(...members)));
  };
  for (const [i, { enabled, fired, passed, atoms }] of report.rules.entries()) {
    // A disabled rule is not evaluated, as comments are not.
    if (!enabled) continue;
    addCounts(lineAt("rules", i), fired + passed, [[fired, passed]]);
    addCounts(lineAt("rules", i, "expression"), fired + passed, conditionCounts(atoms));
  }
  for (const rule of report.custom) {
    const { enabled, matched, not_matched, atoms } = rule;
    const [start, expression] = [placeOfCustom(rule), placeOfCustom(rule, "/expression")];
    if (!enabled || start === undefined || expression === undefined) continue;
    addCounts(lineOf(files, start), matched + not_matched, [[matched, not_matched]]);
    addCounts(lineOf(files, expression), matched + not_matched, conditionCounts(atoms));
  }
  for (const [i, config] of report.configs.entries()) {
    if (!config.isChecked) continue;
    const checks = Object.values(config.reasons).reduce((sum, count) => sum + count, 0);
    addCounts(lineAt("configs", i), checks, [expectedCounts(config)]);
  }
  for (const [i, { verdicts }] of report.operations.entries()) {
    if (input.operations?.[i] !== undefined) addCounts(lineAt("operations", i), verdicts, []);
  }
}

function conditionCounts(atoms: readonly AtomCoverage[]): readonly (readonly number[])[] {
  return atoms.map((atom) => [atom.true, atom.false]);
}

function lineOf(files: Files, { file, start: { line: number } }: Location): Line {
  const lines = files.get(file) ?? new Map<number, Line>();
  files.set(file, lines);
  const line = lines.get(number) ?? { hits: 0, blocks: [] };
  lines.set(number, line);
  return line;
}

/** Several parts can be on one line: a file without line ends has one line. */
function addCounts(line: Line, hits: number, blocks: readonly (readonly number[])[]): void {
  line.hits += hits;
  line.blocks.push(...blocks);
}

function printRecord(path: string, lines: ReadonlyMap<number, Line>): string {
  const sorted = [...lines].sort(([a], [b]) => a - b);
  const branches = sorted.flatMap(([, { blocks }]) => blocks.flat());
  return [
    "TN:edgeproof",
    `SF:${escapeControlCharacters(path)}`,
    ...sorted.flatMap(([number, line]) => printBranches(number, line)),
    `BRF:${branches.length}`,
    `BRH:${branches.filter((count) => count > 0).length}`,
    ...sorted.map(([number, { hits }]) => `DA:${number},${hits}`),
    `LF:${sorted.length}`,
    `LH:${sorted.filter(([, { hits }]) => hits > 0).length}`,
    "end_of_record",
    "",
  ].join("\n");
}

/** A count is `-` when nothing of its group was reached. */
function printBranches(number: number, { blocks }: Line): readonly string[] {
  return blocks.flatMap((counts, block) => {
    const isReached = counts.some((count) => count > 0);
    return counts.map((count, i) => `BRDA:${number},${block},${i},${isReached ? count : "-"}`);
  });
}
