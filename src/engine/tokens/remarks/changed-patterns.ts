/** Remarks on patterns that mean something else than in version 0.1. To be removed with version 0.3. */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import { changedPatterns } from "../expression/patterns/earlier-reading.ts";
import { type RemarkKind, remark } from "./remark.ts";

/** Remarks on the patterns of a valid expression. */
export function patternRemarks(expression: string, at: string): Diagnostic<RemarkKind>[] {
  return changedPatterns(expression).map((message) => remark("pattern-escapes", at, message));
}
