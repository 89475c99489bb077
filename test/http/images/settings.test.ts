/** Settings of image hosting: defaults, edits, rejections, every store, worlds and exports. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { World } from "../../../src/service/world/schema.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { exportStore } from "../../../src/store/transfer/export.ts";
import { importStore } from "../../../src/store/transfer/import.ts";
import { expectFailure } from "../../support/failure.ts";
import { imageSetting } from "../../support/images.ts";
import { runs } from "../../support/runs.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const usual = { flexible_variants: false, browser_ttl: 172_800, preserve_content_credentials: false };
const kinds = await storeKinds();

const change = fc.record(
  {
    flexible_variants: fc.boolean(),
    browser_ttl: fc.integer({ min: 3_600, max: 31_536_000 }),
    preserve_content_credentials: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("the settings", () => {
  test("are those of a new account, and a change keeps what it does not have", async () => {
    const { client } = imageSetting();
    expect((await client.ok("GET", "/v1/config")).result).toEqual(usual);
    const changed = { ...usual, browser_ttl: 3_600 };
    expect((await client.ok("PATCH", "/v1/config", { browser_ttl: 3_600 })).result).toEqual(changed);
    expect((await client.ok("PATCH", "/v1/config", {})).result).toEqual(changed);
    expect((await client.ok("GET", "/v1/config")).result).toEqual(changed);
  });

  test.each<[unknown, string]>([
    [{ browser_ttl: 3_599 }, "/browser_ttl"],
    [{ browser_ttl: 31_536_001 }, "/browser_ttl"],
    [{ browser_ttl: 3_600.5 }, "/browser_ttl"],
    [{ browser_ttl: "3600" }, "/browser_ttl"],
    [{ flexible_variants: "on" }, "/flexible_variants"],
    [{ preserve_content_credentials: null }, "/preserve_content_credentials"],
    [{ browser_ttl: 3_600, flexible: true }, "/flexible"],
    [[], ""],
  ])("%j is rejected with 5400 and changes nothing", async (body, pointer) => {
    const { client } = imageSetting();
    await expectFailure(await client("PATCH", "/v1/config", body), { status: 400, code: 5400, pointer });
    expect((await client.ok("GET", "/v1/config")).result).toEqual(usual);
  });

  test("the limits of `browser_ttl` are accepted", async () => {
    const { client } = imageSetting();
    for (const browser_ttl of [3_600, 31_536_000])
      expect((await client.ok("PATCH", "/v1/config", { browser_ttl })).result.browser_ttl).toBe(browser_ttl);
  });

  test("an account that is not in the world has none: 404, 5404", async () => {
    const { client } = imageSetting({ world: { accounts: [{ id: "other" }] } });
    for (const [method, body] of [["GET"], ["PATCH", { flexible_variants: true }]] as const)
      await expectFailure(await client(method, "/v1/config", body), { status: 404, code: 5404 });
  });
});

describe.each(Object.keys(kinds).filter((kind) => !isMissing(kind)))("in %s", (kind) => {
  const opened: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const edge of opened) await edge.close();
  });

  test("changes in any order are those of a plain object, for another process and after a transfer too", async () => {
    const place = kinds[kind]!();
    const setting = async () => {
      const made = imageSetting({ store: await place.open() });
      opened.push(made.edge);
      return made;
    };
    const [first, other] = [await setting(), await setting()];
    let expected = usual;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        for (const body of changes) {
          expected = { ...expected, ...body };
          expect((await first.client.ok("PATCH", "/v1/config", body)).result).toEqual(expected);
        }
        expect((await other.client.ok("GET", "/v1/config")).result).toEqual(expected);
      }),
      { numRuns: runs(100) },
    );
    const store = createMemoryStore();
    const pieces: string[] = [];
    await exportStore(first.edge.store, async (piece) => {
      pieces.push(piece);
    });
    await importStore(store, async function* () {
      yield Buffer.from(pieces.join(""));
    });
    expect((await imageSetting({ store }).client.ok("GET", "/v1/config")).result).toEqual(expected);
  });
});

describe("in a world", () => {
  const config = { flexible_variants: true };
  const world = { accounts: [{ id: "a1", images: { config } }] };

  test("are those of a new account with the changes of the world, and then belong to the store", async () => {
    const store = createMemoryStore();
    const { client } = imageSetting({ world, store });
    expect((await client.ok("GET", "/v1/config")).result).toEqual({ ...usual, ...config });
    await client.ok("PATCH", "/v1/config", { browser_ttl: 7_200 });
    const notes: string[] = [];
    const again = imageSetting({ world, store, onNote: (line) => notes.push(line) });
    expect((await again.client.ok("GET", "/v1/config")).result).toEqual({
      ...usual,
      ...config,
      browser_ttl: 7_200,
    });
    expect(notes).toEqual(["world: account `a1`: the store keeps its image settings (1 different)"]);
  });

  test.each([
    [{ flexible: true }, "/flexible"],
    [{ browser_ttl: 1 }, "/browser_ttl"],
  ])("%j is reported with its pointer", (wrong, pointer) => {
    const faulty = { accounts: [{ id: "a1", images: { config: wrong } }] } as World;
    expect(() => imageSetting({ world: faulty })).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ pointer: `/accounts/0/images/config${pointer}` })],
      }),
    );
  });
});

describe("the time of browsers", () => {
  const cache = (seconds: number) => `public, max-age=${seconds}, stale-while-revalidate=7200`;

  test("is that of the variant, else of the account, else two days", async () => {
    const { client, upload, at } = imageSetting();
    const options = { fit: "cover", width: 2, height: 2, metadata: "none" };
    await client.ok("POST", "/v1/variants", { id: "own", options: { ...options, browser_ttl: 3_601 } });
    const { variants } = await upload();
    const kept = async () =>
      Promise.all(variants.map(async (variant: string) => (await at(variant)).headers.get("cache-control")));
    expect(await kept()).toEqual([cache(172_800), cache(3_601)]);
    await client.ok("PATCH", "/v1/config", { browser_ttl: 31_536_000 });
    expect(await kept()).toEqual([cache(31_536_000), cache(3_601)]);
  });
});
