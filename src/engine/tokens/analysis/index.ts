/** The analysis of rules: exact answers about all requests there can be. */

export { type AnalyseOptions, analyse } from "./analyse.ts";
export { type AnalysisOptions, defaultMaxSteps } from "./budget.ts";
export { type AnalysisCheck, type AnalysisFinding, analysisChecks, type Severity } from "./checks.ts";
export {
  compareExpressions,
  type ExpressionComparison,
  type ExpressionCounterexample,
  type ExpressionOptions,
  type Implication,
  implies,
} from "./compare-expressions.ts";
export {
  compareZones,
  type SideOfDifference,
  type ZoneComparison,
  type ZoneComparisonOptions,
  type ZoneDifference,
} from "./compare-zones.ts";
export type { PlainRequest, TokenState } from "./realise.ts";
export type { StandIn } from "./stand-in.ts";
