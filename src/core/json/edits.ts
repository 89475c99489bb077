/** Changes values and names in a JSON or JSONC text; every other character stays as it is. */
import { createJsonIndex } from "../json-index.ts";
import { blankComments } from "./comments.ts";

/** A change of a text. The value at the pointer must exist. */
export type JsonEdit =
  | {
      readonly kind: "replace";
      /** RFC 6901 pointer of the value. */
      readonly pointer: string;
      /** The new JSON value. */
      readonly value: unknown;
    }
  | {
      readonly kind: "rename";
      /** RFC 6901 pointer of the member. */
      readonly pointer: string;
      /** The new name. */
      readonly name: string;
    };

/** Returns a function from RFC 6901 pointers of values that exist to their offsets in a JSON or JSONC text. */
export function createValueIndex(text: string): (pointer: string) => Pick<Splice, "start" | "end"> {
  const { startOf, endOf } = createJsonIndex(blankComments(text));
  return (pointer) => {
    const start = startOf(pointer);
    return { start, end: endOf(start) };
  };
}

/** The text with changes that do not overlap. Of a repeated member the last is changed. */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const { startOf, endOf, nameOf } = createJsonIndex(blankComments(text));
  const splices = edits.map((edit) => {
    const start = startOf(edit.pointer);
    if (edit.kind === "rename") return { ...nameOf(start), content: JSON.stringify(edit.name) };
    return { start, end: endOf(start), content: JSON.stringify(edit.value) };
  });
  return spliceAll(text, splices);
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
