/** Image hosting in the world file: seeding, and the problems of a wrong one. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { signAddress } from "../../../src/engine/images/signing.ts";
import { InvalidInputError } from "../../../src/errors.ts";
import type { World } from "../../../src/service/world/schema.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { clientOf } from "../../support/client.ts";
import { imageSetting } from "../../support/images.ts";

const options = { fit: "cover", width: 8, height: 8, metadata: "none" } as const;
const images = {
  account_hash: "my-hash",
  allowed: 2,
  signing_keys: [{ name: "ci", value: "known" }],
  variants: [{ id: "tiny", options }],
};
const world: World = { accounts: [{ id: "a1", images }, { id: "a2" }] };

test("seeds the hash, the maximum number of images, keys with known values, and variants", async () => {
  const { client, upload, at } = imageSetting({ world });
  expect((await client.ok("GET", "/v1/stats")).result.count.allowed).toBe(2);
  expect((await client.ok("GET", "/v1/keys")).result.keys).toEqual([{ name: "ci", value: "known" }]);
  const { variants } = await upload({ id: "x", requireSignedURLs: "true" });
  expect(variants).toEqual([
    "https://edge.test/cdn-cgi/imagedelivery/my-hash/x/public",
    "https://edge.test/cdn-cgi/imagedelivery/my-hash/x/tiny",
  ]);
  expect((await at(signAddress(variants[1], "known"))).status).toBe(200);
});

test("addresses follow a hash that another account has from now on", async () => {
  const store = createMemoryStore();
  const hashes = (a1: string, a2: string): World => ({
    accounts: [
      { id: "a1", images: { account_hash: a1 } },
      { id: "a2", images: { account_hash: a2 } },
    ],
  });
  const before = imageSetting({ store, world: hashes("one", "two") });
  const { variants } = await before.upload({ id: "x" });
  expect((await before.at(variants[0])).status).toBe(200);
  const after = imageSetting({ store, world: hashes("two", "one") });
  expect((await after.at(variants[0])).status).toBe(404);
  expect((await after.at(variants[0].replace("/one/", "/two/"))).status).toBe(200);
});

test("an account without `images` in the world starts with the defaults", async () => {
  const { edge } = imageSetting({ world });
  const client = clientOf(edge, "/accounts/a2/images/v1");
  expect((await client.ok("GET", "/keys")).result.keys[0].name).toBe("default");
  expect(Object.keys((await client.ok("GET", "/variants")).result.variants)).toEqual(["public"]);
});

test("a variant `public` in the world replaces the default one", async () => {
  const own = { ...images, variants: [{ id: "public", options }] };
  const { client } = imageSetting({ world: { accounts: [{ id: "a1", images: own }] } });
  expect((await client.ok("GET", "/v1/variants")).result.variants.public.options).toEqual(options);
});

test("existing records of the store are not changed", async () => {
  const store = createMemoryStore();
  const early = imageSetting({ store });
  const before = (await early.client.ok("GET", "/v1/keys")).result;
  expect((await imageSetting({ store, world }).client.ok("GET", "/v1/keys")).result).toEqual(before);
});

describe("a wrong world", () => {
  test.each<[object, string]>([
    [{ account_hash: "a/b" }, "/account_hash"],
    [{ allowed: -1 }, "/allowed"],
    [{ signing_keys: [] }, "/signing_keys"],
    [{ signing_keys: [{ name: "a b", value: "x" }] }, "/signing_keys/0/name"],
    [{ signing_keys: [{ name: "a", value: "" }] }, "/signing_keys/0/value"],
    [
      {
        signing_keys: [
          { name: "a", value: "x" },
          { name: "a", value: "y" },
        ],
      },
      "/signing_keys/1/name",
    ],
    [{ variants: [{ id: "a b", options }] }, "/variants/0/id"],
    [{ variants: [{ id: "a", options: { ...options, width: 0 } }] }, "/variants/0/options/width"],
    [{ variants: [{ id: "a", options: { ...options, gravity: 1 } }] }, "/variants/0/options/gravity"],
    [
      {
        variants: [
          { id: "a", options },
          { id: "a", options },
        ],
      },
      "/variants/1/id",
    ],
    [{ images: 5 }, "/images"],
  ])("%j is reported with its pointer", (change, pointer) => {
    try {
      createEdge({ world: { accounts: [{ id: "a1", images: { ...images, ...change } }] } });
      expect.unreachable();
    } catch (error) {
      expect((error as InvalidInputError).problems.map((p) => p.pointer)).toEqual([
        `/accounts/0/images${pointer}`,
      ]);
    }
  });

  test("two accounts with the same hash are reported", () => {
    const twice: World = {
      accounts: [
        { id: "a1", images },
        { id: "a2", images },
      ],
    };
    expect(() => createEdge({ world: twice })).toThrow(/\/accounts\/1\/images\/account_hash.*my-hash/);
    expect(() => createEdge({ world: twice })).toThrow(InvalidInputError);
  });
});
