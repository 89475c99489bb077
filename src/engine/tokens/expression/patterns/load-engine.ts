/** Loads RE2 with the first pattern, by Node.js. `load-engine.browser.ts` is for other platforms, which load it before. */
import { requirePackage } from "../../../../core/platform/require-package.ts";
import type { PatternEngine } from "./program.ts";

let loaded: PatternEngine | undefined;

/** RE2. */
export function patternEngine(): PatternEngine {
  loaded ??= requirePackage<typeof import("re2js")>("re2js").RE2JS;
  return loaded;
}

/** Loads RE2; {@link patternEngine} returns it when the promise is resolved. */
export async function loadPatternEngine(): Promise<void> {
  patternEngine();
}

/** Whether a pattern was read before RE2 was loaded, which cannot happen here. */
export function isPatternEngineMissed(): boolean {
  return false;
}
