/** Generates a small suite of requests that exercises a zone completely, and notices every mutant of its rules. */

import { checkOptionNames } from "../analysis/option-names.ts";
import type { ZoneInput } from "../zone/zone-input.ts";
import {
  fulfillNearMisses,
  fulfillOperations,
  fulfillRules,
  fulfillStates,
  type UndecidedReasons,
} from "./fulfill.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { createMutantRules, type MutantRules } from "./mutants/mutant-rules.ts";
import { mutantsOf } from "./mutants/mutants-of.ts";
import { findNoticing } from "./mutants/notice.ts";
import {
  nearMissRequirements,
  operationRequirements,
  type Requirement,
  ruleRequirements,
  tokenRequirements,
} from "./requirements/requirements.ts";
import { explainUnreachable, type UnreachableRequirement } from "./requirements/unreachable.ts";
import { createSuiteBuilder, type SuiteBuilder } from "./suite-builder.ts";
import { createSuiteModel, type SuiteModel, type SuiteOptions } from "./suite-model.ts";
import { type SuiteRequest, suiteRequests } from "./suite-request.ts";

/** A mutant without a decision on whether some request notices it. */
export interface UndecidedMutant extends Pick<Mutant, "kind" | "rule" | "pointer" | "description"> {
  /** Why it is not decided. */
  readonly reason: string;
}

/** The mutants of the zone's rules. */
export interface SuiteMutants {
  /** The number that the suite notices. */
  readonly noticed: number;
  /** The number that no request can notice. */
  readonly equivalent: number;
  /** Those for which neither is known. */
  readonly undecided: readonly UndecidedMutant[];
}

/** A generated suite. */
export interface ZoneSuite {
  /** The requests; none can be left out without losing a requirement or a mutant. */
  readonly requests: readonly SuiteRequest[];
  /** The number of requirements that the requests fulfill. */
  readonly fulfilled: number;
  /** What no request of the suite does, with the reason. */
  readonly unreachable: readonly UnreachableRequirement[];
  /** The mutants of the rules. */
  readonly mutants: SuiteMutants;
}

/**
 * Generates a suite for a zone. Every rule fires and passes; each condition of each expression decides, as true and as
 * false (masking MC/DC); tokens have every state, on both sides of `exp` and `nbf`, and come from every source; each list of
 * rules that covers operations has a request, and each operation one that just misses it; and each mutant of the rules
 * is noticed by some request. The same zone has the same suite.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method eq "GET"';
 * const rule = { id: "reads", action: "block", enabled: true, expression, selector } as const;
 * const suite = suiteFor({ configs: [], rules: [rule] });
 * suite.requests.map(({ name }) => name);
 * // => ["POST https://api.example.com/: block by reads", "GET https://api.example.com/: allow"]
 * suite.mutants.undecided; // => []
 * ```
 * @throws InvalidInputError when the zone is invalid, with every problem
 * @throws RangeError when `maxSteps` is not an integer from 1
 * @throws TypeError for an option that does not exist
 */
export function suiteFor(input: ZoneInput, options: SuiteOptions = {}): ZoneSuite {
  checkOptionNames("suiteFor", options);
  const model = createSuiteModel(input, options);
  const mutants = mutantsOf(model.zone, model.classes);
  const mutantRules = createMutantRules(mutants, model.precedence);
  const requirements = requirementsOf(model);
  const builder = createSuiteBuilder(model, requirements, mutantRules);
  const undecided: UndecidedReasons = new Map();
  fulfillRules(model, builder, undecided);
  fulfillStates(model, builder);
  fulfillOperations(model, builder);
  fulfillNearMisses(model, builder);
  const noticed = noticeMutants(model, builder, mutants, mutantRules);
  const open = requirements.filter(({ id }) => !builder.isFulfilled(id));
  const kept = builder.minimized().map(({ candidate }) => candidate);
  return {
    requests: suiteRequests(model, kept),
    fulfilled: requirements.length - open.length,
    unreachable: explainUnreachable(open, undecided, input, options),
    mutants: noticed,
  };
}

function requirementsOf(model: SuiteModel): Requirement[] {
  const { zone, configs, classes, precedence } = model;
  return [
    ...zone.rules.flatMap(ruleRequirements),
    ...tokenRequirements(zone, configs),
    ...operationRequirements(classes, precedence),
    ...nearMissRequirements(zone),
  ];
}

/** Adds a request for each mutant that no request notices yet. */
function noticeMutants(
  model: SuiteModel,
  builder: SuiteBuilder,
  mutants: readonly Mutant[],
  mutantRules: MutantRules,
): SuiteMutants {
  let equivalent = 0;
  const undecided: UndecidedMutant[] = [];
  for (const mutant of mutants) {
    if (builder.isNoticed(mutant)) continue;
    const found = findNoticing(model, mutantRules, mutant);
    if (found.kind === "found") builder.add(found.candidate);
    else if (found.kind === "equivalent") equivalent++;
    else {
      const { kind, rule, pointer, description } = mutant;
      undecided.push({ kind, rule, pointer, description, reason: found.reason });
    }
  }
  return { noticed: mutants.length - equivalent - undecided.length, equivalent, undecided };
}
