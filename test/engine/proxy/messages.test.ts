/** All messages about proxy applications as users read them. Review changes of the snapshots by eye. */
import { applyPatch, checkFacts, checks, validateApp } from "edgeproof/proxy";
import { expect, test } from "vitest";
import { parseCidr } from "../../../src/core/address/cidr.ts";
import { pointersOf } from "../../../src/core/diagnostic.ts";
import { parseJsonSource } from "../../../src/core/json-source.ts";
import type { Result } from "../../../src/core/result.ts";
import { byName, direct, staticEdge, world } from "../../../src/engine/proxy/checks/samples.ts";
import { parseHostname } from "../../../src/engine/proxy/grammar/hostname.ts";
import { parseOrigin } from "../../../src/engine/proxy/grammar/origin.ts";
import { parsePorts } from "../../../src/engine/proxy/grammar/port.ts";
import { parseProtocol } from "../../../src/engine/proxy/grammar/protocol.ts";
import { parseUuid } from "../../../src/engine/proxy/grammar/uuid.ts";
import { notesOf } from "../../../src/service/proxy/notes.ts";

function list(lines: readonly string[]): string {
  return `\n${lines.join("\n")}\n`;
}

function violationsOf(body: unknown, ...rest: [facts?: object, options?: object]): readonly string[] {
  const { violations, warnings } = validateApp(body, ...rest);
  return [...violations, ...warnings].map(
    (violation) => `${violation.code} ${pointersOf(violation).join(" ")} ${violation.message}`,
  );
}

