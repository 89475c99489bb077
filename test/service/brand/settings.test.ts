/** The settings that decide a match are stored with the account: other processes find the same, or reject the account. */
import { describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { AccountSettingsError } from "../../../src/service/brand/settings/account-settings.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import type { BrandSettingsRecord } from "../../../src/store/records/brand.ts";
import { exportStore } from "../../../src/store/transfer/export.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";

const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] };
const small = drawPng(drawings["wing"]!, { side: 48 });
const large = drawPng(drawings["wing"]!, { side: 96 });
const logo = { tag: "l", similarity_threshold: 0.8, image_data: Buffer.from(small).toString("base64") };

/** `part` is a name that only the mode `contains` finds, `swap` one that only transpositions find. */
const names = { part: "my-paypa1.com", swap: "pyapal.com", whole: "paypall.com" };

const worker = (store: Store) => createEdge({ store, accountSettings: "read" });

async function found(edge: Edge, account = "a"): Promise<string[]> {
  const matches = await edge.store.read((tx) => tx.find("brand_domain_matches", account));
  return matches.map(({ domain }) => domain);
}

function recordOf(store: Store, account = "a"): Promise<BrandSettingsRecord | undefined> {
  return store.read((tx) => tx.get("brand_settings", "brand", account));
}

async function contentsOf(store: Store): Promise<string> {
  let text = "";
  await exportStore(store, async (part) => {
    text += part;
  });
  return text;
}

/** A store with a query in the account `a`, and the lines that starts with further options report. */
async function setUp(options: EdgeOptions = {}) {
  const store = createMemoryStore();
  const edge = createEdge({ store, ...options });
  await edge.brand.queries.create("a", query);
  const lines: string[] = [];
  const start = async (more: EdgeOptions) => {
    const started = createEdge({ store, onNote: (line) => lines.push(line), ...more });
    await started.store.read(async () => {});
    return started;
  };
  return { store, edge, lines, start };
}

describe("options of a server", () => {
  test("are those of a worker that has none", async () => {
    const { store } = await setUp({ brand: { mode: "label" } });
    await worker(store).brand.observe("a", Object.values(names));
    expect(await found(worker(store))).toEqual([names.whole]);
    expect(await worker(store).brand.settings.read("a")).toEqual({
      names: { mode: "label" },
      pictures: { maxBytes: 5_242_880, maxPixels: 25_000_000 },
    });
  });

  test("apply to processes that run, from the start of the server on", async () => {
    const { store, edge, start, lines } = await setUp();
    const running = worker(store);
    expect(await running.brand.observe("a", [names.swap])).toMatchObject({ matched: 0 });
    await start({ brand: { transpositions: true, mode: "label" } });
    expect(await running.brand.observe("a", Object.values(names))).toMatchObject({ matched: 2 });
    expect(await edge.brand.observe("a", ["my-paypal.com"])).toMatchObject({ matched: 0 });
    await edge.brand.queries.create("a", { ...query, tag: "later" });
    expect((await found(edge)).sort()).toEqual([names.whole, names.whole, names.swap, names.swap].sort());
    expect(lines).toEqual([
      "world: changed the settings of account `a`: `transpositions` is now `true`, `mode` is now `label`",
    ]);
  });

  test("with own domains apply to stored names from the next lookback on", async () => {
    const { store, edge, start, lines } = await setUp();
    await edge.brand.observe("a", ["www.paypal.com", names.whole]);
    expect((await found(edge)).sort()).toEqual([names.whole, "www.paypal.com"]);
    await start({ brand: { own: ["paypal.com"] } });
    expect(lines).toEqual(["world: changed the settings of account `a`: `own` was added"]);
    await worker(store).brand.observe("a", ["paypal.com", "my-paypal.com"]);
    await edge.brand.queries.edit("a", "1", { search_lookback: true });
    expect((await found(edge)).sort()).toEqual(["my-paypal.com", names.whole]);
  });

  test("that are the same again change nothing, and missing ones leave what is stored", async () => {
    const { store, start, lines } = await setUp({ brand: { mode: "label" }, limits: { logoPixels: 5_000 } });
    const before = await contentsOf(store);
    await start({ brand: { mode: "label", confusables: undefined as never } });
    await start({ limits: { logoPixels: 5_000 } });
    await start({ brand: {} });
    await start({});
    expect(await contentsOf(store)).toBe(before);
    expect(lines).toEqual([]);
  });

  test("of two servers, those of the last start hold for both", async () => {
    const { store, start, lines } = await setUp();
    const first = await start({ brand: { mode: "label" } });
    await first.brand.queries.create("b", query);
    const second = await start({ brand: { mode: "token" }, limits: { logoBytes: 7_000 } });
    await first.brand.observe("a", [names.part]);
    await second.brand.observe("b", [names.part]);
    expect([await found(first, "a"), await found(first, "b")]).toEqual([[names.part], [names.part]]);
    expect(lines.slice(1)).toEqual([
      "world: changed the settings of 2 accounts (`a`, `b`): `mode` is now `token` (was `label`), `max_bytes` is now `7000` (was `5242880`)",
    ]);
    expect(await recordOf(store, "b")).toMatchObject({ names: { mode: "token" }, max_bytes: 7_000 });
  });

  test("are stored with listed accounts before any use, and under the options of the world's account", async () => {
    const store = createMemoryStore();
    const brand = { mode: "label" as const, queries: [query] };
    const world = { accounts: [{ id: "a", brand }, { id: "b" }] };
    await createEdge({ store, world, brand: { confusables: true } }).store.read(async () => {});
    const read = (account: string) => worker(store).brand.settings.read(account);
    expect(await read("a")).toMatchObject({ names: { mode: "label", confusables: true } });
    expect(await read("b")).toMatchObject({ names: { confusables: true } });
    await expect(read("z")).rejects.toThrow("There is no account `z`.");
    await createEdge({ store, world: { accounts: [{ id: "b" }] }, prune: true }).store.read(async () => {});
    expect(await recordOf(store)).toBeUndefined();
  });

  test("that change between matching and writing decide", async () => {
    const inner = createMemoryStore();
    let next: (() => Promise<unknown>) | undefined;
    const store: Store = {
      ...inner,
      write: async (work, options) => {
        const first = next;
        next = undefined;
        await first?.();
        return inner.write(work, options);
      },
    };
    const edge = createEdge({ store });
    await edge.brand.queries.create("a", query);
    const change = (mode: "label" | "contains") => () =>
      createEdge({ store: inner, brand: { mode } }).store.read(async () => {});
    next = change("label");
    await edge.brand.observe("a", Object.values(names));
    expect(await found(edge)).toEqual([names.whole]);
    next = change("contains");
    await edge.brand.queries.create("a", { ...query, tag: "later" });
    expect((await found(edge)).sort()).toEqual([names.part, names.whole, names.whole]);
    next = change("label");
    await edge.brand.queries.edit("a", "2", { search_lookback: true });
    expect(await found(edge)).toEqual([names.whole, names.whole]);
  });
});

