/** `edgeproof/tokens`: token validation from request to verdict. */

// Evaluate requests

export {
  type JwtKey,
  type Operation,
  type Reason,
  reasons,
  type Selector,
  type SimulatedRequest,
  type TokenConfig,
  type TokenRule,
} from "../engine/tokens/model.ts";
export type { PlainVerdict, RuleResult, Verdict, VerdictAction } from "../engine/tokens/verdict/verdict.ts";
export type { EvaluationRequest } from "../engine/tokens/zone/request.ts";
export type { PathNormalization, UrlNormalization } from "../engine/tokens/zone/url-normalization.ts";
export type { Zone } from "../engine/tokens/zone/zone.ts";
export type { ZoneInput } from "../engine/tokens/zone/zone-input.ts";
export { type CompileZoneOptions, compileZone } from "../service/tokens/compile-zone.ts";

// Check a configuration

export { type ExpressionLimits, expressionLimits } from "../engine/tokens/expression/grammar.ts";
export { type ParsedExpression, parseExpression } from "../engine/tokens/expression/parser.ts";
export { prepareRegularExpressions } from "../engine/tokens/expression/patterns/regular-expression.ts";
export { printExpression } from "../engine/tokens/expression/printer.ts";
export { checkReferences, type Reference, references } from "../engine/tokens/expression/references.ts";
export { type ExpressionError, locate, printSyntaxError } from "../engine/tokens/expression/syntax-error.ts";
export type { Expression } from "../engine/tokens/expression/tree.ts";
export { type SelectorPreview, selectorPreview } from "../engine/tokens/zone/selector.ts";
export { checkZone } from "../engine/tokens/zone/zone.ts";

// Keys, expressions and their parts

export { type ImportedKeys, importKeys, type KeyImportOptions } from "../engine/tokens/jwt/keys/key-set.ts";
export {
  createJoseVerifier,
  createNodeVerifier,
  createVerifier,
  type JoseVerifier,
  type NodeVerifier,
  type Verifier,
  type VerifierOptions,
} from "../engine/tokens/jwt/verifier.ts";
export type { Algorithm, RequestHeaders, TokenCheck } from "../engine/tokens/model.ts";
export type { RuleList } from "../engine/tokens/rulesets/input/read-lists.ts";
export type { CustomRule, Ruleset } from "../engine/tokens/rulesets/model.ts";
export type { CustomVerdict } from "../engine/tokens/rulesets/ruleset-verdict.ts";
export { type Decision, decisionOf } from "../engine/tokens/verdict/decision.ts";
export type { CustomEffect } from "../engine/tokens/verdict/effect.ts";
export type { ExpressionTrace, TokenTrace, Trace } from "../engine/tokens/verdict/trace.ts";
export {
  type DecidingPart,
  type LeafTrace,
  type TraceNode,
  traceLeaves,
} from "../engine/tokens/verdict/trace-tree.ts";
export type { VerifiedClaims } from "../engine/tokens/verdict/verdict.ts";
export type { Precedence } from "../engine/tokens/zone/evaluate-rules.ts";
export { findToken } from "../engine/tokens/zone/find-token.ts";
export { checkRequest, readRequest } from "../engine/tokens/zone/request.ts";
export { checkPosition, movePosition, type Position } from "../engine/tokens/zone/rule-order.ts";
export { checkSelector, type PreviewedOperation } from "../engine/tokens/zone/selector.ts";
export {
  checkTokenSources,
  type HeaderCase,
  type ParsedTokenSource,
  parseTokenSource,
  type TokenSource,
} from "../engine/tokens/zone/token-source.ts";
export type { ZoneOptions } from "../engine/tokens/zone/zone.ts";
export type { ReadingOptions } from "../engine/tokens/zone/zone-input.ts";
export type { InputCheck } from "../errors.ts";
export {
  type IssuerKeys,
  type KeysFromJwksOptions,
  keysFromJwks,
} from "../import/keys/keys-from-jwks.ts";
export { type KeyRule, keyRules } from "../import/keys/rejected-key.ts";
