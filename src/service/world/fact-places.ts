/** Where a world file has the facts that checks of applications need, for people whose world lacks one. */
import type { FactName } from "../../engine/proxy/model.ts";

/** Paths in a world file, in which `[]` is an element of a list. */
export const factPlaces: Readonly<Record<FactName, string>> = {
  "features.ftp": "accounts[].proxy.features.ftp",
  "features.edge_ips": "accounts[].proxy.features.edge_ips",
  "features.smart_routing": "accounts[].proxy.features.smart_routing",
  // Of the credential of a request: files have none.
  "permissions.ip_prefixes": "api_tokens[].permissions",
  prefixes: "accounts[].proxy.prefixes",
  "protocols.allowed": "accounts[].proxy.protocols.allowed",
  "protocols.reserved": "accounts[].proxy.protocols.reserved",
  apps: "zones[].proxy.applications",
  zone: "zones[].id",
  zones: "zones[].name",
  hostnames: "zones[].proxy.hostnames",
  edge_ips: "orphaned_edge_ips",
  virtual_networks: "accounts[].proxy.virtual_networks",
  ipv4: "zones[].proxy.ipv4_quota",
};
