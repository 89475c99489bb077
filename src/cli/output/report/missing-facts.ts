/** The facts for lack of which checks were not evaluated: one entry each, whatever the number of cases is. */
import { formatCount } from "../../../core/format-count.ts";
import { factPlaces } from "../../../service/world/fact-places.ts";
import { caseKinds, type Report, type ReportCase, type Unchecked } from "./report.ts";

/** A fact that no file has. */
export interface MissingFact {
  readonly fact: string;
  /** Where a world file has it; absent for a fact that no world file has. */
  readonly place?: string;
  /** The checks that need it. */
  readonly checks: readonly Pick<Unchecked, "rule" | "code">[];
  /** The number of cases for which a check needs it. */
  readonly cases: number;
}

const places: ReadonlyMap<string, string> = new Map(Object.entries(factPlaces));

/** The missing facts of a report, in the order in which its cases need them. */
export function missingFactsOf({ cases }: Pick<Report, "cases">): readonly MissingFact[] {
  const facts = new Map<string, Map<string, Unchecked>>();
  const users = new Map<string, Set<ReportCase>>();
  for (const reportCase of cases)
    for (const check of reportCase.unchecked ?? [])
      for (const fact of check.needs) {
        facts.set(fact, (facts.get(fact) ?? new Map<string, Unchecked>()).set(check.rule, check));
        users.set(fact, (users.get(fact) ?? new Set<ReportCase>()).add(reportCase));
      }
  return [...facts].map(([fact, checks]) => {
    const place = places.get(fact);
    return {
      fact,
      ...(place !== undefined && { place }),
      checks: [...checks.values()].map(({ rule, code }) => ({ rule, ...(code !== undefined && { code }) })),
      cases: users.get(fact)?.size ?? 0,
    };
  });
}

/** A missing fact in one line. */
export function describeMissingFact({ fact, place, checks, cases }: MissingFact): string {
  const where = place === undefined ? "" : ` (in a world file: \`${place}\`)`;
  const names = checks.map(({ rule, code }) => (code === undefined ? rule : `${code} ${rule}`));
  const count = formatCount(cases, caseKinds.application.noun);
  return `not evaluated for lack of \`${fact}\`${where}: ${names.join(", ")}; ${count}`;
}
