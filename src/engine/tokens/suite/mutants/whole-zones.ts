/** Tests mutants of zones with custom rules with requests that have real tokens. */

import { nodeVerifier, type VerifierOptions } from "../../jwt/verifier.ts";
import type { JwtKey } from "../../model.ts";
import { compileRepeatable } from "../../zone/zone.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { addGoals, createCollector } from "../rulesets/collector.ts";
import { noticeMutants } from "../rulesets/notice-mutants.ts";
import type { SuiteOptions } from "../suite-model.ts";
import type { Mutant, TestedMutant, TimedRequest } from "./mutant.ts";
import { testedMutant } from "./notice-result.ts";
import { type CompileZone, createZoneTester } from "./zone-tester.ts";

/** Tests mutants. A mutant that no request notices is searched for one. */
export function testWholeZones(
  zone: ReadZone,
  mutants: readonly Mutant[],
  requests: readonly TimedRequest[],
  options: SuiteOptions & VerifierOptions,
): TestedMutant[] {
  const tester = createZoneTester(zone, timedCompiler(options));
  const candidates = requests.map((request) => tester.start(request));
  const noticed = new Map<Mutant, number>();
  for (const mutant of mutants) {
    const request = candidates.findIndex(
      (candidate) => candidate !== undefined && tester.isNoticed(mutant, candidate),
    );
    if (request !== -1) noticed.set(mutant, request);
  }
  const open = mutants.filter((mutant) => !noticed.has(mutant));
  const found = search(zone, open, options);
  return mutants.map((mutant) =>
    testedMutant(
      mutant,
      noticed.get(mutant),
      () => found.get(mutant) ?? { kind: "equivalent" },
      ({ request }) => request,
    ),
  );
}

/** Searches requests for mutants that are not noticed. */
function search(zone: ReadZone, mutants: readonly Mutant[], options: SuiteOptions) {
  const collector = createCollector(zone, options.precedence ?? "all");
  const found = mutants.length === 0 ? undefined : addGoals(collector, options);
  return noticeMutants(collector, found?.part, mutants, { ...options, acceptsTimes: true });
}

/** Compiles zones to functions of requests with the time at which they arrive. */
function timedCompiler(options: SuiteOptions & VerifierOptions): CompileZone<TimedRequest> {
  const verifiers = new WeakMap<readonly JwtKey[], ReturnType<typeof nodeVerifier>>();
  const { precedence = "all" } = options;
  return (zone) => {
    let now = 0;
    const evaluate = compileRepeatable(zone, { precedence, clock: () => now }, ({ keys }) => {
      const verifier = verifiers.get(keys) ?? nodeVerifier(keys, options);
      verifiers.set(keys, verifier);
      return verifier;
    });
    return ({ request, nowMs }) => {
      now = nowMs;
      return evaluate(request);
    };
  };
}
