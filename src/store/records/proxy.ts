/** Records of proxy applications, which are scoped by zone, and of names and addresses that are unique across zones. */

import type { Facts } from "../../engine/proxy/facts/facts.ts";
import type { App } from "../../engine/proxy/model.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** Scope of the names and addresses that only one zone may use. */
export const registryScope = "registry";

/** An application. `id` is 32 hex digits. `protocol` and `dns_name` copy members of `app`, so that lists can be ordered by them. */
export interface ProxyAppRecord extends StoredRecord {
  readonly created_on: string;
  readonly modified_on: string;
  readonly protocol: string;
  readonly dns_name: string;
  readonly app: App;
}

/** An application on a host name. */
export interface HostnameUser {
  /** Empty for an application of the world file. */
  readonly id: string;
  readonly ipv4: boolean;
  /** Its zone; absent when it is that of the record. */
  readonly zone?: string;
}

/** A host name in use. `id` is the name in lower case, without a trailing dot. */
export interface ProxyHostnameRecord extends StoredRecord {
  /** The zone that used the name last. */
  readonly zone: string;
  /** Whether it uses an address of the zone's IPv4 quota. */
  readonly ipv4: boolean;
  /** The applications on the name. Applications of other zones than `zone` were there before their zone was removed. */
  readonly apps: readonly HostnameUser[];
}

/** A static edge address in use. `id` is the address in canonical notation. */
export interface ProxyEdgeIpRecord extends StoredRecord {
  readonly zone: string;
  /** Whether the zone was deleted, which leaves the application orphaned. */
  readonly deleted: boolean;
  readonly apps: readonly string[];
}

/** Facts from the world file about an account or a zone; `id` is "account" or "zone". */
export interface ProxyFactsRecord extends StoredRecord {
  readonly facts: Pick<Facts, "plan" | "features" | "prefixes" | "protocols" | "virtual_networks">;
  readonly ipv4_quota: number | null;
  /** Names of the zone's proxied DNS records, in lower case without a trailing dot; absent without one. */
  readonly proxied_names?: readonly string[];
}

/** Fields by which a list can be ordered, by the value of the query parameter `order` (`observed`). */
export const appOrderFields = {
  protocol: "protocol",
  app_id: "id",
  created_on: "created_on",
  modified_on: "modified_on",
  dns: "dns_name",
} as const;

export const proxyApps = defineCollection<ProxyAppRecord>({
  fields: { protocol: "text", created_on: "text", modified_on: "text", dns_name: "text" },
  indexes: [["dns_name"], ["protocol"]],
});
export const proxyHostnames = defineCollection<ProxyHostnameRecord>({
  fields: { zone: "text", ipv4: "boolean" },
  indexes: [["zone", "ipv4"]],
});
export const proxyEdgeIps = defineCollection<ProxyEdgeIpRecord>({ fields: {} });
export const proxyFacts = defineCollection<ProxyFactsRecord>({ fields: {} });
