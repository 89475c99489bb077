/** The real engine over requests with stand-ins for valid tokens: what it says is what counts. */

import type { Expression } from "../../expression/ast.ts";
import { printField } from "../../expression/field.ts";
import { printExpression } from "../../expression/printer.ts";
import type { Operation, TokenRule } from "../../model.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { readRequest } from "../../zone/request.ts";
import { compileWith } from "../../zone/zone.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import type { BoundConfigs, BoundExpression, TokenKey } from "../bound-expression.ts";
import type { PlainRequest } from "./concretize.ts";
import { isKeyOf } from "./variables.ts";

/** Evaluates requests in which the texts given stand for tokens signed with a key. */
export type StandInEngine = (request: PlainRequest, tokens: ReadonlyMap<string, TokenKey>) => Verdict;

/** Compiles a zone that was read without problems. */
export function compileStandIn(read: ReadZone, configs: BoundConfigs, precedence: Precedence): StandInEngine {
  let known: ReadonlyMap<string, TokenKey> = new Map();
  const evaluate = compileWith(read, { precedence, clock: () => 0 }, ({ id }) => ({
    check: (token) => {
      const key = known.get(token);
      return key !== undefined && isKeyOf(configs.get(id)!, key)
        ? { reason: "valid" }
        : { reason: "malformed" };
    },
  }));
  return (request, tokens) => {
    known = tokens;
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
  return compileStandIn(read, configs, "all")(request, tokens).action === "allow";
}

/** A zone whose only rule blocks what the expression is false of. */
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
  const operations: Operation[] | undefined = undefined;
  return {
    problems: [],
    notes: [],
    configs: bound,
    rules: [{ rule, expression, hosts: [host], excluded: [] }],
    operations,
  };
}
