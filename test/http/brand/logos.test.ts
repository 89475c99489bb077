/** Logo queries and matches over HTTP: shapes of `spec`, decisions of the brand page. */
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { seededIds } from "../../../src/service/ids.ts";
import { collectionNames } from "../../../src/store/collections.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { drawings, image, paint, png, solid } from "../../engine/logo/drawings.ts";
import { type Client, clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";

const instant = Date.UTC(2026, 0, 31, 12);

let stairs: Buffer;
let hooks: Buffer;
let wing: Buffer;
/** The stairs as a phishing page may show them. */
let copied: Buffer;

beforeAll(async () => {
  [stairs, hooks, wing] = (await Promise.all(
    ["stairs", "hooks", "wing"].map((name) => png(paint(drawings[name]!, { side: 64 }))),
  )) as [Buffer, Buffer, Buffer];
  const raster = paint(drawings["stairs"]!, { side: 90, background: [240, 230, 200] });
  copied = await image(raster).removeAlpha().jpeg({ quality: 80 }).toBuffer();
});

interface Account {
  readonly edge: Edge;
  readonly client: Client;
  readonly store: Store;
}

function account(options: EdgeOptions = {}): Account {
  const store = createMemoryStore();
  const edge = createEdge({ store, clock: () => instant, ids: seededIds("logos"), ...options });
  return { edge, store, client: clientOf(edge, "/accounts/a1/intel/v2/brand-protection") };
}

function body(file: Uint8Array, change: object = {}): object {
  return { image_data: base64(file), similarity_threshold: 0.75, tag: "ours", ...change };
}

function base64(file: Uint8Array): string {
  return Buffer.from(file).toString("base64");
}

async function blobs(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.blobs.keys()) keys.push(key);
  return keys;
}

async function stored({ edge, store }: Account): Promise<string> {
  const parts: unknown[] = [await blobs(store)];
  await edge.store.read(async (tx) => {
    for (const name of collectionNames) parts.push(await tx.find(name, "a1"));
  });
  return JSON.stringify(parts);
}

async function found(client: Client, query = "query_id=1"): Promise<string[]> {
  return (await client.ok("GET", `/logo/matches?${query}`)).matches.map((m: Json) => m.domain);
}

