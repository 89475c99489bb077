/** Records of proxy applications. Applications belong to their zone; what is unique across zones has scopes of its own. */

import type { Facts } from "../../engine/proxy/facts/facts.ts";
import type { App } from "../../engine/proxy/model.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** The scope of names and addresses that only one zone may hold. */
export const registryScope = "registry";

/** `id` is 32 hex digits. `protocol` and `dns_name` stand beside the application so that lists can be ordered by them. */
export interface ProxyAppRecord extends StoredRecord {
  readonly created_on: string;
  readonly modified_on: string;
  readonly protocol: string;
  readonly dns_name: string;
  readonly app: App;
}

/** `id` is the name in lower case, without a trailing dot. */
export interface ProxyHostnameRecord extends StoredRecord {
  readonly zone: string;
  /** Whether it holds an address of the zone's IPv4 quota. */
  readonly ipv4: boolean;
  /** The zone's applications on the name; the id is empty for one that only the world knows. */
  readonly apps: readonly { readonly id: string; readonly ipv4: boolean }[];
}

/** `id` is the address in canonical spelling. */
export interface ProxyEdgeIpRecord extends StoredRecord {
  readonly zone: string;
  /** Held by an orphan of a zone that is gone. */
  readonly deleted: boolean;
  readonly apps: readonly string[];
}

/** What a world says of an account or of a zone; `id` is "account" or "zone". */
export interface ProxyFactsRecord extends StoredRecord {
  readonly facts: Pick<Facts, "plan" | "features" | "prefixes" | "protocols" | "virtual_networks">;
  readonly ipv4_quota: number | null;
}

export const proxyApps = defineCollection<ProxyAppRecord>({
  fields: { protocol: "text", created_on: "text", modified_on: "text", dns_name: "text" },
  indexes: [["dns_name"]],
});
export const proxyHostnames = defineCollection<ProxyHostnameRecord>({
  fields: { zone: "text", ipv4: "boolean" },
  indexes: [["zone", "ipv4"]],
});
export const proxyEdgeIps = defineCollection<ProxyEdgeIpRecord>({ fields: {} });
export const proxyFacts = defineCollection<ProxyFactsRecord>({ fields: {} });