describe("limits of pictures", () => {
  test("are those of the account, also for a picture of several accounts", async () => {
    const store = createMemoryStore();
    const strict = createEdge({ store, limits: { logoPixels: 2_304 } });
    await strict.brand.logos.queries.create("small", logo);
    const edge = createEdge({ store });
    await edge.brand.logos.queries.create("large", logo);
    const run = worker(store);
    const observed = await run.brand.pictures.observe(["small", "large"], { image: large });
    expect(observed).toMatchObject({
      ok: true,
      value: [
        {
          isNew: false,
          isMatch: false,
          rejected: "The image must have at most 2304 pixels; found 96 x 96.",
        },
        { isNew: true, isMatch: true },
      ],
    });
    expect(await run.brand.pictures.observe(["small", "large"], { image: small })).toMatchObject({
      value: [{ isMatch: true }, { isMatch: true }],
    });
    expect(await run.brand.observeImages("small", [{ image: large }])).toMatchObject({
      invalidRecords: [{ message: "The image must have at most 2304 pixels; found 96 x 96." }],
    });
    const described = await run.brand.pictures.describe({ image: large });
    if (!described.ok) throw new Error("described");
    expect(await run.brand.pictures.store("small", described.value)).toMatchObject({ isNew: false });
    expect(await store.read((tx) => tx.count("brand_logo_scans", "small"))).toBe(1);
    await expect(
      edge.brand.logos.queries.create("small", {
        ...logo,
        tag: "l2",
        image_data: Buffer.from(large).toString("base64"),
      }),
    ).rejects.toThrow("at most 2304 pixels");
  });

  test("in bytes reject a picture of one account only", async () => {
    const store = createMemoryStore();
    const limits = { logoBytes: large.length - 1 };
    await createEdge({ store, limits }).brand.observeImages("low", [{ image: small }]);
    const edge = createEdge({ store });
    expect(await edge.brand.pictures.observe(["low", "high"], { image: large })).toMatchObject({
      value: [{ rejected: `The image must be at most ${large.length - 1} bytes.` }, { isNew: true }],
    });
    expect(await edge.brand.pictures.observe(["low"], { image: large })).toMatchObject({ ok: false });
  });
});

