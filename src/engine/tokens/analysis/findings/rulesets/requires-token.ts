/** Token rules that block every request without a valid token of a configuration. */

import { references } from "../../../expression/references.ts";
import type { Expression } from "../../../expression/tree.ts";
import type { ReadRule } from "../../../zone/zone-input.ts";

/** Whether an enabled rule blocks each request that it covers and that has no valid token of a configuration. */
export function requiresToken({ rule, expression }: ReadRule, config: string): boolean {
  return rule.enabled && rule.action === "block" && valueWithout(expression, config) === false;
}

/** The value of an expression; undefined when it depends on something else. */
function valueWithout(expression: Expression, config: string): boolean | undefined {
  switch (expression.kind) {
    case "not": {
      const value = valueWithout(expression.operand, config);
      return value === undefined ? undefined : !value;
    }
    case "combination": {
      const { operator, operands } = expression;
      const values = operands.map((operand) => valueWithout(operand, config));
      if (operator !== "xor" && values.includes(operator === "or")) return operator === "or";
      if (values.includes(undefined)) return undefined;
      return operator === "xor" ? values.filter(Boolean).length % 2 === 1 : operator === "and";
    }
    default: {
      const value = expression.kind === "test" ? expression.value : undefined;
      const isTest = value?.kind === "call" && value.name === "is_jwt_valid";
      return isTest && references(expression).some(({ id }) => id === config) ? false : undefined;
    }
  }
}
