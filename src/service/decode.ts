/** Reads an unknown value by a zod schema: problems with pointers, and notes for members that are ignored. */
import { z } from "zod";
import { type Area, type Note, noteCodes, type Problem, pointer, quote } from "../errors.ts";
import { genericCodes, maxReported, type Notes, rejectAny } from "./context.ts";

export interface DecodeOptions {
  readonly area: Area;
  readonly notes?: Notes;
  /** Where the value stands in the request's body. */
  readonly at?: string;
}

/**
 * The value as the schema means it.
 *
 * @throws {ApiError} with the problems found, each with its pointer
 */
export function decode<T extends z.ZodType>(schema: T, value: unknown, options: DecodeOptions): z.output<T> {
  const { area, notes, at = "" } = options;
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) {
    const told = result.error.issues.slice(0, maxReported + 1);
    rejectAny(told.flatMap((issue) => problemsOf(issue, area, at)));
  }
  if (notes) noteIgnored(ignoredMembers(schema, value, at), notes);
  return result.data as z.output<T>;
}

type Issue = z.core.$ZodIssue;

/** The problems that one issue of zod stands for. */
export function problemsOf(issue: Issue, area: Area, at: string): Problem[] {
  const where = `${at}${pointer(...(issue.path as (string | number)[]))}`;
  const name = issue.path.length === 0 ? "the body" : quote(issue.path.join("."));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      code: genericCodes[area].invalid,
      pointer: `${where}${pointer(key)}`,
      message: `${quote(key)} is not a member of ${name}.`,
    }));
  }
  return [{ code: genericCodes[area].invalid, pointer: where, message: sentence(issue, name) }];
}

function sentence(issue: Issue, name: string): string {
  const found = issue.input === undefined ? "it is missing" : `found ${kind(issue.input)}`;
  switch (issue.code) {
    case "invalid_type":
      // What may be anything has no type to name.
      if (issue.expected === "nonoptional") return `${name} must be given; ${found}.`;
      return `${name} must be ${article(issue.expected)}; ${found}.`;
    case "invalid_value":
      return `${name} must be ${issue.values.map((v) => quote(String(v))).join(" or ")}; ${found}.`;
    case "too_small":
      return `${name} must ${size(issue.origin, "least", Number(issue.minimum), issue.inclusive)}; ${found}.`;
    case "too_big":
      return `${name} must ${size(issue.origin, "most", Number(issue.maximum), issue.inclusive)}; ${found}.`;
    default:
      return `${name} is not allowed: ${issue.message}; ${found}.`;
  }
}

const units: Readonly<Record<string, string>> = {
  string: "characters",
  array: "elements",
  object: "members",
};

function size(origin: string, bound: "least" | "most", value: number, inclusive = true): string {
  const unit = units[origin];
  if (unit) return `have at ${bound} ${value} ${unit}`;
  if (inclusive) return `be at ${bound} ${value}`;
  return bound === "least" ? `be more than ${value}` : `be less than ${value}`;
}

function article(type: string): string {
  if (type === "int") return "an integer";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function kind(value: unknown): string {
  if (value === null) return "`null`";
  if (typeof value === "string")
    return value.length > 40 ? `a text of ${value.length} characters` : `the text ${quote(value)}`;
  return typeof value === "object" ? quote(value).slice(1, -1) : quote(value);
}

/** Notes the first members that are ignored, and that there are more. */
function noteIgnored(ignored: Iterable<Note>, notes: Notes): void {
  let count = 0;
  for (const note of ignored) {
    if (++count > maxReported) {
      const message = `More members than the ${maxReported} that are told here were ignored.`;
      notes.push({ code: noteCodes.memberIgnored, message });
      return;
    }
    notes.push(note);
  }
}

/** Members that the schema does not know, in objects and arrays of any depth. */
function* ignoredMembers(schema: z.ZodType, value: unknown, at: string): Generator<Note> {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [i, element] of value.entries())
      yield* ignoredMembers(inner.element as z.ZodType, element, `${at}${pointer(i)}`);
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null) return;
  const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
  // A schema that keeps unknown members ignores none.
  if (inner.def.catchall) return;
  for (const [key, member] of Object.entries(value)) {
    const where = `${at}${pointer(key)}`;
    if (Object.hasOwn(shape, key)) yield* ignoredMembers(shape[key]!, member, where);
    else {
      const message = `${quote(key)} is not a member here and was ignored.`;
      yield { code: noteCodes.memberIgnored, message, pointer: where };
    }
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
