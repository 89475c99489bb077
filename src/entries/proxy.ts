/**
 * Proxy applications: validation of a configuration against the known facts of its account, with exact error codes.
 *
 * @module
 */

// Check applications

export { applyPatch, type PatchOperation } from "../core/json/patch.ts";
export type { Facts } from "../engine/proxy/facts/facts.ts";
export type { App, ValidateOptions, Validation } from "../engine/proxy/model.ts";
export { validateApp } from "../engine/proxy/validate.ts";
export { validateApps } from "../engine/proxy/validate-list.ts";
export type { CodedDiagnostic } from "../errors.ts";

// Tables of facts and checks

export type { Diagnostic } from "../core/diagnostic.ts";
export { type CheckEntry, checks } from "../engine/proxy/checks/catalogue.ts";
export type { Example } from "../engine/proxy/checks/check.ts";
export { checkFacts, compileFacts } from "../engine/proxy/facts/compile-facts.ts";
export type {
  AppFact,
  CompiledFacts,
  EdgeIpFact,
  HostnameFact,
  VirtualNetworkFact,
  ZoneFact,
} from "../engine/proxy/facts/facts.ts";
export { originAccess } from "../engine/proxy/facts/origin-access.ts";
export type { NotEvaluated } from "../engine/proxy/model.ts";
export { mergeApp } from "../engine/proxy/read/merge.ts";
export { validateCompiled } from "../engine/proxy/validate.ts";
