/** Applies mends until none is left. */

import type { Validation, Violation } from "./model.ts";
import { applyPatch } from "./patch.ts";

/** One mend can uncover the next; more rounds than this would be going in circles. */
const maxRounds = 20;

/** The body with every unambiguous mend applied; the same value when there is none. */
export async function mend(
  body: unknown,
  validate: (body: unknown) => Promise<Validation>,
): Promise<unknown> {
  let current = body;
  for (let round = 0; round < maxRounds; round++) {
    const { violations } = await validate(current);
    if (!violations.some((violation) => violation.patch)) break;
    current = mendAll(current, violations);
  }
  return current;
}

/** Applies what the violations of one round ask for; where two would mend the same place, the first. */
function mendAll(body: unknown, violations: readonly Violation[]): unknown {
  const mended = new Set<string>();
  return violations.reduce((value, { patch = [] }) => {
    if (patch.some(({ path }) => mended.has(path))) return value;
    for (const { path } of patch) mended.add(path);
    return applyPatch(value, patch);
  }, body);
}