test("the finding of each check", () => {
  const lines = checks.flatMap(({ id, bad }) => [id, ...violationsOf(bad.body, bad.facts, bad.options)]);
  expect(list(lines)).toMatchInlineSnapshot(`
    "
    body-not-an-object
    10400  The body must be an object; found an array.
    body-not-json
    10400 /comment \`comment\` contains Infinity; only JSON of at most 64 levels is allowed.
    member-unknown
    10012 /orgin_direct The body has the unknown members \`orgin_direct\`; only members of an application are allowed.
    member-needs-add-on
    10012 /tls The body has the members \`tls\` of the paid add-on; pay-as-you-go accounts may send \`protocol\`, \`dns\` and \`origin_direct\`.
    member-ignored
    10401 /trafic_type The member \`trafic_type\` is ignored; did you mean \`traffic_type\`?
    member-missing
    10400 /protocol \`protocol\` is missing; it must be a string.
    member-type
    10400 /ip_firewall \`ip_firewall\` must be true or false; found the string \`true\`.
    member-value
    10400 /tls \`tls\` must be one of \`off\`, \`flexible\`, \`full\`, \`strict\`; found \`Full\`.
    list-length
    10400 /edge_ips/ips \`edge_ips.ips\` must have at least one address; found none.
    protocol-syntax
    10400 /protocol \`protocol\` is \`tcp/0\`: at offset 4 a port from 1 to 65535 is expected.
    hostname-syntax
    10400 /dns/name \`dns.name\` is \`ssh..example.com\`: at offset 4 a label is expected.
    edge-ip-syntax
    10400 /edge_ips/ips/0 \`edge_ips.ips[0]\` is \`198.51.100.010\`: at offset 11 a number without leading zeros is expected.
    origin-port-syntax
    10400 /origin_port \`origin_port\` is \`70000\`: at offset 0 a port from 1 to 65535 is expected.
    member-without-effect
    10401 /edge_ips/ips The member \`edge_ips.ips\` is ignored.
    protocol-outside-plan
    13002 /protocol The protocol \`tcp/22\` is not available for the zone; its edge ports 22 are not in the plan.
    protocol-reserved
    13002 /protocol The protocol \`udp/53\` is not available for the zone; its edge ports 53 are reserved.
    origin-both
    11000 /origin_direct /origin_dns Both \`origin_direct\` and \`origin_dns\` are set; exactly one of them is allowed.
    origin-none
    11000 /origin_direct /origin_dns Both \`origin_direct\` and \`origin_dns\` are missing; exactly one of them is required.
    network-with-origin-dns
    11041 /virtual_network_id /origin_dns \`virtual_network_id\` is set together with \`origin_dns\`; it is allowed only with \`origin_direct\`.
    network-several-origins
    11042 /origin_direct /virtual_network_id \`origin_direct\` has \`2\` addresses; with \`virtual_network_id\` exactly one is allowed.
    network-address-range
    11043 /origin_direct/0 /virtual_network_id The origin has the port range \`22-23\`; with \`virtual_network_id\` a single port is allowed.
    network-port-range
    11043 /origin_port /virtual_network_id \`origin_port\` is the range \`22-23\`; with \`virtual_network_id\` a single port is allowed.
    network-uuid
    11045 /virtual_network_id \`virtual_network_id\` is \`f70ff985a4ef4643bbbc4a0ed4fc8415\`, which is not a UUID: at offset 8 \`-\` is expected.
    origin-brackets
    11002 /origin_direct/0 The origin \`tcp://2001:db8::1:443\` is not an address: at offset 6 \`[\` is expected before IPv6.
    origin-spelling
    11002 /origin_direct/0 The origin \`tcp://0x7f.1:22\` is not an address: at offset 7 a decimal digit is expected.
    origin-port-grammar
    11002 /origin_direct/0 The origin \`tcp://192.0.2.1:65536\` is not an address: at offset 16 a port from 1 to 65535 is expected.
    origin-syntax
    11002 /origin_direct/0 The origin \`tcp://origin.example.com:22\` is not an address: at offset 6 a decimal digit is expected.
    origin-denied
    11002 /origin_direct/0 The origin's address \`10.0.0.5\` is a private address; it must be a public address.
    origin-scheme
    11002 /origin_direct/0 /protocol The origin has the scheme \`udp://\` and the protocol is \`tcp/22\`; both must have the same transport.
    origin-range-width
    11002 /origin_direct/0 /protocol The origin's range \`2000-2010\` has 11 ports and the protocol \`tcp/1000-1009\` has 10; the numbers must be equal.
    origin-name-missing
    11001 /origin_dns/name \`origin_dns.name\` is missing; it must be a host name.
    origin-name
    11001 /origin_dns/name The origin name \`1.2.3.4\` is not a host name: at offset 6 a last label that is not a number is expected.
    origin-port-missing
    11001 /origin_port /origin_dns/type \`origin_port\` is missing; \`origin_dns\` of type \`A\` needs it, only \`SRV\` does not.
    origin-port-number
    11001 /origin_port \`origin_port\` is \`65536\`: at offset 0 a port from 1 to 65535 is expected.
    origin-ttl
    11001 /origin_dns/ttl \`origin_dns.ttl\` must be from 600 to 2147483647 seconds; found \`599\`.
    origin-port-width
    11001 /origin_port /protocol \`origin_port\` has \`1000\` ports and \`protocol\` has \`1001\`; the numbers must be equal.
    dns-type-edge-mode
    11004 /dns/type /edge_ips/type \`dns.type\` is \`CNAME\` with static edge addresses; it must be \`ADDRESS\`.
    dns-type-changed
    11004 /dns/type \`dns.type\` is \`ADDRESS\`; the stored application has \`CNAME\`, which cannot be changed.
    origin-duplicate
    10402 /origin_direct/1 /origin_direct/0 The address \`tcp://[2001:db8::1]:22\` occurs 2 times in \`origin_direct\`.
    edge-ip-duplicate
    10402 /edge_ips/ips/1 /edge_ips/ips/0 The address \`198.51.100.10\` occurs 2 times in \`edge_ips.ips\`.
    udp-tls
    10400 /tls /protocol \`tls\` \`full\` is set with the protocol \`udp/22\`; it is allowed only with TCP.
    udp-ip-firewall
    10400 /ip_firewall /protocol \`ip_firewall\` is set with the protocol \`udp/22\`; it is allowed only with TCP.
    udp-proxy-protocol
    10400 /proxy_protocol /protocol \`proxy_protocol\` \`v2\` is set with the protocol \`udp/22\`; it is allowed only with TCP.
    tcp-simple-proxy-protocol
    10400 /proxy_protocol /protocol \`proxy_protocol\` \`simple\` is set with the protocol \`tcp/22\`; it is allowed only with UDP.
    udp-http
    10400 /traffic_type /protocol \`traffic_type\` \`http\` is set with the protocol \`udp/22\`; it is allowed only with TCP.
    network-proxy-protocol
    10400 /virtual_network_id /proxy_protocol \`virtual_network_id\` is set together with \`proxy_protocol\` \`v1\`; only \`off\` is allowed.
    network-http
    10400 /virtual_network_id /traffic_type \`virtual_network_id\` is set together with \`traffic_type\` \`https\`; \`http\` and \`https\` are not allowed.
    smart-routing-http
    10400 /smart_routing /traffic_type \`smart_routing\` is set together with \`traffic_type\` \`http\`; \`http\` and \`https\` are not allowed.
    smart-routing-udp
    10402 /smart_routing /protocol \`smart_routing\` is set with the protocol \`udp/22\`; it may have an effect only with TCP.
    udp-static-edge-ips
    10400 /edge_ips/type /protocol \`edge_ips\` of type \`static\` is set with the protocol \`udp/22\`; it is allowed only with TCP.
    origin-tunnel
    10400 /origin_dns/name The origin name \`a.cfargotunnel.com\` is in the domain \`cfargotunnel.com\`; it must be another name.
    ftp-feature
    11014 /traffic_type The \`traffic_type\` \`ftp\` needs a feature of the account that is not enabled.
    smart-routing-feature
    11026 /smart_routing \`smart_routing\` needs a feature of the account that is not enabled.
    edge-ips-feature
    11018 /edge_ips \`edge_ips\` of type \`static\` needs a feature of the account that is not enabled.
    edge-ips-permission
    11019 /edge_ips \`edge_ips\` of type \`static\` needs the permission for IP prefixes, which the credential does not have.
    edge-ips-prefix
    11019 /edge_ips/ips/0 The edge address \`198.51.100.10\` is in no prefix of the account; it must be in one of them.
    protocol-taken
    11034 /protocol The account already has an application for the protocol \`tcp/22\`; pay-as-you-go accounts may have only one.
    origin-zone-other
    11050 /origin_dns/name The origin name \`origin.example.net\` belongs to another zone; it must belong to the application's zone.
    origin-zone-unknown
    11050 /origin_dns/name The origin name \`origin.example.org\` belongs to none of the account's zones; it must belong to the application's zone.
    network-unknown
    11044 /virtual_network_id The virtual network \`f70ff985-a4ef-4643-bbbc-4a0ed4fc8415\` does not exist; it must be one of the account's networks.
    network-route
    11044 /origin_direct/0 /virtual_network_id The address \`192.0.2.1\` is in no route of the virtual network \`f70ff985-a4ef-4643-bbbc-4a0ed4fc8415\`; it must be in one of them.
    hostname-other-zone
    16001 /dns/name The host name \`ssh.example.com\` is in use on another zone; it must be unused.
    hostname-other-domain
    16001 /dns/name The host name \`www.example.net\` is in the domain of another zone; it must be in that of the application's zone.
    hostname-outside-domains
    10400 /dns/name The host name \`www.example.org\` is in the domain of no known zone; it must be in that of the application's zone.
    edge-ip-in-use
    11033 /edge_ips/ips/0 The edge address \`198.51.100.10\` is in use on another zone; it must be unused.
    edge-ip-orphaned
    11033 /edge_ips/ips/0 The edge address \`198.51.100.10\` is in use by an application of a deleted zone; it must be unused.
    ipv4-quota
    12005 /edge_ips/connectivity /dns/name The zone uses \`1\` of its \`1\` IPv4 addresses, and the host name \`ssh.example.com\` needs one more.
    hostname-ports-overlap
    10402 /protocol /dns/name The edge ports of \`tcp/20-22\` overlap those of \`tcp/22\` on the host name \`ssh.example.com\`.
    hostname-proxied-record
    10402 /dns/name The host name \`ssh.example.com\` has a proxied DNS record, to whose origin its HTTP requests go.
    "
  `);
});

