/** Evaluates generated requests by a whole zone: custom rules, then token rules. Tokens are placeholders in some state. */

import { type BoundConfigs, bindConfigs } from "../../analysis/bound-expression.ts";
import { claimsOfPlaceholder } from "../../analysis/requests/placeholder-token.ts";
import type { SimulatedRequest } from "../../model.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { compileWith } from "../../zone/zone.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { checkGenerated, type GeneratedToken, type SuiteToken } from "../suite-token.ts";

/** A request with placeholders for its tokens. */
export interface GeneratedRequest {
  readonly request: SimulatedRequest;
  readonly tokens: readonly SuiteToken[];
}

/** Evaluates a request; undefined when the zone has not the key of a token. */
export type ZoneEvaluator = (generated: GeneratedRequest) => Verdict | undefined;

/** Creates the evaluator of a zone. The keys of tokens are those of `owner`: a changed zone may lack them. */
export function createZoneEvaluator(
  zone: ReadZone,
  precedence: Precedence,
  owner: BoundConfigs = bindConfigs(zone.configs),
): ZoneEvaluator {
  const configs = bindConfigs(zone.configs);
  let current: ReadonlyMap<string, GeneratedToken> = new Map();
  const evaluate = compileWith(zone, { precedence, clock: () => 0 }, ({ id, sources }) => {
    const config = configs.get(id) ?? { id, sources, keys: [] };
    return {
      check: (token) => {
        const check = checkGenerated(config, token, current);
        return check.reason === "valid" ? { ...check, claims: claimsOfPlaceholder(token) } : check;
      },
    };
  });
  return ({ request, tokens }) => {
    const generated = tokens.flatMap(({ placeholder, config, kid, alg, state }) => {
      const key = owner.get(config)?.keys.find((one) => one.kid === kid && one.alg === alg);
      return key === undefined ? [] : [{ placeholder, key, state }];
    });
    if (generated.length < tokens.length) return undefined;
    current = new Map(generated.map((one) => [one.placeholder, one]));
    return evaluate(request);
  };
}
