/** Brand protection and image hosting of a world in the report of `check`: a case for each query and variant. */
import type { Placed, Rules } from "../../../core/diagnostic.ts";
import { place } from "../../../core/place.ts";
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
import type { World } from "../../../service/world/schema.ts";
import type { CheckedWorld } from "../../input/imports/checked-files.ts";
import type { CaseKind, ReportCase } from "../report/report.ts";

/** The areas of an account that have cases here. */
export type PartArea = "brand" | "images";

/** The rules. */
export const worldPartRules = {
  "invalid-part": {
    level: "error",
    description: "A part of a world is invalid, so that `serve` and `createEdge` reject the world.",
    help: "Correct it as the message says.",
    tags: ["world"],
    leavesOpen: true,
  },
} as const satisfies Rules;

interface Part {
  readonly area: PartArea;
  readonly kind: CaseKind;
  readonly group: string;
  readonly name: string;
  /** RFC 6901 pointer into the world. */
  readonly at: string;
}

/**
 * The cases of the wanted areas, and of what belongs to no area.
 *
 * @param problems of everything but token rules and applications, with pointers into the world
 */
export function worldPartCases(
  { value, source }: CheckedWorld,
  problems: readonly CodedDiagnostic[],
  isWanted: (area: string) => boolean,
): readonly ReportCase[] {
  const parts = partsOf(value).filter(({ area }) => isWanted(area));
  const own = parts.map((part) => caseOf(part, problems.filter(isWithin(part.at)), source));
  const others = problems.filter(
    (problem) => !parts.some(({ at }) => isWithin(at)(problem)) && isWanted(areaOf(problem)),
  );
  const groups = new Set(others.map(placeOf));
  return [
    ...own,
    ...[...groups].map((at) => {
      const name = at === "" ? "world" : `parts of ${at}`;
      const within = others.filter((other) => placeOf(other) === at);
      return caseOf({ kind: "zone", group: "world", name, at }, within, source);
    }),
  ];
}

function isWithin(at: string): (problem: CodedDiagnostic) => boolean {
  return ({ pointer: own = "" }) => own === at || own.startsWith(`${at}/`);
}

/** The zone, the account or the area of one of them. */
function placeOf({ pointer: at = "" }: CodedDiagnostic): string {
  return /^\/(?:zones|accounts)\/\d+(?:\/(?:proxy|brand|images)(?=\/|$))?/.exec(at)?.[0] ?? "";
}

/** The name of the area; empty for what belongs to no area. */
function areaOf({ pointer: at = "" }: CodedDiagnostic): string {
  return /^\/(?:zones|accounts)\/\d+\/(proxy|brand|images)(?=\/|$)/.exec(at)?.[1] ?? "";
}

function caseOf(
  { kind, group, name, at }: Omit<Part, "area">,
  problems: readonly CodedDiagnostic[],
  source: CheckedWorld["source"],
): ReportCase {
  const found = problems.map(({ code, message, pointer: at = "" }) => {
    return { rule: "invalid-part", level: worldPartRules["invalid-part"].level, code, message, pointer: at };
  });
  const diagnostics: readonly Placed[] = place(found, source);
  const status = found.length > 0 ? "failed" : "passed";
  return { kind, group, name, status, failOn: "note", diagnostics, location: source.place(at) };
}

function partsOf({ accounts = [] }: World): readonly Part[] {
  return accounts.flatMap(({ id: group, brand, images }, i): Part[] => [
    ...(brand?.queries ?? []).map(({ tag }, j): Part => {
      const at = pointer("accounts", i, "brand", "queries", j);
      return { area: "brand", kind: "pattern", group, name: `query ${tag ?? j}`, at };
    }),
    ...(images?.variants ?? []).map(({ id }, j): Part => {
      const at = pointer("accounts", i, "images", "variants", j);
      return { area: "images", kind: "variant", group, name: `variant ${id}`, at };
    }),
  ]);
}
