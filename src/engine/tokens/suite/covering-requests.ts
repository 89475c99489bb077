/** Requests that show every rule firing and passing, as far as that is possible. */

import { optionsOf, requireArgument } from "../../../core/arguments.ts";
import { hasCustomRules } from "../rulesets/has-custom-rules.ts";
import type { ZoneInput } from "../zone/zone-input.ts";
import { fulfillRules, type UndecidedReasons } from "./fulfill.ts";
import { type Requirement, requirementIds, ruleRequirements } from "./requirements/requirements.ts";
import { explainUnreachable } from "./requirements/unreachable.ts";
import { coverWithCustom } from "./rulesets/cover-with-rulesets.ts";
import { createSuiteBuilder } from "./suite-builder.ts";
import { createSuiteModel, readSuiteZone, type SuiteOptions, suiteMembers } from "./suite-model.ts";
import { suiteRequests } from "./suite-request.ts";
import type { CoveringRequests } from "./zone-suite.ts";

/**
 * Requests in which every rule that can fire does so, and every rule that can pass does so, under the zone's
 * precedence; each custom rule matches and does not match. Without randomness: the same zone has the same requests.
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
  requireArgument("options", options, optionsOf<SuiteOptions>("coveringRequests", suiteMembers));
  const zone = readSuiteZone(input, options);
  if (!hasCustomRules(zone)) return coverTokenRules(input, options).covering;
  const { rulesets: _zone, account_rulesets: _account, ...withoutCustom } = input;
  const { covering, reachable } = coverTokenRules(withoutCustom, options);
  return coverWithCustom({ zone, covering, reachable, options });
}

/** The requests for the token rules alone, and the requirements that they fulfill. */
function coverTokenRules(
  input: ZoneInput,
  options: SuiteOptions,
): { readonly covering: CoveringRequests; readonly reachable: readonly Requirement[] } {
  const model = createSuiteModel(input, options);
  const requirements = model.zone.rules.flatMap((rule) => {
    const wanted = [requirementIds.fires(rule.rule.id), requirementIds.passes(rule.rule.id)];
    return ruleRequirements(rule).filter(({ id }) => wanted.includes(id));
  });
  const builder = createSuiteBuilder(model, requirements);
  const undecided: UndecidedReasons = new Map();
  fulfillRules(model, builder, undecided);
  const open = requirements.filter(({ id }) => !builder.isFulfilled(id));
  const covering = {
    requests: suiteRequests(model, builder.minimized()),
    unreachable: explainUnreachable(open, undecided, input, options),
  };
  return { covering, reachable: requirements.filter(({ id }) => builder.isFulfilled(id)) };
}
