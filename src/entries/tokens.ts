/** `edgeproof/tokens`: token validation from request to verdict. */

export { type AnalyzeOptions, analyze } from "../engine/tokens/analysis/analyze.ts";
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
export { type AuditOutcome, auditOutcomes } from "../engine/tokens/analysis/audit/outcomes.ts";
export { type AnalysisOptions, defaultMaxSteps } from "../engine/tokens/analysis/budget.ts";
export {
  compareExpressions,
  type ExpressionComparison,
  type ExpressionCounterexample,
  type ExpressionOptions,
  type Implication,
  implies,
} from "../engine/tokens/analysis/compare-expressions.ts";
export {
  compareZones,
  type Observation,
  type SideOfDifference,
  type ZoneComparison,
  type ZoneComparisonOptions,
  type ZoneDifference,
} from "../engine/tokens/analysis/compare-zones.ts";
export { type AnalysisCheck, analysisChecks } from "../engine/tokens/analysis/findings/checks.ts";
export type { PlainRequest, TokenState } from "../engine/tokens/analysis/requests/concretize.ts";
export type { PlaceholderToken } from "../engine/tokens/analysis/requests/placeholder-token.ts";
export {
  type Combination,
  type Combinator,
  type Comparison,
  combinators,
  type Expression,
  type Field,
  type FunctionTest,
  type Leaf,
  type Negation,
  type PlainName,
  type PlainOperator,
  quantifiers,
  type SetOperator,
  type TokenTest,
  tokenTests,
  type ValueField,
} from "../engine/tokens/expression/ast.ts";
export type { ListedName, SingleName } from "../engine/tokens/expression/language/fields.ts";
export type { ValueFunction } from "../engine/tokens/expression/language/functions.ts";
export type { IntegerOperator, StringOperator } from "../engine/tokens/expression/language/operators.ts";
export { printString } from "../engine/tokens/expression/literal.ts";
export {
  checkLimits,
  type ExpressionLimits,
  expressionLimits,
  nestingCeiling,
  type ParsedExpression,
  parseExpression,
} from "../engine/tokens/expression/parser.ts";
export { printExpression } from "../engine/tokens/expression/printer.ts";
export { checkReferences, type Reference, references } from "../engine/tokens/expression/references.ts";
export {
  type ExpressionError,
  locate,
  printSyntaxError,
  type Span,
} from "../engine/tokens/expression/syntax-error.ts";
export {
  defaultMaxKeys,
  type ImportedKeys,
  importKeys,
  type KeyImportOptions,
} from "../engine/tokens/jwt/keys/key-set.ts";
export {
  createJoseVerifier,
  createNodeVerifier,
  createVerifier,
  type JoseVerifier,
  type NodeVerifier,
  type Verifier,
  type VerifierOptions,
  verifierDefaults,
} from "../engine/tokens/jwt/verifier.ts";
export {
  type Algorithm,
  type Es256Key,
  type Es384Key,
  type JwtKey,
  type Operation,
  type Reason,
  type RequestHeaders,
  type RsaAlgorithm,
  type RsaKey,
  reasons,
  type Selector,
  type SimulatedRequest,
  type TokenCheck,
  type TokenConfig,
  type TokenRule,
} from "../engine/tokens/model.ts";
export { type CoveringRequests, coveringRequests } from "../engine/tokens/suite/covering-requests.ts";
export type { MutantKind } from "../engine/tokens/suite/mutants/mutant.ts";
export {
  type MutationOptions,
  mutationReport,
  type TestedMutant,
  type TimedRequest,
} from "../engine/tokens/suite/mutants/mutation-report.ts";
export type { UnreachableRequirement } from "../engine/tokens/suite/requirements/unreachable.ts";
export {
  type SuiteMutants,
  suiteFor,
  type UndecidedMutant,
  type ZoneSuite,
} from "../engine/tokens/suite/suite-for.ts";
export type { SuiteOptions } from "../engine/tokens/suite/suite-model.ts";
export type { SuiteRequest } from "../engine/tokens/suite/suite-request.ts";
export type { SuiteToken, SuiteTokenState } from "../engine/tokens/suite/suite-token.ts";
export {
  type AtomCoverage,
  type ConfigCoverage,
  type Coverage,
  type CoverageCounts,
  createCoverage,
  type OperationCoverage,
  printCoverage,
  type RuleCoverage,
} from "../engine/tokens/verdict/coverage.ts";
export { type Decision, decisionOf } from "../engine/tokens/verdict/decision.ts";
export type { DecidingPart, ExpressionTrace, TokenTrace, Trace } from "../engine/tokens/verdict/trace.ts";
export {
  type LeafReason,
  type LeafTrace,
  type OperatorTrace,
  type TraceNode,
  traceLeaves,
} from "../engine/tokens/verdict/trace-tree.ts";
export type {
  DecidingRule,
  Outcome,
  PlainVerdict,
  RuleOutcome,
  RuleResult,
  Verdict,
  VerdictAction,
  VerifiedClaims,
} from "../engine/tokens/verdict/verdict.ts";
export type { Precedence } from "../engine/tokens/zone/evaluate-rules.ts";
export { type FoundToken, findToken } from "../engine/tokens/zone/find-token.ts";
export {
  checkRequest,
  type EvaluationRequest,
  readRequest,
  type WebRequest,
} from "../engine/tokens/zone/request.ts";
export {
  checkPosition,
  type MovedOrder,
  movePosition,
  type Position,
} from "../engine/tokens/zone/rule-order.ts";
export {
  checkSelector,
  type OperationState,
  type PreviewedOperation,
  type SelectorPreview,
  selectorPreview,
} from "../engine/tokens/zone/selector.ts";
export {
  checkTokenSources,
  type HeaderCase,
  type ParsedTokenSource,
  parseTokenSource,
  type TokenSource,
} from "../engine/tokens/zone/token-source.ts";
export { checkZone, type Zone, type ZoneOptions } from "../engine/tokens/zone/zone.ts";
export type { ReadingOptions, ZoneInput } from "../engine/tokens/zone/zone-input.ts";
export type { InputCheck } from "../errors.ts";
export {
  type IssuerKeys,
  type KeysFromJwksOptions,
  keysFromJwks,
} from "../import/keys/keys-from-jwks.ts";
export { type KeyRule, keyRules } from "../import/keys/rejected-key.ts";
export { type CompileZoneOptions, compileZone } from "../service/tokens/compile-zone.ts";
