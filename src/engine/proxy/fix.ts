/** Applies the fixes of violations and warnings until none is left. A fix removes nothing that was written. */
import { parseJsoncSource } from "../../core/json/comments.ts";
import { patchText } from "../../core/json/edits.ts";
import { applyPatch, type PatchOperation } from "../../core/json/patch.ts";
import type { Validation } from "./model.ts";

/** One fix can uncover the next violation; more rounds than this would be a cycle. */
const maxRounds = 20;

/** A body with every unambiguous fix applied. */
export interface FixedBody {
  /** The same value when there was no fix. */
  readonly body: unknown;
  /** The operations of each round; the pointers of a round are those of the body after the round before. */
  readonly rounds: readonly (readonly PatchOperation[])[];
  /** The validation of the fixed body. */
  readonly validation: Validation;
}

/** Fixes a body. */
export async function fixBody(
  body: unknown,
  validate: (body: unknown) => Promise<Validation>,
): Promise<FixedBody> {
  const rounds: (readonly PatchOperation[])[] = [];
  let current = body;
  let validation = await validate(body);
  while (rounds.length < maxRounds) {
    const patch = patchOf(validation);
    if (patch.length === 0) break;
    rounds.push(patch);
    current = applyPatch(current, patch);
    validation = await validate(current);
  }
  return { body: current, rounds, validation };
}

/** The operations of one round: of two for the same member only the first, and none inside a renamed one. */
function patchOf({ violations, warnings }: Validation): readonly PatchOperation[] {
  const changed: string[] = [];
  return [...violations, ...warnings].flatMap(({ fix: patch = [] }) => {
    const paths = patch.flatMap((operation) =>
      operation.op === "move" ? [operation.from, operation.path] : [operation.path],
    );
    const isTaken = (path: string) =>
      changed.some((other) => other === path || path.startsWith(`${other}/`) || other.startsWith(`${path}/`));
    if (paths.some(isTaken)) return [];
    changed.push(...paths);
    return patch;
  });
}

/**
 * Applies the rounds of a fix to the text of a body, in which only the patched names and values change. Undefined when
 * the text then has another value than `body`: when it repeats a member that a fix renames.
 */
export function fixText(
  text: string,
  { body, rounds }: Pick<FixedBody, "body" | "rounds">,
): string | undefined {
  const fixed = rounds.reduce(patchText, text);
  const parsed = parseJsoncSource(fixed);
  return parsed.ok && JSON.stringify(parsed.value.value) === JSON.stringify(body) ? fixed : undefined;
}
