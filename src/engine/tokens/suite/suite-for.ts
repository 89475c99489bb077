/** Generates a small suite of requests that exercises a zone completely, and notices every mutant of it. */

import { anyValue, optionsOf, requireArgument } from "../../../core/arguments.ts";
import { quote } from "../../../errors.ts";
import { hasCustomRules } from "../rulesets/has-custom-rules.ts";
import { isSameDecision } from "../verdict/decision.ts";
import type { ZoneInput } from "../zone/zone-input.ts";
import type { Candidate } from "./candidate.ts";
import type { Reason } from "./collection.ts";
import {
  addressOf,
  fulfillNearMisses,
  fulfillOperations,
  fulfillRules,
  fulfillStates,
  nearMissIds,
  type UndecidedReasons,
} from "./fulfill.ts";
import { fulfillOutcomes, requireOutcomes } from "./fulfill-outcomes.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { createMutantIndex } from "./mutants/mutant-index.ts";
import { createMutantTester, generatedZone } from "./mutants/mutant-tester.ts";
import { mutantsOf } from "./mutants/mutants-of.ts";
import { findNoticing, inOrderOfSearch, type NoticeSearch } from "./mutants/notice.ts";
import { countMutants } from "./mutants/notice-result.ts";
import {
  nearMissRequirements,
  operationRequirements,
  operationsId,
  type Requirement,
  ruleRequirements,
  tokenRequirements,
} from "./requirements/requirements.ts";
import { explainUnreachable } from "./requirements/unreachable.ts";
import { suiteWithCustomRules } from "./rulesets/suite-with-rulesets.ts";
import { createSuiteBuilder, type SuiteBuilder } from "./suite-builder.ts";
import {
  createSuiteModel,
  readSuiteZone,
  type SuiteModel,
  type SuiteOptions,
  suiteMembers,
} from "./suite-model.ts";
import { type SuiteRequest, suiteRequest, suiteRequests } from "./suite-request.ts";
import { withKeys } from "./suite-token.ts";
import type { SuiteMutants, ZoneSuite } from "./zone-suite.ts";

/** Options of {@link suiteFor}. */
export interface SuiteForOptions extends SuiteOptions {
  /**
   * Which operations have requests of their own: `each`, for each action that each rule takes on it, or one of those
   * that the same rules cover (`classes`), which is a smaller suite. Default `each`.
   */
  readonly operations?: "each" | "classes";
  /** Requests of an earlier suite: those with the same decision come first, as they are, and others are added. */
  readonly keep?: readonly SuiteRequest[];
}

/**
 * Generates a suite for a zone. Every rule fires and passes; each condition of each expression decides, as true and as
 * false (masking MC/DC); tokens have every state, on both sides of `exp` and `nbf`, and come from every source; each list of
 * rules that covers operations has a request, and each operation one that just misses it and one for each action that
 * each rule takes on it; and each mutant of the zone is noticed by some request. The same zone has the same suite.
 * Each custom rule matches and does not match, and has tokens that are not valid where it reads claims.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method eq "GET"';
 * const rule = { id: "reads", action: "block", enabled: true, expression, selector } as const;
 * const suite = suiteFor({ configs: [], rules: [rule] });
 * suite.requests.map(({ name }) => name);
 * // => ["GET https://api.example.com/: allow", "XGET https://api.example.com/: block by reads", "GETX https://api.example.com/: block by reads"]
 * suite.mutants.undecided; // => []
 * ```
 * @throws InvalidInputError when the zone is invalid, with every problem
 * @throws RangeError when `maxSteps` is not an integer from 1, or `operations` has another value
 * @throws TypeError for an option that does not exist
 */
