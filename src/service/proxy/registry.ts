/**
 * The registry of host names and edge addresses in use. It changes in the transaction that stores the application, so
 * that a name or address never belongs to two zones.
 */

import { parseIp, printIp } from "../../core/address/ip.ts";
import { foldHostname } from "../../engine/proxy/grammar/hostname.ts";
import type { App } from "../../engine/proxy/model.ts";
import { usesIpv4 } from "../../engine/proxy/read/candidate.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { type HostnameUser, type ProxyHostnameRecord, registryScope } from "../../store/records/proxy.ts";

/** The names and addresses that an application uses. */
function claimsOf(app: App) {
  const { dns, edge_ips } = app;
  const ips = edge_ips.type === "static" ? edge_ips.ips : [];
  const canonical = ips.map((text) => {
    const ip = parseIp(text);
    return ip.ok ? printIp(ip.value) : text;
  });
  return { hostname: foldHostname(dns.name), ipv4: usesIpv4(app), ips: [...new Set(canonical)] };
}

/** Claims the host name and edge addresses of a new application. */
export async function claim(tx: WriteTransaction, zone: string, id: string, app: App): Promise<void> {
  const { hostname, ipv4, ips } = claimsOf(app);
  await claimHostname(tx, zone, hostname, { id, ipv4 });
  for (const ip of ips) await claimEdgeIp(tx, zone, ip, id);
}

/** Releases the host name and edge addresses of an application that no other application uses. */
export async function release(tx: WriteTransaction, zone: string, id: string, app: App): Promise<void> {
  const { hostname, ips } = claimsOf(app);
  await releaseHostname(tx, zone, hostname, id);
  for (const ip of ips) await releaseEdgeIp(tx, ip, id);
}

/** The zones of the applications on a name, the one that used it last first. */
export function zonesOf({ zone, apps }: ProxyHostnameRecord): readonly string[] {
  return [...new Set([zone, ...apps.map((app) => app.zone ?? zone)])];
}

/** Adds an application to a host name; the name belongs to its zone from now on. */
export async function claimHostname(
  tx: WriteTransaction,
  zone: string,
  name: string,
  app: Pick<HostnameUser, "id" | "ipv4">,
): Promise<void> {
  const stored = await tx.get("proxy_hostnames", registryScope, name);
  const record = hostnameRecord(name, zone, [...(stored ? usersOf(stored) : []), { ...app, zone }]);
  if (stored) await tx.replace("proxy_hostnames", record);
  else await tx.insert("proxy_hostnames", record);
}

/** Removes an application from a host name, which is free when no application is left. */
export async function releaseHostname(
  tx: WriteTransaction,
  zone: string,
  name: string,
  app: string,
): Promise<void> {
  const stored = await tx.get("proxy_hostnames", registryScope, name);
  if (!stored) return;
  const users = usersOf(stored).filter((user) => user.id !== app || user.zone !== zone);
  const [first] = users;
  if (!first) {
    await tx.delete("proxy_hostnames", registryScope, name);
    return;
  }
  const owner = users.some((user) => user.zone === stored.zone) ? stored.zone : first.zone;
  await tx.replace("proxy_hostnames", hostnameRecord(name, owner, users));
}

function usersOf({ zone, apps }: ProxyHostnameRecord): Required<HostnameUser>[] {
  return apps.map((app) => ({ zone, ...app }));
}

function hostnameRecord(
  id: string,
  zone: string,
  users: readonly Required<HostnameUser>[],
): ProxyHostnameRecord {
  const apps = users.map(({ id, ipv4, zone: own }) => ({ id, ipv4, ...(own !== zone && { zone: own }) }));
  const ipv4 = users.some((user) => user.ipv4 && user.zone === zone);
  return { scope: registryScope, id, zone, ipv4, apps };
}

async function claimEdgeIp(tx: WriteTransaction, zone: string, ip: string, app: string): Promise<void> {
  const stored = await tx.get("proxy_edge_ips", registryScope, ip);
  const apps = [...(stored?.apps ?? []), app];
  const record = { scope: registryScope, id: ip, zone, deleted: false, apps };
  if (stored) await tx.replace("proxy_edge_ips", record);
  else await tx.insert("proxy_edge_ips", record);
}

async function releaseEdgeIp(tx: WriteTransaction, ip: string, app: string): Promise<void> {
  const stored = await tx.get("proxy_edge_ips", registryScope, ip);
  if (!stored) return;
  const apps = stored.apps.filter((a) => a !== app);
  if (apps.length === 0) await tx.delete("proxy_edge_ips", registryScope, ip);
  else await tx.replace("proxy_edge_ips", { ...stored, apps });
}
