/** Token validation through the provider's client library. */
import { beforeAll, describe, expect, test } from "vitest";
import { type TestKeys, testKeys } from "../support/keys.ts";
import { generations, isOlder } from "./provider.ts";

let keys: TestKeys;
beforeAll(async () => {
  keys = await testKeys();
});

const zone_id = "023e105f4ecef8ad9ca31a8372d0c353";

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

describe.each(generations)("$name", ({ open }) => {
  function configuration(title: string) {
    return {
      zone_id,
      title,
      description: "long",
      token_type: "JWT" as const,
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [keys.rs256.jwk, keys.es256.jwk] },
    };
  }

  test("configurations: create, list, get, edit, new credentials, delete", async () => {
    const { client } = open();
    const { configuration: configurations } = client.tokenValidation;
    const created = await configurations.create(configuration("one"));
    await configurations.create(configuration("two"));
    expect(created).toMatchObject({ title: "one", credentials: { keys: [keys.rs256.jwk, keys.es256.jwk] } });
    const titles = (await all(configurations.list({ zone_id, per_page: 1 }))).map((c) => c.title);
    expect(titles).toEqual(["one", "two"]);
    expect(await configurations.edit(created.id, { zone_id, title: "uno" })).toMatchObject({
      id: created.id,
      title: "uno",
    });
    const update = { zone_id, keys: [keys.es384.jwk] };
    expect((await configurations.credentials.update(created.id, update)).keys).toEqual([keys.es384.jwk]);
    expect(await configurations.get(created.id, { zone_id })).toMatchObject({
      title: "uno",
      credentials: { keys: [keys.es384.jwk] },
    });
    // The older version has no such method.
    if (!isOlder) {
      const { alg, kid } = keys.es384.jwk;
      const edit = { zone_id, keys: [{ alg, kid }, keys.es256.jwk] };
      const { keys: edited } = await configurations.credentials.edit(created.id, edit as never);
      expect(edited).toEqual([keys.es384.jwk, keys.es256.jwk]);
    }
    expect(await configurations.delete(created.id, { zone_id })).toMatchObject({ id: created.id });
    expect((await all(configurations.list({ zone_id }))).map((c) => c.title)).toEqual(["two"]);
  });

  test("rules: create, bulk, list with filters, reorder, delete", async () => {
    const { client } = open();
    const { rules } = client.tokenValidation;
    const config = await client.tokenValidation.configuration.create(configuration("idp"));
    const body = (title: string) => ({
      title,
      description: "d",
      action: "block" as const,
      enabled: true,
      expression: `is_jwt_valid("${config.id}")`,
      selector: { include: [{ host: ["api.example.com"] }] },
    });
    const a = await rules.create({ zone_id, ...body("a") });
    const [b, c] = await all(
      rules.bulkCreate({ zone_id, body: [body("b"), { ...body("c"), action: "log" }] }),
    );
    const titles = async (query = {}) =>
      (await all(rules.list({ zone_id, per_page: 2, ...query }))).map((r) => r.title).join("");
    expect(await titles()).toBe("abc");
    expect(await titles({ action: "log" })).toBe("c");
    expect(await titles({ token_configuration: [config.id] })).toBe("abc");
    expect(await titles({ hostname: "other.example.com" })).toBe("");
    await rules.edit(c!.id!, { zone_id, position: { before: a.id! } });
    expect(await titles()).toBe("cab");
    const edited = await all(
      rules.bulkEdit({
        zone_id,
        body: [
          { id: b!.id!, position: { index: 1 } },
          { id: a.id!, enabled: false },
        ],
      }),
    );
    expect(edited.map((r) => r.title)).toEqual(["b", "a"]);
    expect(await titles()).toBe("bca");
    expect(await rules.get(a.id!, { zone_id })).toMatchObject({ title: "a", enabled: false });
    await rules.delete(a.id!, { zone_id });
    expect(await titles()).toBe("bc");
  });

  test("errors arrive as the library's own, with status and code", async () => {
    const { client } = open();
    const absent = "00000000-0000-4000-8000-000000000000";
    await expect(client.tokenValidation.rules.get(absent, { zone_id })).rejects.toMatchObject({
      name: "Error",
      status: 404,
      errors: [{ code: 10404 }],
    });
    const wrong = { ...configuration("x"), title: 5 as unknown as string };
    await expect(client.tokenValidation.configuration.create(wrong)).rejects.toMatchObject({
      status: 400,
      errors: [{ code: 10400, source: { pointer: "/title" } }],
    });
  });

  test("rejected credentials arrive as the library's own errors", async () => {
    const credentials = [{ token: "another", permissions: ["token_validation:write" as const] }];
    const { client } = open({ credentials });
    await expect(client.tokenValidation.configuration.list({ zone_id })).rejects.toMatchObject({
      status: 403,
      errors: [{ code: 10000 }],
    });
  });
});