describe("queries", () => {
  test("create returns message, success and id; the list is an array without envelope", async () => {
    const { client } = account();
    expect(await client.ok("POST", "/logo/queries", body(stairs))).toEqual({
      message: "Logo query 1 was created.",
      success: true,
      query_id: 1,
    });
    await client.ok("POST", "/logo/queries", body(hooks, { tag: "theirs", similarity_threshold: 1 }));
    const list = await client.ok("GET", "/logo/queries");
    expect(list).toEqual([
      {
        id: 1,
        store_path: expect.stringMatching(/^pictures\/[0-9a-f]{64}$/),
        similarity_threshold: 0.75,
        tag: "ours",
        uploaded_at: "2026-01-31T12:00:00.000000Z",
      },
      expect.objectContaining({ id: 2, tag: "theirs", similarity_threshold: 1 }),
    ]);
    expect(await client.ok("GET", "/logo/queries?id=2&download=false")).toEqual([list[1]]);
    expect(await client.ok("GET", "/logo/queries?id=3")).toEqual([]);
    await expectFailure(await client("GET", "/logo/queries?id=x"), { status: 400, code: 7001 });
    await expectFailure(await client("GET", "/logo/queries?download=please"), { status: 400, code: 7001 });
  });

  test("download returns the detected type and the unchanged picture", async () => {
    const { client } = account();
    const jpeg = await image(paint(drawings["hooks"]!)).removeAlpha().jpeg().toBuffer();
    const uri = `data:image/gif;name=x.png;base64,${base64(jpeg).replace(/.{76}/g, "$&\r\n")}`;
    await client.ok("POST", "/logo/queries", body(jpeg, { image_data: uri }));
    const [logo] = await client.ok("GET", "/logo/queries?download=true");
    expect(logo).toMatchObject({ id: 1, content_type: "image/jpeg", image_data: base64(jpeg) });
  });

  test("profile `provider` uses the provider's name of `store_path`", async () => {
    const { edge } = account({ profile: "provider" });
    const client = clientOf(edge, "/accounts/a1/cloudforce-one/v2/brand-protection");
    await client.ok("POST", "/logo/queries", body(stairs));
    const [logo] = await client.ok("GET", "/logo/queries");
    expect(logo).toHaveProperty("r2_path");
    expect(logo).not.toHaveProperty("store_path");
  });

  test.each<[string, () => object | Promise<object>, string]>([
    ["no picture", () => ({ image_data: undefined }), "/image_data"],
    ["a picture that is not a string", () => ({ image_data: 5 }), "/image_data"],
    ["an empty picture", () => ({ image_data: "" }), "/image_data"],
    ["no base64", () => ({ image_data: "%%%%" }), "/image_data"],
    ["base64 with a digit too many", () => ({ image_data: `${base64(stairs)}AAAAA` }), "/image_data"],
    ["a data URI that is not base64", () => ({ image_data: "data:image/png,abc" }), "/image_data"],
    ["text in base64", () => ({ image_data: btoa("hello, world") }), "/image_data"],
    [
      "a WebP",
      async () => ({ image_data: base64(await image(paint(drawings["wing"]!)).webp().toBuffer()) }),
      "/image_data",
    ],
    ["an SVG", () => ({ image_data: btoa('<svg xmlns="http://www.w3.org/2000/svg"/>') }), "/image_data"],
    ["a truncated PNG", () => ({ image_data: base64(stairs.subarray(0, stairs.length / 2)) }), "/image_data"],
    ["a PNG that is a head alone", () => ({ image_data: base64(stairs.subarray(0, 8)) }), "/image_data"],
    ["no threshold", () => ({ similarity_threshold: undefined }), "/similarity_threshold"],
    ["a threshold above 1", () => ({ similarity_threshold: 1.01 }), "/similarity_threshold"],
    ["a threshold below 0", () => ({ similarity_threshold: -0.1 }), "/similarity_threshold"],
    ["a threshold that is a text", () => ({ similarity_threshold: "0.5" }), "/similarity_threshold"],
    ["no tag", () => ({ tag: undefined }), "/tag"],
    ["an empty tag", () => ({ tag: "" }), "/tag"],
    ["a lookback that is not a boolean", () => ({ search_lookback: "true" }), "/search_lookback"],
  ])("%s is rejected with its pointer, and nothing is stored", async (_name, change, pointer) => {
    const made = account();
    const before = await stored(made);
    const response = await made.client("POST", "/logo/queries", body(stairs, await change()));
    await expectFailure(response, { status: 400, code: 7001, pointer });
    expect(await stored(made)).toBe(before);
  });

  test("pictures above the limits of bytes and pixels are rejected", async () => {
    const small = account({ limits: { logoBytes: stairs.length - 1, logoPixels: 5_000 } });
    await expectFailure(await small.client("POST", "/logo/queries", body(stairs)), {
      status: 400,
      code: 7001,
      pointer: "/image_data",
      message: /bytes/,
    });
    const flat = await png(solid(72, 72, [1, 2, 3]));
    expect(flat.length).toBeLessThan(stairs.length);
    await expectFailure(await small.client("POST", "/logo/queries", body(flat)), {
      status: 400,
      code: 7001,
      pointer: "/image_data",
      message: /at most 5000 pixels; found 72 x 72/,
    });
  });

  test("a picture can exceed the limit of other bodies, but not its own limit", async () => {
    const { client } = account({ limits: { bodyBytes: 1_000 } });
    expect((await client.ok("POST", "/logo/queries", body(stairs))).query_id).toBe(1);
    const huge = await client("POST", "/logo/queries", body(stairs, { image_data: "A".repeat(8_000_000) }));
    await expectFailure(huge, { status: 413, code: 10413 });
  });

  test.each([64, 76])("a picture of the maximum size is accepted in lines of %i digits", async (width) => {
    const { client } = account();
    const largest = Buffer.alloc(5_242_880, 255);
    stairs.copy(largest);
    const image_data = base64(largest).replace(new RegExp(`.{${width}}`, "g"), "$&\r\n");
    expect((await client.ok("POST", "/logo/queries", body(stairs, { image_data }))).query_id).toBe(1);
  });

  test("a tag is unique, also in concurrent requests, and can be used again after a deletion", async () => {
    const made = account();
    const { client, store } = made;
    const answers = await Promise.all([1, 2].map(() => client("POST", "/logo/queries", body(stairs))));
    const rejected = answers.find((a) => a.status !== 200)!;
    expect(answers.map((a) => a.status).sort()).toEqual([200, 400]);
    await expectFailure(rejected, {
      status: 400,
      code: 7001,
      pointer: "/tag",
      message: /`tag` must be unique in the account; another logo query has `ours`/,
    });
    expect(await blobs(store)).toHaveLength(2);
    await client.ok("DELETE", "/logo/queries/1");
    expect((await client.ok("POST", "/logo/queries", body(hooks))).query_id).toBe(2);
    const other = clientOf(made.edge, "/accounts/a2/intel/v2/brand-protection");
    expect((await other.ok("POST", "/logo/queries", body(hooks))).query_id).toBe(1);
  });

  test("an account has at most the configured number of queries", async () => {
    const { client } = account({ limits: { logoQueriesPerAccount: 0 } });
    const response = await client("POST", "/logo/queries", body(stairs));
    await expectFailure(response, { status: 400, code: 7001, message: /at most 0/ });
  });

  test.each([
    ["DELETE", "/logo/queries/9", 404, 7002],
    ["DELETE", "/logo/queries/nine", 400, 7001],
    ["GET", "/logo/matches?query_id=9", 404, 7002],
    ["GET", "/logo/matches?query_id=1,2", 400, 7001],
    ["GET", "/logo/matches?query_id=", 400, 7001],
    ["GET", "/logo/matches", 400, 7001],
  ])("%s %s: %i", async (method, path, status, code) => {
    const { client } = account();
    await expectFailure(await client(method, path), { status, code });
  });
});

