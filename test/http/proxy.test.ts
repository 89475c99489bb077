/** Proxy applications over HTTP: every code of the specification's table, updates, lists, races, faults. */
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../src/edge.ts";
import { type Code, catalogue } from "../../src/errors.ts";
import type { World } from "../../src/service/world/schema.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/port.ts";
import { type Client, clientOf, type Json, jsonOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";

const network = "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415";

/** The letters of the decisions page: a plain one, by name, in a virtual network, with static edge addresses. */
const direct = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};
const named = {
  protocol: "tcp/22",
  dns: direct.dns,
  origin_dns: { name: "origin.example.com", ttl: 1200 },
  origin_port: 22,
};
const inNetwork = { ...direct, origin_direct: ["tcp://10.0.0.5:22"], virtual_network_id: network };
const staticEdge = {
  ...direct,
  dns: { ...direct.dns, type: "ADDRESS" },
  edge_ips: { type: "static", ips: ["198.51.100.10"] },
};

type Proxy = NonNullable<NonNullable<World["accounts"]>[number]["proxy"]>;

function world(proxy: Proxy = {}, more: World = {}): World {
  return {
    accounts: [
      {
        id: "a1",
        proxy: {
          features: { ftp: true, edge_ips: true, smart_routing: true },
          prefixes: ["198.51.100.0/24"],
          virtual_networks: [{ id: network, routes: ["10.0.0.0/8"] }],
          ...proxy,
        },
      },
    ],
    zones: [
      { id: "z1", name: "example.com", account_id: "a1" },
      { id: "z2", name: "example.net", account_id: "a1" },
    ],
    ...more,
  };
}

function openEdge(options: EdgeOptions = {}) {
  const edge = createEdge(options);
  return {
    edge,
    apps: clientOf(edge, "/zones/z1/app_service/apps"),
    otherApps: clientOf(edge, "/zones/z2/app_service/apps"),
  };
}

const allowed: NonNullable<EdgeOptions["credentials"]> = [
  { token: "t", permissions: ["proxy:write", "ip_prefixes"] },
];

interface Case {
  readonly code: Code;
  readonly body: object;
  readonly pointer: string;
  readonly world?: World;
  readonly credentials?: EdgeOptions["credentials"];
  readonly message?: RegExp;
  /** Created before: on the same zone, or on the other. */
  readonly before?: { readonly zone: "one" | "two"; readonly body: object };
}

const cases: readonly Case[] = [
  { code: 10012, body: { ...direct, tls: "off" }, pointer: "/tls", world: world({ plan: "pay-as-you-go" }) },
  { code: 11000, body: { ...direct, ...named }, pointer: "/origin_direct" },
  { code: 11001, body: { ...named, origin_dns: { name: "bad..name" } }, pointer: "/origin_dns/name" },
  { code: 11002, body: { ...direct, origin_direct: ["tcp://10.0.0.5:22"] }, pointer: "/origin_direct/0" },
  { code: 11004, body: { ...direct, dns: { ...direct.dns, type: "ADDRESS" } }, pointer: "/dns/type" },
  {
    code: 11014,
    body: { ...direct, traffic_type: "ftp" },
    pointer: "/traffic_type",
    world: world({ features: { ftp: false } }),
  },
  {
    code: 11018,
    body: staticEdge,
    pointer: "/edge_ips",
    world: world({ features: { edge_ips: false } }),
    credentials: allowed,
  },
  {
    code: 11019,
    body: staticEdge,
    pointer: "/edge_ips",
    world: world(),
    credentials: [{ token: "t", permissions: ["proxy:write"] }],
  },
  {
    code: 11026,
    body: { ...direct, smart_routing: true },
    pointer: "/smart_routing",
    world: world({ features: { smart_routing: false } }),
  },
  {
    code: 11033,
    body: staticEdge,
    pointer: "/edge_ips/ips/0",
    before: { zone: "two", body: { ...staticEdge, dns: { type: "ADDRESS", name: "a.example.net" } } },
  },
  {
    code: 11033,
    body: staticEdge,
    pointer: "/edge_ips/ips/0",
    world: world({}, { orphaned_edge_ips: ["198.51.100.10"] }),
  },
  {
    code: 11034,
    body: { ...direct, protocol: "ssh" },
    pointer: "/protocol",
    world: world({ plan: "pay-as-you-go" }),
    before: { zone: "one", body: direct },
  },
  { code: 11041, body: { ...named, virtual_network_id: network }, pointer: "/virtual_network_id" },
  {
    code: 11042,
    body: { ...inNetwork, origin_direct: ["tcp://10.0.0.5:22", "tcp://10.0.0.6:22"] },
    pointer: "/origin_direct",
  },
  { code: 11043, body: { ...inNetwork, origin_port: "22-23" }, pointer: "/origin_port" },
  {
    code: 11044,
    body: { ...inNetwork, origin_direct: ["tcp://172.16.0.1:22"] },
    pointer: "/origin_direct/0",
    world: world(),
  },
  { code: 11045, body: { ...inNetwork, virtual_network_id: "f70ff985" }, pointer: "/virtual_network_id" },
  {
    code: 11050,
    body: { ...named, origin_dns: { name: "origin.example.net" } },
    pointer: "/origin_dns/name",
    world: world(),
  },
  {
    code: 12005,
    body: direct,
    pointer: "/edge_ips/connectivity",
    world: world(
      {},
      { zones: [{ id: "z1", name: "example.com", account_id: "a1", proxy: { ipv4_quota: 1 } }] },
    ),
    before: { zone: "one", body: { ...direct, dns: { type: "CNAME", name: "other.example.com" } } },
  },
  {
    code: 13002,
    body: { ...direct, protocol: "udp/53", origin_direct: ["udp://192.0.2.1:53"] },
    pointer: "/protocol",
    world: world({ protocols: { reserved: ["udp/53"] } }),
    message: /53/,
  },
  {
    code: 16001,
    body: direct,
    pointer: "/dns/name",
    before: { zone: "two", body: { ...direct, dns: { type: "CNAME", name: "SSH.example.com." } } },
  },
];

