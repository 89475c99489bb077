/** What a validation can know of an application's world: what the world file says, and what the store holds. */

import { compileFacts } from "../../engine/proxy/facts/compile-facts.ts";
import type { CompiledFacts, Facts } from "../../engine/proxy/facts/facts.ts";
import { foldHostname } from "../../engine/proxy/grammar/hostname.ts";
import { parseIp, printIp } from "../../engine/proxy/grammar/ip.ts";
import type { App } from "../../engine/proxy/model.ts";
import type { ReadTransaction } from "../../store/port.ts";
import { type ProxyAppRecord, registryScope } from "../../store/records/proxy.ts";
import { worldScope } from "../../store/records/world.ts";
import type { ServiceContext } from "../context.ts";

/** What a body names, as far as it can be read without validating it. */
export interface ReferencedNames {
  readonly hostname: string | undefined;
  readonly edgeIps: readonly string[];
}

/** The host name and the edge addresses of any value; nothing for what has none. */
export function referencedIn(body: unknown, previous?: App): ReferencedNames {
  const dns = member(body, "dns") ?? previous?.dns;
  const name = member(dns, "name") ?? previous?.dns.name;
  const ips = member(member(body, "edge_ips") ?? previous?.edge_ips, "ips");
  return {
    hostname: typeof name === "string" ? foldHostname(name) : undefined,
    edgeIps: Array.isArray(ips) ? ips.flatMap(canonicalIp) : [],
  };
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function canonicalIp(text: unknown): string[] {
  const ip = typeof text === "string" ? parseIp(text) : undefined;
  return ip?.ok ? [printIp(ip.value)] : [];
}

/**
 * Gathers the facts for one body. What the simulator stores is always known: the zone's applications, and who holds
 * the names and addresses that the body asks for.
 */
export async function gatherFacts(
  { proxy = {} }: ServiceContext,
  tx: ReadTransaction,
  zone: string,
  { hostname, edgeIps }: ReferencedNames,
  ipPrefixes: boolean | undefined,
  previous?: ProxyAppRecord,
): Promise<CompiledFacts> {
  const record = await tx.get("zones", worldScope, zone);
  const account = record && (await tx.get("proxy_facts", record.account_id, "account"));
  const quota = (await tx.get("proxy_facts", zone, "zone"))?.ipv4_quota ?? undefined;
  const used = await ipv4InUse(tx, zone, previous);
  const facts: Facts = {
    ...account?.facts,
    ...(ipPrefixes !== undefined && { permissions: { ip_prefixes: ipPrefixes } }),
    zone,
    ...(await zoneFacts(tx, record?.account_id)),
    apps: (await tx.find("proxy_apps", zone)).map(({ id, protocol }) => ({ id, protocol })),
    hostnames: await claimedHostname(tx, hostname),
    edge_ips: await claimedEdgeIps(tx, edgeIps),
    ipv4: { used, ...(quota !== undefined && { quota }) },
    ...(proxy.zoneOf && { zoneOf: proxy.zoneOf }),
    ...(proxy.originAccess && { originAccess: proxy.originAccess }),
  };
  return compileFacts(facts);
}

/** IPv4 addresses of the zone that stay in use when the previous application goes. */
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
  const holders = own?.apps.filter((app) => app.ipv4) ?? [];
  return used - (holders.length === 1 && holders[0]?.id === previous?.id ? 1 : 0);
}

/** The zones of the account; unknown without a world that lists zones. */
async function zoneFacts(tx: ReadTransaction, account: string | undefined): Promise<Pick<Facts, "zones">> {
  if (account === undefined) return {};
  const zones = await tx.find("zones", worldScope, {
    where: [{ field: "account_id", op: "eq", value: account }],
  });
  return { zones: zones.map(({ id, name }) => ({ id, name })) };
}

async function claimedHostname(tx: ReadTransaction, name: string | undefined): Promise<Facts["hostnames"]> {
  const held = name === undefined ? undefined : await tx.get("proxy_hostnames", registryScope, name);
  return held ? [{ name: held.id, zone: held.zone, ipv4: held.ipv4 }] : [];
}

async function claimedEdgeIps(tx: ReadTransaction, ips: readonly string[]): Promise<Facts["edge_ips"]> {
  const held = await tx.find("proxy_edge_ips", registryScope, {
    where: [{ field: "id", op: "in", value: [...new Set(ips)] }],
  });
  return held.map(({ id, zone, deleted }) => ({ ip: id, zone, deleted }));
}
