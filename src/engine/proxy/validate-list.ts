/** Validates applications together, as if they were created in order. */
import { anIterable, anyValue, optionsOf, requireArguments } from "../../core/arguments.ts";
import { compileFacts } from "./facts/compile-facts.ts";
import type { Facts } from "./facts/facts.ts";
import { growingFacts } from "./facts/growing-facts.ts";
import type { App, ValidateOptions, Validation } from "./model.ts";
import { validateCompiled } from "./validate.ts";

/** Applications that are created one after another. */
export interface AppSequence {
  /** Validates the next application. */
  readonly validate: (body: unknown) => Validation;
  /** Adds a valid application to the facts. */
  readonly add: (app: App) => void;
}

/** Starts a sequence from known facts. @throws InvalidInputError when `facts` are malformed */
export function createAppSequence(
  facts: Facts = {},
  options: Pick<ValidateOptions, "restrictions"> = {},
): AppSequence {
  const growing = growingFacts(compileFacts(facts));
  return { validate: (body) => validateCompiled(body, growing.facts, options), add: growing.add };
}

const listOptions = optionsOf<Pick<ValidateOptions, "restrictions">>("validateApps", {
  restrictions: anyValue,
});

/**
 * Validates the bodies of several applications of one zone as if they were created in order: the checks of protocols,
 * host names and quotas see the valid ones before. Pure; accepts any values as bodies.
 *
 * @throws InvalidInputError when `facts` are malformed
 * @example
 * ```ts
 * const app = { protocol: "ssh", dns: { name: "ssh.example.com" }, origin_direct: ["tcp://192.0.2.1:22"] };
 * const validations = validateApps([app, app], { plan: "pay-as-you-go", apps: [] });
 * validations.map(({ violations }) => violations.map(({ code }) => code)); // => [[], [11034]]
 * ```
 */
export function validateApps(
  bodies: Iterable<unknown>,
  facts: Facts = {},
  options: Pick<ValidateOptions, "restrictions"> = {},
): readonly Validation[] {
  requireArguments({ bodies: [bodies, anIterable], options: [options, listOptions] });
  const { validate, add } = createAppSequence(facts, options);
  return Array.from(bodies, (body) => {
    const validation = validate(body);
    if (validation.app) add(validation.app);
    return validation;
  });
}
