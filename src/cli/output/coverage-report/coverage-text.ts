/** Prints coverage as text and as JSON. */
import { maskValue } from "../../../core/text/secrets.ts";
import { printCoverage } from "../../../engine/tokens/verdict/coverage.ts";
import { formatJson } from "../../command.ts";
import {
  type CoverageTotals,
  coverageKinds,
  percentOf,
  totalsOf,
  type ZoneCoverage,
} from "./zone-coverage.ts";

/** Prints a summary of each zone, its rules and configurations, and everything that no request exercised. */
export function printCoverageText(zones: readonly ZoneCoverage[]): string {
  if (zones.length === 0) return "coverage: no zone has rules\n";
  return zones
    .map(({ zone, report }) => {
      return `coverage of zone ${zone}: ${printTotals(totalsOf(report))}\n${printCoverage(report)}`;
    })
    .join("\n");
}

/** The totals in one line. */
export function printTotals(totals: CoverageTotals): string {
  return coverageKinds
    .filter((kind) => totals[kind].total > 0)
    .map((kind) => {
      const { covered, total } = totals[kind];
      return `${kind} ${percentOf(totals[kind])} % (${covered} of ${total})`;
    })
    .join(", ");
}

/** Prints the JSON of `coverageOutput`. */
export function printCoverageJson(zones: readonly ZoneCoverage[]): string {
  return formatJson(
    maskValue(zones.map(({ zone, report }) => ({ zone, totals: totalsOf(report), ...report }))),
  );
}
