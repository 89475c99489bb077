/** The real engine over requests with placeholders for valid tokens; it confirms every result of the analysis. */

import type { Expression } from "../../expression/ast.ts";
import { printField } from "../../expression/field.ts";
import { printExpression } from "../../expression/printer.ts";
import type { TokenRule } from "../../model.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { readRequest } from "../../zone/request.ts";
import { compileWith } from "../../zone/zone.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { acceptsKey, type BoundConfigs, type BoundExpression, type TokenKey } from "../bound-expression.ts";
import type { PlainRequest } from "./concretize.ts";

/** Evaluates requests; `tokens` maps each placeholder to the key that its token is signed with. */
export type PlaceholderEvaluator = (request: PlainRequest, tokens: ReadonlyMap<string, TokenKey>) => Verdict;

/** Compiles a zone that was read without problems. */
export function compileWithPlaceholders(
  read: ReadZone,
  configs: BoundConfigs,
  precedence: Precedence,
): PlaceholderEvaluator {
  let keys: ReadonlyMap<string, TokenKey> = new Map();
  const evaluate = compileWith(read, { precedence, clock: () => 0 }, ({ id }) => ({
    check: (token) => {
      const [key, config] = [keys.get(token), configs.get(id)];
      const isValid = key !== undefined && config !== undefined && acceptsKey(config, key);
      return isValid ? { reason: "valid" } : { reason: "malformed" };
    },
  }));
  return (request, tokens) => {
    keys = tokens;
    return evaluate(request);
  };
}

/** The value of an expression for a request. */
export function evaluateExpression(
  { expression, configs }: BoundExpression,
  request: PlainRequest,
  tokens: ReadonlyMap<string, TokenKey>,
): boolean {
  const { host } = readRequest(request);
  const read = zoneOf(expression, configs, host);
  return compileWithPlaceholders(read, configs, "all")(request, tokens).action === "allow";
}

/** A zone whose only rule blocks the requests for which the expression is false. */
function zoneOf(expression: Expression, configs: BoundConfigs, host: string): ReadZone {
  const rule: TokenRule = {
    id: "expression",
    action: "block",
    enabled: true,
    expression: printExpression(expression),
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
  };
}
