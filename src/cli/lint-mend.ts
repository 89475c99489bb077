/** Applies mends until none is left. */
import { applyPatch, type Validation } from "../engine/proxy/index.ts";

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
    const patch = violations.find((violation) => violation.patch)?.patch;
    if (!patch) break;
    current = applyPatch(current, patch);
  }
  return current;
}
