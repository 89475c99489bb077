/** The advice of each check is followed, and the application is validated again. */
import { type CheckEntry, checks, type Facts, validateApp } from "edgeproof/proxy";
import { expect, test } from "vitest";
import { networkId, world } from "../../../src/engine/proxy/checks/samples.ts";

/** A change that an advice names: members of the body, and facts; a member that is undefined is removed. */
interface Step {
  readonly body?: object;
  readonly facts?: Facts;
}

const remove = undefined;
const dynamic = { edge_ips: { type: "dynamic" }, dns: { type: "CNAME", name: "ssh.example.com" } };
const static_ = {
  edge_ips: { type: "static", ips: ["198.51.100.10"] },
  dns: { type: "ADDRESS", name: "ssh.example.com" },
};
const tcp = { protocol: "tcp/22", origin_direct: ["tcp://192.0.2.1:22"] };
const publicOrigin = { origin_direct: ["tcp://192.0.2.1:22"], virtual_network_id: remove };
const name = (change: object) => ({ origin_dns: { name: "origin.example.com", ...change } });
const byAddress = { origin_dns: remove, origin_direct: ["tcp://192.0.2.1:22"] };
const inNetwork = {
  origin_dns: remove,
  origin_direct: ["tcp://10.0.0.5:22"],
  virtual_network_id: networkId,
};
const host = (value: string) => ({ dns: { type: "CNAME", name: value } });
const address = { edge_ips: { type: "static", ips: ["198.51.100.11"] } };

