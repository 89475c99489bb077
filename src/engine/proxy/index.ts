/**
 * Proxy applications: validation of a configuration against the world it is meant for, with exact error codes.
 *
 * @module
 */
export { type OriginAccess, originAccess } from "./access.ts";
export { type CheckEntry, checks } from "./catalogue.ts";
export type { CheckText, Example } from "./check.ts";
export { type Cidr, compilePrefixes, type PrefixTable, parseCidr } from "./cidr.ts";
export { checkFacts, compileFacts } from "./compile-facts.ts";
export type {
  CompiledFacts,
  EdgeIpFact,
  Facts,
  HostnameFact,
  Plan,
  VirtualNetworkFact,
} from "./facts.ts";
export type { Fault, Parsed } from "./grammar.ts";
export { foldHostname, parseHostname } from "./hostname.ts";
export { type Ip, parseIp, parseIpv4, parseIpv6, printIp } from "./ip.ts";
export { mergeApp } from "./merge.ts";
export type {
  App,
  Connectivity,
  DnsType,
  EdgeIps,
  FactName,
  NotEvaluated,
  OriginDns,
  OriginDnsType,
  Phase,
  PreviousApp,
  ProxyProtocol,
  TlsMode,
  TrafficType,
  ValidateOptions,
  Validation,
  Violation,
} from "./model.ts";
export { type Origin, type OriginFault, type OriginFaultKind, parseOrigin, printOrigin } from "./origin.ts";
export { applyPatch, type PatchOperation } from "./patch.ts";
export { type PortRange, parsePorts, printPorts } from "./port.ts";
export { type Protocol, parseProtocol, printProtocol, type Transport } from "./protocol.ts";
export { parseUuid } from "./uuid.ts";
export { validateApp, validateCompiled } from "./validate.ts";
