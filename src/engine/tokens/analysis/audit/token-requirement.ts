/** The tokens that a document requires for an operation, as far as a zone can verify them. */

import { addTo } from "../../../../core/groups.ts";
import { parseTokenSource } from "../../zone/token-source.ts";
import type { BoundConfig, BoundConfigs } from "../bound-expression.ts";
import { every, type Formula, some } from "../model/formula.ts";
import type { TokenState } from "../requests/concretize.ts";
import { locationKey } from "../requests/location.ts";
import type { DocumentedScheme, SecurityAlternative } from "./documented-operation.ts";

/** Alternatives of parts that are all needed; each part is a token that is valid for one of its configurations. */
export type TokenRequirement = readonly (readonly (readonly BoundConfig[])[])[];

/** Finds the configurations that read the credential of a scheme. */
export type SchemeReaders = (scheme: DocumentedScheme) => readonly BoundConfig[];

/** Creates the search for the configurations that read a scheme; each location is searched for once. */
export function createSchemeReaders(configs: BoundConfigs): SchemeReaders {
  const byLocation = new Map<string, BoundConfig[]>();
  for (const config of configs.values()) {
    for (const key of new Set(config.sources.map(locationKey))) addTo(byLocation, key, config);
  }
  return ({ source }) => {
    const parsed = source === undefined ? undefined : parseTokenSource(source);
    return parsed?.ok ? (byLocation.get(locationKey(parsed.value)) ?? []) : [];
  };
}

/**
 * The requirement of a secured operation. Schemes that no configuration reads cannot be verified and count as met;
 * alternatives without a scheme that can be verified do not count. Undefined when none is left.
 */
export function requirementOf(
  security: readonly SecurityAlternative[],
  readersOf: SchemeReaders,
): TokenRequirement | undefined {
  const alternatives = security
    .map((schemes) => schemes.map(readersOf).filter(({ length }) => length > 0))
    .filter(({ length }) => length > 0);
  return alternatives.length === 0 ? undefined : alternatives;
}

/** The configurations of a requirement, without repetition. */
export function configsOf(requirement: TokenRequirement): readonly BoundConfig[] {
  return [...new Set(requirement.flat(2))];
}

/** Whether a request meets a requirement. */
export function requirementFormula(requirement: TokenRequirement): Formula {
  const isValid = (config: BoundConfig): Formula => ({ kind: "token", test: "is_jwt_valid", config });
  return some(requirement.map((parts) => every(parts.map((readers) => some(readers.map(isValid))))));
}

/** Whether tokens in the given states meet a requirement. */
export function meetsRequirement(
  requirement: TokenRequirement,
  stateOf: (config: BoundConfig) => TokenState,
): boolean {
  return requirement.some((parts) =>
    parts.every((readers) => readers.some((config) => stateOf(config) === "valid")),
  );
}
