/** Token validation from request to verdict: the engine, which is told the time. */

export * from "./analysis/index.ts";
export type * from "./ast.ts";
export {
  type AtomCoverage,
  type ConfigCoverage,
  type Coverage,
  type CoverageReport,
  createCoverage,
  type OperationCoverage,
  printCoverage,
  type RuleCoverage,
} from "./coverage.ts";
export { type FoundToken, findToken } from "./finding.ts";
export { defaultMaxKeys, type IntakeOptions, intakeKeys, type KeyIntake } from "./keys.ts";
export { printString } from "./literal.ts";
export * from "./model.ts";
export {
  checkLimits,
  type ExpressionLimits,
  expressionLimits,
  nestingCeiling,
  type ParsedExpression,
  parseExpression,
} from "./parser.ts";
export {
  checkPosition,
  type Moved,
  movePosition,
  type Position,
} from "./position.ts";
export { printExpression } from "./printer.ts";
export type { Precedence } from "./progress.ts";
export { checkReferences, type Reference, references } from "./references.ts";
export { checkRequest, type EvaluationRequest, readRequest, type WebRequest } from "./request.ts";
export {
  checkSelector,
  type OperationState,
  type PreviewedOperation,
  type SelectorPreview,
  selectorPreview,
} from "./selector.ts";
export {
  checkTokenSources,
  type HeaderCase,
  type ParsedTokenSource,
  parseTokenSource,
  type TokenSource,
  type TokenSourcesReport,
} from "./source.ts";
export { type ExpressionError, locate, printSyntaxError, type Span } from "./syntax-error.ts";
export type { DecidingPart, ExpressionTrace, TokenTrace, Trace } from "./trace.ts";
export type {
  DecidingRule,
  Outcome,
  PlainVerdict,
  RuleOutcome,
  RuleResult,
  Verdict,
  VerdictAction,
  VerifiedClaims,
} from "./verdict.ts";
export {
  createJoseVerifier,
  createNodeVerifier,
  createVerifier,
  type JoseVerifier,
  type NodeVerifier,
  type Verifier,
  type VerifierOptions,
  verifierDefaults,
} from "./verifier.ts";
export { checkZone, compileZone, type Zone, type ZoneOptions } from "./zone.ts";
export type { ReadingOptions, ZoneInput } from "./zone-input.ts";