test.each(["01", "001", "000000000000001"])("the id %s is rejected", async (id) => {
  const made = account();
  await made.client.ok("POST", "/logo/queries", body(stairs));
  const before = await stored(made);
  for (const [method, path] of [
    ["GET", `/logo/queries?id=${id}`],
    ["DELETE", `/logo/queries/${id}`],
    ["GET", `/logo/matches?query_id=${id}`],
  ] as const) {
    await expectFailure(await made.client(method, path), { status: 400, code: 7001 });
  }
  expect(await stored(made)).toBe(before);
});

describe("matches", () => {
  async function observed(options: EdgeOptions = {}): Promise<Account> {
    const made = account(options);
    await made.client.ok("POST", "/logo/queries", body(stairs));
    const report = await made.edge.brand.observeImages("a1", [
      {
        domain: "b.example",
        image: stairs,
        registrar: "R",
        url_scan_id: "s1",
        matched_at: "2026-01-01T00:00:00Z",
      },
      { domain: "A.example", image: base64(copied), registrar: "Q", matched_at: "2026-01-03T00:00:00Z" },
      { domain: "c.example", image: hooks, matched_at: "2026-01-02T00:00:00Z" },
    ]);
    expect(report).toEqual({ records: 3, matched: 2, invalid: 0, matches: 2, invalidRecords: [] });
    return made;
  }

  /** One account for all tests that only read. */
  let shared: Promise<Account> | undefined;
  function reading(): Promise<Account> {
    shared ??= observed();
    return shared;
  }

  test("a match has all members; the same picture scores exactly 1, a copy nearly 1", async () => {
    const { client } = await reading();
    const { matches, total } = await client.ok("GET", "/logo/matches?query_id=1");
    expect(total).toBe(2);
    expect(matches).toEqual([
      {
        id: 2,
        domain: "a.example",
        matched_at: "2026-01-03T00:00:00.000000Z",
        query_id: 1,
        registrar: "Q",
        similarity_score: expect.any(Number),
        url_scan_id: "",
      },
      {
        id: 1,
        domain: "b.example",
        matched_at: "2026-01-01T00:00:00.000000Z",
        query_id: 1,
        registrar: "R",
        similarity_score: 1,
        url_scan_id: "s1",
      },
    ]);
    expect(matches[0].similarity_score).toBeGreaterThan(0.75);
    expect(matches[0].similarity_score).toBeLessThan(1);
  });

  test("download returns the scanned picture", async () => {
    const { client } = await reading();
    const { matches } = await client.ok("GET", "/logo/matches?query_id=1&download=true");
    expect(matches.map((m: Json) => [m.content_type, m.image_data])).toEqual([
      ["image/jpeg", base64(copied)],
      ["image/png", base64(stairs)],
    ]);
  });

  test("unknown values are empty or null, by profile", async () => {
    for (const [absentValues, value] of [
      ["empty", ""],
      ["null", null],
    ] as const) {
      const { edge, client } = account({ absentValues });
      await client.ok("POST", "/logo/queries", body(stairs));
      await edge.brand.observeImages("a1", [{ image: stairs }]);
      const { matches } = await client.ok("GET", "/logo/matches?query_id=1");
      expect(matches[0]).toMatchObject({ domain: value, registrar: value, url_scan_id: value });
      expect(matches[0].matched_at).toBe("2026-01-31T12:00:00.000000Z");
    }
  });

  test.each([
    ["", ["a.example", "b.example"]],
    ["&order=asc", ["b.example", "a.example"]],
    ["&orderBy=domain", ["a.example", "b.example"]],
    ["&orderBy=domain&order=desc", ["b.example", "a.example"]],
    ["&orderBy=similarityScore", ["b.example", "a.example"]],
    ["&orderBy=similarityScore&order=asc", ["a.example", "b.example"]],
    ["&orderBy=registrar", ["a.example", "b.example"]],
    ["&orderBy=registrar&order=desc", ["b.example", "a.example"]],
    ["&orderBy=matchedAt&limit=1&offset=1", ["b.example"]],
    ["&offset=2", []],
  ])("query_id=1%s", async (query, expected) => {
    const { client } = await reading();
    expect(await found(client, `query_id=1${query}`)).toEqual(expected);
    expect((await client.ok("GET", `/logo/matches?query_id=1${query}`)).total).toBe(2);
  });

  test.each(["limit=0", "offset=x", "order=best", "orderBy=score", "download=1"])(
    "%s is rejected",
    async (query) => {
      const { client } = account();
      await client.ok("POST", "/logo/queries", body(stairs));
      await expectFailure(await client("GET", `/logo/matches?query_id=1&${query}`), {
        status: 400,
        code: 7001,
      });
    },
  );

  test("the same picture is stored once and not changed", async () => {
    const made = await observed();
    const before = await stored(made);
    const report = await made.edge.brand.observeImages("a1", [
      { domain: "B.example.", image: stairs, registrar: "other", url_scan_id: "s1" },
    ]);
    expect(report).toMatchObject({ matched: 1, matches: 0 });
    expect(await stored(made)).toBe(before);
  });

  test("two concurrent feeds store it once", async () => {
    const made = account();
    await made.client.ok("POST", "/logo/queries", body(stairs));
    const scan = { domain: "a.example", image: stairs, matched_at: "2026-01-01T00:00:00Z" };
    await Promise.all([1, 2, 3].map(() => made.edge.brand.observeImages("a1", [scan])));
    expect((await made.client.ok("GET", "/logo/matches?query_id=1")).total).toBe(1);
    expect(await blobs(made.store)).toHaveLength(3);
    const { matches } = await made.client.ok("GET", "/logo/matches?query_id=1&download=true");
    expect(matches[0].image_data).toBe(base64(stairs));
  });

  test("each query has its own threshold, which is inclusive", async () => {
    const { edge, client } = account();
    for (const [i, similarity_threshold] of [0, 0.75, 1].entries()) {
      await client.ok("POST", "/logo/queries", body(stairs, { tag: `t${i}`, similarity_threshold }));
    }
    await edge.brand.observeImages(
      "a1",
      [stairs, copied, wing].map((picture) => ({ image: picture })),
    );
    const totals = [];
    for (const id of [1, 2, 3]) totals.push((await client.ok("GET", `/logo/matches?query_id=${id}`)).total);
    expect(totals).toEqual([3, 2, 1]);
  });

  test("the service returns kind and box of a match, which are not in the response", async () => {
    const { edge, client } = account();
    await client.ok("POST", "/logo/queries", body(stairs));
    const page = paint(drawings["stairs"]!, { side: 96 });
    const [left, top, width, height] = [40, 20, 200, 160];
    const shown = await image(page)
      .extend({ left, top, right: width - left - 96, bottom: height - top - 96, background: "white" })
      .png()
      .toBuffer();
    await edge.brand.observeImages("a1", [{ image: shown, domain: "a.example" }]);
    const { matches } = await edge.brand.logos.matches.list("a1", { query_id: "1" });
    const { kind, box } = matches[0]!.match;
    expect(kind).toBe("dense");
    const inside =
      box!.x >= left && box!.y >= top && box!.x + box!.width <= left + 96 && box!.y + box!.height <= top + 96;
    expect([inside, box!.width > 30, box!.height > 30]).toEqual([true, true, true]);
    const bare = (await client.ok("GET", "/logo/matches?query_id=1")).matches[0];
    expect(Object.keys(bare).sort()).toEqual([
      "domain",
      "id",
      "matched_at",
      "query_id",
      "registrar",
      "similarity_score",
      "url_scan_id",
    ]);
  });

  describe("dismissal", () => {
    const dismissed = async (edge: Edge) => {
      const { matches } = await edge.brand.logos.matches.list("a1", { query_id: "1" });
      return matches.map(({ match }) => [match.match_id, match.dismissed ?? false]);
    };

    test("marks the match in the service; list and total of the interface stay the same", async () => {
      const { edge, client } = await observed();
      const before = await client.ok("GET", "/logo/matches?query_id=1");
      for (const _ of [1, 2]) {
        expect(await client.ok("POST", "/logo/queries/1/matches/1/dismiss")).toEqual({
          message: "The match was dismissed.",
          success: true,
        });
      }
      expect(await dismissed(edge)).toEqual([
        [2, false],
        [1, true],
      ]);
      expect(await client.ok("GET", "/logo/matches?query_id=1")).toEqual(before);
      await client.ok("POST", "/logo/queries/1/matches/1/undismiss");
      expect((await dismissed(edge))[1]).toEqual([1, false]);
    });

    test("survives another observation of the picture", async () => {
      const { edge, client } = await observed();
      await client.ok("POST", "/logo/queries/1/matches/1/dismiss");
      await edge.brand.observeImages("a1", [{ domain: "b.example", image: stairs, url_scan_id: "s1" }]);
      expect((await dismissed(edge))[1]).toEqual([1, true]);
    });

    /** One account for the requests that are rejected. */
    let unchanged: Promise<Account> | undefined;
    async function withTwoQueries(): Promise<Account> {
      const made = await observed();
      await made.client.ok("POST", "/logo/queries", body(hooks, { tag: "second", search_lookback: false }));
      return made;
    }

    test.each([
      ["/logo/queries/9/matches/1/dismiss", 404, 7002],
      ["/logo/queries/1/matches/9/dismiss", 404, 7002],
      ["/logo/queries/2/matches/1/undismiss", 404, 7002],
      ["/logo/queries/1/matches/01/dismiss", 400, 7001],
      ["/logo/queries/01/matches/1/dismiss", 400, 7001],
      ["/logo/queries/x/matches/1/dismiss", 400, 7001],
      ["/logo/queries/1/matches/x/dismiss", 400, 7001],
    ])("POST %s: %i, and nothing changes", async (path, status, code) => {
      unchanged ??= withTwoQueries();
      const made = await unchanged;
      const before = await stored(made);
      await expectFailure(await made.client("POST", path), { status, code });
      expect(await stored(made)).toBe(before);
    });
  });

  test("DELETE removes the query, its picture and its matches, and no others", async () => {
    const made = await observed();
    const { client, store } = made;
    await client.ok("POST", "/logo/queries", body(stairs, { tag: "second" }));
    const before = (await blobs(store)).length;
    expect(await client.ok("DELETE", "/logo/queries/1")).toEqual({
      message: "The logo query was deleted.",
      success: true,
    });
    expect(await client.ok("GET", "/logo/queries")).toMatchObject([{ id: 2 }]);
    expect(await found(client, "query_id=2")).toHaveLength(2);
    // The other query has the same picture.
    expect(await store.blobs.removeUnclaimed(0)).toBe(0);
    expect((await blobs(store)).length).toBe(before);
    await expectFailure(await client("GET", "/logo/matches?query_id=1"), { status: 404, code: 7002 });
    await expectFailure(await client("DELETE", "/logo/queries/1"), { status: 404, code: 7002 });
    await made.edge.brand.observeImages("a1", [{ domain: "d.example", image: stairs }]);
    expect(await found(client, "query_id=2")).toHaveLength(3);
  });

  test("accounts are separate", async () => {
    const { edge, client } = await observed();
    const other = clientOf(edge, "/accounts/a2/intel/v2/brand-protection");
    expect(await other.ok("GET", "/logo/queries")).toEqual([]);
    await expectFailure(await other("GET", "/logo/matches?query_id=1"), { status: 404, code: 7002 });
    await edge.brand.observeImages("a2", [{ domain: "z.example", image: stairs }]);
    expect(await found(client)).toHaveLength(2);
  });
});

