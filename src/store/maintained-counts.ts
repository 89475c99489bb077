/** The maintained count that answers a count with conditions. */
import type { PlainCondition } from "./argument-checks.ts";
import type { PlainDefinition } from "./definition.ts";

/** The combination whose fields the conditions equate, each once and with no other condition; else undefined. */
export function maintainedCountFor(
  { maintainedCounts }: PlainDefinition,
  where: readonly PlainCondition[],
): readonly string[] | undefined {
  if (where.some((condition) => condition.op !== "eq")) return undefined;
  const fields = new Set(where.map((condition) => condition.field));
  if (fields.size < where.length) return undefined;
  return maintainedCounts.find(
    (combination) => combination.length === fields.size && combination.every((field) => fields.has(field)),
  );
}
