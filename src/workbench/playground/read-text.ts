/** The text of the rules as a value with its lines. */
import type { Placed } from "../../core/diagnostic.ts";
import { parseJsoncSource } from "../../core/json/comments.ts";
import type { JsonSource } from "../../core/json-source.ts";
import { type Result, success } from "../../core/result.ts";

/** A text that was read. */
export interface TextSource {
  /** The value, unchecked. */
  readonly value: unknown;
  /** Line of a pointer in the text, from 1. */
  readonly lineOf: (pointer: string) => number | undefined;
}

/** Reads a text: JSON, which may have comments. */
export function readText(text: string): Result<TextSource, Placed> {
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) return parsed;
  const source = parsed.value;
  return success({ value: source.value, lineOf: (pointer) => startLine(source, pointer) });
}

function startLine(source: JsonSource, pointer: string): number | undefined {
  try {
    return source.range(pointer).start.line;
  } catch {
    return undefined;
  }
}
