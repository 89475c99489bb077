/** Applications that are validated in order: each sees the valid ones before it. */
import { type Facts, validateApps, validateCompiled } from "edgeproof/proxy";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { direct, world } from "../../../src/engine/proxy/checks/samples.ts";
import { compileFacts } from "../../../src/engine/proxy/facts/compile-facts.ts";
import { growingFacts } from "../../../src/engine/proxy/facts/growing-facts.ts";
import { spellingsOf } from "../../../src/engine/proxy/grammar/protocol.ts";
import { createAppSequence } from "../../../src/engine/proxy/validate-list.ts";

const app = (protocol: string, name: string) => ({ ...direct, protocol, dns: { ...direct.dns, name } });
const codesOf = (bodies: readonly unknown[], facts: Facts) =>
  validateApps(bodies, facts).map(({ violations }) => violations.map(({ code }) => code));

describe("applications in order", () => {
  test("see the protocols and host names of the valid ones before", () => {
    const ssh = app("ssh", "ssh.example.com");
    expect(codesOf([ssh, ssh], { plan: "pay-as-you-go", apps: [] })).toEqual([[], [11034]]);
    expect(codesOf([ssh, app("tcp/22", "b.example.com")], { plan: "pay-as-you-go", apps: [] })).toEqual([
      [],
      [11034],
    ]);
    expect(codesOf([{}, ssh], { plan: "pay-as-you-go", apps: [] })[1]).toEqual([]);
  });

  test("use up the quota of addresses, once for each host name of a zone", () => {
    const facts = { ...world, ipv4: { quota: 2, used: 0 } };
    const bodies = [
      app("tcp/22", "a.example.com"),
      app("tcp/23", "a.example.com"),
      app("tcp/24", "b.example.com"),
      app("tcp/25", "c.example.com"),
      app("tcp/26", "b.example.com"),
    ];
    expect(codesOf(bodies, facts)).toEqual([[], [], [], [12005], []]);
    const known = { name: "c.example.com", zone: "z1", ipv4: true };
    expect(codesOf(bodies, { ...facts, hostnames: [known] })[3]).toEqual([]);
    for (const hostnames of [[{ ...known, ipv4: false }], [{ ...known, zone: "z2" }]])
      expect(codesOf(bodies, { ...facts, hostnames })[3]).toContain(12005);
  });

  test("leave the facts that they started from as they were", () => {
    const compiled = compileFacts({ ...world, apps: [{ protocol: "tcp/80", hostname: "a.example.com" }] });
    const before = structuredClone({
      apps: compiled.apps,
      hostnames: compiled.hostnames,
      ipv4: compiled.ipv4,
    });
    const { add, facts } = growingFacts(compiled);
    for (const [name, protocol] of [
      ["a.example.com", "tcp/80"],
      ["b.example.com", "tcp/81"],
    ] as const) {
      const { app: valid } = validateCompiled(app(protocol, name), compileFacts({}));
      if (valid) add(valid);
    }
    expect({ apps: compiled.apps, hostnames: compiled.hostnames, ipv4: compiled.ipv4 }).toEqual(before);
    expect(facts.ipv4?.used).toBe(2);
    expect([...facts.hostnames.byName.keys()]).toEqual(["a.example.com", "b.example.com"]);
    expect(facts.apps.byHostname.get("a.example.com")).toHaveLength(2);
    expect(facts.apps.byProtocol.get("tcp/81")).toEqual([
      {
        protocol: { transport: "tcp", ports: { first: 81, last: 81 } },
        hostname: "b.example.com",
        zone: "z1",
      },
    ]);
  });

  test("know no zone when the facts name none", () => {
    const { add, facts } = growingFacts(compileFacts({}));
    const { app: valid } = validateCompiled(app("tcp/81", "b.example.com"), compileFacts({}));
    if (valid) add(valid);
    expect(facts.apps.byProtocol.get("tcp/81")?.[0]).not.toHaveProperty("zone");
    expect(facts.ipv4).toBeUndefined();
  });

  test("are validated as with facts that name those before", () => {
    const bodies = fc.array(
      fc
        .tuple(
          fc.constantFrom("ssh", "tcp/22", "tcp/23", "udp/22", "nothing"),
          fc.constantFrom("a", "b", "A"),
        )
        .map(([protocol, label]) => app(protocol, `${label}.example.com`)),
      { maxLength: 5 },
    );
    const plans = fc.constantFrom("pay-as-you-go" as const, "add-on" as const);
    fc.assert(
      fc.property(bodies, plans, fc.nat(3), (list, plan, quota) => {
        const facts = { ...world, plan, protocols: {}, ipv4: { quota, used: 0 } };
        const sequence = createAppSequence(facts);
        const apps: { protocol: string; hostname: string }[] = [];
        const names = new Set<string>();
        for (const body of list) {
          const hostnames = [...names].map((name) => ({ name, zone: "z1", ipv4: true }));
          const now = { ...facts, apps: [...apps], hostnames, ipv4: { quota, used: names.size } };
          const expected = validateCompiled(body, compileFacts(now));
          const found = sequence.validate(body);
          expect(found).toEqual(expected);
          if (!found.app) continue;
          sequence.add(found.app);
          apps.push({ protocol: body.protocol, hostname: body.dns.name });
          names.add(body.dns.name.toLowerCase());
        }
      }),
    );
  });
});

test.each([
  ["tcp", 22, 22, ["tcp/22", "ssh"]],
  ["tcp", 25565, 25565, ["tcp/25565", "minecraft"]],
  ["tcp", 3389, 3389, ["tcp/3389", "rdp"]],
  ["udp", 22, 22, ["udp/22"]],
  ["tcp", 22, 23, ["tcp/22-23"]],
] as const)("the spellings of %s ports %i to %i are %j", (transport, first, last, spellings) => {
  expect(spellingsOf({ transport, ports: { first, last } })).toEqual(spellings);
});

test("a string is not a list of applications", () => {
  expect(() => validateApps("tcp/22")).toThrow(new TypeError("`bodies` must be an iterable; found `tcp/22`"));
});
