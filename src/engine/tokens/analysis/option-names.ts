/** The options that every analysis of a zone has. */

import { anyValue, type KindsOf } from "../../../core/arguments.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import { type ReadingOptions, readingMembers } from "../zone/zone-input.ts";
import type { AnalysisOptions } from "./budget.ts";

interface ZoneAnalysisOptions extends AnalysisOptions, ReadingOptions {
  readonly precedence?: Precedence;
}

/** The members of the options; the values are checked where they are used. */
export const analysisMembers: KindsOf<ZoneAnalysisOptions> = {
  ...readingMembers,
  maxSteps: anyValue,
  precedence: anyValue,
};