describe("an account that a process must not use", () => {
  /** Every call that matches or changes queries. */
  const calls: Record<string, (edge: Edge) => Promise<unknown>> = {
    settings: (edge) => edge.brand.settings.read("a"),
    observe: (edge) => edge.brand.observe("a", [names.whole]),
    observeImages: (edge) => edge.brand.observeImages("a", [{ image: small }]),
    pictures: (edge) => edge.brand.pictures.observe(["a"], { image: small }),
    ingest: (edge) => edge.brand.ingest.names("a", [names.whole]),
    "ingest of pictures": (edge) => edge.brand.ingest.pictures("a", [{ image: small }]),
    "create a query": (edge) => edge.brand.queries.create("a", { ...query, tag: "new" }),
    "edit a query": (edge) => edge.brand.queries.edit("a", "1", { scan: true }),
    "delete a query": (edge) => edge.brand.queries.delete("a", "1"),
    "create a logo query": (edge) => edge.brand.logos.queries.create("a", { ...logo, tag: "new" }),
    "delete a logo query": (edge) => edge.brand.logos.queries.delete("a", "1"),
  };

  async function written(change: Partial<BrandSettingsRecord>): Promise<Store> {
    const { store, edge } = await setUp();
    await edge.brand.logos.queries.create("a", logo);
    const record = await recordOf(store);
    await store.write((tx) => tx.replace("brand_settings", { ...record!, ...change }));
    return store;
  }

  test.each(Object.keys(calls))("of a newer edgeproof: %s", async (name) => {
    const store = await written({ descriptor_version: 9, schema_version: 4 });
    const before = await contentsOf(store);
    const message =
      "Account `a` was written with descriptor version 9 and schema version 4; this edgeproof needs descriptor version 3 and schema version 1: update this edgeproof to the version of the server.";
    for (const edge of [worker(store), createEdge({ store, brand: { mode: "label" } })])
      await expect(calls[name]!(edge)).rejects.toThrow(message);
    expect(await contentsOf(store)).toBe(before);
  });

  test.each(Object.keys(calls))("of an older one, until a server starts: %s", async (name) => {
    const store = await written({ descriptor_version: 1 });
    const before = await contentsOf(store);
    const error = await calls[name]!(worker(store)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AccountSettingsError);
    expect(error).toMatchObject({
      account: "a",
      found: { descriptor: 1, schema: 1 },
      required: { descriptor: 3, schema: 1 },
      code: 7001,
    });
    expect(await contentsOf(store)).toBe(before);
    const lines: string[] = [];
    await createEdge({ store, onNote: (line) => lines.push(line) }).store.read(async () => {});
    expect(lines).toEqual([
      "world: changed the settings of account `a`: `descriptor_version` is now `3` (was `1`)",
    ]);
    await calls[name]!(worker(store));
  });

  test("keeps its pending lookback for a process of the right version", async () => {
    const store = createMemoryStore();
    const limits = { lookbackAtOnce: 0 };
    const server = createEdge({ store, limits });
    await server.brand.observeImages("a", [{ image: small, domain: "a.example" }]);
    const record = (await recordOf(store))!;
    const replace = (with_: Partial<BrandSettingsRecord>) =>
      store.write((tx) => tx.replace("brand_settings", { ...record, ...with_ }));
    await server.brand.lookbacks.stop();
    await server.brand.logos.queries.create("a", logo);
    await replace({ descriptor_version: 9 });
    const edge = createEdge({ store, limits });
    const pending = () => store.read((tx) => tx.count("brand_logo_lookbacks", "a"));
    await expect(edge.settled()).rejects.toBeInstanceOf(AccountSettingsError);
    const range = { account: "a", queryId: "1", from: 1, to: 2 };
    await expect(edge.brand.lookbacks.searchRange(range)).rejects.toBeInstanceOf(AccountSettingsError);
    expect(await pending()).toBe(1);
    await replace({});
    await edge.settled();
    expect(await store.read((tx) => tx.count("brand_logo_matches", "a"))).toBe(1);
  });

  test("has no settings: a worker takes none, a server its own", async () => {
    const store = createMemoryStore();
    await expect(worker(store).brand.observe("a", [names.whole])).rejects.toThrow(
      "Account `a` has no stored settings, so it is unknown how to match; start `npx edgeproof serve` with the store and a world that lists the account, or create a query in the account.",
    );
    expect(await store.read((tx) => tx.scopes("brand_settings"))).toEqual([]);
    const server = createEdge({ store, brand: { confusables: true } });
    await server.brand.queries.list("a");
    await server.brand.observe("a", [names.whole]);
    expect((await recordOf(store))?.names).toEqual({ confusables: true });
    await worker(store).brand.observe("a", ["x.example"]);
  });

  test("of an earlier edgeproof has no settings, and gets those of the first server", async () => {
    const store = createMemoryStore();
    await store.write((tx) =>
      tx.insert("brand_states", { scope: "a", id: "domains", revision: 3, options: { mode: "label" } }),
    );
    await expect(worker(store).brand.settings.read("a")).rejects.toThrow("no stored settings");
    await createEdge({ store, brand: { separators: true } }).store.read(async () => {});
    expect((await worker(store).brand.settings.read("a")).names).toEqual({ separators: true, mode: "label" });
  });
});

test("an edge that only reads settings rejects options that it would have to store", () => {
  const read = { accountSettings: "read" } as const;
  const wrong: readonly (readonly [EdgeOptions, string])[] = [
    [{ ...read, world: {} }, "`world` cannot be given"],
    [{ ...read, brand: { mode: "label" } }, "`brand` cannot be given"],
    [{ ...read, limits: { logoBytes: 1 } }, "`limits.logoBytes` cannot be given"],
    [{ accountSettings: "keep" as never }, 'accountSettings must be "update" or "read"; found `keep`'],
  ];
  for (const [options, message] of wrong) expect(() => createEdge(options)).toThrow(message);
  expect(() => createEdge({ ...read, brand: {}, limits: { bodyBytes: 5 } })).not.toThrow();
});