describe("lookback", () => {
  test("a new query finds earlier pictures, unless `search_lookback` is false", async () => {
    const { edge, client } = account({ limits: { lookbackPiece: 2 } });
    await edge.brand.observeImages("a1", [
      { domain: "a.example", image: stairs },
      { domain: "b.example", image: wing },
    ]);
    const answers = [
      await client("POST", "/logo/queries", body(stairs)),
      await client("POST", "/logo/queries", body(stairs, { tag: "new only", search_lookback: false })),
      ...(await Promise.all(
        ["/logo/queries?id=1", "/logo/matches?query_id=1", "/logo/queries", "/logo/matches?query_id=2"].map(
          (path) => client("GET", path),
        ),
      )),
    ];
    const reports = answers.map(({ headers }) =>
      ["edgeproof-lookback", "edgeproof-dense-lookback"].map((name) => headers.get(name)),
    );
    const [done, none] = [
      ["done", "1/2"],
      [null, null],
    ];
    expect(reports).toEqual([done, none, done, done, none, none]);
    const messages = await Promise.all(
      answers.slice(0, 2).map(async (answer) => (await answer.json()) as { message: string }),
    );
    expect(messages.map(({ message }) => message)).toEqual([
      "Logo query 1 was created. Stored pictures that the prefilter left out of the dense search: 1 of 2.",
      "Logo query 2 was created.",
    ]);
    expect(await found(client, "query_id=1")).toEqual(["a.example"]);
    expect(await found(client, "query_id=2")).toEqual([]);
  });

  test("finds the same matches as the feed, with the same scores", async () => {
    const scans = [stairs, copied, wing, hooks].map((picture, i) => ({
      domain: `d${i}.example`,
      image: picture,
    }));
    const scores = async (first: "query" | "scans") => {
      const { edge, client } = account();
      const steps = [
        () => client.ok("POST", "/logo/queries", body(copied, { similarity_threshold: 0.1 })),
        () => edge.brand.observeImages("a1", scans),
      ];
      for (const step of first === "query" ? steps : steps.reverse()) await step();
      const { matches } = await client.ok("GET", "/logo/matches?query_id=1&orderBy=domain");
      return matches.map((m: Json) => [m.domain, m.similarity_score]);
    };
    const expected = await scores("query");
    expect(expected.length).toBeGreaterThanOrEqual(2);
    expect(await scores("scans")).toEqual(expected);
  });

  test("pictures that are not retained are matched, but not found by lookback", async () => {
    const { edge, client, store } = account();
    await client.ok("POST", "/logo/queries", body(stairs));
    const scans = [{ image: stairs }, { image: wing }];
    await edge.brand.observeImages("a1", scans, { retain: false });
    expect(await blobs(store)).toHaveLength(3);
    await client.ok("POST", "/logo/queries", body(wing, { tag: "wing" }));
    await client.ok("POST", "/logo/queries", body(stairs, { tag: "stairs" }));
    expect([
      await found(client),
      await found(client, "query_id=2"),
      await found(client, "query_id=3"),
    ]).toEqual([[""], [], []]);
    await edge.brand.observeImages("a1", scans);
    await client.ok("POST", "/logo/queries", body(stairs, { tag: "again" }));
    expect(await found(client, "query_id=4")).toEqual([""]);
  });
});