describe("every code has its status and pointer, and nothing is stored", () => {
  test("the cases cover the specification's table; 10002 has its own tests below", () => {
    const codes = Object.entries(catalogue).filter(([, row]) => row.source === "spec");
    const covered = new Set<number>(cases.map((c) => c.code));
    expect(codes.map(([code]) => Number(code)).filter((code) => !covered.has(code))).toEqual([10002]);
  });

  test.each(cases)("$code at $pointer", async (c) => {
    const { edge, apps, otherApps } = openEdge({
      ...(c.world && { world: c.world }),
      ...(c.credentials && { credentials: c.credentials }),
    });
    if (c.before) await (c.before.zone === "one" ? apps : otherApps).ok("POST", "", c.before.body);
    const count = async () => (await apps.ok("GET", "")).result.length;
    const before = await count();
    const response = await apps("POST", "", c.body);
    const { errors } = await jsonOf(response.clone());
    await expectFailure(response, {
      status: catalogue[c.code].status,
      code: c.code,
      ...(c.message && { message: c.message }),
    });
    expect(errors).toHaveLength(1);
    expect(errors[0].source.pointer.startsWith(c.pointer), errors[0].source.pointer).toBe(true);
    expect(await count()).toBe(before);
    await edge.close();
  });

  test("with `proxyErrors: all` all errors of the phase are returned", async () => {
    const { apps } = openEdge({ proxyErrors: "all" });
    const body = {
      ...inNetwork,
      origin_direct: ["tcp://10.0.0.5:22-23", "tcp://10.0.0.6:22"],
      virtual_network_id: "x",
    };
    const { errors } = await jsonOf(await apps("POST", "", body));
    expect(new Set(errors.map((e: Json) => e.code))).toEqual(new Set([11042, 11043, 11045]));
  });

  test.each([
    [{ ...direct, protocol: 5 }, "/protocol"],
    [{ ...direct, tls: "maybe" }, "/tls"],
    [{ dns: direct.dns, origin_direct: direct.origin_direct }, "/protocol"],
    [[], ""],
  ])("a wrong format is 10400 with a pointer (%j)", async (body, pointer) => {
    await expectFailure(await openEdge().apps("POST", "", body), { status: 400, code: 10400, pointer });
  });
});

