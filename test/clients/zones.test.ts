/** Zones and operations through the provider's client library. */
import { describe, expect, test } from "vitest";
import { generations } from "./provider.ts";

const zone = { id: "023e105f4ecef8ad9ca31a8372d0c353", name: "example.com", account_id: "a1" };
const operations = Array.from({ length: 60 }, (_, i) => {
  return { operation_id: `o${i}`, method: "GET", host: `h${i % 2}.example.com`, endpoint: `/v1/${i}` };
});
const world = { zones: [{ ...zone, token_validation: { operations } }] };

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

describe.each(generations)("$name", ({ open }) => {
  test("a zone is found by its name, and read by its id", async () => {
    const { client } = open({ world });
    const [found, ...more] = await all(client.zones.list({ name: zone.name }));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ id: zone.id, name: zone.name, account: { id: "a1" } });
    expect(await client.zones.get({ zone_id: zone.id })).toEqual(found);
  });

  test("the iterator returns every operation once, and those of a filter", async () => {
    const { client } = open({ world });
    const ids = async (filter: object) =>
      (await all(client.apiGateway.operations.list({ zone_id: zone.id, ...filter }))).map(
        ({ operation_id }) => operation_id,
      );
    expect(await ids({})).toEqual(operations.map(({ operation_id }) => operation_id));
    expect(await ids({ host: ["h1.example.com"], method: ["GET"], per_page: 50 })).toHaveLength(30);
  });
});