export function suiteFor(input: ZoneInput, options: SuiteForOptions = {}): ZoneSuite {
  requireArgument(
    "options",
    options,
    optionsOf<SuiteForOptions>("suiteFor", { ...suiteMembers, operations: anyValue, keep: anyValue }),
  );
  const { operations: mode = "each", keep = [], onProgress: _, ...analysis } = options;
  if (mode !== "each" && mode !== "classes")
    throw new RangeError(`\`operations\` must be "each" or "classes"; found ${quote(mode)}.`);
  const zone = readSuiteZone(input, analysis);
  if (hasCustomRules(zone)) {
    const { rulesets: _zone, account_rulesets: _account, ...withoutCustom } = input;
    const tokenSuite = suiteFor(withoutCustom, { ...analysis, operations: mode });
    return suiteWithCustomRules({ zone, tokenSuite, keep, options });
  }
  const model = createSuiteModel(input, analysis);
  const mutants = mutantsOf(model.zone, model.classes);
  const index = createMutantIndex(model.zone, mutants, model.classes, model.precedence);
  const tester = createMutantTester(generatedZone(model), mutants, index);
  const requirements = requirementsOf(model);
  const builder = createSuiteBuilder(model, requirements, tester);
  const undecided: UndecidedReasons = new Map();
  const kept = keptCandidates(model, keep);
  requireOutcomes(model, builder);
  const missed = nearMissIds(model);
  for (const { candidate } of kept) builder.keep(candidate, missed.get(addressOf(candidate.request)));
  fulfillRules(model, builder, undecided);
  fulfillStates(model, builder);
  fulfillOperations(model, builder);
  const outcomes = fulfillOutcomes(model, builder, undecided);
  requirements.push(...(mode === "each" ? outcomes : []));
  fulfillNearMisses(model, builder, missed);
  const noticed = noticeMutants({ model, index, tester }, builder, mutants, options);
  const open = requirements.filter(({ id }) => !builder.isFulfilled(id));
  const chosen = { each: builder.minimized(), classes: builder.minimized(countsForClasses(model, outcomes)) };
  const added = chosen[mode].slice(kept.length);
  const requests = kept.map(({ request }) => request);
  return {
    requests: [...requests, ...suiteRequests(model, added, requests)],
    fulfilled: requirements.length - open.length,
    unreachable: explainUnreachable(open, undecided, input, analysis),
    mutants: noticed,
    sizes: { each: chosen.each.length, classes: chosen.classes.length },
  };
}

/** The counts of requirements when there is one operation for all that the same rules cover. */
function countsForClasses(
  { classes, precedence }: SuiteModel,
  outcomes: readonly Requirement[],
): (reason: Reason) => boolean {
  const first = new Map(
    classes.toReversed().map((zoneClass) => [operationsId(zoneClass, precedence), zoneClass.operation]),
  );
  const representatives = new Set([...first.values()].map((operation) => operation?.operation.operation_id));
  const ofOperations = new Set(outcomes.map(({ id }) => id));
  return (reason) => {
    if (typeof reason === "string") return !ofOperations.has(reason);
    const { change, operation } = reason;
    const of = change.part === "rule" && "operation" in change ? change.operation : operation;
    return of === undefined || representatives.has(of);
  };
}

/** The requests whose decision is still the expected one. */
function keptCandidates(model: SuiteModel, requests: readonly SuiteRequest[]) {
  return requests.flatMap((request) => {
    const candidate = candidateOf(model, request);
    if (candidate === undefined) return [];
    const { expected } = suiteRequest(model, candidate);
    const isSame =
      isSameDecision(expected, request.expected) && expected.outcome === request.expected.outcome;
    return isSame ? [{ request, candidate }] : [];
  });
}

/** The request as a candidate; undefined when the zone has not the key of a token. */
function candidateOf(model: SuiteModel, { request, tokens }: SuiteRequest): Candidate | undefined {
  const generated = withKeys(tokens, model.configs);
  return generated && model.evaluator.start(request, generated, model.classOf(request));
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
  search: NoticeSearch,
  builder: SuiteBuilder,
  mutants: readonly Mutant[],
  { onProgress }: SuiteOptions,
): SuiteMutants {
  const results = new Map<Mutant, ReturnType<typeof findNoticing>>();
  for (const [i, mutant] of inOrderOfSearch(mutants).entries()) {
    onProgress?.(i, mutants.length);
    if (builder.isNoticed(mutant)) continue;
    const found = findNoticing(search, mutant);
    results.set(mutant, found);
    if (found.kind === "found") builder.add(found.candidate);
  }
  return countMutants(mutants, results);
}
