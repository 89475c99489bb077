/** `edgeproof/analysis`: exact analysis of token rules, test suites made from them, and their coverage. */

// Find errors and differences in rules

export { type AnalyzeOptions, analyze } from "../engine/tokens/analysis/analyze.ts";
export {
  compareZones,
  type ZoneComparison,
  type ZoneComparisonOptions,
} from "../engine/tokens/analysis/compare-zones.ts";
export { analysisChecks } from "../engine/tokens/analysis/findings/checks.ts";
export type { ZoneDifference } from "../engine/tokens/analysis/zone-difference.ts";

// Make and measure test suites

export { type MutationOptions, mutationReport } from "../engine/tokens/suite/mutants/mutation-report.ts";
export { type SuiteForOptions, suiteFor } from "../engine/tokens/suite/suite-for.ts";
export type { SuiteOptions } from "../engine/tokens/suite/suite-model.ts";
export type { SuiteRequest } from "../engine/tokens/suite/suite-request.ts";
export {
  type Coverage,
  type CoverageCounts,
  createCoverage,
  printCoverage,
} from "../engine/tokens/verdict/coverage.ts";

// Compare expressions and audit descriptions

export { auditOperations } from "../engine/tokens/analysis/audit/audit-operations.ts";
export type {
  AuditedRequest,
  OperationAudit,
  ZoneAudit,
} from "../engine/tokens/analysis/audit/audit-result.ts";
export type { AuditOptions } from "../engine/tokens/analysis/audit/auditor.ts";
export type {
  DocumentedOperation,
  DocumentedScheme,
  SecurityAlternative,
} from "../engine/tokens/analysis/audit/documented-operation.ts";
export {
  compareExpressions,
  type ExpressionComparison,
  type ExpressionOptions,
  type Implication,
  implies,
} from "../engine/tokens/analysis/compare-expressions.ts";
export type { PlainRequest } from "../engine/tokens/analysis/requests/concretize.ts";
export type { PlaceholderToken } from "../engine/tokens/analysis/requests/placeholder-token.ts";
export { coveringRequests } from "../engine/tokens/suite/covering-requests.ts";
export type { TestedMutant, TimedRequest } from "../engine/tokens/suite/mutants/mutant.ts";
export type { UnreachableRequirement } from "../engine/tokens/suite/requirements/unreachable.ts";
export type { SuiteToken } from "../engine/tokens/suite/suite-token.ts";
export type { CoveringRequests, UndecidedMutant, ZoneSuite } from "../engine/tokens/suite/zone-suite.ts";
export type {
  AtomCoverage,
  ConfigCoverage,
  CustomRuleCoverage,
  OperationCoverage,
  RuleCoverage,
} from "../engine/tokens/verdict/coverage.ts";
