/** Proxy applications through the provider's client library. */
import { describe, expect, test } from "vitest";
import { generations } from "./provider.ts";

const zone_id = "023e105f4ecef8ad9ca31a8372d0c353";

function application(name: string, port: number) {
  return {
    zone_id,
    protocol: `tcp/${port}`,
    dns: { type: "CNAME" as const, name: `${name}.example.com` },
    origin_direct: [`tcp://192.0.2.1:${port}`],
  };
}

/** Names in the order of the list. */
function names(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `app-${String(i).padStart(2, "0")}`);
}

describe.each(generations)("$name", ({ open }) => {
  test("create, list with the library's iterator, get, replace, delete", async () => {
    const { client } = open();
    const { apps } = client.spectrum;
    const created = await apps.create({ ...application("a", 22), argo_smart_routing: true, tls: "full" });
    expect(created).toMatchObject({ protocol: "tcp/22", argo_smart_routing: true, tls: "full" });
    await apps.create(application("c", 24));
    await apps.create(application("b", 23));
    const names: string[] = [];
    for await (const page of apps.list({ zone_id, per_page: 2, page: 1 }) as AsyncIterable<unknown>) {
      for (const app of [page].flat()) names.push((app as { dns: { name: string } }).dns.name);
    }
    expect(names).toEqual(["a.example.com", "b.example.com", "c.example.com"]);
    const updated = await apps.update(created.id!, application("a", 2222));
    expect(updated).toMatchObject({ id: created.id, protocol: "tcp/2222", tls: "off" });
    expect(await apps.get(created.id!, { zone_id })).toMatchObject({ protocol: "tcp/2222" });
    expect(await apps.delete(created.id!, { zone_id })).toMatchObject({ id: created.id });
    await expect(apps.get(created.id!, { zone_id })).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 10404 }],
    });
  });

  test("a pay-as-you-go application that was read, changed and put back is accepted", async () => {
    const accounts = [{ id: "a1", proxy: { plan: "pay-as-you-go" as const } }];
    const zones = [{ id: zone_id, name: "example.com", account_id: "a1" }];
    const { client } = open({ world: { accounts, zones } });
    const { apps } = client.spectrum;
    const created = await apps.create(application("a", 22));
    const read = await apps.get(created.id!, { zone_id });
    expect(Object.keys(read).sort()).toEqual([
      "created_on",
      "dns",
      "id",
      "modified_on",
      "origin_direct",
      "protocol",
    ]);
    const change = { ...read, zone_id, origin_direct: ["tcp://192.0.2.2:22"] };
    const updated = await apps.update(created.id!, change as never);
    const { modified_on, ...same } = read as typeof read & { modified_on: string };
    expect(updated).toMatchObject({ ...same, origin_direct: change.origin_direct });
  });

  test.each([
    [
      "requested",
      "all applications, and those after the twentieth again",
      [...names(25), ...names(25).slice(20)],
    ],
    ["always", "each application once", names(25)],
  ] as const)(
    "with appsPaging %s the iterator without a page returns %s",
    async (appsPaging, _, expected) => {
      const { client } = open({ appsPaging });
      const { apps } = client.spectrum;
      for (const [i, name] of names(25).entries()) await apps.create(application(name, 1000 + i));
      const listed: string[] = [];
      for await (const page of apps.list({ zone_id }) as AsyncIterable<unknown>) {
        for (const app of [page].flat()) listed.push((app as { dns: { name: string } }).dns.name);
      }
      expect(listed).toEqual(expected.map((name) => `${name}.example.com`));
    },
  );

  test("errors have the specification's codes", async () => {
    const { client } = open();
    const wrong = { ...application("a", 443), origin_direct: ["tcp://2001:db8::1:443"] };
    await expect(client.spectrum.apps.create(wrong)).rejects.toMatchObject({
      status: 400,
      errors: [{ code: 11002, source: { pointer: "/origin_direct/0" } }],
    });
  });
});