describe("create, read, update, delete", () => {
  test("POST returns the application with its defaults, an id and timestamps", async () => {
    const { apps } = openEdge({ clock: () => 0 });
    const { result } = await apps.ok("POST", "", direct);
    expect(result).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      ...direct,
      traffic_type: "direct",
      edge_ips: { type: "dynamic", connectivity: "all" },
      smart_routing: false,
      ip_firewall: false,
      proxy_protocol: "off",
      tls: "off",
      created_on: "1970-01-01T00:00:00.000000Z",
      modified_on: "1970-01-01T00:00:00.000000Z",
    });
    expect((await apps.ok("GET", `/${result.id}`)).result).toEqual(result);
  });

  test.each(["spec", "provider"] as const)(
    "the answer to a GET can be put back, without a message about members of answers (profile %s)",
    async (profile) => {
      const edge = createEdge({
        profile,
        world: world({ protocols: { allowed: ["tcp/22"], reserved: [] } }),
      });
      const segment = profile === "spec" ? "app_service" : "spectrum";
      const client = clientOf(edge, `/zones/z1/${segment}/apps`);
      const { result } = await client.ok("POST", "", direct);
      const { result: read } = await client.ok("GET", `/${result.id}`);
      const again = await client.ok("PUT", `/${result.id}`, read);
      expect(again.messages).toEqual([]);
      expect({ ...again.result, modified_on: "" }).toEqual({ ...read, modified_on: "" });
    },
  );

  test("PATCH merges, PUT replaces, DELETE removes", async () => {
    let now = 0;
    const { apps } = openEdge({ clock: () => now });
    const { id } = (await apps.ok("POST", "", direct)).result;
    now = 1000;
    const patched = (
      await apps.ok("PATCH", `/${id}`, { tls: "full", origin_dns: named.origin_dns, origin_port: 22 })
    ).result;
    expect(patched).toMatchObject({
      tls: "full",
      protocol: "tcp/22",
      origin_dns: { name: "origin.example.com" },
    });
    expect(patched).not.toHaveProperty("origin_direct");
    expect([patched.created_on, patched.modified_on]).toEqual([
      "1970-01-01T00:00:00.000000Z",
      "1970-01-01T00:00:01.000000Z",
    ]);
    const replaced = (await apps.ok("PUT", `/${id}`, direct)).result;
    expect([replaced.tls, replaced.origin_dns]).toEqual(["off", undefined]);
    expect((await apps.ok("DELETE", `/${id}`)).result).toEqual({ id });
    await expectFailure(await apps("GET", `/${id}`), { status: 404, code: 10404 });
  });

  test.each(["add-on", "pay-as-you-go"] as const)(
    "a create reads no more of the store in a zone of many applications (plan %s)",
    async (plan) => {
      const store = createMemoryStore();
      let read = 0;
      const counting: Store = {
        ...store,
        write: (work) =>
          store.write((tx) =>
            work({
              ...tx,
              find: async (collection, scope, query) => {
                const found = await tx.find(collection, scope, query);
                if (scope === "z1") read += found.length;
                return found;
              },
            }),
          ),
      };
      const { apps } = openEdge({ world: world({ plan }), store: counting });
      const app = (port: number) => ({
        ...direct,
        protocol: `tcp/${port}`,
        dns: { type: "CNAME", name: `p${port}.example.com` },
        origin_direct: [`tcp://192.0.2.1:${port}`],
      });
      for (let port = 100; port < 120; port++) await apps.ok("POST", "", app(port));
      expect(read).toBe(0);
      if (plan === "pay-as-you-go") {
        await expectFailure(await apps("POST", "", app(110)), { status: 400, code: 11034 });
        expect(read).toBe(1);
      }
    },
  );

  test("an update runs the same checks, and may keep its own name and addresses", async () => {
    const { apps, otherApps } = openEdge({ world: world({ plan: "pay-as-you-go" }) });
    const { id } = (await apps.ok("POST", "", direct)).result;
    await apps.ok("PATCH", `/${id}`, { protocol: "ssh" });
    await apps.ok("POST", "", { ...direct, protocol: "tcp/80", origin_direct: ["tcp://192.0.2.1:80"] });
    await expectFailure(await apps("PATCH", `/${id}`, { protocol: "tcp/80" }), { status: 400, code: 11034 });
    await expectFailure(await apps("PATCH", `/${id}`, { dns: { type: "ADDRESS" } }), {
      status: 400,
      code: 11004,
    });
    await expectFailure(await otherApps("PATCH", `/${id}`, {}), { status: 404, code: 10404 });
    expect((await apps.ok("GET", `/${id}`)).result.protocol).toBe("ssh");
  });

  test("names and addresses are released by deletion and by a change", async () => {
    const { apps, otherApps } = openEdge();
    const { id } = (await apps.ok("POST", "", direct)).result;
    await expectFailure(await otherApps("POST", "", direct), { status: 400, code: 16001 });
    await apps.ok("PATCH", `/${id}`, { dns: { name: "new.example.com" } });
    const other = (await otherApps.ok("POST", "", direct)).result;
    await otherApps.ok("DELETE", `/${other.id}`);
    await apps.ok("PATCH", `/${id}`, { dns: { name: "ssh.example.com" } });
  });

  test("a name of two applications stays in use until both are deleted", async () => {
    const { apps, otherApps } = openEdge();
    const first = (await apps.ok("POST", "", direct)).result;
    const second = (
      await apps.ok("POST", "", { ...direct, protocol: "tcp/23", origin_direct: ["tcp://192.0.2.1:23"] })
    ).result;
    await apps.ok("DELETE", `/${first.id}`);
    await expectFailure(await otherApps("POST", "", direct), { status: 400, code: 16001 });
    await apps.ok("DELETE", `/${second.id}`);
    await otherApps.ok("POST", "", direct);
  });

  test("a name in use in the world file stays in use when an application on it is created and deleted", async () => {
    const zones = [
      { id: "z1", name: "example.com", proxy: { hostnames: ["SSH.example.com."] } },
      { id: "z2", name: "example.net" },
    ];
    const { apps, otherApps } = openEdge({ world: world({}, { zones }) });
    const { id } = (await apps.ok("POST", "", direct)).result;
    await apps.ok("PATCH", `/${id}`, { dns: { name: "other.example.com" } });
    await expectFailure(await otherApps("POST", "", direct), { status: 400, code: 16001 });
    await apps.ok("PATCH", `/${id}`, { dns: direct.dns });
    await apps.ok("DELETE", `/${id}`);
    await expectFailure(await otherApps("POST", "", direct), { status: 400, code: 16001 });
  });

  test("the IPv4 quota counts host names, and deletion releases them", async () => {
    const zones = [{ id: "z1", name: "example.com", account_id: "a1", proxy: { ipv4_quota: 1 } }];
    const { apps } = openEdge({ world: world({}, { zones }) });
    const { id } = (await apps.ok("POST", "", direct)).result;
    await apps.ok("POST", "", { ...direct, protocol: "tcp/23", origin_direct: ["tcp://192.0.2.1:23"] });
    const other = { ...direct, dns: { type: "CNAME", name: "b.example.com" } };
    await expectFailure(await apps("POST", "", other), { status: 400, code: 12005 });
    await apps.ok("DELETE", `/${(await apps.ok("GET", "?order=protocol")).result[1].id}`);
    await apps.ok("PATCH", `/${id}`, { dns: { name: "moved.example.com" } });
    await expectFailure(await apps("POST", "", other), { status: 400, code: 12005 });
    const six = { type: "dynamic", connectivity: "ipv6" };
    await apps.ok("POST", "", { ...other, edge_ips: six });
    await apps.ok("PATCH", `/${id}`, { edge_ips: six });
    await apps.ok("POST", "", { ...other, dns: { type: "CNAME", name: "c.example.com" } });
  });

  test.each(["GET", "PATCH", "PUT", "DELETE"])(
    "%s of no id of ours is 400, of an unknown one 404",
    async (method) => {
      const { apps } = openEdge();
      const body = method === "GET" || method === "DELETE" ? undefined : direct;
      await expectFailure(await apps(method, "/abc", body), { status: 400, code: 10400 });
      await expectFailure(await apps(method, `/${"0".repeat(32)}`, body), { status: 404, code: 10404 });
    },
  );
});

