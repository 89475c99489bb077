/** Parses a feed record by its schema. */
import type { z } from "zod";
import type { JsonObject } from "../../core/json-value.ts";
import { failure, problem, type Result, success } from "../../core/result.ts";
import { genericCodes } from "../context.ts";
import { schemaProblems } from "../schema-problems.ts";

/** Returns the members that the schema has, or the first problem. */
export function parseFeedRecord<T extends z.ZodType>(schema: T, record: JsonObject): Result<z.output<T>> {
  const result = schema.safeParse(record, { reportInput: true });
  if (result.success) return success(result.data);
  const [first] = result.error.issues.flatMap((issue) =>
    schemaProblems(issue, { area: "brand", at: "", root: "the record" }),
  );
  return failure(first ?? problem(genericCodes.brand.invalid, result.error.message));
}
