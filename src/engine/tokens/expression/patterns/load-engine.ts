/** Loads RE2 with the first pattern, by Node.js. `load-engine.browser.ts` is for other platforms, which load it before. */
import { createRequire } from "node:module";
import type { PatternEngine } from "./bounded-search.ts";

let loaded: PatternEngine | undefined;

/** RE2. */
export function patternEngine(): PatternEngine {
  loaded ??= (createRequire(import.meta.url)("re2js") as typeof import("re2js")).RE2JS;
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