describe("without a world file", () => {
  test("a check with missing facts does not reject, and is listed in messages", async () => {
    const { apps } = openEdge();
    const { messages } = await apps.ok("POST", "", { ...staticEdge, smart_routing: true });
    const named = messages.map((m: Json) => m.message).join("\n");
    expect(named).toMatch(/11018.*features\.edge_ips/);
    expect(named).toMatch(/11026.*features\.smart_routing/);
    expect(named).toMatch(/11019.*permissions\.ip_prefixes/);
    expect(new Set(messages.map((m: Json) => m.code))).toEqual(new Set([10403]));
  });

  test("an unknown member is ignored and listed in messages, since the account has the add-on", async () => {
    const { result, messages } = await openEdge().apps.ok("POST", "", { ...direct, foo: 1 });
    expect(result).not.toHaveProperty("foo");
    expect(messages).toContainEqual({
      code: 10401,
      message: expect.stringContaining("foo"),
      source: { pointer: "/foo" },
    });
  });

  test("the DNS and the access check can be replaced", async () => {
    const zoneOf = (name: string) => (name.endsWith("example.org") ? "elsewhere" : "z1");
    const { apps } = openEdge({ proxy: { zoneOf, originAccess: () => undefined } });
    await apps.ok("POST", "", { ...direct, origin_direct: ["tcp://10.0.0.5:22"] });
    const foreign = { ...named, origin_dns: { name: "o.example.org" } };
    await expectFailure(await apps("POST", "", foreign), { status: 400, code: 11050 });
  });
});

