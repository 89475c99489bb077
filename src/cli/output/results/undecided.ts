/** The parts that a run did not look at: questions without an answer, and parts of a world that are left out. */
import { diagnostic, type Location, type Placed, type Rules } from "../../../core/diagnostic.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import { startOf } from "../../../import/origin.ts";
import { formatPlaces, type LeftOut } from "../../input/imports/left-out.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { ValidZones } from "../../input/zone-inputs.ts";
import { printPlace } from "../places.ts";
import type { CaseStatus, ReportCase } from "../report/report.ts";
import { worldPartRules } from "./world-parts.ts";

/** The rule of questions without an answer. */
export const undecidedRules = {
  undecided: {
    level: "warning",
    description: "An answer that was asked for is not known.",
    help: "Resolve what the message names, or accept it with --partial.",
    tags: ["tokens"],
    leavesOpen: true,
  },
  ...worldPartRules,
} as const satisfies Rules;

/** Why an answer is not known. */
export interface Reason {
  /** One sentence. */
  readonly message: string;
  /** The command or option that resolves it. */
  readonly run?: string;
  /** Where it is undecided. */
  readonly at?: Location;
  /** Whether the service would reject what it is about. Default false: something is not known. */
  readonly isInvalid?: true;
}

/** Why nothing is known about a zone with invalid rules. */
export function invalidReasons(
  zone: string,
  problems: readonly CodedDiagnostic[],
  source: Pick<WorldSource, "place"> | undefined,
): readonly Reason[] {
  return formatPlaces(problems, source).map((place) => ({
    message: `The rules of zone \`${zone}\` are invalid: ${place}`,
    isInvalid: true,
  }));
}

/** The status of a case with reasons: what is invalid fails it, whatever the caller accepts. */
export function statusOfReasons(reasons: readonly Reason[]): CaseStatus {
  return reasons.some(({ isInvalid }) => isInvalid) ? "failed" : "undecided";
}

/** A diagnostic for each reason. */
export function undecidedAt(reasons: readonly Reason[], at: Location): readonly Placed[] {
  return reasons.map(({ message, run, at: origin, isInvalid }) => ({
    ...diagnostic(undecidedRules, isInvalid ? "invalid-part" : "undecided", message),
    ...(run !== undefined && { run }),
    ...(origin && { details: printPlace(origin) }),
    at,
  }));
}

/** The case of a zone about which nothing can be said, or less than was asked for. */
export function undecidedZone(zone: string, reasons: readonly Reason[], location: Location): ReportCase {
  const diagnostics = undecidedAt(reasons, location);
  return {
    kind: "zone",
    group: zone,
    name: `zone ${zone}`,
    status: statusOfReasons(reasons),
    diagnostics,
    location,
  };
}

/** The invalid parts of a world, which fail. @param only the only zone that is asked for */
export function invalidCases(world: ValidZones, only?: string): readonly ReportCase[] {
  const { invalid, source } = world;
  const zones = [...invalid].filter(([zone]) => only === undefined || only === zone);
  return [
    ...zones.map(([zone, problems]) =>
      undecidedZone(zone, invalidReasons(zone, problems, source), source.place(problems[0]?.pointer ?? "")),
    ),
    ...leftOutCases(world),
  ];
}

/** The parts of a world that are left out. */
interface WorldParts {
  readonly file: string;
  readonly leftOut: readonly LeftOut[];
  readonly source: WorldSource | undefined;
}

/** A failed case for each part of a world that is left out, because it is invalid. */
export function leftOutCases({ file, leftOut, source }: WorldParts): readonly ReportCase[] {
  return leftOut.map(({ pointer, problems }) => {
    const location = source?.place(pointer) ?? startOf(file);
    const reasons = formatPlaces(problems, source).map((message) => ({ message, isInvalid: true }) as const);
    return {
      kind: "file",
      group: file,
      name: pointer,
      status: statusOfReasons(reasons),
      diagnostics: undecidedAt(reasons, location),
      location,
    };
  });
}
