/** Gathers the facts of a validation from the world file and the store. */

import { parseIp, printIp } from "../../core/address/ip.ts";
import { isJsonObject, ownMember } from "../../core/json-value.ts";
import { compileFacts } from "../../engine/proxy/facts/compile-facts.ts";
import {
  type CompiledFacts,
  defaultPlan,
  type Facts,
  type Plan,
  type ZoneFact,
} from "../../engine/proxy/facts/facts.ts";
import { foldHostname } from "../../engine/proxy/grammar/hostname.ts";
import { parseProtocol, spellingsOf } from "../../engine/proxy/grammar/protocol.ts";
import type { App } from "../../engine/proxy/model.ts";
import type { ReadTransaction } from "../../store/port.ts";
import { type ProxyAppRecord, type ProxyHostnameRecord, registryScope } from "../../store/records/proxy.ts";
import { isRemoved, worldScope } from "../../store/records/world.ts";
import { type ServiceContext, scopeExists } from "../context.ts";
import { zonesOf } from "./registry.ts";

/** Protocol, host name and edge addresses in an unvalidated body. */
export interface ReferencedNames {
  /** All spellings of the protocol; none when it is malformed. */
  readonly protocols: readonly string[];
  /** In lower case, without a trailing dot. */
  readonly hostname: string | undefined;
  /** In canonical notation. */
  readonly edgeIps: readonly string[];
}

/** The protocol, the host name and the well-formed edge addresses of any value. */
export function referencedIn(body: unknown, previous?: App): ReferencedNames {
  const dns = member(body, "dns") ?? previous?.dns;
  const name = member(dns, "name") ?? previous?.dns.name;
  const ips = member(member(body, "edge_ips") ?? previous?.edge_ips, "ips");
  const text = member(body, "protocol") ?? previous?.protocol;
  const protocol = typeof text === "string" ? parseProtocol(text) : undefined;
  return {
    protocols: protocol?.ok ? spellingsOf(protocol.value) : [],
    hostname: typeof name === "string" ? foldHostname(name) : undefined,
    edgeIps: Array.isArray(ips) ? ips.flatMap(canonicalIp) : [],
  };
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? ownMember(value, name) : undefined;
}

function canonicalIp(text: unknown): string[] {
  const ip = typeof text === "string" ? parseIp(text) : undefined;
  return ip?.ok ? [printIp(ip.value)] : [];
}

/**
 * Gathers the facts for one body, of which only those about other applications that matter for it are read: the users
 * of its host name and edge addresses, and for a pay-as-you-go account the applications of its protocol in all zones.
 */
export async function gatherFacts(
  { proxy = {} }: ServiceContext,
  tx: ReadTransaction,
  zone: string,
  { protocols, hostname, edgeIps }: ReferencedNames,
  ipPrefixes: boolean | undefined,
  previous?: ProxyAppRecord,
): Promise<CompiledFacts> {
  const record = await tx.get("zones", worldScope, zone);
  const account = record && (await tx.get("proxy_facts", record.account_id, "account"));
  const own = await tx.get("proxy_facts", zone, "zone");
  const quota = own?.ipv4_quota ?? undefined;
  const isProxied = hostname !== undefined && own?.proxied_names?.includes(hostname) === true;
  const used = await ipv4InUse(tx, zone, previous);
  const zones = await zonesOfAccount(tx, record?.account_id);
  const claim = hostname === undefined ? undefined : await tx.get("proxy_hostnames", registryScope, hostname);
  // Without a list of zones there is only this one.
  const limited = account?.facts.plan === "pay-as-you-go" ? (zones ?? [{ id: zone }]) : [];
  const facts: Facts = {
    ...account?.facts,
    ...(ipPrefixes !== undefined && { permissions: { ip_prefixes: ipPrefixes } }),
    zone,
    ...(zones && { zones, other_zones: await otherZones(tx, record?.account_id, hostname) }),
    apps: await appsOf(tx, zone, limited, protocols, claim),
    hostnames: await claimedHostname(tx, claim),
    edge_ips: await claimedEdgeIps(tx, edgeIps),
    ipv4: { used, ...(quota !== undefined && { quota }) },
    ...(isProxied && { dns_records: [{ name: hostname, proxied: true }] }),
    ...(proxy.zoneOf && { zoneOf: proxy.zoneOf }),
    ...(proxy.originAccess && { originAccess: proxy.originAccess }),
  };
  return compileFacts(facts);
}