describe("the account's other zones", () => {
  test("11034 counts the applications of all zones of a pay-as-you-go account", async () => {
    const { apps, otherApps } = openEdge({ world: world({ plan: "pay-as-you-go" }) });
    const inTwo = { ...direct, protocol: "ssh", dns: { type: "CNAME", name: "ssh.example.net" } };
    const { id } = (await otherApps.ok("POST", "", inTwo)).result;
    await expectFailure(await apps("POST", "", direct), { status: 400, code: 11034, pointer: "/protocol" });
    await otherApps.ok("PUT", `/${id}`, inTwo);
    const other = { ...direct, protocol: "tcp/80", origin_direct: ["tcp://192.0.2.1:80"] };
    const stored = (await apps.ok("POST", "", other)).result;
    await expectFailure(await apps("PUT", `/${stored.id}`, direct), { status: 400, code: 11034 });
    await otherApps.ok("DELETE", `/${id}`);
    await apps.ok("PUT", `/${stored.id}`, direct);
  });

  test("11034 does not count the zones of another account", async () => {
    const accounts = ["a1", "a2"].map((id) => ({ id, proxy: { plan: "pay-as-you-go" } as const }));
    const zones = [
      { id: "z1", name: "example.com", account_id: "a1" },
      { id: "z2", name: "example.net", account_id: "a2" },
    ];
    const { apps, otherApps } = openEdge({ world: { accounts, zones } });
    await apps.ok("POST", "", direct);
    const other = { ...direct, dns: { type: "CNAME", name: "ssh.example.net" } };
    expect((await otherApps.ok("POST", "", other)).result.dns).toEqual(other.dns);
  });
});

describe("the domain of dns.name", () => {
  const named = (name: string) => ({ ...direct, dns: { type: "CNAME", name } });
  const zones: World["zones"] = [
    { id: "z1", name: "example.com", account_id: "a1" },
    { id: "z2", name: "Sub.Example.com", account_id: "a1" },
    { id: "z3", name: "example.org", account_id: "a2" },
  ];
  const accounts = [{ id: "a1" }, { id: "a2" }];

  test.each([
    ["a.sub.example.com", 16001],
    ["sub.example.com.", 16001],
    ["A.example.ORG", 16001],
    ["example.net", 10400],
    ["notexample.com", 10400],
  ])("%s is noted in profile spec and is %d in profile provider", async (name, code) => {
    const noted = openEdge({ world: { accounts, zones } });
    const { messages } = await noted.apps.ok("POST", "", named(name));
    expect(messages.filter((m: Json) => m.code === 10402)).toEqual([
      {
        code: 10402,
        message: expect.stringMatching(/^The provider rejects this: .*domain/),
        source: { pointer: "/dns/name" },
      },
    ]);
    const { apps } = openEdge({ world: { accounts, zones }, restrictions: "enforce" });
    await expectFailure(await apps("POST", "", named(name)), { status: 400, code, pointer: "/dns/name" });
  });

  test.each(["example.com", "deep.a.example.com", "Example.COM."])(
    "%s is in the zone's own domain",
    async (name) => {
      const { apps } = openEdge({ world: { accounts, zones }, restrictions: "enforce" });
      const { messages } = await apps.ok("POST", "", named(name));
      expect(messages.map((m: Json) => m.message).join()).not.toMatch(/domain/);
    },
  );

  test("a name in no known domain is not evaluated when the domain of a zone of the account is unknown", async () => {
    const unnamed: World["zones"] = [{ id: "z1", name: "example.com" }, { id: "z2" }];
    for (const edge of [openEdge({ world: { zones: unnamed }, restrictions: "enforce" }), openEdge()]) {
      const { messages } = await edge.apps.ok("POST", "", named("www.example.net"));
      expect(messages.map((m: Json) => m.message)).toContainEqual(
        expect.stringMatching(/`hostname-outside-domains` \(10400\) was not evaluated.*`zones`/),
      );
    }
    const { apps } = openEdge({ world: { zones: unnamed }, restrictions: "enforce" });
    await apps.ok("POST", "", named("www.example.com"));
  });
});

