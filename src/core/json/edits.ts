/** Changes values and names in a JSON or JSONC text; every other character stays as it is. */

import { createJsonIndex } from "../json-index.ts";
import { pointerSegments } from "../json-pointer.ts";
import { blankComments } from "./comments.ts";
import type { PatchOperation } from "./patch.ts";

/** Returns a function from RFC 6901 pointers of values that exist to their offsets in a JSON or JSONC text. */
export function createValueIndex(text: string): (pointer: string) => Pick<Splice, "start" | "end"> {
  const { startOf, endOf } = createJsonIndex(blankComments(text));
  return (pointer) => {
    const start = startOf(pointer);
    return { start, end: endOf(start) };
  };
}

/**
 * Returns a function from operations of a patch to the part of a JSON or JSONC text that each replaces. The values must
 * exist; of a repeated member the last is changed.
 */
export function spliceOfPatch(text: string): (operation: PatchOperation, base?: string) => Splice {
  const { startOf, endOf, nameOf } = createJsonIndex(blankComments(text));
  return (operation, base = "") => {
    if (operation.op === "move") {
      const name = pointerSegments(operation.path).at(-1) ?? "";
      return { ...nameOf(startOf(base + operation.from)), content: JSON.stringify(name) };
    }
    const start = startOf(base + operation.path);
    return { start, end: endOf(start), content: JSON.stringify(operation.value) };
  };
}

/** The text with a patch applied, whose operations do not overlap; every other character stays as it is. */
export function patchText(text: string, patch: readonly PatchOperation[]): string {
  const spliceOf = spliceOfPatch(text);
  return spliceAll(
    text,
    patch.map((operation) => spliceOf(operation)),
  );
}

/** A part of a text and what replaces it. */
export interface Splice {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
  readonly content: string;
}

/** The text with parts replaced that do not overlap. */
export function spliceAll(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end, content } of splices.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(copied, start), content);
    copied = end;
  }
  return pieces.join("") + text.slice(copied);
}
