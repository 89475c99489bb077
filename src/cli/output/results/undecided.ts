/** The parts that a run did not look at: questions without an answer, and parts of a world that are left out. */
import type { Location, Placed, Rules } from "../../../core/diagnostic.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import { startOf } from "../../../import/origin.ts";
import { formatPlaces, type LeftOut } from "../../input/imports/left-out.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { ValidZones } from "../../input/zone-inputs.ts";
import { printPlace } from "../places.ts";
import { type ReportCase, skippedCase } from "../report/report.ts";

/** The rule of questions without an answer. */
export const undecidedRules = {
  undecided: {
    level: "warning",
    description: "An answer that was asked for is not known.",
    help: "Resolve what the message names, or accept it with --partial.",
    tags: ["tokens"],
  },
} as const satisfies Rules;

/** Why an answer is not known. */
export interface Reason {
  /** One sentence. */
  readonly message: string;
  /** The command or option that resolves it. */
  readonly run?: string;
  /** Where it is undecided. */
  readonly at?: Location;
}

/** Why nothing is known about a zone whose token validation is invalid. */
export function invalidReasons(
  zone: string,
  problems: readonly CodedDiagnostic[],
  source: Pick<WorldSource, "place"> | undefined,
): readonly Reason[] {
  return formatPlaces(problems, source).map((place) => ({
    message: `The token validation of zone \`${zone}\` is invalid: ${place}`,
  }));
}

/** A diagnostic for each reason. */
export function undecidedAt(reasons: readonly Reason[], at: Location): readonly Placed[] {
  const { level } = undecidedRules.undecided;
  return reasons.map(({ message, run, at: origin }) => ({
    rule: "undecided",
    level,
    message,
    ...(run !== undefined && { run }),
    ...(origin && { details: printPlace(origin) }),
    at,
  }));
}

/** The case of a zone about which nothing can be said, or less than was asked for. */
export function undecidedZone(zone: string, reasons: readonly Reason[], location: Location): ReportCase {
  const diagnostics = undecidedAt(reasons, location);
  return { kind: "zone", group: zone, name: `zone ${zone}`, status: "undecided", diagnostics, location };
}

/** The invalid parts of a world: zones are undecided, the others are skipped. @param only the only zone that is asked for */
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

/** The parts of a world that have skipped cases. */
interface WorldParts {
  readonly file: string;
  readonly leftOut: readonly LeftOut[];
  readonly source: WorldSource | undefined;
}

/** A skipped case for each part of a world that is left out. */
export function leftOutCases({ file, leftOut, source }: WorldParts): readonly ReportCase[] {
  return leftOut.map(({ pointer, problems }) =>
    skippedCase({
      kind: "resource",
      group: file,
      name: pointer,
      message: formatPlaces(problems, source).join("; "),
      location: source?.place(pointer) ?? startOf(file),
    }),
  );
}