describe("restrictions and notes", () => {
  const udp = { ...direct, protocol: "udp/22", origin_direct: ["udp://192.0.2.1:22"], tls: "full" };

  test("a restriction of the provider is noted in profile spec, and 10400 in profile provider", async () => {
    const spec = openEdge();
    const { messages, result } = await spec.apps.ok("POST", "", udp);
    expect(messages).toContainEqual({
      code: 10402,
      message:
        "The provider rejects this: `tls` `full` is set with the protocol `udp/22`; it is allowed only with TCP.",
      source: { pointer: "/tls" },
    });
    await spec.apps.ok("PATCH", `/${result.id}`, { tls: "strict" });
    const enforced = openEdge({ restrictions: "enforce" });
    await expectFailure(await enforced.apps("POST", "", udp), { status: 400, code: 10400, pointer: "/tls" });
    const { id } = (await enforced.apps.ok("POST", "", { ...udp, tls: "off" })).result;
    await expectFailure(await enforced.apps("PATCH", `/${id}`, { tls: "full" }), {
      status: 400,
      code: 10400,
    });
  });

  test("edge ports that overlap on a host name are noted, but not those of the updated application itself", async () => {
    const { apps } = openEdge();
    const range = { ...direct, protocol: "tcp/20-30", origin_direct: ["tcp://192.0.2.1:20-30"] };
    const noted = (messages: Json[]) => messages.filter((m) => m.code === 10402).map((m) => m.message);
    const { id } = (await apps.ok("POST", "", direct)).result;
    expect(noted((await apps.ok("PATCH", `/${id}`, { tls: "full" })).messages)).toEqual([]);
    expect(noted((await apps.ok("POST", "", range)).messages)).toEqual([
      "The edge ports of `tcp/20-30` overlap those of `tcp/22` on the host name `ssh.example.com`.",
    ]);
    const elsewhere = { ...range, dns: { type: "CNAME", name: "b.example.com" } };
    expect(noted((await apps.ok("POST", "", elsewhere)).messages)).toEqual([]);
  });
});

describe("lists", () => {
  async function filled(): Promise<Client> {
    let now = 0;
    const { apps } = openEdge({ clock: () => now });
    for (const [name, port] of [
      ["b", 3],
      ["c", 1],
      ["a", 2],
    ] as const) {
      now += 1000;
      const body = {
        protocol: `tcp/${port}`,
        dns: { type: "CNAME", name: `${name}.example.com` },
        origin_direct: [`tcp://192.0.2.1:${port}`],
      };
      await apps.ok("POST", "", body);
    }
    return apps;
  }

  test.each([
    ["", "abc"],
    ["?direction=desc", "cba"],
    ["?order=protocol", "cab"],
    ["?order=created_on", "bca"],
    ["?order=modified_on&direction=desc", "acb"],
    ["?page=2&per_page=2", "c"],
  ])("%s", async (query, expected) => {
    const apps = await filled();
    const body = await apps.ok("GET", query);
    expect(body.result.map((a: Json) => a.dns.name[0]).join("")).toBe(expected);
    expect("result_info" in body).toBe(query.includes("page="));
  });

  test("lists can be ordered by id, and have page info", async () => {
    const apps = await filled();
    const { result } = await apps.ok("GET", "?order=app_id");
    expect(result.map((a: Json) => a.id)).toEqual([...result.map((a: Json) => a.id)].sort());
    expect((await apps.ok("GET", "?page=1&per_page=2")).result_info).toEqual({
      page: 1,
      per_page: 2,
      count: 2,
      total_count: 3,
      total_pages: 2,
    });
  });

  test.each(["?order=name", "?order=__proto__", "?direction=up", "?page=0"])(
    "%s is rejected",
    async (query) => {
      await expectFailure(await openEdge().apps("GET", query), { status: 400, code: 10400 });
    },
  );
});

