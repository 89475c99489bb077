/** Adds places in files to diagnostics: the only code that makes lines, columns and text edits of pointers, spans and fixes. */
import type { Diagnostic, Location, Placed, TextEdit } from "./diagnostic.ts";
import { createValueIndex, spliceOfPatch } from "./json/edits.ts";
import type { PatchOperation } from "./json/patch.ts";
import { createLineIndex } from "./line-index.ts";

/** A file whose values have places. */
export interface PlacedSource {
  /** Place of the value at an RFC 6901 pointer, or of the innermost existing value around it. */
  place(pointer: string): Location;
  /** Text of the file, when it is JSON (comments allowed) with the values themselves: spans and fixes are placed in it. */
  readonly json?: string;
}

/**
 * Adds the places of diagnostics.
 *
 * @param base RFC 6901 pointer of the checked value in the file
 */
export function place<R extends string>(
  diagnostics: readonly Diagnostic<R>[],
  source: PlacedSource,
  base = "",
): readonly Placed<R>[] {
  const narrow = source.json === undefined ? undefined : createPlacer(source.json);
  return diagnostics.map((diagnostic) => {
    const { pointer = "", span, fix } = diagnostic;
    const at = source.place(base + pointer);
    const range = span && narrow?.range(base + pointer, span);
    const edits = fix && narrow?.edits(fix, base);
    return { ...diagnostic, at: { ...at, ...range }, ...(edits && { edits }) };
  });
}

/** Places parts of strings and fixes in a JSON text. */
function createPlacer(text: string) {
  const positionAt = createLineIndex(text);
  const spanOf = createValueIndex(text);
  const spliceOf = spliceOfPatch(text);
  return {
    range: (pointer: string, { start, end }: { readonly start: number; readonly end: number }) => {
      const { start: from } = spanOf(pointer);
      if (text[from] !== '"') return undefined;
      const [first, last] = [start, end].map((offset) => positionAt(writtenOffset(text, from, offset)));
      return { start: first as Location["start"], end: last as Location["start"] };
    },
    edits: (fix: readonly PatchOperation[], base: string): readonly TextEdit[] =>
      fix.map((operation) => {
        const { start, end, content } = spliceOf(operation, base);
        return { start: positionAt(start), end: positionAt(end), text: content };
      }),
  };
}

/** The offset in the text of a character of a JSON string that is written at `from`, past the escapes before it. */
function writtenOffset(text: string, from: number, offset: number): number {
  let at = from + 1;
  for (let i = 0; i < offset && text[at] !== '"'; i++) {
    at += text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}
