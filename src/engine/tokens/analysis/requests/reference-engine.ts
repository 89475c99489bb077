/** The real engine over requests with placeholders for valid tokens; it confirms every result of the analysis. */

import { printField } from "../../expression/field.ts";
import { printTree } from "../../expression/printer.ts";
import type { Expression } from "../../expression/tree.ts";
import { checkTimes } from "../../jwt/claims.ts";
import type { TokenCheck, TokenRule } from "../../model.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { readRequest } from "../../zone/request.ts";
import { compileWith } from "../../zone/zone.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { acceptsKey, type BoundConfigs, type BoundExpression, type TokenKey } from "../bound-expression.ts";
import type { ConcreteRequest } from "./concretize.ts";
import { claimsOfPlaceholder } from "./placeholder-token.ts";

/** Evaluates requests, which have the keys that the tokens of placeholders are signed with. */
export type PlaceholderEvaluator = (
  concrete: Pick<ConcreteRequest, "request" | "tokens" | "timeMs">,
) => Verdict;

/** Compiles a zone that was read without problems. */
export function compileWithPlaceholders(
  read: ReadZone,
  configs: BoundConfigs,
  precedence: Precedence,
): PlaceholderEvaluator {
  let keys: ReadonlyMap<string, TokenKey> = new Map();
  let nowMs = 0;
  const evaluate = compileWith(read, { precedence, clock: () => nowMs }, ({ id }) => ({
    check: (token) => {
      const [key, config] = [keys.get(token), configs.get(id)];
      const isValid = key !== undefined && config !== undefined && acceptsKey(config, key);
      return isValid ? checkPlaceholder(token, nowMs) : { reason: "malformed" };
    },
  }));
  return ({ request, tokens, timeMs = 0 }) => {
    keys = tokens;
    nowMs = timeMs;
    return evaluate(request);
  };
}

/** The check of a token that has the right signature. */
function checkPlaceholder(token: string, nowMs: number): TokenCheck {
  const claims = claimsOfPlaceholder(token);
  const { exp, nbf } = claims as { exp?: number; nbf?: number };
  return checkTimes({ exp, nbf }, nowMs, 0) ?? { reason: "valid", claims };
}

/** The value of an expression for a request. */
export function evaluateExpression(
  { expression, configs }: BoundExpression,
  concrete: ConcreteRequest,
): boolean {
  const { host } = readRequest(concrete.request);
  const read = zoneOf(expression, configs, host);
  return compileWithPlaceholders(read, configs, "all")(concrete).action === "allow";
}

/** A zone whose only rule blocks the requests for which the expression is false. */
function zoneOf(expression: Expression, configs: BoundConfigs, host: string): ReadZone {
  const rule: TokenRule = {
    id: "expression",
    action: "block",
    enabled: true,
    expression: printTree(expression),
    selector: {},
  };
  const bound = [...configs.values()].map(({ id, sources }) => {
    return { id, keys: [], sources: sources.map((field) => ({ ...field, text: printField(field) })) };
  });
  return {
    notes: [],
    remarks: [],
    configs: bound,
    rules: [{ rule, expression, hosts: [host], excluded: [] }],
    operations: undefined,
    custom: undefined,
    normalization: "none",
  };
}
