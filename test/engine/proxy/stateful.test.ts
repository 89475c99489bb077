/** Checks that compare an application with others and with its stored form: each condition on its own. */
import { type AppFact, type Facts, type ValidateOptions, validateApp } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { pointersOf } from "../../../src/core/diagnostic.ts";
import { direct, staticEdge, world } from "../../../src/engine/proxy/checks/samples.ts";

const ranged = { ...direct, protocol: "tcp/20-22", origin_direct: ["tcp://192.0.2.1:20-22"] };

/** The pointers and messages of one check. */
function findingsOf(check: string, body: unknown, facts: Facts, options?: ValidateOptions) {
  const { violations, warnings } = validateApp(body, facts, options);
  return [...violations, ...warnings].filter((finding) => finding.rule === check);
}

const isMissing = (check: string, body: unknown, facts: Facts, options?: ValidateOptions) =>
  validateApp(body, facts, options).notEvaluated.some((entry) => entry.check === check);

describe("repeated addresses", () => {
  const repeated = (...origin_direct: string[]) =>
    findingsOf("origin-duplicate", { ...direct, origin_direct }, {}).map((found) => [
      /`([^`]*)` occurs (\d+)/.exec(found.message)?.slice(1),
      pointersOf(found),
    ]);
  const [a, b, c] = ["tcp://192.0.2.1:22", "tcp://192.0.2.2:22", "tcp://192.0.2.3:22"];

  test("are reported one by one, at the later places first", () => {
    expect(repeated(a, b, c)).toEqual([]);
    expect(repeated(a, b, a, c)).toEqual([
      [
        [a, "2"],
        ["/origin_direct/2", "/origin_direct/0"],
      ],
    ]);
    expect(repeated(b, a, a, b, a)).toEqual([
      [
        [b, "2"],
        ["/origin_direct/3", "/origin_direct/0"],
      ],
      [
        [a, "3"],
        ["/origin_direct/2", "/origin_direct/4", "/origin_direct/1"],
      ],
    ]);
  });

  test("that cannot be read are not compared", () => {
    expect(repeated("tcp://nowhere", "tcp://nowhere")).toEqual([]);
    expect(repeated("tcp://nowhere", "tcp://elsewhere", a)).toEqual([]);
  });
});

describe("edge ports of one host name", () => {
  const shared = (app: AppFact, facts: Facts = {}, options?: ValidateOptions, body: object = ranged) =>
    findingsOf("hostname-ports-overlap", body, { ...world, ...facts, apps: [app] }, options).length > 0;
  const other = { protocol: "tcp/22", hostname: "ssh.example.com" };

  test.each([
    ["tcp/22", true],
    ["tcp/20", true],
    ["tcp/21", true],
    ["tcp/1-20", true],
    ["tcp/22-30", true],
    ["tcp/1-65535", true],
    ["tcp/19", false],
    ["tcp/23", false],
    ["tcp/1-19", false],
    ["tcp/23-30", false],
    ["udp/20-22", false],
  ])("20 to 22 overlap those of %s: %s", (protocol, overlaps) => {
    expect(shared({ ...other, protocol })).toBe(overlaps);
  });

  test("are those of the same zone", () => {
    expect(shared({ ...other, zone: "z1" })).toBe(true);
    expect(shared({ ...other, zone: "z2" })).toBe(false);
  });

  test("are not those of the stored application: by id, else by protocol and host name", () => {
    const previous = { ...validateApp(ranged, {}).app, id: "a" } as ValidateOptions["previous"] & object;
    const { id: _, ...withoutId } = previous;
    const same = { protocol: "tcp/20-22", hostname: "ssh.example.com" };
    const update = (app: AppFact, stored: ValidateOptions["previous"]) =>
      shared(app, {}, stored ? { previous: stored } : {});
    expect(update({ ...same, id: "a" }, previous)).toBe(false);
    expect(update({ ...other, id: "a" }, previous)).toBe(false);
    expect(update({ ...same, id: "b" }, previous)).toBe(true);
    expect(update(same, previous)).toBe(false);
    expect(update({ ...same, id: "a" }, withoutId)).toBe(false);
    expect(update(other, previous)).toBe(true);
    expect(update(other, withoutId)).toBe(true);
    expect(update({ ...other, id: "b" }, withoutId)).toBe(true);
    expect(update(same, undefined)).toBe(true);
  });

  test("of a stored application with another name are others", () => {
    const moved = { ...validateApp(ranged, {}).app, dns: { type: "CNAME", name: "old.example.com" } };
    const same = { protocol: "tcp/20-22", hostname: "ssh.example.com" };
    expect(shared(same, {}, { previous: moved as NonNullable<ValidateOptions["previous"]> })).toBe(true);
  });

  test("are listed, five of them", () => {
    const apps = [1, 2, 3, 4, 5, 6, 7].map((i) => ({
      protocol: `tcp/${20 + i}`,
      hostname: "ssh.example.com",
    }));
    const messageOf = (count: number) =>
      findingsOf(
        "hostname-ports-overlap",
        { ...direct, protocol: "tcp/1-99", origin_direct: ["tcp://192.0.2.1:1-99"] },
        {
          ...world,
          apps: apps.slice(0, count),
        },
      )[0]?.message;
    expect(messageOf(5)).toContain("`tcp/24`, `tcp/25` on the host name");
    expect(messageOf(5)).not.toContain("more");
    expect(messageOf(6)).toContain("`tcp/24`, `tcp/25` and 1 more on");
    expect(messageOf(7)).toContain("and 2 more");
  });

  test("of unknown applications are not evaluated", () => {
    const { apps: _, ...unknown } = world;
    expect(isMissing("hostname-ports-overlap", ranged, unknown)).toBe(true);
    expect(isMissing("hostname-ports-overlap", ranged, world)).toBe(false);
    expect(isMissing("hostname-ports-overlap", ranged, { ...world, apps: [{ protocol: "tcp/22" }] })).toBe(
      true,
    );
    expect(isMissing("hostname-ports-overlap", ranged, { ...world, apps: [{ protocol: "tcp/99" }] })).toBe(
      false,
    );
  });
});

describe("the quota of addresses", () => {
  const full = { ...world, ipv4: { quota: 1, used: 1 } };
  const isOver = (facts: Facts, options?: ValidateOptions, body: unknown = direct) =>
    findingsOf("ipv4-quota", body, facts, options).length > 0;
  const name = "ssh.example.com";

  test("is exceeded by a new host name only", () => {
    expect(isOver(full)).toBe(true);
    expect(isOver({ ...full, ipv4: { quota: 2, used: 1 } })).toBe(false);
    expect(isOver({ ...full, ipv4: { used: 9 } })).toBe(false);
    expect(isOver({ ...full, hostnames: [{ name, zone: "z1", ipv4: true }] })).toBe(false);
    expect(isOver({ ...full, hostnames: [{ name, zone: "z1" }] })).toBe(true);
    expect(isOver({ ...full, hostnames: [{ name, zone: "z2", ipv4: true }] })).toBe(true);
    expect(
      isOver({
        ...full,
        hostnames: [
          { name, zone: "z2", ipv4: true },
          { name, zone: "z1", ipv4: true },
        ],
      }),
    ).toBe(false);
  });

  test("counts a host name of any zone when the zone is unknown", () => {
    const { zone: _, ...unknown } = full;
    expect(isOver({ ...unknown, hostnames: [{ name, zone: "z2", ipv4: true }] })).toBe(false);
    expect(isOver(unknown)).toBe(true);
  });

  test("is not used by an update that keeps the host name", () => {
    const stored = validateApp(direct, {}).app as NonNullable<ValidateOptions["previous"]>;
    expect(isOver(full, { previous: stored })).toBe(false);
    const moved = { ...stored, dns: { ...stored.dns, name: "old.example.com" } };
    expect(isOver(full, { previous: moved })).toBe(true);
  });
});

describe("the record type of static addresses", () => {
  const mistyped = { ...staticEdge, dns: { ...direct.dns, type: "CNAME" } };
  const patchOf = (body: unknown, previous?: unknown) =>
    findingsOf("dns-type-edge-mode", body, world, previous ? ({ previous } as ValidateOptions) : {})[0]?.fix;
  const replace = [{ op: "replace", path: "/dns/type", value: "ADDRESS" }];

  test("is fixed to ADDRESS, unless the stored one is CNAME or the addresses may be the mistake", () => {
    expect(patchOf(mistyped)).toEqual(replace);
    const stored = validateApp(staticEdge, world).app;
    expect(patchOf(mistyped, stored)).toEqual(replace);
    const dynamic = validateApp(direct, world).app;
    expect(patchOf(mistyped, dynamic)).toBeUndefined();
    expect(patchOf({ ...direct, dns: { ...direct.dns, type: "ADDRESS" } })).toBeUndefined();
  });
});

describe("static edge addresses of other zones", () => {
  const [ip] = staticEdge.edge_ips.ips;
  const isUsed = (facts: Facts) => findingsOf("edge-ip-in-use", staticEdge, facts).length > 0;

  test("are reported, those of the own zone are not, and without the zone they are not evaluated", () => {
    const { zone: _, ...unknown } = world;
    expect(isUsed({ ...world, edge_ips: [{ ip, zone: "z2" }] })).toBe(true);
    expect(isUsed({ ...world, edge_ips: [{ ip, zone: "z1" }] })).toBe(false);
    expect(isUsed({ ...world, edge_ips: [{ ip, zone: "z2", deleted: true }] })).toBe(false);
    expect(isMissing("edge-ip-in-use", staticEdge, { ...unknown, edge_ips: [{ ip, zone: "z1" }] })).toBe(
      true,
    );
    expect(isMissing("edge-ip-in-use", staticEdge, { ...unknown, edge_ips: [] })).toBe(false);
    const deleted = { ip, zone: "z2", deleted: true };
    expect(isMissing("edge-ip-in-use", staticEdge, { ...unknown, edge_ips: [deleted] })).toBe(false);
  });
});

describe("one application for each protocol", () => {
  const facts = (apps: readonly AppFact[]): Facts => ({ ...world, plan: "pay-as-you-go", apps });
  const isTaken = (apps: readonly AppFact[], previous?: unknown) =>
    findingsOf("protocol-taken", direct, facts(apps), previous ? ({ previous } as ValidateOptions) : {})
      .length > 0;
  const stored = validateApp(direct, {}).app;
  const ssh = { protocol: "ssh", hostname: "x.example.com" };

  test("counts the stored one once, by id or by its protocol", () => {
    expect(isTaken([ssh])).toBe(true);
    expect(isTaken([{ ...ssh, protocol: "rdp" }])).toBe(false);
    expect(isTaken([ssh], stored)).toBe(false);
    expect(isTaken([ssh, ssh], stored)).toBe(true);
    expect(isTaken([ssh], { ...stored, protocol: "tcp/99" })).toBe(true);
    expect(isTaken([{ ...ssh, id: "a" }], { ...stored, id: "a" })).toBe(false);
    expect(isTaken([{ ...ssh, id: "b" }], { ...stored, id: "a" })).toBe(true);
    expect(isTaken([{ ...ssh, id: "a", zone: "z2" }], { ...stored, id: "a" })).toBe(true);
    expect(isTaken([{ ...ssh, id: "a", zone: "z1" }], { ...stored, id: "a" })).toBe(false);
  });
});

test("ports that are not available are listed, eight ranges of them", () => {
  const messageOf = (count: number) => {
    const reserved = Array.from({ length: count }, (_, i) => `tcp/${20 + 2 * i}`);
    const body = { ...direct, protocol: "tcp/1-99", origin_direct: ["tcp://192.0.2.1:1-99"] };
    return findingsOf("protocol-reserved", body, { ...world, protocols: { reserved } })[0]?.message;
  };
  expect(messageOf(8)).toContain("34");
  expect(messageOf(8)).not.toContain("more");
  expect(messageOf(9)).toContain("and 1 more");
  expect(messageOf(9)).not.toContain("36");
});
