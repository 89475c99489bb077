/** Makes the store follow the proxy members of a world. */

import { parseIp, printIp } from "../../../core/address/ip.ts";
import { foldHostname } from "../../../engine/proxy/grammar/hostname.ts";
import { quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import {
  type ProxyFactsRecord,
  type ProxyHostnameRecord,
  registryScope,
} from "../../../store/records/proxy.ts";
import { scopeExists } from "../../context.ts";
import { claimHostname, releaseHostname, zonesOf } from "../../proxy/registry.ts";
import { keptLine } from "../lists.ts";
import type { ParsedWorld, SeedPart, WorldAccount, WorldZone } from "../part.ts";
import { describeChanges, isSame, nameOf, type SeedLog } from "../report.ts";

/** Facts about accounts and zones, and the edge addresses of orphaned applications. All of it follows the world. */
export const proxyPart = (world: ParsedWorld): SeedPart => ({
  follow: async (tx, report) => {
    for (const account of world.accounts ?? []) await followAccount(tx, account, report);
    for (const zone of world.zones ?? []) await followZone(tx, zone, report);
    await followHostnames(tx, world.zones ?? [], report);
    await followOrphans(tx, world.orphaned_edge_ips, report);
  },
});

/** Represents an application of the world file in the list of a name's applications, so that the name stays in use. */
export const worldApp = { id: "", ipv4: false };

async function followAccount(
  tx: WriteTransaction,
  { id, proxy }: WorldAccount,
  report: SeedLog,
): Promise<void> {
  const before = await tx.get("proxy_facts", id, "account");
  const changes = describeChanges(before?.facts ?? {}, proxy ?? {});
  if (changes !== "" && !report.isNew("accounts", id))
    report.note(`changed ${nameOf("accounts", id)}: ${changes}`);
  await putFacts(tx, before, proxy && { scope: id, id: "account", facts: proxy, ipv4_quota: null });
}

async function followZone(tx: WriteTransaction, zone: WorldZone, report: SeedLog): Promise<void> {
  const { id, proxy, dns_records = [] } = zone;
  const before = await tx.get("proxy_facts", id, "zone");
  const ipv4_quota = proxy?.ipv4_quota ?? null;
  const proxied = new Set(dns_records.filter(({ proxied }) => proxied).map(({ name }) => foldHostname(name)));
  const names = proxied.size > 0 && { proxied_names: [...proxied] };
  const changes = describeChanges(
    { ipv4_quota: before?.ipv4_quota ?? null, dns_records: before?.proxied_names },
    { ipv4_quota, dns_records: names ? names.proxied_names : undefined },
  );
  if (changes !== "" && !report.isNew("zones", id)) report.note(`changed ${nameOf("zones", id)}: ${changes}`);
  const hasFacts = proxy !== undefined || names !== false;
  const after = hasFacts ? { scope: id, id: "zone", facts: {}, ipv4_quota, ...names } : undefined;
  await putFacts(tx, before, after);
}

async function putFacts(
  tx: WriteTransaction,
  before: ProxyFactsRecord | undefined,
  after: ProxyFactsRecord | undefined,
): Promise<void> {
  if (isSame(before, after)) return;
  if (!after) await tx.delete("proxy_facts", before?.scope ?? "", before?.id ?? "");
  else if (before) await tx.replace("proxy_facts", after);
  else await tx.insert("proxy_facts", after);
}

/** All names that change are released before they are claimed, so that a name can move to another zone. */
async function followHostnames(
  tx: WriteTransaction,
  zones: readonly WorldZone[],
  report: SeedLog,
): Promise<void> {
  const missing: { readonly zone: string; readonly name: string }[] = [];
  for (const { id: zone, proxy } of zones) {
    const wanted = new Set((proxy?.hostnames ?? []).map(foldHostname));
    const before = await worldHostnames(tx, zone);
    for (const name of before) {
      if (wanted.has(name)) continue;
      await releaseHostname(tx, zone, name, worldApp.id);
      report.note(`removed host name ${quote(name)} of ${nameOf("zones", zone)}`);
    }
    for (const name of wanted) if (!before.has(name)) missing.push({ zone, name });
  }
  for (const { zone, name } of missing) {
    const owner = await ownerOf(tx, name);
    const noun = `host name ${quote(name)} of ${nameOf("zones", zone)}`;
    if (owner !== undefined && owner !== zone) {
      report.note(`${noun} was not added; applications of ${nameOf("zones", owner)} use it`);
      continue;
    }
    await claimHostname(tx, zone, name, worldApp);
    if (!report.isNew("zones", zone)) report.note(`added ${noun}`);
  }
}

/** The names that the world file gave to a zone. */
async function worldHostnames(tx: ReadTransaction, zone: string): Promise<ReadonlySet<string>> {
  const where = [{ field: "zone", op: "eq", value: zone }] as const;
  const records = await tx.find("proxy_hostnames", registryScope, { where });
  const isWorlds = ({ apps }: ProxyHostnameRecord) => {
    return apps.some((app) => app.id === worldApp.id && (app.zone ?? zone) === zone);
  };
  return new Set(records.filter(isWorlds).map(({ id }) => id));
}

/** The existing zone that uses a name. */
async function ownerOf(tx: ReadTransaction, name: string): Promise<string | undefined> {
  const stored = await tx.get("proxy_hostnames", registryScope, name);
  for (const zone of stored ? zonesOf(stored) : []) if (await scopeExists(tx, "zones", zone)) return zone;
  return undefined;
}

/** Zone id of orphaned addresses, whose zone was deleted. */
const noZone = "";

/** Makes the orphaned addresses those of the world; without a list those of the store stay. */
async function followOrphans(
  tx: WriteTransaction,
  ips: readonly string[] | undefined,
  { note, isFirst, adds }: SeedLog,
): Promise<void> {
  const stored = await tx.find("proxy_edge_ips", registryScope);
  const before = stored.filter(({ zone }) => zone === noZone);
  if (!ips) {
    if (before.length > 0 && !adds) note(keptLine("orphaned_edge_ips", before.length));
    return;
  }
  const wanted = new Set(ips.map(parseIp).flatMap((ip) => (ip.ok ? [printIp(ip.value)] : [])));
  for (const { id } of before) {
    if (adds || wanted.has(id)) continue;
    await tx.delete("proxy_edge_ips", registryScope, id);
    note(`removed orphaned edge address ${quote(id)}`);
  }
  const users = new Map(stored.map(({ id, zone }) => [id, zone]));
  for (const id of wanted) {
    const user = users.get(id);
    if (user === noZone) continue;
    if (user === undefined) {
      await tx.insert("proxy_edge_ips", { scope: registryScope, id, zone: noZone, deleted: true, apps: [] });
      if (!isFirst) note(`added orphaned edge address ${quote(id)}`);
    } else if (await scopeExists(tx, "zones", user)) {
      note(
        `orphaned edge address ${quote(id)} was not added; an application of ${nameOf("zones", user)} uses it`,
      );
    }
  }
}
