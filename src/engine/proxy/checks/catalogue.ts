/** The catalogue of checks: all of them, in the order in which a validation makes them. */
import { type Candidate, isAddressed, isByName, isStatic, isVirtual } from "../read/candidate.ts";
import { edgeIpChecks, edgeUseChecks, featureChecks, protocolUseChecks } from "./account.ts";
import { addressChecks, grammarChecks } from "./address.ts";
import { decodeChecks, fieldChecks } from "./body.ts";
import { type CheckGroup, type CheckText, group } from "./check.ts";
import { dnsChecks, hostnameChecks, quotaChecks } from "./dns.ts";
import { shapeChecks } from "./format.ts";
import { crossZoneChecks, nameChecks } from "./name.ts";
import { networkChecks, routeChecks } from "./network.ts";
import { originChecks } from "./origins.ts";
import { protocolChecks } from "./protocol.ts";

export const decodeGroups = [group(decodeChecks, ({ fault }) => fault !== undefined)];
export const fieldGroups = [group(fieldChecks)];
export const shapeGroups = [group(shapeChecks)];

/** The phases after the shape, each with its checks in the order of `spec`. */
export const candidatePhases: readonly (readonly CheckGroup<Candidate>[])[] = [
  [group(protocolChecks)],
  [
    group(originChecks),
    group(networkChecks, isVirtual),
    group(grammarChecks, (candidate) => !isAddressed(candidate)),
    group(addressChecks),
    group(nameChecks, isByName),
    group(dnsChecks),
  ],
  [group(featureChecks), group(edgeIpChecks, isStatic)],
  [
    group(protocolUseChecks),
    group(crossZoneChecks, isByName),
    group(routeChecks, isVirtual),
    group(hostnameChecks),
    group(edgeUseChecks, isStatic),
    group(quotaChecks),
  ],
];

/** A catalogue entry without its rule: what the page of codes shows. */
export type CheckEntry = CheckText & { readonly mends: boolean };

/**
 * Every check, in order.
 *
 * @example checks.find((check) => check.id === "origin-brackets")?.code // 11002
 */
export const checks: readonly CheckEntry[] = [
  ...decodeChecks,
  ...fieldChecks,
  ...shapeChecks,
  ...candidatePhases.flat().flatMap(({ checks }) => checks),
];
