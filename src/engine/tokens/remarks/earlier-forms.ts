/** Remarks on forms of expressions that earlier versions read in another way. To be removed with version 0.3. */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { ReadExpression } from "../expression/grammar.ts";
import { changedPatterns } from "../expression/patterns/earlier-reading.ts";
import { locate } from "../expression/syntax-error.ts";
import { type RemarkKind, remark } from "./remark.ts";

/** Remarks on the parts of the expression of a token rule, which was read without problems. */
export function earlierFormRemarks(
  text: string,
  { earlier }: ReadExpression,
  at: string,
): Diagnostic<RemarkKind>[] {
  return [
    ...changedPatterns(text).map((message) => remark("pattern-escapes", at, message)),
    ...earlier.map(({ span, message }) => {
      const { line, column } = locate(text, span.start);
      return remark("earlier-form", at, `At line ${line}, column ${column} of the expression: ${message}`);
    }),
  ];
}
