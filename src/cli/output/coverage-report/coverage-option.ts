/** Measures the coverage of zones, and prints or writes it. */
import { maskText } from "../../../core/text/secrets.ts";
import { createCoverage } from "../../../engine/tokens/verdict/coverage.ts";
import { readStoredZone } from "../../../service/tokens/evaluation.ts";
import { tokenZonesOf } from "../../../service/world/rulesets/world-zones.ts";
import type { Io } from "../../command.ts";
import { invalidZones } from "../../input/imports/left-out.ts";
import type { LoadedWorld } from "../../input/world-file.ts";
import type { CoverageValues, coverageFormats } from "../../options/output.ts";
import { escapeLines } from "../escape-control-characters.ts";
import { writeOutput } from "../output.ts";
import { type ReportPath, repositoryPaths } from "../report/repository-path.ts";
import type { Evaluated } from "../results/eval.ts";
import { wrapLines } from "../wrap.ts";
import { printCoveragePage } from "./coverage-page.ts";
import { printCoverageJson, printCoverageText } from "./coverage-text.ts";
import { printLcov } from "./lcov.ts";
import { findCustomRule, type ZoneCoverage } from "./zone-coverage.ts";

type CoverageFormat = (typeof coverageFormats)[number];

/** The chosen format, and the file to write. */
export interface CoverageChoice {
  readonly format: CoverageFormat;
  /** Absent for standard output. */
  readonly out?: string;
  /** Whether the verdicts are left out. */
  readonly replacesVerdicts: boolean;
}

/** The choice of the command line; undefined without `--coverage`. */
export function readCoverageChoice({
  coverage: format,
  coverageOut,
}: CoverageValues): CoverageChoice | undefined {
  if (format === undefined) return undefined;
  const out = coverageOut === "-" ? undefined : coverageOut;
  return {
    format,
    ...(out !== undefined && { out }),
    replacesVerdicts: out === undefined && format !== "text",
  };
}

/** The world whose zones are measured. */
export type MeasuredWorld = Pick<LoadedWorld, "edge" | "world" | "leftOut" | "source">;

/**
 * Measures the zones with token validation or custom rules: those of the requests when `only` is set, else all, so that a zone without
 * requests is seen.
 */
export async function measureCoverage(
  { edge, world, leftOut, source }: MeasuredWorld,
  evaluated: readonly Evaluated[],
  only: string | undefined,
): Promise<readonly ZoneCoverage[]> {
  const measured: ZoneCoverage[] = [];
  const invalid = invalidZones(leftOut, world);
  const placeAt = (at: string) => source?.place(at) ?? { file: "", start: { line: 1, column: 1 } };
  for (const { id: zone, input: given, pointerOf } of tokenZonesOf(world)) {
    if (invalid.has(zone)) continue;
    const own = evaluated.filter((result) => result.zone === zone);
    if (only !== undefined && only !== zone && own.length === 0) continue;
    const { input } = await edge.store.read((tx) => readStoredZone(tx, zone));
    const coverage = createCoverage(input);
    for (const { verdict } of own) coverage.add(verdict);
    measured.push({
      zone,
      input,
      report: coverage.report(),
      place: (within) => placeAt(pointerOf(within)),
      placeOfCustom: (rule, member = "") => {
        const found = findCustomRule(given, rule);
        return found && placeAt(pointerOf(found.at + member));
      },
    });
  }
  return measured;
}

/** Prints the coverage, or writes it to the file. @throws {UsageError} when the file cannot be written */
export async function writeCoverage(
  zones: readonly ZoneCoverage[],
  { format, out = "-" }: CoverageChoice,
  io: Io,
): Promise<void> {
  await writeOutput(out, io, async (write) => {
    for (const piece of piecesOf(zones, format, repositoryPaths(io.env)))
      await write(out === "-" && format === "text" ? wrapLines(io.stdout, piece) : piece);
  });
}

function* piecesOf(
  zones: readonly ZoneCoverage[],
  format: CoverageFormat,
  pathOf: ReportPath,
): Generator<string> {
  if (format === "text") yield escapeLines(maskText(printCoverageText(zones)));
  else if (format === "json") yield printCoverageJson(zones);
  else if (format === "lcov") yield printLcov(zones, pathOf);
  else yield* printCoveragePage(zones);
}
