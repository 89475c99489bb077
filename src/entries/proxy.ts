/**
 * Proxy applications: validation of a configuration against the known facts of its account, with exact error codes.
 *
 * @module
 */

export type { Diagnostic } from "../core/diagnostic.ts";
export { applyPatch, type PatchOperation } from "../core/json/patch.ts";
export type { Failure, Result, Success } from "../core/result.ts";
export { type CheckEntry, checks } from "../engine/proxy/checks/catalogue.ts";
export type { CheckDescription, Example } from "../engine/proxy/checks/check.ts";
export { checkFacts, compileFacts } from "../engine/proxy/facts/compile-facts.ts";
export type {
  AppFact,
  CompiledApps,
  CompiledFacts,
  CompiledHostnames,
  EdgeIpFact,
  Facts,
  FeatureFacts,
  HostnameFact,
  HostnameUse,
  Ipv4Facts,
  NamedApp,
  PermissionFacts,
  Plan,
  ProtocolFacts,
  VirtualNetworkFact,
  ZoneFact,
} from "../engine/proxy/facts/facts.ts";
export { type OriginAccess, originAccess } from "../engine/proxy/facts/origin-access.ts";
export { type Cidr, compilePrefixes, type PrefixTable, parseCidr } from "../engine/proxy/grammar/cidr.ts";
export { foldHostname, parseHostname } from "../engine/proxy/grammar/hostname.ts";
export { type Ip, parseIp, parseIpv4, parseIpv6, printIp } from "../engine/proxy/grammar/ip.ts";
export {
  type Origin,
  type OriginFault,
  type OriginFaultKind,
  parseOrigin,
  printOrigin,
} from "../engine/proxy/grammar/origin.ts";
export type { ParseFault } from "../engine/proxy/grammar/parse-fault.ts";
export { type PortRange, parsePorts, printPorts } from "../engine/proxy/grammar/port.ts";
export {
  type Protocol,
  parseProtocol,
  printProtocol,
  type Transport,
} from "../engine/proxy/grammar/protocol.ts";
export { parseUuid } from "../engine/proxy/grammar/uuid.ts";
export type {
  App,
  AppDns,
  CheckLevel,
  Connectivity,
  DnsType,
  EdgeIps,
  FactName,
  NotEvaluated,
  NoteCode,
  OriginDns,
  OriginDnsType,
  Phase,
  PreviousApp,
  ProxyProtocol,
  TlsMode,
  TrafficType,
  ValidateOptions,
  Validation,
} from "../engine/proxy/model.ts";
export { mergeApp } from "../engine/proxy/read/merge.ts";
export { validateApp, validateCompiled } from "../engine/proxy/validate.ts";
export { validateApps } from "../engine/proxy/validate-list.ts";
export type { CodedDiagnostic } from "../errors.ts";
