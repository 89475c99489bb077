/** Searches for a request that notices a mutant. */

import { budgetReason } from "../../analysis/budget.ts";
import { decisionsDiffer } from "../../analysis/fired-rules.ts";
import type { Candidate } from "../candidate.ts";
import type { SuiteModel } from "../suite-model.ts";
import type { Mutant } from "./mutant.ts";
import type { ClassOfMutant, MutantRules } from "./mutant-rules.ts";

/** Such a request, the proof that the mutant is equivalent, or the reason why neither is known. */
export type NoticeResult =
  | { readonly kind: "found"; readonly candidate: Candidate }
  | { readonly kind: "equivalent" }
  | { readonly kind: "undecided"; readonly reason: string };

/** Searches all classes that the mutant can change. A mutant that no request notices is equivalent. */
export function findNoticing(model: SuiteModel, mutantRules: MutantRules, mutant: Mutant): NoticeResult {
  let undecided: NoticeResult | undefined;
  for (const one of mutantRules.classesOf(mutant, model.classes)) {
    const result = findInClass(model, one);
    if (result.kind === "found") return result;
    if (result.kind === "undecided") undecided = result;
  }
  return undecided ?? { kind: "equivalent" };
}

function findInClass(model: SuiteModel, { zoneClass, original, mutated }: ClassOfMutant): NoticeResult {
  const questions = model.ask(zoneClass, [...new Set([...original, ...mutated])]);
  if (questions === undefined) return { kind: "undecided", reason: budgetReason };
  const { evaluator, precedence } = model;
  const { diagrams } = questions.variables;
  const found = questions.find(
    () => decisionsDiffer(diagrams, [questions.fired(original), questions.fired(mutated)], precedence),
    (candidate) => evaluator.decide(original, candidate).key !== evaluator.decide(mutated, candidate).key,
  );
  return found.kind === "none" ? { kind: "equivalent" } : found;
}
