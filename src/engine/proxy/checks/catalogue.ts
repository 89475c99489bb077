/** The catalogue: all checks, in the order in which a validation runs them. */
import { type Candidate, isAddressed, isByName, isStatic, isVirtual } from "../read/candidate.ts";
import { edgeIpChecks, edgeUseChecks, featureChecks, protocolUseChecks } from "./account.ts";
import { addressChecks, grammarChecks } from "./address.ts";
import { decodeChecks, fieldChecks } from "./body.ts";
import { type CheckDescription, type CheckGroup, group } from "./check.ts";
import { dnsChecks, hostnameChecks, quotaChecks } from "./dns.ts";
import { formatChecks } from "./format.ts";
import { crossZoneChecks, nameChecks } from "./name.ts";
import { networkChecks, routeChecks } from "./network.ts";
import { originChecks } from "./origins.ts";
import { protocolChecks } from "./protocol.ts";
import { repeatedChecks, sharedPortChecks } from "./repeated.ts";
import { restrictionChecks } from "./restrictions.ts";

export const decodeGroups = [group(decodeChecks, ({ fault }) => fault !== undefined)];
export const fieldGroups = [group(fieldChecks)];
export const formatGroups = [
  group(formatChecks, ({ faults, ignored }) => faults.length > 0 || ignored.length > 0),
];

/** The phases after `format`, each with its checks in the order of `spec`. */
export const candidatePhases: readonly (readonly CheckGroup<Candidate>[])[] = [
  [group(protocolChecks)],
  [
    group(originChecks),
    group(networkChecks, isVirtual),
    group(grammarChecks, (candidate) => !isAddressed(candidate)),
    group(addressChecks),
    group(nameChecks, isByName),
    group(dnsChecks),
    group(repeatedChecks),
  ],
  [group(restrictionChecks)],
  [group(featureChecks), group(edgeIpChecks, isStatic)],
  [
    group(protocolUseChecks),
    group(crossZoneChecks, isByName),
    group(routeChecks, isVirtual),
    group(hostnameChecks),
    group(edgeUseChecks, isStatic),
    group(quotaChecks),
    group(sharedPortChecks),
  ],
];

/** A public entry of the catalogue. */
export interface CheckEntry extends CheckDescription {
  /** Whether violations of the check can have a patch. */
  readonly fixable: boolean;
}

/**
 * Every check, in the order in which a validation runs them.
 *
 * @example checks.find((check) => check.id === "origin-brackets")?.code // 11002
 */
export const checks: readonly CheckEntry[] = [
  ...decodeChecks,
  ...fieldChecks,
  ...formatChecks,
  ...candidatePhases.flat().flatMap(({ checks }) => checks),
];