test("the format of members", () => {
  const bodies = [
    undefined,
    null,
    [],
    "{}",
    {},
    { ...direct, protocol: 22, dns: "ssh.example.com", origin_direct: "tcp://192.0.2.1:22", tls: 1 },
    { ...direct, dns: { name: "a", type: "cname" }, origin_dns: [], edge_ips: [], smart_routing: "yes" },
    { ...direct, origin_direct: ["tcp://192.0.2.1:22", 5], origin_port: true, virtual_network_id: 7 },
    { ...direct, origin_direct: new Array(1001).fill("tcp://192.0.2.1:22"), traffic_type: "smtp" },
    { ...byName, origin_dns: { name: 1, ttl: "600", type: "MX" }, proxy_protocol: "V1" },
    { ...direct, edge_ips: {} },
    { ...direct, edge_ips: { type: "fixed" } },
    { ...direct, edge_ips: { type: "dynamic", connectivity: "IPv4" } },
    { ...staticEdge, edge_ips: { type: "static" } },
    { ...staticEdge, edge_ips: { type: "static", ips: ["192.0.2.1/32", null] } },
    { ...direct, origin_port: "22-21" },
    { ...direct, comment: { deep: [1n] } },
  ];
  expect(list(bodies.flatMap((body) => violationsOf(body)))).toMatchInlineSnapshot(`
    "
    10400  The body must be an object; found nothing.
    10400  The body must be an object; found null.
    10400  The body must be an object; found an array.
    10400  The body must be an object; found the string \`{}\`.
    10400 /protocol \`protocol\` is missing; it must be a string.
    10400 /dns \`dns\` is missing; it must be an object with a \`name\`.
    10400 /protocol \`protocol\` must be a string; found the number \`22\`.
    10400 /dns \`dns\` must be an object with a \`name\`; found the string \`ssh.example.com\`.
    10400 /origin_direct \`origin_direct\` must be an array of addresses; found the string \`tcp://192.0.2.1:22\`.
    10400 /tls \`tls\` must be one of \`off\`, \`flexible\`, \`full\`, \`strict\`; found the number \`1\`.
    10400 /origin_dns \`origin_dns\` must be an object with a \`name\`; found an array.
    10400 /edge_ips \`edge_ips\` must be an object with a \`type\`; found an array.
    10400 /smart_routing \`smart_routing\` must be true or false; found the string \`yes\`.
    10400 /dns/type \`dns.type\` must be one of \`CNAME\`, \`ADDRESS\`; found \`cname\`.
    10400 /dns/name \`dns.name\` is \`a\`: at offset 1 a name of at least two labels is expected.
    10400 /origin_direct/1 \`origin_direct[1]\` must be a string; found the number \`5\`.
    10400 /origin_port \`origin_port\` must be an integer, or a string with a port or a range; found a boolean.
    10400 /virtual_network_id \`virtual_network_id\` must be a string; found the number \`7\`.
    10400 /traffic_type \`traffic_type\` must be one of \`direct\`, \`http\`, \`https\`, \`ftp\`; found \`smtp\`.
    10400 /origin_direct \`origin_direct\` must have at most 1000 entries; found more.
    10400 /origin_dns/name \`origin_dns.name\` must be a string; found the number \`1\`.
    10400 /origin_dns/ttl \`origin_dns.ttl\` must be an integer; found the string \`600\`.
    10400 /origin_dns/type \`origin_dns.type\` must be one of \`\`, \`A\`, \`AAAA\`, \`SRV\`; found \`MX\`.
    10400 /proxy_protocol \`proxy_protocol\` must be one of \`off\`, \`v1\`, \`v2\`, \`simple\`; found \`V1\`.
    10400 /edge_ips/type \`edge_ips.type\` is missing; it must be \`dynamic\` or \`static\`.
    10400 /edge_ips/type \`edge_ips.type\` must be one of \`dynamic\`, \`static\`; found \`fixed\`.
    10400 /edge_ips/connectivity \`edge_ips.connectivity\` must be one of \`all\`, \`ipv4\`, \`ipv6\`; found \`IPv4\`.
    10400 /edge_ips/ips \`edge_ips.ips\` is missing; it must be an array of IP addresses.
    10400 /edge_ips/ips/1 \`edge_ips.ips[1]\` must be a string; found null.
    10400 /origin_port \`origin_port\` is \`22-21\`: at offset 3 the end of a range must be above its start.
    10400 /comment \`comment\` contains a bigint; only JSON of at most 64 levels is allowed.
    "
  `);
});

