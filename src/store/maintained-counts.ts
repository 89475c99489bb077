/** Which of the numbers that a store keeps answers a count. */
import type { PlainCondition } from "./argument-checks.ts";
import type { PlainDefinition } from "./definition.ts";

/** The counted combination that the conditions equate, each field once and nothing else; undefined when there is none. */
export function countedBy(
  { counted }: PlainDefinition,
  where: readonly PlainCondition[],
): readonly string[] | undefined {
  if (where.length === 0 || where.some((c) => c.op !== "eq")) return undefined;
  const fields = new Set(where.map((c) => c.field));
  if (fields.size < where.length) return undefined;
  return counted.find((one) => one.length === fields.size && one.every((field) => fields.has(field)));
}
