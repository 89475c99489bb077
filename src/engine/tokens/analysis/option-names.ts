/** The names of options of an analysis. */

import { profiles } from "../../../core/profiles.ts";
import { rejectUnknownNames } from "../../../core/suggest.ts";
import { type ExpressionLimits, expressionLimits } from "../expression/grammar.ts";

/** Every option of a profile is known, also where it has no effect: `{ ...profiles.provider }` can be passed. */
const commonNames: readonly string[] = ["maxSteps", "limits", ...Object.keys(profiles.spec)];

/**
 * Checks the names of the options of an analysis, those of its limits included.
 *
 * @param own the names that only this function has
 * @throws {TypeError} for a name that is not known
 */
export function checkOptionNames(
  owner: string,
  options: { readonly limits?: ExpressionLimits },
  own: readonly string[] = [],
): void {
  rejectUnknownNames(owner, options, [...own, ...commonNames]);
  if (options.limits) rejectUnknownNames("limits", options.limits, Object.keys(expressionLimits));
}
