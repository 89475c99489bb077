/** Applies the fixes of violations until none is left. */

import type { Validation, Violation } from "./model.ts";
import { applyPatch } from "./patch.ts";

/** One fix can uncover the next violation; more rounds than this would be a cycle. */
const maxRounds = 20;

/** The body with every unambiguous fix applied; the same value when there is none. */
export async function applyFixes(
  body: unknown,
  validate: (body: unknown) => Promise<Validation>,
): Promise<unknown> {
  let current = body;
  for (let round = 0; round < maxRounds; round++) {
    const { violations } = await validate(current);
    if (!violations.some((violation) => violation.patch)) break;
    current = applyRound(current, violations);
  }
  return current;
}

/** Applies the patches of one round; of two patches for the same member only the first. */
function applyRound(body: unknown, violations: readonly Violation[]): unknown {
  const fixed = new Set<string>();
  return violations.reduce((value, { patch = [] }) => {
    if (patch.some(({ path }) => fixed.has(path))) return value;
    for (const { path } of patch) fixed.add(path);
    return applyPatch(value, patch);
  }, body);
}
