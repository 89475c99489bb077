/** Checks the text of an application, whatever is known of its account: findings at their places, fixes, and the form that is stored. */
import { pointersOf } from "../../core/diagnostic.ts";
import { parseJsoncSource } from "../../core/json/comments.ts";
import type { JsonSource, TextPosition } from "../../core/json-source.ts";
import { fixBody, fixText } from "../../engine/proxy/fix.ts";
import type { Validation } from "../../engine/proxy/model.ts";
import type { AppCheck, AppMark, TextPlace } from "../messages.ts";

/** Checks a text with a validation of its body. */
export async function checkApplication(
  text: string,
  validate: (body: unknown) => Promise<Validation>,
): Promise<AppCheck> {
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) {
    const { message, at } = parsed.problems[0];
    const start = createOffsets(text)(at.start);
    const fault = {
      message: `${message}.`,
      start,
      end: Math.min(start + 1, text.length),
      line: at.start.line,
    };
    return { fault, findings: [], notEvaluated: [] };
  }
  const source = parsed.value;
  const validation = await validate(source.value);
  const result = await fixBody(source.value, validate);
  const fixed = result.rounds.length === 0 ? undefined : fixText(text, result);
  return {
    findings: marksOf(validation, source, text),
    notEvaluated: validation.notEvaluated.map(({ check, needs }) => ({ check, needs })),
    ...(validation.app && { stored: JSON.stringify(validation.app, null, 2) }),
    ...(fixed !== undefined && { fixed }),
  };
}

/** The offset of a position; lines and columns count from 1. */
function createOffsets(text: string): (position: TextPosition) => number {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return ({ line, column }) => (starts[line - 1] ?? 0) + column - 1;
}

function marksOf({ violations, warnings }: Validation, source: JsonSource, text: string): readonly AppMark[] {
  const offsetOf = createOffsets(text);
  const place = (pointer: string): TextPlace => {
    const { start, end } = source.range(pointer);
    return { start: offsetOf(start), end: offsetOf(end), line: start.line };
  };
  return [...violations, ...warnings].map((diagnostic) => {
    return { ...diagnostic, places: pointersOf(diagnostic).map(place) };
  });
}
