/** Deletes the resources of zones and accounts that a world file no longer lists. */
import type { CollectionName } from "../../store/collections.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { brandScope } from "../../store/records/brand.ts";
import { imagesScope } from "../../store/records/images.ts";
import { registryScope } from "../../store/records/proxy.ts";
import { isRemoved, worldScope } from "../../store/records/world.ts";
import { bumpRevision as bumpBrandRevision } from "../brand/account-state.ts";
import { blobsOf } from "../brand/logos/logo-blobs.ts";
import { release, releaseHostname } from "../proxy/registry.ts";
import { bumpAccountRevision, bumpRevision } from "../tokens/revision.ts";
import { nameOf } from "./report.ts";
import { worldApp } from "./seeds/proxy.ts";

/**
 * The scope of each collection's records. Revisions stay: another process may have compiled what had the same
 * number.
 */
const scopes = {
  zone_settings: "zones",
  token_configs: "zones",
  token_rules: "zones",
  operations: "zones",
  zone_rulesets: "zones",
  account_rulesets: "accounts",
  rule_lists: "accounts",
  proxy_apps: "zones",
  brand_domain_queries: "accounts",
  brand_domain_lookbacks: "accounts",
  brand_domains: "accounts",
  brand_domain_matches: "accounts",
  brand_logo_queries: "accounts",
  brand_logo_lookbacks: "accounts",
  brand_logo_scans: "accounts",
  brand_logo_segments: "accounts",
  brand_logo_matches: "accounts",
  images: "accounts",
  image_variants: "accounts",
  signing_keys: "accounts",
  accounts: "other",
  zones: "other",
  api_tokens: "other",
  token_revisions: "other",
  account_revisions: "other",
  proxy_hostnames: "other",
  proxy_edge_ips: "other",
  proxy_facts: "other",
  brand_settings: "other",
  brand_states: "other",
  image_accounts: "other",
} as const satisfies Record<CollectionName, "zones" | "accounts" | "other">;

const collectionsOf = (kind: "zones" | "accounts"): readonly CollectionName[] =>
  (Object.keys(scopes) as CollectionName[]).filter((name) => scopes[name] === kind);

/**
 * Deletes the resources of every zone and account that does not exist; of none where there is no list.
 *
 * @returns keys of the released blobs: those that no other record may name are deleted after the transaction
 */
export async function prune(tx: WriteTransaction, note: (line: string) => void): Promise<readonly string[]> {
  const blobs: string[] = [];
  let isPruned = false;
  for (const kind of ["zones", "accounts"] as const) {
    for (const id of await missingScopes(tx, kind)) {
      if (kind === "zones") await releaseNames(tx, id);
      else blobs.push(...(await blobKeys(tx, id)));
      const records = await deleteResources(tx, kind, id);
      const tombstone = await tx.get(kind, worldScope, id);
      if (tombstone) await tx.replace(kind, { ...tombstone, pruned: true } as never);
      isPruned = true;
      note(
        `deleted the resources of ${nameOf(kind, id)}, which does not exist any more (records: ${records})`,
      );
    }
  }
  if (!isPruned) note("there are no resources of removed zones and accounts to delete");
  if (blobs.length > 0) await tx.releaseBlobs(blobs);
  return blobs;
}

/** Scopes with records, and removed ones, that are not listed. */
async function missingScopes(tx: WriteTransaction, kind: "zones" | "accounts"): Promise<readonly string[]> {
  const records = await tx.find(kind, worldScope);
  if (records.length === 0) return [];
  const found = new Set(records.filter((record) => isRemoved(record) && !record.pruned).map(({ id }) => id));
  for (const collection of collectionsOf(kind))
    for (const scope of await tx.scopes(collection)) found.add(scope);
  if (kind === "accounts") for (const { id } of await tx.find("image_accounts", imagesScope)) found.add(id);
  for (const record of records) if (!isRemoved(record)) found.delete(record.id);
  return [...found];
}

async function deleteResources(
  tx: WriteTransaction,
  kind: "zones" | "accounts",
  id: string,
): Promise<number> {
  let count = 0;
  for (const collection of collectionsOf(kind)) count += await tx.deleteWhere(collection, id, []);
  if (kind === "zones") {
    await tx.delete("proxy_facts", id, "zone");
    await bumpRevision(tx, id, { has_operations: false });
    return count;
  }
  await tx.delete("image_accounts", imagesScope, id);
  await bumpAccountRevision(tx, id);
  await tx.delete("proxy_facts", id, "account");
  await tx.delete("brand_settings", brandScope, id);
  for (const part of ["domains", "logos"] as const) await bumpBrandRevision(tx, id, part, { options: {} });
  return count;
}

/** Host names and edge addresses of the zone become free. */
async function releaseNames(tx: WriteTransaction, zone: string): Promise<void> {
  for (const { id, app } of await tx.find("proxy_apps", zone)) await release(tx, zone, id, app);
  const where = [{ field: "zone", op: "eq", value: zone }] as const;
  for (const { id } of await tx.find("proxy_hostnames", registryScope, { where }))
    await releaseHostname(tx, zone, id, worldApp.id);
}

async function blobKeys(tx: WriteTransaction, account: string): Promise<readonly string[]> {
  const images = await tx.find("images", account);
  const logos = await tx.find("brand_logo_queries", account);
  const scans = await tx.find("brand_logo_scans", account);
  const segments = await tx.find("brand_logo_segments", account);
  return [
    ...images.flatMap(({ original }) => (original ? [original.blob] : [])),
    ...logos.flatMap((logo) => blobsOf(logo.store_path, "query")),
    ...scans.flatMap((scan) => blobsOf(scan.blob, "scan")),
    ...segments.map(({ blob }) => blob),
  ];
}