test("notes about ignored members and checks that were not evaluated", () => {
  const body = { ...staticEdge, "a/b": 1, dns: { ...staticEdge.dns, ttl: 5 } };
  const notes = notesOf(validateApp(body, { features: { edge_ips: true }, zone: "z1", apps: [] }));
  expect(list(notes.map(({ code, message }) => `${code} ${message}`))).toMatchInlineSnapshot(`
    "
    10401 The member \`a/b\` is ignored.
    10401 The member \`dns.ttl\` is ignored.
    10403 The check \`protocol-outside-plan\` (13002) was not evaluated; it needs the missing facts \`protocols.allowed\`.
    10403 The check \`protocol-reserved\` (13002) was not evaluated; it needs the missing facts \`protocols.reserved\`.
    10403 The check \`edge-ips-permission\` (11019) was not evaluated; it needs the missing facts \`permissions.ip_prefixes\`.
    10403 The check \`edge-ips-prefix\` (11019) was not evaluated; it needs the missing facts \`prefixes\`.
    10403 The check \`hostname-other-zone\` (16001) was not evaluated; it needs the missing facts \`hostnames\`.
    10403 The check \`hostname-other-domain\` (16001) was not evaluated; it needs the missing facts \`zones\`.
    10403 The check \`hostname-outside-domains\` (10400) was not evaluated; it needs the missing facts \`zones\`.
    10403 The check \`edge-ip-in-use\` (11033) was not evaluated; it needs the missing facts \`edge_ips\`.
    10403 The check \`edge-ip-orphaned\` (11033) was not evaluated; it needs the missing facts \`edge_ips\`.
    "
  `);
});

