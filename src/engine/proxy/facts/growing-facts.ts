/** Facts that grow: what an application uses is known to the ones that are validated after it, in all zones. */

import { parseIp, printIp } from "../../../core/address/ip.ts";
import { foldHostname } from "../grammar/hostname.ts";
import { parseProtocol, printProtocol } from "../grammar/protocol.ts";
import type { App } from "../model.ts";
import { usesIpv4 } from "../read/candidate.ts";
import {
  type CompiledFacts,
  compiledFacts,
  type EdgeIpFact,
  type HostnameUse,
  type Ipv4Facts,
  type NamedApp,
} from "./facts.ts";

/** Takes an application out of the facts again. */
export type RemoveApp = () => void;

/** Facts about a zone, and the function that adds an application of the zone to them. */
export interface GrowingFacts {
  readonly facts: CompiledFacts;
  readonly add: (app: App, id?: string) => RemoveApp;
}

/** The facts of the zones of an account, which know each other's applications. */
export interface GrowingAccount {
  /** The facts of a zone. */
  readonly zone: (id: string | undefined, ipv4: Ipv4Facts | undefined) => GrowingFacts;
  readonly uses: Uses;
}

/** The host names and edge addresses that the applications of all accounts use. */
interface Uses {
  readonly byName: Groups<HostnameUse>;
  readonly edgeIps: Groups<Omit<EdgeIpFact, "ip">> | undefined;
}

/** Copies compiled facts, so that `add` changes only the copy. */
export function growingFacts(compiled: CompiledFacts): GrowingFacts {
  return growingAccount(compiled).zone(compiled.zone, compiled.ipv4);
}

/**
 * Copies the compiled facts of an account.
 *
 * @param uses those of another account, which both then change; by default a copy of those of `compiled`
 */
export function growingAccount(compiled: CompiledFacts, uses: Uses = usesOf(compiled)): GrowingAccount {
  const byProtocol = copyGroups(compiled.apps.byProtocol);
  const byHostname = copyGroups(compiled.apps.byHostname);
  const apps = { ...compiled.apps, byProtocol, byHostname };
  const hostnames = { ...compiled.hostnames, byName: uses.byName };
  return {
    uses,
    zone: (zone, quota) => {
      const ipv4 = quota && { ...quota };
      const facts: CompiledFacts = { ...compiled, zone, apps, hostnames, edgeIps: uses.edgeIps, ipv4 };
      compiledFacts.add(facts);
      const add = (app: App, id?: string): RemoveApp => {
        const hostname = foldHostname(app.dns.name);
        const named = namedApp(app, zone, id);
        const use = { zone, ipv4: usesIpv4(app) };
        const removals = [
          ...(named
            ? [addTo(byProtocol, printProtocol(named.protocol), named), addTo(byHostname, hostname, named)]
            : []),
          ...(zone === undefined ? [] : edgeIpsOf(app).map((ip) => addTo(uses.edgeIps, ip, { zone }))),
        ];
        const holdsIpv4 = () => uses.byName.get(hostname)?.some((other) => other.ipv4 && other.zone === zone);
        if (ipv4 && use.ipv4 && !holdsIpv4()) ipv4.used++;
        removals.push(addTo(uses.byName, hostname, use));
        return () => {
          for (const remove of removals) remove();
          if (ipv4 && use.ipv4 && !holdsIpv4()) ipv4.used--;
        };
      };
      return { facts, add };
    },
  };
}

function usesOf({ hostnames, edgeIps }: CompiledFacts): Uses {
  return { byName: copyGroups(hostnames.byName), edgeIps: edgeIps && copyGroups(edgeIps) };
}

/** Undefined for an application whose protocol is malformed, as a stored one never is. */
function namedApp({ protocol, dns }: App, zone: string | undefined, id?: string): NamedApp | undefined {
  const parsed = parseProtocol(protocol);
  if (!parsed.ok) return undefined;
  const ids = { ...(zone !== undefined && { zone }), ...(id !== undefined && { id }) };
  return { protocol: parsed.value, hostname: foldHostname(dns.name), ...ids };
}

/** The static edge addresses of an application, in canonical notation. */
function edgeIpsOf({ edge_ips: edge }: App): readonly string[] {
  if (edge.type === "dynamic") return [];
  return edge.ips.flatMap((text) => {
    const ip = parseIp(text);
    return ip.ok ? [printIp(ip.value)] : [];
  });
}

type Groups<T> = Map<string, T[]>;

function copyGroups<T>(groups: ReadonlyMap<string, readonly T[]>): Groups<T> {
  return new Map([...groups].map(([key, group]) => [key, [...group]]));
}

/** Adds an item to a group. @returns the function that removes it */
function addTo<T>(groups: Groups<T> | undefined, key: string, item: T): RemoveApp {
  const group = groups?.get(key) ?? [];
  group.push(item);
  groups?.set(key, group);
  return () => group.splice(group.indexOf(item), 1);
}
