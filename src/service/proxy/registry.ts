/**
 * The registry of host names and edge addresses in use. It changes in the transaction that stores the application, so
 * that a name or address never belongs to two zones.
 */
import { foldHostname } from "../../engine/proxy/grammar/hostname.ts";
import { parseIp, printIp } from "../../engine/proxy/grammar/ip.ts";
import type { App } from "../../engine/proxy/model.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { registryScope } from "../../store/records/proxy.ts";

/** The names and addresses that an application uses. */
function claimsOf({ dns, edge_ips }: App) {
  const ipv4 = edge_ips.type === "dynamic" && edge_ips.connectivity !== "ipv6";
  const ips = edge_ips.type === "static" ? edge_ips.ips : [];
  const canonical = ips.map((text) => {
    const ip = parseIp(text);
    return ip.ok ? printIp(ip.value) : text;
  });
  return { hostname: foldHostname(dns.name), ipv4, ips: [...new Set(canonical)] };
}

/** Claims the host name and edge addresses of a new application. */
export async function claim(tx: WriteTransaction, zone: string, id: string, app: App): Promise<void> {
  const { hostname, ipv4, ips } = claimsOf(app);
  await claimHostname(tx, zone, hostname, { id, ipv4 });
  for (const ip of ips) await claimEdgeIp(tx, zone, ip, id);
}

/** Releases the host name and edge addresses of an application that no other application uses. */
export async function release(tx: WriteTransaction, id: string, app: App): Promise<void> {
  const { hostname, ips } = claimsOf(app);
  await releaseHostname(tx, hostname, id);
  for (const ip of ips) await releaseEdgeIp(tx, ip, id);
}

async function claimHostname(
  tx: WriteTransaction,
  zone: string,
  name: string,
  app: { readonly id: string; readonly ipv4: boolean },
): Promise<void> {
  const stored = await tx.get("proxy_hostnames", registryScope, name);
  const apps = [...(stored?.apps ?? []), app];
  const record = { scope: registryScope, id: name, zone, ipv4: apps.some((a) => a.ipv4), apps };
  if (stored) await tx.replace("proxy_hostnames", record);
  else await tx.insert("proxy_hostnames", record);
}

async function releaseHostname(tx: WriteTransaction, name: string, app: string): Promise<void> {
  const stored = await tx.get("proxy_hostnames", registryScope, name);
  if (!stored) return;
  const apps = stored.apps.filter((a) => a.id !== app);
  if (apps.length === 0) await tx.delete("proxy_hostnames", registryScope, name);
  else await tx.replace("proxy_hostnames", { ...stored, apps, ipv4: apps.some((a) => a.ipv4) });
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
