/** Facts that grow: what an application uses is known to the ones that are validated after it. */
import { foldHostname } from "../grammar/hostname.ts";
import { parseProtocol, printProtocol } from "../grammar/protocol.ts";
import type { App } from "../model.ts";
import { usesIpv4 } from "../read/candidate.ts";
import type { CompiledFacts, HostnameUse } from "./facts.ts";

/** Facts, and the function that adds an application of the zone to them. */
export interface GrowingFacts {
  readonly facts: CompiledFacts;
  readonly add: (app: App) => void;
}

/** Copies compiled facts, so that `add` changes only the copy. */
export function growingFacts(compiled: CompiledFacts): GrowingFacts {
  const byProtocol = copyGroups(compiled.apps.byProtocol);
  const byHostname = copyGroups(compiled.apps.byHostname);
  const byName = copyGroups(compiled.hostnames.byName);
  const ipv4 = compiled.ipv4 && { ...compiled.ipv4 };
  const { zone } = compiled;
  const facts: CompiledFacts = {
    ...compiled,
    apps: { ...compiled.apps, byProtocol, byHostname },
    hostnames: { ...compiled.hostnames, byName },
    ipv4,
  };
  const add = (app: App) => {
    const protocol = parseProtocol(app.protocol);
    const hostname = foldHostname(app.dns.name);
    if (protocol.ok) {
      const known = { protocol: protocol.value, hostname, ...(zone !== undefined && { zone }) };
      addTo(byProtocol, printProtocol(protocol.value), known);
      addTo(byHostname, hostname, known);
    }
    const takesIpv4 = (use: HostnameUse) => use.ipv4 === true && use.zone === zone;
    if (ipv4 && usesIpv4(app) && !byName.get(hostname)?.some(takesIpv4)) ipv4.used++;
    addTo(byName, hostname, { zone, ipv4: usesIpv4(app) });
  };
  return { facts, add };
}

function copyGroups<T>(groups: ReadonlyMap<string, readonly T[]>): Map<string, T[]> {
  return new Map([...groups].map(([key, group]) => [key, [...group]]));
}

function addTo<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
