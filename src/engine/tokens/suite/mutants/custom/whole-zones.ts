/**
 * Tests mutants of zones with custom rules, whose decision depends on both kinds of rules: each request is evaluated by
 * the whole zone with the change. A mutant that no request notices is compared with the zone.
 */

import { type BoundConfigs, bindConfigs } from "../../../analysis/bound-expression.ts";
import { compareReadZones } from "../../../analysis/compare-zones.ts";
import type { ZoneDifference } from "../../../analysis/zone-difference.ts";
import { createNodeVerifier, type VerifierOptions } from "../../../jwt/verifier.ts";
import type { JwtKey } from "../../../model.ts";
import { type Decision, decisionOf, isSameDecision } from "../../../verdict/decision.ts";
import { compileWith } from "../../../zone/zone.ts";
import type { ReadZone } from "../../../zone/zone-input.ts";
import { toSuiteTokens } from "../../custom/generated-request.ts";
import { createZoneEvaluator, type ZoneEvaluator } from "../../custom/zone-evaluator.ts";
import type { SuiteOptions } from "../../suite-model.ts";
import { suiteRequestOf } from "../../suite-request.ts";
import { applyChange } from "../change.ts";
import { type Mutant, subjectOf, type TestedMutant, type TimedRequest } from "../mutant.ts";

/** The number of differences of which one must have tokens of the zone's own keys. */
const maxDifferences = 4;

/** Tests mutants with requests that have real tokens. */
export function testWholeZones(
  zone: ReadZone,
  mutants: readonly Mutant[],
  requests: readonly TimedRequest[],
  options: SuiteOptions & VerifierOptions,
): TestedMutant[] {
  const { precedence = "all", onProgress } = options;
  const decide = createDecider(requests, options);
  const originals = [...decide(zone)];
  const configs = bindConfigs(zone.configs);
  const tested = { zone, configs, evaluate: createZoneEvaluator(zone, precedence), options };
  return mutants.map((mutant, i) => {
    onProgress?.(i, mutants.length);
    const changed = applyChange(zone, mutant.change);
    const request = firstNoticing(originals, decide(changed));
    if (request !== -1) return { ...subjectOf(mutant), result: "noticed", request };
    return { ...subjectOf(mutant), ...compareMutant(tested, changed) };
  });
}

/** The decisions of a zone on requests, computed one by one. */
type Decide = (zone: ReadZone) => Iterable<Decision>;

function createDecider(requests: readonly TimedRequest[], options: SuiteOptions & VerifierOptions): Decide {
  const verifiers = new WeakMap<readonly JwtKey[], ReturnType<typeof createNodeVerifier>>();
  const { precedence = "all" } = options;
  return (zone) => {
    let now = 0;
    const evaluate = compileWith(zone, { precedence, clock: () => now }, ({ keys }) => {
      const verifier = verifiers.get(keys) ?? createNodeVerifier(keys, options);
      verifiers.set(keys, verifier);
      return verifier;
    });
    return {
      *[Symbol.iterator]() {
        for (const { request, nowMs } of requests) {
          now = nowMs;
          yield decisionOf(evaluate(request));
        }
      },
    };
  };
}

/** The first request with a decision that is another one; -1 without any. An undecided request expects nothing. */
function firstNoticing(originals: Iterable<Decision>, changed: Iterable<Decision>): number {
  const others = changed[Symbol.iterator]();
  let i = 0;
  for (const original of originals) {
    const other = others.next();
    if (!other.done && original.action !== "undecided" && !isSameDecision(original, other.value)) return i;
    i++;
  }
  return -1;
}

interface TestedZone {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly evaluate: ZoneEvaluator;
  readonly options: SuiteOptions;
}

type Unnoticed =
  | { readonly result: "survived"; readonly noticedBy: ReturnType<typeof suiteRequestOf> }
  | { readonly result: "equivalent" }
  | { readonly result: "undecided"; readonly reason: string };

/** Whether some request would notice a mutant. */
function compareMutant(tested: TestedZone, changed: ReadZone): Unnoticed {
  const { precedence = "all", maxSteps } = tested.options;
  const compared = compareReadZones([tested.zone, changed], {
    precedence,
    ...(maxSteps !== undefined && { maxSteps }),
    maxDifferences,
    observation: "decision",
  });
  if (compared.result !== "different") return compared;
  for (const difference of compared.differences) {
    const noticedBy = requestOf(tested, difference);
    if (noticedBy !== undefined) return { result: "survived", noticedBy };
  }
  return { result: "undecided", reason: "only a token of a key that the zone does not have could show it" };
}

/** The request of a difference; undefined when a token is of a key that the zone does not have. */
function requestOf(
  { zone, configs, evaluate }: TestedZone,
  difference: ZoneDifference,
): ReturnType<typeof suiteRequestOf> | undefined {
  const found = toSuiteTokens(difference, configs);
  if (found === undefined) return undefined;
  const verdict = evaluate(found);
  return verdict && suiteRequestOf(zone, found.request, found.tokens, decisionOf(verdict));
}
