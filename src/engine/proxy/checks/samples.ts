/** Applications on which the examples of checks are based, and facts with which they are all valid. */
import type { Facts } from "../facts/facts.ts";

/** An origin by address. */
export const direct = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
} as const;

/** An origin by name. */
export const byName = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_dns: { name: "origin.example.com", ttl: 1200 },
  origin_port: 22,
} as const;

/** Id of the virtual network in `world`. */
export const networkId = "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415";

/** An origin in a virtual network. */
export const virtual = {
  ...direct,
  origin_direct: ["tcp://10.0.0.5:22"],
  virtual_network_id: networkId,
} as const;

/** An application on the account's own edge address. */
export const staticEdge = {
  ...direct,
  dns: { type: "ADDRESS", name: "ssh.example.com" },
  edge_ips: { type: "static", ips: ["198.51.100.10"] },
} as const;

/** All facts, with which everything above is valid. */
export const world = {
  plan: "add-on",
  features: { ftp: true, edge_ips: true, smart_routing: true },
  permissions: { ip_prefixes: true },
  prefixes: ["198.51.100.0/24", "2001:db8:1::/48"],
  protocols: { allowed: ["tcp/1-65535", "udp/1-65535"], reserved: [] },
  apps: [],
  zone: "z1",
  zones: [
    { id: "z1", name: "example.com" },
    { id: "z2", name: "example.net" },
  ],
  hostnames: [],
  edge_ips: [],
  virtual_networks: [{ id: networkId, routes: ["10.0.0.0/8", "2001:db8:10::/48"] }],
  ipv4: { quota: 10, used: 0 },
} as const satisfies Facts;
