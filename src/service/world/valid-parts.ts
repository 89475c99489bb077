/** Parses what is valid of a world, so that one invalid part does not keep the others from being checked. */
import { failure, type Result, success } from "../../core/result.ts";
import type { Problem } from "../../errors.ts";
import { parseWorld, type WorldReading } from "./parse.ts";

/** The valid areas of a world. */
export interface ValidParts extends WorldReading {
  /** The world as it was written, without the areas that do not match the schema. */
  readonly value: unknown;
  /** What does not match the schema. */
  readonly problems: readonly Problem[];
}

/** The area of a zone or an account that a pointer leads into. */
const area = /^\/(?:zones|accounts)\/\d+\/(?:token_validation|proxy|brand|images)(?=\/|$)/;

/** Fails when a problem is in no area of a zone or an account. */
export function parseValidParts(input: unknown): Result<ValidParts> {
  const parsed = parseWorld(input);
  if (parsed.ok) return success({ ...parsed.value, value: input, problems: [] });
  const [first, ...rest] = parsed.problems;
  const areas = parsed.problems.map(({ pointer = "" }) => area.exec(pointer)?.[0]);
  if (areas.includes(undefined)) return failure(first, ...rest);
  const value = structuredClone(input);
  for (const at of areas) if (at !== undefined) removeMember(value, at);
  const valid = parseWorld(value);
  return valid.ok ? success({ ...valid.value, value, problems: parsed.problems }) : valid;
}

/** @param at pointer of names without escapes */
function removeMember(value: unknown, at: string): void {
  const path = at.slice(1).split("/");
  const name = path.pop() ?? "";
  const holder = path.reduce((part, key) => (part as Record<string, unknown>)[key], value);
  delete (holder as Record<string, unknown>)[name];
}