test("malformed facts", () => {
  const inputs = [
    null,
    { plan: "free", plam: 1 },
    { features: { ftp: "yes" }, permissions: [] },
    { prefixes: "198.51.100.0/24" },
    { prefixes: ["198.51.100.1/24", 5], protocols: { allowed: ["tcp"] } },
    { apps: [{ id: "a" }], zones: [{ id: "z1", name: 1 }], hostnames: [{ name: "a..b", zone: "z1" }] },
    { edge_ips: [{ ip: "192.0.2", zone: "z1" }], virtual_networks: [{ id: "x", routes: [] }] },
    { ipv4: { quota: -1 }, zoneOf: "z1" },
  ];
  const lines = inputs.flatMap((facts) =>
    checkFacts(facts).map((problem) => `${problem.pointer} ${problem.message}`),
  );
  expect(list(lines)).toMatchInlineSnapshot(`
    "
     The value must be an object; found null.
    /plan \`plan\` must be \`pay-as-you-go\` or \`add-on\`; found the string \`free\`.
    /plam \`plam\` is not a known member; the members are plan, features, permissions, prefixes, protocols, apps, zone, zones, other_zones, hostnames, edge_ips, virtual_networks, ipv4, dns_records, zoneOf, originAccess.
    /features/ftp \`features.ftp\` must be true or false; found the string \`yes\`.
    /permissions \`permissions\` must be an object; found an array.
    /prefixes \`prefixes\` must be an array; found the string \`198.51.100.0/24\`.
    /prefixes/0 \`prefixes[0]\` must be a prefix like \`10.0.0.0/8\` (at offset 13 only zeros are allowed beyond the prefix length); found the string \`198.51.100.1/24\`.
    /prefixes/1 \`prefixes[1]\` must be a string; found the number \`5\`.
    /protocols/allowed/0 \`protocols.allowed[0]\` must be a protocol like \`tcp/22\` (at offset 0 \`tcp/\` or \`udp/\` with a port, or \`ssh\`, \`rdp\` or \`minecraft\` is expected); found the string \`tcp\`.
    /apps/0/protocol \`apps[0].protocol\` is missing; it is required.
    /zones/0/name \`zones[0].name\` must be a string; found the number \`1\`.
    /hostnames/0/name \`hostnames[0].name\` must be a host name (at offset 2 a label is expected); found the string \`a..b\`.
    /edge_ips/0/ip \`edge_ips[0].ip\` must be an IP address (at offset 7 four numbers are expected); found the string \`192.0.2\`.
    /virtual_networks/0/id \`virtual_networks[0].id\` must be a UUID (at offset 0 a hexadecimal digit is expected); found the string \`x\`.
    /ipv4/quota \`ipv4.quota\` must be an integer of at least 0; found the number \`-1\`.
    /ipv4/used \`ipv4.used\` is missing; it is required.
    /zoneOf \`zoneOf\` must be a function; found the string \`z1\`.
    "
  `);
});

