/** Identifies a diagnostic between runs, so that code hosts keep what was dismissed. */
import { createHash } from "node:crypto";
import type { Location } from "../../../core/diagnostic.ts";
import type { CaseDiagnostic } from "./report.ts";
import type { ReportPath } from "./repository-path.ts";

/**
 * Returns a function from diagnostics to fingerprints. A fingerprint consists of the rule, the file, the case and the
 * member of the case, not of lines or indexes: it stays the same when other parts of the file change. Equal ones are
 * numbered.
 */
export function createFingerprints(pathOf: ReportPath): (finding: CaseDiagnostic) => string {
  const counts = new Map<string, number>();
  return ({ rule, at, case: one }) => {
    const parts = [rule, pathOf(at.file), one.group, one.name, memberOf(at, one.location)];
    const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return `${hash}:${count}`;
  };
}

/** The pointer relative to the case. */
function memberOf({ pointer = "" }: Location, { pointer: base = "" }: Location): string {
  return pointer.startsWith(base) ? pointer.slice(base.length) : pointer;
}
