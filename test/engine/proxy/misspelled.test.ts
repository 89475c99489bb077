/** Which unknown members are renamed, and which are only reported. */
import { type Facts, validateApp } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { byName, direct, networkId, staticEdge, virtual } from "../../../src/engine/proxy/checks/samples.ts";

const { origin_direct, ...withoutOrigin } = direct;

/** The renames that a validation proposes. */
function renamesOf(body: unknown, facts: Facts = {}): readonly string[] {
  const { violations, warnings } = validateApp(body, facts);
  const patches = [...violations, ...warnings].flatMap(({ fix = [] }) => fix);
  return patches.map((operation) => {
    if (operation.op !== "move") throw new Error(`unexpected operation ${operation.op}`);
    return `${operation.from} ${operation.path}`;
  });
}

describe("a misspelled member is renamed", () => {
  test.each([
    [
      "one letter is missing",
      { ...withoutOrigin, orgin_direct: origin_direct },
      "/orgin_direct /origin_direct",
    ],
    ["two letters are exchanged", { ...direct, smart_ruoting: true }, "/smart_ruoting /smart_routing"],
    ["a separator differs", { ...direct, "traffic-type": "http" }, "/traffic-type /traffic_type"],
    ["the name has 3 letters and one edit", { ...direct, tl: 1, tlz: "full" }, "/tlz /tls"],
    ["it is in dns", { ...direct, dns: { nane: "ssh.example.com" } }, "/dns/nane /dns/name"],
    [
      "it is in origin_dns",
      { ...byName, origin_dns: { name: "o.example.com", tttl: 600 } },
      "/origin_dns/tttl /origin_dns/ttl",
    ],
    [
      "it is a network",
      { ...direct, virtual_network_i: networkId },
      "/virtual_network_i /virtual_network_id",
    ],
    [
      "it is an origin by name",
      { ...withoutOrigin, origin_dn: { name: "o.example.com" } },
      "/origin_dn /origin_dns",
    ],
  ])("when %s", (_, body, rename) => {
    expect(renamesOf(body)).toEqual([rename]);
  });

  test("also for a pay-as-you-go account, when the account may send the member", () => {
    const facts = { plan: "pay-as-you-go" } as const;
    expect(renamesOf({ ...withoutOrigin, orgin_direct: origin_direct }, facts)).toEqual([
      "/orgin_direct /origin_direct",
    ]);
    expect(renamesOf({ ...direct, dns: { nane: "a.example.com" } }, facts)).toEqual(["/dns/nane /dns/name"]);
    expect(renamesOf({ ...direct, tlss: "strict" }, facts)).toEqual([]);
  });
});

describe("a member is only reported", () => {
  test.each<[string, object]>([
    ["when no name is near", { ...direct, comment: "x" }],
    ["when it is three edits away", { ...direct, orgn_drect: origin_direct, origin_direct: undefined }],
    ["when the name is too short for its edits", { ...direct, dnz: { name: "a.example.com" } }],
    ["when ttl could be tls", { ...direct, ttl: "full" }],
    ["when two names are as near", { protocol: "ssh", origin_direct, tns: direct.dns }],
    ["when a name of two letters lacks one", { ...staticEdge, edge_ips: { type: "static", ip: [] } }],
    ["when the object has the member", { ...direct, orgin_direct: origin_direct }],
    ["when the object has the member as null", { ...direct, tls: null, tlss: "full" }],
    [
      "when two members have the same correct name",
      { ...withoutOrigin, orgin_direct: origin_direct, origin_dirct: origin_direct },
    ],
    ["when the value has the wrong type", { ...direct, smart_ruoting: "yes" }],
    ["when the value is not one of the member", { ...direct, trafic_type: "carrier pigeon" }],
    ["when the value is null", { ...direct, trafic_type: null }],
    ["when an address is malformed", { ...withoutOrigin, orgin_direct: ["tcp://192.0.2.1"] }],
    [
      "when the id of a network is malformed",
      { ...virtual, virtual_network_id: undefined, virtual_network_i: "x" },
    ],
    ["when a time to live is too short", { ...byName, origin_dns: { name: "o.example.com", tttl: 599 } }],
    ["when a name of an origin is malformed", { ...byName, origin_dns: { nane: "1.2.3.4" } }],
    ["when a port is malformed", { ...byName, origin_port: undefined, orgin_port: "0" }],
    ["when the value has unknown members", { ...withoutOrigin, origin_dn: { name: "o.example.com", x: 1 } }],
    ["when it has a prototype name", JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}')],
  ])("%s", (_, body) => {
    expect(renamesOf(body)).toEqual([]);
  });

  test("and many members near a name are read in one pass", () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`tls${String.fromCodePoint(0x4e00 + i)}`, "full"]),
    );
    const from = performance.now();
    expect(validateApp({ ...direct, ...many }).warnings).toHaveLength(10_000);
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});

test("the message names the member that was meant", () => {
  const { warnings } = validateApp({ ...direct, trafic_type: "http" });
  expect(warnings[0]).toMatchObject({
    code: 10401,
    message: "The member `trafic_type` is ignored; did you mean `traffic_type`?",
    pointer: "/trafic_type",
    level: "warning",
    help: expect.stringContaining("spelling"),
  });
});