describe("exactly one of two concurrent creations succeeds when only one may exist", () => {
  const races: readonly [
    string,
    World | undefined,
    (client: ReturnType<typeof openEdge>) => Promise<Response>[],
    Code,
  ][] = [
    [
      "11034",
      world({ plan: "pay-as-you-go" }),
      ({ apps }) => [apps("POST", "", direct), apps("POST", "", { ...direct, protocol: "ssh" })],
      11034,
    ],
    [
      "16001",
      undefined,
      ({ apps, otherApps }) => [apps("POST", "", direct), otherApps("POST", "", direct)],
      16001,
    ],
    [
      "11033",
      undefined,
      ({ apps, otherApps }) => [
        apps("POST", "", staticEdge),
        otherApps("POST", "", { ...staticEdge, dns: { type: "ADDRESS", name: "x.example.net" } }),
      ],
      11033,
    ],
    [
      "12005",
      world({}, { zones: [{ id: "z1", name: "example.com", account_id: "a1", proxy: { ipv4_quota: 1 } }] }),
      ({ apps }) =>
        ["a", "b", "c"].map((n) =>
          apps("POST", "", { ...direct, dns: { type: "CNAME", name: `${n}.example.com` } }),
        ),
      12005,
    ],
  ];

  test.each(races)("%s", async (_name, given, start, code) => {
    const client = openEdge(given ? { world: given } : {});
    const responses = await Promise.all(start(client));
    expect(responses.filter((r) => r.status === 200)).toHaveLength(1);
    for (const response of responses.filter((r) => r.status !== 200))
      await expectFailure(response, { status: 400, code });
  });
});

describe("10002", () => {
  test.each(["store", "dns", "addresses"] as const)(
    "a fault of %s: 500, or 503 when it is unavailable; never a detail",
    async (at) => {
      for (const status of [500, 503] as const) {
        const logged: string[] = [];
        const { apps } = openEdge({
          faults: [{ at, status }],
          onError: (_error, trace) => void logged.push(trace),
        });
        const response = await apps("POST", "", direct);
        expect(logged).toEqual([response.headers.get("x-trace-id")]);
        expect(await response.clone().text()).not.toContain("injected");
        await expectFailure(response, { status, code: 10002 });
      }
    },
  );
});

describe("wire names", () => {
  const provider = (options: EdgeOptions = {}) =>
    clientOf(createEdge({ profile: "provider", ...options }), "/zones/z1/spectrum/apps");

  test("the provider profile uses its member name in bodies, pointers and messages", async () => {
    const client = provider();
    const { result, messages } = await client.ok("POST", "", { ...direct, argo_smart_routing: true });
    expect([result.argo_smart_routing, "smart_routing" in result]).toEqual([true, false]);
    expect(messages.map((m: Json) => m.message).join()).not.toMatch(/`smart_routing|\bsmart-?routing`/);
    const response = await client("POST", "", { ...direct, argo_smart_routing: "yes" });
    await expectFailure(response, { status: 400, code: 10400, pointer: "/argo_smart_routing" });
  });

  test("the internal member name is an unknown member there", async () => {
    const { result, messages } = await provider().ok("POST", "", { ...direct, smart_routing: true });
    expect(result.argo_smart_routing).toBe(false);
    expect(messages).toContainEqual(
      expect.objectContaining({ code: 10401, source: { pointer: "/smart_routing" } }),
    );
  });
});

test("a problem in the proxy members of a world file has a pointer", () => {
  const faulty: World = {
    accounts: [
      { id: "a", proxy: { prefixes: ["198.51.100.0"], virtual_networks: [{ id: "x", routes: [] }] } },
    ],
    zones: [{ id: "z", proxy: { hostnames: ["bad..name"] } }],
    orphaned_edge_ips: ["0x7f.1"],
  };
  try {
    createEdge({ world: faulty });
    expect.unreachable();
  } catch (error) {
    expect((error as { problems: Json[] }).problems.map((p) => p.pointer)).toEqual([
      "/accounts/0/proxy/prefixes/0",
      "/accounts/0/proxy/virtual_networks/0/id",
      "/zones/0/proxy/hostnames/0",
      "/orphaned_edge_ips/0",
    ]);
  }
});
