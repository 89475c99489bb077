/** The feed: what it takes, what it reports, and that it can be stopped. */
import type { MatchRule } from "edgeproof/brand";
import { describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import type { DomainRecord } from "../../../src/service/brand/domains/feed-record.ts";
import type { ObserveProgress } from "../../../src/service/brand/feed.ts";

const instant = Date.UTC(2026, 0, 31, 12);

async function watched(pattern = "paypal"): Promise<Edge> {
  const edge = createEdge({ clock: () => instant });
  await edge.brand.queries.create("a", { tag: "t", string_matches: [{ pattern, max_edit_distance: 0 }] });
  return edge;
}

async function matches(edge: Edge) {
  return edge.store.read((tx) => tx.find("brand_domain_matches", "a"));
}

async function* slowly<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

describe("a feed may be", () => {
  const names = ["paypal.com", "example.org", { domain: "paypal.net" }];
  test.each<[string, () => Parameters<Edge["brand"]["observe"]>[1]]>([
    ["an array", () => names],
    ["a set", () => new Set(names)],
    ["a generator", () => names.values()],
    ["an async stream", () => slowly(names)],
    ["a stream of arrays", () => slowly([names.slice(0, 2), names.slice(2)])],
  ])("%s", async (_name, feed) => {
    const edge = await watched();
    const report = await edge.brand.observe("a", feed());
    expect(report).toEqual({ records: 3, matched: 2, matches: 2, invalid: 0, invalidRecords: [] });
    expect((await matches(edge)).map((m) => m.domain)).toEqual(["paypal.com", "paypal.net"]);
  });

  test.each([[undefined], [null], ["paypal.com"], [5], [{}]])("not %j", async (feed) => {
    const edge = await watched();
    await expect(edge.brand.observe("a", feed as never)).rejects.toThrow(TypeError);
  });
});

test("invalid names and records are counted and reported, and the others are stored", async () => {
  const edge = await watched();
  const reported: number[] = [];
  const feed = [
    "paypal.com",
    "pay pal.com",
    "",
    5,
    null,
    ["nested"],
    { name: "paypal.com" },
    { domain: "a..b" },
    { domain: "paypal.fr", first_seen: "yesterday" },
    { domain: "paypal.fr", registrar: 5 },
    { domain: "paypal.fr", scan_status: "done" },
    { domain: "paypal.fr", public_scans: {} },
    { domain: "paypal.fr", scan_submission_id: 1.5 },
    { domain: "paypal.de", first_seen: null, registrar: null, unknown: 1 },
    "a%41.com",
    "http:///paypal.com",
  ];
  const report = await edge.brand.observe("a", feed as never[], {
    onInvalidRecord: (bad) => reported.push(bad.line),
  });
  // An array inside of a feed is a batch of names; `nested` is a name like any other.
  expect(reported).toEqual([2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 15, 16]);
  expect(report).toMatchObject({ records: 16, invalid: 13, matched: 2 });
  expect(report.invalidRecords.map((f) => f.line)).toEqual(reported);
  for (const { message } of report.invalidRecords) expect(message).toMatch(/^[A-Z`].*\.$/);
  expect((await matches(edge)).map((m) => m.domain)).toEqual(["paypal.com", "paypal.de"]);
});

test("a report has only the first hundred invalid records", async () => {
  const edge = await watched();
  const report = await edge.brand.observe("a", Array(2_500).fill("not a name"));
  expect([report.invalid, report.invalidRecords.length, report.invalidRecords[99]!.line]).toEqual([
    2_500, 100, 100,
  ]);
});

test("two spellings of one name are one name, listed with A-labels", async () => {
  const edge = await watched("müller");
  await edge.brand.observe("a", [
    " Müller.Example. ",
    "xn--mller-kva.example",
    "MÜLLER.example",
    "müller.example",
  ]);
  expect(await matches(edge)).toMatchObject([{ domain: "xn--mller-kva.example", match_id: 1, domain_id: 1 }]);
});

describe("facts of a name are merged", () => {
  async function known(...records: DomainRecord[]) {
    const edge = await watched();
    for (const record of records) await edge.brand.observe("a", [record]);
    return (await matches(edge))[0];
  }

  test("later records add and replace facts, and `first_seen` is the earliest of all", async () => {
    const match = await known(
      { domain: "paypal.com", first_seen: "2026-01-02T00:00:00Z", registrar: "A", source: "s" },
      { domain: "paypal.com", first_seen: "2026-01-01T00:00:00Z", registrar: "B" },
      { domain: "paypal.com", first_seen: "2026-01-03T00:00:00Z", scan_status: "finished" },
    );
    expect(match).toMatchObject({
      match_id: 1,
      first_seen: Date.UTC(2026, 0, 1),
      registrar: "B",
      source: "s",
      scan_status: "finished",
    });
  });

  test("a match is removed when its name is older than `min_time`", async () => {
    const edge = createEdge();
    const string_matches = [{ pattern: "paypal", max_edit_distance: 0 }];
    await edge.brand.queries.create("a", { tag: "t", string_matches, min_time: "2026-01-02T00:00:00Z" });
    await edge.brand.observe("a", [{ domain: "paypal.com", first_seen: "2026-01-03T00:00:00Z" }]);
    expect(await matches(edge)).toHaveLength(1);
    await edge.brand.observe("a", [{ domain: "paypal.com", first_seen: "2026-01-01T00:00:00Z" }]);
    expect(await matches(edge)).toEqual([]);
  });
});

test("progress is reported after each batch", async () => {
  const edge = await watched();
  const reported: ObserveProgress[] = [];
  const names = Array.from({ length: 2_500 }, (_, i) =>
    i % 1_000 === 0 ? `paypal${i}.com` : `name${i}.com`,
  );
  await edge.brand.observe("a", names, { onProgress: (p) => reported.push(p) });
  expect(reported).toEqual([
    { records: 1_000, matched: 1, invalid: 0 },
    { records: 2_000, matched: 2, invalid: 0 },
    { records: 2_500, matched: 3, invalid: 0 },
  ]);
});

describe("an abort", () => {
  test("ends an endless feed, and stored names stay", async () => {
    const edge = await watched();
    const abort = new AbortController();
    function* endless() {
      for (let i = 0; ; i++) yield `paypal${i}.com`;
    }
    const running = edge.brand.observe("a", endless(), {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error("enough")),
    });
    await expect(running).rejects.toThrow("enough");
    expect(await matches(edge)).toHaveLength(1_000);
  });

  test("ends the wait for a silent feed and closes it", async () => {
    const edge = await watched();
    const abort = new AbortController();
    let released = false;
    const silent: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          abort.abort(new Error("enough"));
          return new Promise(() => {});
        },
        return: async () => {
          released = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const running = edge.brand.observe("a", silent, { signal: abort.signal });
    await expect(running).rejects.toThrow("enough");
    expect(released).toBe(true);
  });

  test("before the start stores no name", async () => {
    const edge = await watched();
    await expect(edge.brand.observe("a", ["paypal.com"], { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await matches(edge)).toEqual([]);
  });

  test("a feed that fails rejects with its error", async () => {
    const edge = await watched();
    async function* failing() {
      yield "paypal.com";
      throw new Error("the disk is gone");
    }
    await expect(edge.brand.observe("a", failing())).rejects.toThrow("the disk is gone");
  });
});

test("the host of a URL, of a host with a port and of a wildcard is observed, and the part is reported", async () => {
  const edge = await watched();
  const parts: unknown[] = [];
  const feed = [
    "https://paypal.com/login",
    { domain: "paypal.net:8443", registrar: "R" },
    "*.paypal.org",
    { dns_names: ["paypal.io", "*.paypal.io", "no name"] },
    "paypal.fr.",
  ];
  const report = await edge.brand.observe("a", feed as never, { onPartUsed: (part) => parts.push(part) });
  expect(report.invalidRecords.map(({ line }) => line)).toEqual([4]);
  expect(parts).toEqual([
    { line: 1, given: "https://paypal.com/login", domain: "paypal.com" },
    { line: 2, given: "paypal.net:8443", domain: "paypal.net" },
    { line: 3, given: "*.paypal.org", domain: "paypal.org" },
    { line: 4, given: "*.paypal.io", domain: "paypal.io" },
  ]);
  const list = await edge.brand.matches.list("a", { query_id: ["1"], orderBy: "domain" });
  expect(list.matches.map((m) => m.match.domain)).toEqual([
    "paypal.com",
    "paypal.fr",
    "paypal.io",
    "paypal.net",
    "paypal.org",
  ]);
});

test.each([
  ["müller", ["xn--mller-kva.example"]],
  ["MÜLLER.Example.", ["xn--mller-kva.example"]],
  ["xn--mller-kva", ["xn--mller-kva.example"]],
  ["xn--mll", ["xn--mller-kva.example"]],
  ["XN--MLLER-KV", ["xn--mller-kva.example"]],
  ["mülle", ["xn--mller-kva.example"]],
  ["ÜLLER.ex", ["xn--mller-kva.example"]],
  ["u\u0308l", ["xn--mller-kva.example"]],
  ["\uff4dull", ["muller.example"]],
  ["öller", []],
  ["muller", ["muller.example"]],
  [".example", ["muller.example", "xn--mller-kva.example"]],
  ["paypa_l", []],
])("domain_search %s finds %j", async (domain_search, expected) => {
  const edge = await watched();
  await edge.brand.queries.create("a", {
    tag: "m",
    string_matches: [{ pattern: "müller", max_edit_distance: 1 }],
  });
  await edge.brand.observe("a", ["müller.example", "muller.example"]);
  const [query] = (await edge.brand.queries.list("a")).slice(-1);
  const request = { query_id: [String(query?.query_id)], domain_search, orderBy: "domain" } as const;
  const { matches } = await edge.brand.matches.list("a", request);
  expect(matches.map(({ match }) => match.domain)).toEqual(expected);
});

describe("options of an account", () => {
  const string_matches = [{ pattern: "paypal", max_edit_distance: 1 }];
  const names = ["secure-paypal.com", "paypal.com", "papyal.com", "pаypаl.com", "pay-pal.com"];

  async function found(edge: Edge, account: string): Promise<string[]> {
    await edge.brand.queries.create(account, { tag: "t", string_matches });
    await edge.brand.observe(account, names);
    const list = await edge.brand.matches.list(account, { query_id: ["1"], orderBy: "domain" });
    return list.matches.map((m) => m.match.domain);
  }

  const own = ["PayPal.com.", "xn--pypl-53dc.com"];
  const rules: MatchRule[] = [
    { mode: "label", maxEdits: 0 },
    { mode: "token", maxEdits: 2 },
  ];

  test.each([
    [{}, ["pay-pal.com", "paypal.com", "secure-paypal.com"]],
    [{ mode: "label" }, ["pay-pal.com", "paypal.com"]],
    [{ own }, ["pay-pal.com", "secure-paypal.com"]],
    [{ mode: "label", own, confusables: true }, ["pay-pal.com"]],
    [{ mode: "label", transpositions: true }, ["papyal.com", "pay-pal.com", "paypal.com"]],
    [{ mode: "label", confusables: true }, ["pay-pal.com", "paypal.com", "xn--pypl-53dc.com"]],
    [{ mode: "token" }, ["paypal.com", "secure-paypal.com"]],
    [
      { mode: "recommended" },
      ["papyal.com", "pay-pal.com", "paypal.com", "secure-paypal.com", "xn--pypl-53dc.com"],
    ],
    [{ mode: rules }, ["papyal.com", "paypal.com", "secure-paypal.com", "xn--pypl-53dc.com"]],
  ] as const)("%j, for all accounts or for one", async (brand, expected) => {
    expect(await found(createEdge({ brand }), "a")).toEqual(expected);
    const edge = createEdge({ world: { accounts: [{ id: "a", brand }, { id: "b" }] } });
    expect(await found(edge, "a")).toEqual(expected);
    expect(await found(edge, "b")).toEqual(["pay-pal.com", "paypal.com", "secure-paypal.com"]);
  });

  test("of the account override those of the edge", async () => {
    const world = { accounts: [{ id: "a", brand: { mode: "contains" as const } }] };
    const edge = createEdge({ brand: { mode: "label" }, world });
    expect(await found(edge, "a")).toContain("secure-paypal.com");
    const other = createEdge({
      brand: { own: ["paypal.com"] },
      world: { accounts: [{ id: "a", brand: { own: ["pay-pal.com"] } }, { id: "b" }] },
    });
    expect(await found(other, "a")).toEqual(["paypal.com", "secure-paypal.com"]);
    expect(await found(other, "b")).toEqual(["pay-pal.com", "secure-paypal.com"]);
  });

  test("that are invalid are rejected when the edge is created", () => {
    expect(() => createEdge({ brand: { mode: "inside" as never } })).toThrow(TypeError);
    expect(() => createEdge({ brand: { own: ["paypal.com", "com"] } })).toThrow(
      new TypeError(
        "`own[1]`: An own domain must not be a public suffix, because the names of others end with it; found `com`. Name a domain below it, such as `example.com`.",
      ),
    );
  });
});

test("compiled queries are cached until they change", async () => {
  const edge = await watched();
  const first = await edge.brand.compile("a");
  await edge.brand.observe("a", ["paypal.com"]);
  expect(await edge.brand.compile("a")).toBe(first);
  await edge.brand.queries.edit("a", "1", { tag: "other" });
  const second = await edge.brand.compile("a");
  expect(second).not.toBe(first);
  expect(second.queries.get(1)?.query.query_tag).toBe("other");
});