test("malformed strings", () => {
  const parsers: readonly [parse: (text: string) => Result<unknown, Fault>, texts: readonly string[]][] = [
    [parseCidr, ["192.0.2.0", "192.0.2.0/33", "192.0.2.1/24", "192.0.2/24", "::/x"]],
    [parseHostname, ["", "a", "-a.b", "a-.b", "a b.c", "1.2", `${"a".repeat(64)}.b`, "a.".repeat(127)]],
    [parseOrigin, ["192.0.2.1:22", "tcp://192.0.2.1", "tcp://[::1:22", "tcp://[::1]", "tcp://::1:22"]],
    [parseOrigin, ["tcp://a.example.com:22", "tcp://192.0.2.256:22", "tcp://192.0.2.1.5:22", "tcp://:x:22"]],
    [parseOrigin, ["tcp://[1:2]:22", "tcp://[1::2::3]:22", "tcp://[::12345]:22", "tcp://[::1%a]:22"]],
    [parsePorts, ["", "0", "65536", "22-", "22-21"]],
    [parseProtocol, ["", "icmp", "tcp/", "TCP/22"]],
    [parseUuid, ["", "f70ff985", "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415a"]],
    [faultOfJson, ["", "{", '{"a": oops}', "[1,]"]],
  ];
  const lines = parsers.flatMap(([parse, texts]) =>
    texts.map((text) => {
      const result = parse(text);
      return `${text.slice(0, 40)} => ${result.ok ? "accepted" : result.problems[0].message}`;
    }),
  );
  expect(list(lines)).toMatchInlineSnapshot(`
    "
    192.0.2.0 => \`/\` and a prefix length are expected
    192.0.2.0/33 => a prefix length from 0 to 32 is expected
    192.0.2.1/24 => only zeros are allowed beyond the prefix length
    192.0.2/24 => four numbers are expected
    ::/x => a prefix length from 0 to 128 is expected
     => a label is expected
    a => a name of at least two labels is expected
    -a.b => a label that does not begin with \`-\` is expected
    a-.b => a label that does not end with \`-\` is expected
    a b.c => a letter, digit, \`-\` or \`_\` is expected (other scripts as punycode)
    1.2 => a last label that is not a number is expected
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa => a label of at most 63 characters is expected
    a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a. => accepted
    192.0.2.1:22 => \`tcp://\` or \`udp://\` is expected
    tcp://192.0.2.1 => \`:\` and a port are expected
    tcp://[::1:22 => \`]\` is expected
    tcp://[::1] => \`:\` and a port are expected
    tcp://::1:22 => \`[\` is expected before IPv6
    tcp://a.example.com:22 => a decimal digit is expected
    tcp://192.0.2.256:22 => a number from 0 to 255 is expected
    tcp://192.0.2.1.5:22 => exactly four numbers are expected
    tcp://:x:22 => an IPv4 address, or an IPv6 address in brackets is expected
    tcp://[1:2]:22 => eight groups or a \`::\` are expected
    tcp://[1::2::3]:22 => only one \`::\` is allowed
    tcp://[::12345]:22 => a group has at most four hexadecimal digits
    tcp://[::1%a]:22 => an address without a zone id is expected
     => a port from 1 to 65535 is expected
    0 => a port from 1 to 65535 is expected
    65536 => a port from 1 to 65535 is expected
    22- => a port from 1 to 65535 is expected
    22-21 => the end of a range must be above its start
     => \`tcp/\` or \`udp/\` with a port, or \`ssh\`, \`rdp\` or \`minecraft\` is expected
    icmp => \`tcp/\` or \`udp/\` with a port, or \`ssh\`, \`rdp\` or \`minecraft\` is expected
    tcp/ => a port from 1 to 65535 is expected
    TCP/22 => \`tcp/\` or \`udp/\` with a port, or \`ssh\`, \`rdp\` or \`minecraft\` is expected
     => a hexadecimal digit is expected
    f70ff985 => \`-\` is expected
    f70ff985-a4ef-4643-bbbc-4a0ed4fc8415a => 36 characters are expected
     => the text is empty
    { => the text ends too early
    {"a": oops} => \`oops}\` is not allowed here
    [1,] => \`]\` is not allowed here
    "
  `);
});

interface Fault {
  readonly message: string;
}

function faultOfJson(text: string): Result<unknown, Fault> {
  return parseJsonSource(text);
}

test("misuse", () => {
  const calls = [
    () => validateApp({}, { plan: "free" } as object),
    () => validateApp({}, world, { mode: "merge" }),
    () => applyPatch({}, [{ op: "replace", path: "tls", value: "off" }]),
    () => applyPatch({ list: [1] }, [{ op: "replace", path: "/list/1", value: 0 }]),
  ];
  const lines = calls.map((call) => {
    try {
      call();
      return "no error";
    } catch (error) {
      return String(error);
    }
  });
  expect(list(lines)).toMatchInlineSnapshot(`
    "
    InvalidInputError: The facts are invalid: /plan: \`plan\` must be \`pay-as-you-go\` or \`add-on\`; found the string \`free\`.
    TypeError: Pass the stored application as \`previous\` when the mode is "merge"
    RangeError: The path of a patch must begin with "/"; found "tls"
    RangeError: The operation "replace" is not possible at "/list/1" of this value; apply the patch to the value that it was created for ("replace" needs a value that exists; "move" gives a member another name in its object)
    "
  `);
});
