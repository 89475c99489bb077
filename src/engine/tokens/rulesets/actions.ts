/** The actions of custom rules as one table (`observed`). */

import { alternatives, quote } from "../../../errors.ts";
import type { ActionParameters, CustomAction } from "./model.ts";

/** An action: how it ends an evaluation, and the parameters that it may have. */
export interface ActionEntry {
  /** The result of the request when it ends the evaluation; undefined when evaluation goes on. */
  readonly ends: "block" | "challenge" | undefined;
  /** The members of `action_parameters`. */
  readonly parameters: readonly (keyof ActionParameters)[];
  /** Whether it may have `logging`. */
  readonly logging: boolean;
}

const challenge = { ends: "challenge", parameters: [], logging: false } as const;

/** Every action. */
export const customActions: Readonly<Record<CustomAction, ActionEntry>> = {
  block: { ends: "block", parameters: ["response"], logging: false },
  challenge,
  js_challenge: challenge,
  managed_challenge: challenge,
  log: { ends: undefined, parameters: [], logging: false },
  skip: {
    ends: undefined,
    parameters: ["ruleset", "phase", "phases", "products", "rulesets", "rules"],
    logging: true,
  },
  execute: { ends: undefined, parameters: ["id"], logging: false },
  // Deprecated with the check of exposed credentials, which is not simulated.
  rewrite: { ends: undefined, parameters: [], logging: false },
};

/** The kinds of challenges. `challenge` is also the action of a verdict with any of them. */
export const challengeKinds = [
  "js_challenge",
  "managed_challenge",
] as const satisfies readonly CustomAction[];

/** Actions that were removed, and what replaces them. */
const removedActions: ReadonlyMap<unknown, string> = new Map([
  ["allow", 'a rule with `skip` and `{"ruleset": "current"}`'],
  ["bypass", "a rule with `skip` and the `products`"],
]);

/** The names of the actions. */
export const customActionNames = Object.keys(customActions) as [CustomAction, ...CustomAction[]];

/** The action, or a clause that says what is allowed. */
export function readAction(
  action: unknown,
): { readonly action: CustomAction } | { readonly allowed: string } {
  const known = customActionNames.find((name) => name === action);
  if (known !== undefined) return { action: known };
  const replacement = removedActions.get(action);
  const allowed = alternatives(customActionNames.map(quote));
  return { allowed: replacement === undefined ? allowed : `${allowed} (in place of it, use ${replacement})` };
}