test("invalid pictures and records are counted and reported, and the others are stored", async () => {
  const { edge, client } = account();
  await client.ok("POST", "/logo/queries", body(stairs));
  const reported: number[] = [];
  const feed = [
    { domain: "a.example", image: stairs },
    { domain: "b.example", image: stairs.subarray(0, 200) },
    { domain: "c.example", image: "no base64!" },
    { domain: "d.example" },
    { domain: "not a name", image: stairs },
    { domain: 5, image: stairs },
    { domain: "e.example", image: stairs, matched_at: "noon" },
    "a.png",
    null,
    { domain: "f.example", image: new Uint8Array() },
    {
      domain: "g.example",
      image: await image(paint(drawings["stairs"]!, { side: 64 }))
        .webp({ lossless: true })
        .toBuffer(),
    },
  ];
  const report = await edge.brand.observeImages("a1", feed as never[], {
    onInvalidRecord: (b) => reported.push(b.line),
  });
  expect(reported).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(report).toMatchObject({ records: 11, invalid: 9, matched: 2, matches: 2 });
  expect(report.invalidRecords.map((f) => f.line)).toEqual(reported);
  expect((await found(client)).sort()).toEqual(["a.example", "g.example"]);
});

test("a feed of pictures can be aborted, and stored pictures stay", async () => {
  const { edge, client } = account();
  await client.ok("POST", "/logo/queries", body(stairs));
  const abort = new AbortController();
  async function* endless() {
    for (let i = 0; ; i++) yield { domain: `d${i}.example`, image: stairs };
  }
  const running = edge.brand.observeImages("a1", endless(), {
    signal: abort.signal,
    onProgress: ({ records }) => records === 2 && abort.abort(new Error("enough")),
  });
  await expect(running).rejects.toThrow("enough");
  expect(await found(client)).toHaveLength(2);
});
