/** Parses a feed record by its schema. */
import type { z } from "zod";
import type { JsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { problem } from "../../errors.ts";
import { genericCodes } from "../context.ts";
import { schemaProblems } from "../schema-problems.ts";

/** Returns the members that the schema has, or the first problem. */
export function parseFeedRecord<T extends z.ZodType>(schema: T, record: JsonObject): Result<z.output<T>> {
  // With `reportInput`, zod is ten times slower, so only invalid records are parsed with it.
  const parsed = schema.safeParse(record);
  if (parsed.success) return success(parsed.data);
  const { error = parsed.error } = schema.safeParse(record, { reportInput: true });
  const [first] = error.issues.flatMap((issue) =>
    schemaProblems(issue, { area: "brand", at: "", root: "the record" }),
  );
  return failure(first ?? problem(genericCodes.brand.invalid, error.message));
}
