/** Loads RE2 on demand, in a file of its own: a browser loads modules asynchronously. */
import type { PatternEngine } from "./program.ts";

let loaded: PatternEngine | undefined;
let isMissed = false;

/** RE2. @throws {TypeError} before it is loaded */
export function patternEngine(): PatternEngine {
  if (loaded !== undefined) return loaded;
  isMissed = true;
  throw new TypeError(
    "The engine of regular expressions is not loaded: `await prepareRegularExpressions()` before an expression with `matches` is read.",
  );
}

/** Loads RE2; {@link patternEngine} returns it when the promise is resolved. */
export async function loadPatternEngine(): Promise<void> {
  loaded ??= (await import("re2js")).RE2JS;
  isMissed = false;
}

/** Whether a pattern was read before RE2 was loaded. */
export function isPatternEngineMissed(): boolean {
  return isMissed;
}