/** The plan of the zone's account. */
export async function planOf(tx: ReadTransaction, zone: string): Promise<Plan> {
  const record = await tx.get("zones", worldScope, zone);
  const account = record && (await tx.get("proxy_facts", record.account_id, "account"));
  return account?.facts.plan ?? defaultPlan;
}

/** The applications of a protocol in some zones, and those of a host name in the zone itself. */
async function appsOf(
  tx: ReadTransaction,
  zone: string,
  zones: readonly { readonly id: string }[],
  protocols: readonly string[],
  claim: ProxyHostnameRecord | undefined,
): Promise<Facts["apps"]> {
  const apps: ProxyAppRecord[] = [];
  for (const { id } of protocols.length > 0 ? zones : []) {
    apps.push(
      ...(await tx.find("proxy_apps", id, { where: [{ field: "protocol", op: "in", value: protocols }] })),
    );
  }
  const known = new Set(apps.filter(({ scope }) => scope === zone).map(({ id }) => id));
  const users = (claim?.apps ?? []).filter((user) => (user.zone ?? claim?.zone) === zone);
  const ids = users.map(({ id }) => id).filter((id) => id !== "" && !known.has(id));
  if (ids.length > 0)
    apps.push(...(await tx.find("proxy_apps", zone, { where: [{ field: "id", op: "in", value: ids }] })));
  return apps.map(({ id, scope, protocol, dns_name }) => ({ id, zone: scope, protocol, hostname: dns_name }));
}

/** Number of the zone's IPv4 addresses in use, without the previous application. */
async function ipv4InUse(
  tx: ReadTransaction,
  zone: string,
  previous: ProxyAppRecord | undefined,
): Promise<number> {
  const used = await tx.count("proxy_hostnames", registryScope, [
    { field: "zone", op: "eq", value: zone },
    { field: "ipv4", op: "eq", value: true },
  ]);
  const own = previous && (await tx.get("proxy_hostnames", registryScope, foldHostname(previous.dns_name)));
  const users = own?.apps.filter((app) => app.ipv4) ?? [];
  return used - (users.length === 1 && users[0]?.id === previous?.id ? 1 : 0);
}

/** The zones of the account; unknown when the world file lists no zones. */
async function zonesOfAccount(
  tx: ReadTransaction,
  account: string | undefined,
): Promise<readonly ZoneFact[] | undefined> {
  if (account === undefined) return undefined;
  const zones = await tx.find("zones", worldScope, {
    where: [{ field: "account_id", op: "eq", value: account }],
  });
  return zones.filter((zone) => !isRemoved(zone)).map(({ id, name }) => ({ id, name }));
}

/** The zones of other accounts in whose domains a name is. */
async function otherZones(
  tx: ReadTransaction,
  account: string | undefined,
  hostname: string | undefined,
): Promise<readonly ZoneFact[]> {
  if (hostname === undefined || account === undefined) return [];
  const labels = hostname.split(".");
  // A name of more labels than DNS allows is rejected for its format.
  const suffixes = labels.slice(0, maxLabels).map((_, i) => labels.slice(i).join("."));
  const zones = await tx.find("zones", worldScope, {
    where: [
      { field: "name", op: "in", value: suffixes },
      { field: "account_id", op: "ne", value: account },
    ],
  });
  return zones.filter((zone) => !isRemoved(zone)).map(({ id, name }) => ({ id, name }));
}

/** Maximum number of labels of a name of 253 characters. */
const maxLabels = 127;

/** The existing zone whose applications use the name; applications of removed zones do not count. */
async function claimedHostname(
  tx: ReadTransaction,
  claim: ProxyHostnameRecord | undefined,
): Promise<Facts["hostnames"]> {
  if (!claim) return [];
  for (const zone of zonesOf(claim)) {
    if (await scopeExists(tx, "zones", zone)) return [{ name: claim.id, zone, ipv4: claim.ipv4 }];
  }
  return [];
}

/** The addresses in use; those of removed zones are orphaned. */
async function claimedEdgeIps(tx: ReadTransaction, ips: readonly string[]): Promise<Facts["edge_ips"]> {
  const claims = await tx.find("proxy_edge_ips", registryScope, {
    where: [{ field: "id", op: "in", value: [...new Set(ips)] }],
  });
  const facts = [];
  for (const { id, zone, deleted } of claims)
    facts.push({ ip: id, zone, deleted: deleted || !(await scopeExists(tx, "zones", zone)) });
  return facts;
}
