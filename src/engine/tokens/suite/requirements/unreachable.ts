/** Why no request fulfills a requirement. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { quote } from "../../../../errors.ts";
import { analyze } from "../../analysis/analyze.ts";
import type { AnalysisCheck } from "../../analysis/findings/checks.ts";
import type { ZoneInput } from "../../zone/zone-input.ts";
import type { SuiteOptions } from "../suite-model.ts";
import type { Requirement } from "./requirements.ts";

/** A requirement that no request of the suite fulfills. */
export interface UnreachableRequirement {
  /** The requirement, in one clause. */
  readonly requirement: string;
  /** Why, in one sentence: a finding of the analysis where there is one. */
  readonly reason: string;
  /** Whether it is proven that no request can; otherwise the search was not complete. */
  readonly isProven: boolean;
}

/** Explains requirements that are not fulfilled; `undecided` has the reasons of searches without a result. */
export function explainUnreachable(
  open: readonly Requirement[],
  undecided: ReadonlyMap<string, string>,
  input: ZoneInput,
  options: SuiteOptions,
): UnreachableRequirement[] {
  if (open.length === 0) return [];
  const { onProgress: _, ...analysis } = options;
  const findings = analyze(input, analysis);
  return open.map((requirement) => {
    const reason = undecided.get(requirement.id);
    const isProven = reason === undefined;
    return {
      requirement: requirement.description,
      reason: reason ?? reasonOf(requirement, findings, input),
      isProven,
    };
  });
}

function reasonOf(
  { rule, part }: Requirement,
  findings: readonly Diagnostic<AnalysisCheck>[],
  { rules }: ZoneInput,
): string {
  if (rules.some(({ id, enabled }) => id === rule && !enabled)) return "The rule is disabled.";
  // A remark on a missing value proves nothing.
  const own = findings.filter(
    (finding) => rule !== undefined && finding.subject?.["rule"] === rule && finding.rule !== "missing-value",
  );
  const aboutPart = own.find(({ message }) => part !== undefined && message.includes(quote(part)));
  return (aboutPart ?? own[0])?.message ?? unexplained;
}

const unexplained = "No request does this: other parts of the rules or operations always decide first.";
