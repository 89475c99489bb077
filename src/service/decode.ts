/** Decodes an unknown value by a zod schema: problems with pointers, and notes for members that are ignored. */
import * as z from "zod";
import type { Diagnostic } from "../core/diagnostic.ts";
import { isJsonObject } from "../core/json-value.ts";
import { type Area, note, pointer, quote } from "../errors.ts";
import { maxReported, type Notes, noteFirst, rejectAny } from "./context.ts";
import { schemaProblems } from "./schema-problems.ts";

export interface DecodeOptions {
  readonly area: Area;
  /** Collects a note for each member that the schema does not know. Default: they are ignored silently. */
  readonly notes?: Notes;
  /** RFC 6901 pointer of the value in the request's body. Default: the whole body. */
  readonly at?: string;
  /** Notes of members that are not changed here, instead of that of an unknown member. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** The names of the members that an object can have; messages about unknown members then list them. */
  readonly membersAt?: (path: readonly PropertyKey[]) => readonly string[];
}

/**
 * The value as the schema reads it, defaults filled in.
 *
 * @throws {ApiError} with the problems found, each with its pointer
 */
export function decode<T extends z.ZodType>(schema: T, value: unknown, options: DecodeOptions): z.output<T> {
  const { area, notes, at = "", elsewhere = {}, membersAt } = options;
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) {
    // One more than is reported, so that the surplus is noticed.
    const issues = result.error.issues.slice(0, maxReported + 1);
    rejectAny(
      issues.flatMap((issue) => schemaProblems(issue, { area, at, ...(membersAt && { membersAt }) })),
    );
  }
  if (notes) noteFirst(ignoredMembers(schema, value, at, elsewhere), notes, "ignored members");
  return result.data as z.output<T>;
}

/** Notes of the members that the schema does not know, in objects and arrays of any depth. */
function* ignoredMembers(
  schema: z.ZodType,
  value: unknown,
  at: string,
  elsewhere: NonNullable<DecodeOptions["elsewhere"]> = {},
): Generator<Diagnostic> {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [i, element] of value.entries())
      yield* ignoredMembers(inner.element as z.ZodType, element, `${at}${pointer(i)}`);
  }
  // A schema with a catch-all keeps unknown members.
  if (!(inner instanceof z.ZodObject) || inner.def.catchall || !isJsonObject(value)) return;
  const shape = new Map(Object.entries<z.ZodType>(inner.shape));
  for (const [key, member] of Object.entries(value)) {
    const where = `${at}${pointer(key)}`;
    const known = shape.get(key);
    if (known) yield* ignoredMembers(known, member, where);
    else {
      const own = Object.hasOwn(elsewhere, key) ? elsewhere[key] : undefined;
      const message = own ?? `${quote(key)} is not a known member and was ignored.`;
      yield note("memberIgnored", message, where);
    }
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
