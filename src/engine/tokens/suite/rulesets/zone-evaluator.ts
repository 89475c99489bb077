/** Evaluates generated requests by a whole zone: custom rules, then token rules. Tokens are placeholders in some state. */

import { type BoundConfigs, bindConfigs } from "../../analysis/bound-expression.ts";
import { claimsOfPlaceholder } from "../../analysis/requests/placeholder-token.ts";
import type { SimulatedRequest } from "../../model.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { compileRepeatable, type RepeatableEvaluation } from "../../zone/zone.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import type { CompileZone } from "../mutants/zone-tester.ts";
import { checkGenerated, type GeneratedToken, type SuiteToken, withKeys } from "../suite-token.ts";

/** A request with placeholders for its tokens. */
export interface GeneratedRequest {
  readonly request: SimulatedRequest;
  readonly tokens: readonly SuiteToken[];
}

/** Compiles zones to functions of generated requests. The keys of tokens are those of `owner`: a changed zone may lack them. */
export function generatedCompiler(
  precedence: Precedence,
  owner: BoundConfigs,
): CompileZone<GeneratedRequest> {
  return (zone) => createEvaluator(zone, precedence, owner);
}

/** Evaluates a request; undefined when the zone has not the key of a token. */
function createEvaluator(
  zone: ReadZone,
  precedence: Precedence,
  owner: BoundConfigs,
): (generated: GeneratedRequest) => RepeatableEvaluation | undefined {
  const configs = bindConfigs(zone.configs);
  let current: ReadonlyMap<string, GeneratedToken> = new Map();
  const evaluate = compileRepeatable(zone, { precedence, clock: () => 0 }, ({ id, sources }) => {
    const config = configs.get(id) ?? { id, sources, keys: [] };
    return {
      check: (token) => {
        const check = checkGenerated(config, token, current);
        return check.reason === "valid" ? { ...check, claims: claimsOfPlaceholder(token) } : check;
      },
    };
  });
  return ({ request, tokens }) => {
    const generated = withKeys(tokens, owner);
    if (generated === undefined) return undefined;
    const own = new Map(generated.map((token) => [token.placeholder, token]));
    current = own;
    return evaluate(request, () => {
      current = own;
    });
  };
}