/** The alternatives of each advice. A check without any has an advice that changes more than the application. */
const advice: Readonly<Record<string, readonly Step[]>> = {
  "body-not-an-object": [],
  "body-not-json": [{ body: { comment: remove } }],
  "member-unknown": [{ body: { orgin_direct: remove, origin_direct: ["tcp://192.0.2.1:22"] } }],
  "member-needs-add-on": [{ body: { tls: remove } }, { facts: { plan: "add-on" } }],
  "member-ignored": [
    { body: { trafic_type: remove, traffic_type: "http" } },
    { body: { trafic_type: remove } },
  ],
  "member-missing": [{ body: { protocol: "tcp/22" } }],
  "member-type": [{ body: { ip_firewall: true } }],
  "member-value": ["off", "flexible", "full", "strict"].map((tls) => ({ body: { tls } })),
  "list-length": [{ body: static_ }],
  "protocol-syntax": ["tcp/22", "ssh"].map((protocol) => ({ body: { protocol } })),
  "hostname-syntax": [{ body: host("ssh.example.com") }, { body: host("xn--bcher-kva.example.com") }],
  "edge-ip-syntax": [{ body: static_ }],
  "origin-port-syntax": [{ body: { origin_port: 65_535 } }, { body: { origin_port: remove } }],
  "member-without-effect": [{ body: { edge_ips: { type: "dynamic" } } }, { body: static_ }],
  "protocol-outside-plan": [
    { body: { protocol: "tcp/80" } },
    { facts: { protocols: { allowed: ["tcp/22"], reserved: [] } } },
  ],
  "protocol-reserved": [{ body: { protocol: "udp/54" } }],
  "origin-both": [{ body: { origin_dns: remove } }, { body: { origin_direct: remove } }],
  "origin-none": [
    { body: { origin_direct: ["tcp://192.0.2.1:22"] } },
    { body: { ...name({}), origin_port: 22 } },
  ],
  "network-with-origin-dns": [{ body: inNetwork }, { body: { virtual_network_id: remove } }],
  "network-several-origins": [{ body: { origin_direct: ["tcp://10.0.0.5:22"] } }],
  "network-address-range": [{ body: { origin_direct: ["tcp://10.0.0.5:22"] } }],
  "network-port-range": [{ body: { origin_port: 22 } }, { body: { origin_port: remove } }],
  "network-uuid": [{ body: { virtual_network_id: networkId } }],
  "origin-brackets": [{ body: { origin_direct: ["tcp://[2001:db8::1]:443"] } }],
  "origin-spelling": [{ body: { origin_direct: ["tcp://128.66.0.1:22"] } }],
  "origin-port-grammar": [{ body: { origin_direct: ["tcp://192.0.2.1:22"] } }],
  "origin-syntax": [
    { body: { origin_direct: ["tcp://192.0.2.1:22"] } },
    { body: { origin_direct: remove, ...name({}), origin_port: 22 } },
  ],
  "origin-denied": [
    { body: { origin_direct: ["tcp://192.0.2.1:22"] } },
    { body: { virtual_network_id: networkId } },
  ],
  "origin-scheme": [{ body: { protocol: "udp/22" } }, { body: { origin_direct: ["tcp://192.0.2.1:22"] } }],
  "origin-range-width": [
    { body: { protocol: "tcp/1000-1010" } },
    { body: { origin_direct: ["tcp://192.0.2.1:2000-2009"] } },
  ],
  "origin-name-missing": [{ body: name({}) }],
  "origin-name": [{ body: name({}) }, { body: byAddress }],
  "origin-port-missing": [{ body: { origin_port: 22 } }, { body: name({ type: "SRV" }) }],
  "origin-port-number": [22, "22"].map((origin_port) => ({ body: { origin_port } })),
  "origin-ttl": [{ body: name({ ttl: 600 }) }, { body: name({}) }],
  "origin-port-width": [{ body: { origin_port: "3000-4000" } }, { body: { protocol: "tcp/1000-1999" } }],
  "dns-type-edge-mode": [{ body: static_ }, { body: dynamic }],
  "dns-type-changed": [{ body: dynamic }],
  "origin-duplicate": [
    { body: { origin_direct: ["tcp://[2001:db8::1]:22"] } },
    { body: { origin_direct: ["tcp://[2001:db8::1]:22", "tcp://[2001:db8::2]:22"] } },
  ],
  "edge-ip-duplicate": [
    { body: static_ },
    { body: { edge_ips: { type: "static", ips: ["198.51.100.10", "198.51.100.11"] } } },
  ],
  "udp-tls": [{ body: tcp }, { body: { tls: "off" } }],
  "udp-ip-firewall": [{ body: tcp }, { body: { ip_firewall: false } }],
  "udp-proxy-protocol": [{ body: { proxy_protocol: "simple" } }, { body: { proxy_protocol: "off" } }],
  "tcp-simple-proxy-protocol": ["v1", "v2", "off"].map((proxy_protocol) => ({ body: { proxy_protocol } })),
  "udp-http": [{ body: tcp }, { body: { traffic_type: "direct" } }],
  "network-proxy-protocol": [{ body: { proxy_protocol: "off" } }, { body: publicOrigin }],
  "network-http": [{ body: { traffic_type: "direct" } }, { body: publicOrigin }],
  "smart-routing-http": [{ body: { smart_routing: false } }, { body: { traffic_type: "direct" } }],
  "smart-routing-udp": [{ body: tcp }, { body: { smart_routing: false } }],
  "udp-static-edge-ips": [{ body: tcp }, { body: dynamic }],
  "origin-tunnel": [{ body: name({}) }, { body: inNetwork }],
  "ftp-feature": [{ body: { traffic_type: "direct" } }, { facts: { features: world.features } }],
  "smart-routing-feature": [{ body: { smart_routing: false } }, { facts: { features: world.features } }],
  "edge-ips-feature": [{ body: dynamic }, { facts: { features: world.features } }],
  "edge-ips-permission": [{ facts: { permissions: world.permissions } }],
  "edge-ips-prefix": [{ facts: { prefixes: world.prefixes } }],
  "protocol-taken": [{ facts: { plan: "add-on" } }],
  "origin-zone-other": [{ body: name({}) }],
  "origin-zone-unknown": [{ body: name({}) }],
  "network-unknown": [{ facts: { virtual_networks: world.virtual_networks } }],
  "network-route": [
    { facts: { virtual_networks: [{ id: networkId, routes: ["192.0.2.0/24"] }] } },
    { body: { origin_direct: ["tcp://10.0.0.5:22"] } },
  ],
  "hostname-other-zone": [{ body: host("other.example.com") }, { facts: { hostnames: [] } }],
  "hostname-other-domain": [{ body: host("ssh.example.com") }],
  "hostname-outside-domains": [{ body: host("ssh.example.com") }],
  "edge-ip-in-use": [{ body: address }, { facts: { edge_ips: [] } }],
  "edge-ip-orphaned": [{ body: address }, { facts: { edge_ips: [] } }],
  "ipv4-quota": [
    { body: { edge_ips: { type: "dynamic", connectivity: "ipv6" } } },
    { facts: { ipv4: { quota: 20, used: 10 } } },
  ],
  "hostname-proxied-record": [{ body: host("other.example.com") }, { facts: { dns_records: [] } }],
  "hostname-ports-overlap": [{ body: { protocol: "tcp/40-42" } }, { body: host("other.example.com") }],
};

test("every check has its advice here", () => {
  expect(Object.keys(advice).sort()).toEqual(checks.map(({ id }) => id).sort());
});

const cases = checks.flatMap((check) =>
  (advice[check.id] ?? []).map((step, i): [string, number, CheckEntry, Step] => [
    check.id,
    i + 1,
    check,
    step,
  ]),
);

test.each(cases)(
  "the advice of %s, alternative %d, makes an application without findings",
  (_, _i, check, step) => {
    const { body, facts, options } = check.bad;
    const changed = JSON.parse(JSON.stringify({ ...(body as object), ...step.body }));
    const validation = validateApp(changed, { ...facts, ...step.facts }, options);
    expect([validation.violations, validation.warnings]).toEqual([[], []]);
  },
);
