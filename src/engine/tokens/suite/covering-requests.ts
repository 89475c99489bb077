/** Requests that show every rule firing and passing, as far as that is possible. */

import { checkOptionNames } from "../analysis/option-names.ts";
import type { ZoneInput } from "../zone/zone-input.ts";
import { fulfillRules, type UndecidedReasons } from "./fulfill.ts";
import { requirementIds, ruleRequirements } from "./requirements/requirements.ts";
import { explainUnreachable, type UnreachableRequirement } from "./requirements/unreachable.ts";
import { createSuiteBuilder } from "./suite-builder.ts";
import { createSuiteModel, type SuiteOptions } from "./suite-model.ts";
import { type SuiteRequest, suiteRequests } from "./suite-request.ts";

/** Requests in which each rule fires and passes. */
export interface CoveringRequests {
  /** The requests; none can be left out. */
  readonly requests: readonly SuiteRequest[];
  /** The rules that cannot fire, or cannot pass, with the reason. */
  readonly unreachable: readonly UnreachableRequirement[];
}

/**
 * Requests in which every rule that can fire does so, and every rule that can pass does so, under the zone's
 * precedence. Without randomness: the same zone has the same requests.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method ne "DELETE"';
 * const rule = { id: "r1", action: "log", enabled: true, expression, selector } as const;
 * coveringRequests({ configs: [], rules: [rule] }).requests.map(({ expected }) => expected.action);
 * // => ["log", "allow"]
 * ```
 * @throws InvalidInputError when the zone is invalid, with every problem
 * @throws RangeError when `maxSteps` is not an integer from 1
 * @throws TypeError for an option that does not exist
 */
export function coveringRequests(input: ZoneInput, options: SuiteOptions = {}): CoveringRequests {
  checkOptionNames("coveringRequests", options);
  const model = createSuiteModel(input, options);
  const requirements = model.zone.rules.flatMap((rule) => {
    const wanted = [requirementIds.fires(rule.rule.id), requirementIds.passes(rule.rule.id)];
    return ruleRequirements(rule).filter(({ id }) => wanted.includes(id));
  });
  const builder = createSuiteBuilder(model, requirements);
  const undecided: UndecidedReasons = new Map();
  fulfillRules(model, builder, undecided);
  const open = requirements.filter(({ id }) => !builder.isFulfilled(id));
  return {
    requests: suiteRequests(model, builder.minimized()),
    unreachable: explainUnreachable(open, undecided, input, options),
  };
}
