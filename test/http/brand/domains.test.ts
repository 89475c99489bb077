/** Domain queries and matches over HTTP: shapes of `spec`, decisions of the brand page. */
import { describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { type Client, clientOf, type Json, jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";

const instant = Date.UTC(2026, 0, 31, 12);

interface Account {
  readonly edge: Edge;
  readonly client: Client;
}

function account(options: EdgeOptions = {}): Account {
  const edge = createEdge({ clock: () => instant, ...options });
  return { edge, client: clientOf(edge, "/accounts/a1/intel/v2/brand-protection") };
}

function body(pattern: string, max_edit_distance = 0, change: object = {}): object {
  return { tag: pattern, string_matches: [{ pattern, max_edit_distance }], ...change };
}

async function domains(client: Client, query = "query_id=1"): Promise<string[]> {
  return (await client.ok("GET", `/domain/matches?${query}`)).matches.map((m: Json) => m.domain);
}

describe("queries", () => {
  test("create returns message, success and id; the list is an array without envelope", async () => {
    const { client } = account();
    const created = await client.ok("POST", "/domain/queries", body("paypal", 1, { scan: true }));
    expect(created).toEqual({ message: "Domain query 1 was created.", success: true, query_id: 1 });
    await client.ok("POST", "/domain/queries", body("other", 0, { min_time: "2026-01-01T00:00:00Z" }));
    const list = await client.ok("GET", "/domain/queries");
    expect(list).toEqual([
      {
        created: "2026-01-31T12:00:00.000000Z",
        updated: "2026-01-31T12:00:00.000000Z",
        query_id: 1,
        query_tag: "paypal",
        scan: true,
        parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] },
      },
      expect.objectContaining({
        query_id: 2,
        scan: false,
        parameters: {
          string_matches: [{ pattern: "other", max_edit_distance: 0 }],
          min_time: "2026-01-01T00:00:00Z",
        },
      }),
    ]);
    expect(await client.ok("GET", "/domain/queries?id=2")).toEqual([list[1]]);
    expect(await client.ok("GET", "/domain/queries?id=3")).toEqual([]);
    await expectFailure(await client("GET", "/domain/queries?id=two"), { status: 400, code: 7001 });
  });

  test("the list has an envelope with the setting `envelopes: everywhere`", async () => {
    const { client } = account({ envelopes: "everywhere" });
    await client.ok("POST", "/domain/queries", body("paypal"));
    const answer = await client.ok("GET", "/domain/queries");
    expect(answer).toMatchObject({ success: true, errors: [], messages: [], result: [{ query_id: 1 }] });
  });

  test.each([
    ["https://paypal.com", ["No host name can contain `:`; found in the pattern `https://paypal.com`."]],
    ["PayPal®", []],
    ["www.paypal.com", []],
    ["*.paypal.com", []],
  ])(
    "the pattern %s is stored and searched as sent, with an entry where no host can hold it",
    async (pattern, entries) => {
      const { edge, client } = account();
      const { message } = await client.ok("POST", "/domain/queries", body(pattern));
      expect(message).toBe(["Domain query 1 was created.", ...entries].join(" "));
      const [query] = await client.ok("GET", "/domain/queries");
      expect(query.parameters.string_matches[0].pattern).toBe(pattern);
      await edge.brand.observe("a1", ["login.paypal.com", "my.www.paypal.com"]);
      expect(await domains(client)).toEqual(pattern.startsWith("www") ? ["my.www.paypal.com"] : []);
    },
  );

  test("ids increase and are not reused, separately in each account", async () => {
    const { edge, client } = account();
    await client.ok("POST", "/domain/queries", body("one"));
    await client.ok("DELETE", "/domain/queries/1");
    expect((await client.ok("POST", "/domain/queries", body("two"))).query_id).toBe(2);
    const other = clientOf(edge, "/accounts/a2/intel/v2/brand-protection");
    expect((await other.ok("POST", "/domain/queries", body("two"))).query_id).toBe(1);
  });

  test("more than eleven queries are in the order of their ids", async () => {
    const { client } = account();
    for (let i = 0; i < 12; i++) await client.ok("POST", "/domain/queries", body("brand"));
    const ids = (await client.ok("GET", "/domain/queries")).map((q: Json) => q.query_id);
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test.each<[string, object, string]>([
    ["no tag", { tag: undefined }, "/tag"],
    ["an empty tag", { tag: "" }, "/tag"],
    ["no patterns", { string_matches: undefined }, "/string_matches"],
    ["an empty list of patterns", { string_matches: [] }, "/string_matches"],
    ["a pattern that is not an object", { string_matches: ["paypal"] }, "/string_matches/0"],
    [
      "an empty pattern",
      { string_matches: [{ pattern: "", max_edit_distance: 0 }] },
      "/string_matches/0/pattern",
    ],
    [
      "four edits",
      { string_matches: [{ pattern: "paypal", max_edit_distance: 4 }] },
      "/string_matches/0/max_edit_distance",
    ],
    ["an invalid time", { min_time: "yesterday" }, "/min_time"],
    ["a day that no calendar has", { max_time: "2026-02-30T00:00:00Z" }, "/max_time"],
    [
      "bounds the wrong way",
      { min_time: "2026-02-01T00:00:00Z", max_time: "2026-01-01T00:00:00Z" },
      "/min_time",
    ],
    ["a scan that is not a boolean", { scan: "yes" }, "/scan"],
    ["a lookback that is not a boolean", { search_lookback: 1 }, "/search_lookback"],
  ])("%s is rejected with its pointer, and nothing is stored", async (_name, change, pointer) => {
    const { client } = account();
    const response = await client("POST", "/domain/queries", body("paypal", 1, change));
    await expectFailure(response, { status: 400, code: 7001, pointer });
    expect(await client.ok("GET", "/domain/queries")).toEqual([]);
    await client.ok("POST", "/domain/queries", body("paypal", 1));
    if ("search_lookback" in change) return;
    const before = await client.ok("GET", "/domain/queries");
    const patch = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(patch).length === 0) return;
    await expectFailure(await client("PATCH", "/domain/queries/1", patch), {
      status: 400,
      code: 7001,
      pointer,
    });
    expect(await client.ok("GET", "/domain/queries")).toEqual(before);
  });

  test("a pattern of fewer than five characters allows any distance with a note, or only 0", async () => {
    const lenient = await account().client.ok("POST", "/domain/queries", body("ebay", 1));
    expect(lenient.message).toMatch(/^Domain query 1 was created\. .*`ebay` has fewer than 5 characters/);
    const { client } = account({ shortPatterns: "exact" });
    await expectFailure(await client("POST", "/domain/queries", body("ebay", 1)), {
      status: 400,
      code: 7001,
      pointer: "/string_matches/0/max_edit_distance",
    });
    expect((await client.ok("POST", "/domain/queries", body("ebay", 0))).query_id).toBe(1);
  });

  test("an account has at most the configured number of queries", async () => {
    const { client } = account({ limits: { domainQueriesPerAccount: 1 } });
    await client.ok("POST", "/domain/queries", body("paypal"));
    await expectFailure(await client("POST", "/domain/queries", body("paypal")), {
      status: 400,
      code: 7001,
      message: /at most 1 domain query; found 1/,
    });
  });

  test.each([
    ["PATCH", "/domain/queries/9", {}],
    ["DELETE", "/domain/queries/9", undefined],
    ["GET", "/domain/matches?query_id=9", undefined],
    ["POST", "/queries/9/matches/1/dismiss", undefined],
    ["POST", "/queries/1/matches/9/dismiss", undefined],
    ["POST", "/queries/1/matches/9/undismiss", undefined],
  ] as const)("%s %s: 404 for what is not there", async (method, path, sent) => {
    const { client } = account();
    await client.ok("POST", "/domain/queries", body("paypal"));
    await expectFailure(await client(method, path, sent), { status: 404, code: 7002 });
  });

  test.each([
    ["PATCH", "/domain/queries/one", {}],
    ["DELETE", "/domain/queries/1.5", undefined],
    ["GET", "/domain/matches?query_id=1,x", undefined],
    ["GET", "/domain/matches?query_id=-1", undefined],
    ["GET", "/domain/matches?query_id=", undefined],
    ["GET", "/domain/matches", undefined],
    ["POST", "/queries/x/matches/1/dismiss", undefined],
    ["POST", "/queries/1/matches/x/dismiss", undefined],
  ] as const)("%s %s: 400 for an invalid id", async (method, path, sent) => {
    const { client } = account();
    await client.ok("POST", "/domain/queries", body("paypal"));
    await expectFailure(await client(method, path, sent), { status: 400, code: 7001 });
  });
});

const seen = [
  { domain: "paypal.com", first_seen: "2026-01-05T00:00:00Z", registrar: "B" },
  { domain: "secure-paypal.net", first_seen: "2026-01-03T00:00:00Z", registrar: "C" },
  { domain: "paypal.example.org", first_seen: "2026-01-05T00:00:00Z", registrar: "A" },
  { domain: "unrelated.com", first_seen: "2026-01-01T00:00:00Z" },
];

describe("matches", () => {
  async function paypal(options: EdgeOptions = {}): Promise<Account> {
    const made = account(options);
    await made.client.ok("POST", "/domain/queries", body("paypal"));
    await made.edge.brand.observe("a1", seen);
    return made;
  }

  /** The query and all its matches, as they are stored. */
  function storedMatches({ store }: Edge) {
    return store.read(async (tx) => [
      await tx.find("brand_domain_queries", "a1"),
      await tx.find("brand_domain_matches", "a1"),
    ]);
  }

  test("a match has all members, for one query and for several", async () => {
    const { edge, client } = await paypal();
    await edge.brand.observe("a1", [
      {
        domain: "paypal.info",
        first_seen: "2026-01-09T10:00:00.5+01:00",
        registrar: "R",
        source: "zone file",
        scan_status: "finished",
        scan_submission_id: 7,
        public_scans: { submission_id: "s-7" },
      },
    ]);
    const { matches, total } = await client.ok("GET", "/domain/matches?query_id=1&limit=1");
    expect(total).toBe(4);
    const shown = {
      domain: "paypal.info",
      first_seen: "2026-01-09T09:00:00.500000Z",
      public_scans: { submission_id: "s-7" },
      registrar: "R",
      scan_status: "finished",
      scan_submission_id: 7,
      source: "zone file",
    };
    expect(matches).toEqual([{ ...shown, dismissed: false }]);
    await client.ok("POST", "/domain/queries", body("paypal.info"));
    const several = await client.ok("GET", "/domain/matches?query_id=1,2&limit=1");
    expect(several.matches).toEqual([
      {
        ...shown,
        match_details: [
          { dismissed: false, match_id: 4, query_id: 1, query_tag: "paypal" },
          { dismissed: false, match_id: 5, query_id: 2, query_tag: "paypal.info" },
        ],
      },
    ]);
  });

  test.each([
    ["spec", "", 0, { submission_id: "" }],
    ["provider", null, null, null],
  ] as const)("an unstated number, in profile %s", async (profile, text, number, scans) => {
    const edge = createEdge({ profile, wireNames: "spec", clock: () => instant });
    const client = clientOf(edge, "/accounts/a1/intel/v2/brand-protection");
    await client.ok("POST", "/domain/queries", body("paypal"));
    await edge.brand.observe("a1", ["paypal.com"]);
    expect((await client.ok("GET", "/domain/matches?query_id=1")).matches).toEqual([
      {
        domain: "paypal.com",
        first_seen: "2026-01-31T12:00:00.000000Z",
        public_scans: scans,
        registrar: text,
        scan_status: "none",
        scan_submission_id: number,
        source: text,
        dismissed: false,
      },
    ]);
  });

  const [com, net, org] = ["paypal.com", "secure-paypal.net", "paypal.example.org"];
  test.each([
    ["", [com, org, net]],
    ["&order=desc", [com, org, net]],
    ["&order=asc", [net, com, org]],
    ["&orderBy=first_seen", [com, org, net]],
    ["&orderBy=domain", [com, org, net]],
    ["&orderBy=domain&order=desc", [net, org, com]],
    ["&orderBy=registrar", [org, com, net]],
    ["&orderBy=registrar&order=desc", [net, com, org]],
    ["&limit=1", [com]],
    ["&limit=1&offset=2", [net]],
    ["&limit=5000", [com, org, net]],
    ["&offset=3", []],
    ["&domain_search=PAYPAL.", [com, org, net]],
    ["&domain_search=example", [org]],
    ["&domain_search=paypal.net", [net]],
    ["&domain_search=nothing", []],
  ])("query_id=1%s", async (query, expected) => {
    const { client } = await paypal();
    await client.ok("POST", "/domain/queries", body("nowhere"));
    expect(await domains(client, `query_id=1${query}`)).toEqual(expected);
    expect(await domains(client, `query_id=1,2${query}`)).toEqual(expected);
    const { total } = await client.ok("GET", `/domain/matches?query_id=1${query}`);
    expect(total).toBe(query.includes("search") ? expected.length : 3);
  });

  test.each([
    "limit=0",
    "limit=-1",
    "limit=ten",
    "limit=1.5",
    "limit=",
    "offset=-1",
    "offset=1e3",
    "order=up",
    "orderBy=dismissed",
    "orderBy=constructor",
    "include_dismissed=maybe",
    "include_domain_id=1",
  ])("%s is rejected by name", async (query) => {
    const { client } = await paypal();
    const name = query.split("=")[0]!;
    await expectFailure(await client("GET", `/domain/matches?query_id=1&${query}`), {
      status: 400,
      code: 7001,
      message: new RegExp(`\`${name}\``),
    });
  });

  test.each([
    "query_id=1&query_id=2",
    "query_id[]=1&query_id[]=2",
    "query_id=1,2",
    "query_id=1%2C2",
    "query_id[0]=1&query_id[1]=2",
  ])("several ids as %s", async (query) => {
    const { client } = await paypal();
    await client.ok("POST", "/domain/queries", body("secure"));
    const { matches, total } = await client.ok("GET", `/domain/matches?${query}`);
    expect(total).toBe(3);
    const entries = matches.map((m: Json) => [
      m.domain,
      m.match_details.map((d: Json) => d.query_id),
      m.dismissed,
    ]);
    expect(entries).toEqual([
      [com, [1], undefined],
      [org, [1], undefined],
      [net, [1, 2], undefined],
    ]);
  });

  test("a repeated id is one query", async () => {
    const { client } = await paypal();
    expect((await client.ok("GET", "/domain/matches?query_id=1,1")).matches[0].dismissed).toBe(false);
  });

  test("an id with leading zeros is rejected", async () => {
    const { edge, client } = await paypal();
    const { matches } = await client.ok("GET", "/domain/matches?query_id=1&include_domain_id=true");
    const { domain_id } = matches[0];
    const before = await storedMatches(edge);
    for (const [method, path] of [
      ["GET", "/domain/queries?id=01"],
      ["PATCH", "/domain/queries/01"],
      ["DELETE", "/domain/queries/001"],
      ["GET", "/domain/matches?query_id=01"],
      ["GET", "/domain/matches?query_id=1,01"],
      ["POST", `/queries/01/matches/${domain_id}/dismiss`],
      ["POST", `/queries/1/matches/0${domain_id}/dismiss`],
    ] as const) {
      const sent = method === "PATCH" ? { tag: "changed" } : undefined;
      await expectFailure(await client(method, path, sent), { status: 400, code: 7001 });
    }
    expect(await storedMatches(edge)).toEqual(before);
  });

  test("one unknown id among several is answered with 404", async () => {
    const { client } = await paypal();
    await expectFailure(await client("GET", "/domain/matches?query_id=1,9"), {
      status: 404,
      code: 7002,
      message: /`9`/,
    });
  });

  test("a domain has one permanent id for all queries", async () => {
    const { edge, client } = await paypal();
    await client.ok("POST", "/domain/queries", body("secure"));
    const idOf = async (query: number) => {
      const found = await client.ok("GET", `/domain/matches?query_id=${query}&include_domain_id=true`);
      return found.matches.find((m: Json) => m.domain === net).domain_id;
    };
    const id = await idOf(1);
    expect(id).toBeGreaterThan(0);
    expect(await idOf(2)).toBe(id);
    await client.ok("DELETE", "/domain/queries/1");
    await edge.brand.observe("a1", ["secure-paypal.net"]);
    expect(await idOf(2)).toBe(id);
    const [match] = (await client.ok("GET", "/domain/matches?query_id=2")).matches;
    expect(match).not.toHaveProperty("domain_id");
  });

  describe("dismissal", () => {
    async function dismissed(): Promise<Account & { readonly id: number }> {
      const made = await paypal();
      await made.client.ok("POST", "/domain/queries", body("secure"));
      const list = await made.client.ok("GET", "/domain/matches?query_id=1&include_domain_id=true");
      const id = list.matches.find((m: Json) => m.domain === net).domain_id;
      expect(await made.client.ok("POST", `/queries/1/matches/${id}/dismiss`)).toEqual({
        message: "The match was dismissed.",
        success: true,
      });
      return { ...made, id };
    }

    test("hides the match of that query only, unless dismissed matches are requested", async () => {
      const { client } = await dismissed();
      expect(await domains(client, "query_id=1")).toEqual([com, org]);
      expect((await client.ok("GET", "/domain/matches?query_id=1")).total).toBe(2);
      expect(await domains(client, "query_id=2")).toEqual([net]);
      const all = await client.ok("GET", "/domain/matches?query_id=1&include_dismissed=true");
      expect(all.matches.map((m: Json) => [m.domain, m.dismissed])).toEqual([
        [com, false],
        [org, false],
        [net, true],
      ]);
    });

    test("a list of several queries shows a match while any of its details is not dismissed", async () => {
      const { client, id } = await dismissed();
      const details = async (query: string) => {
        const { matches } = await client.ok("GET", `/domain/matches?query_id=1,2${query}`);
        const found = matches.find((m: Json) => m.domain === net);
        return found?.match_details.map((d: Json) => [d.query_id, d.dismissed]);
      };
      expect(await details("")).toEqual([[2, false]]);
      expect(await details("&include_dismissed=true")).toEqual([
        [1, true],
        [2, false],
      ]);
      await client.ok("POST", `/queries/2/matches/${id}/dismiss`);
      expect(await details("")).toBeUndefined();
      expect((await client.ok("GET", "/domain/matches?query_id=1,2")).total).toBe(2);
    });

    test("can be done twice and undone, and survives another observation", async () => {
      const { edge, client, id } = await dismissed();
      await client.ok("POST", `/queries/1/matches/${id}/dismiss`);
      await edge.brand.observe("a1", seen);
      expect(await domains(client)).toEqual([com, org]);
      await client.ok("POST", `/queries/1/matches/${id}/undismiss`);
      await client.ok("POST", `/queries/1/matches/${id}/undismiss`);
      expect(await domains(client)).toEqual([com, org, net]);
    });
  });

  test("DELETE removes the query and its matches, and no others", async () => {
    const { edge, client } = await paypal();
    await client.ok("POST", "/domain/queries", body("secure"));
    await client.ok("DELETE", "/domain/queries/1");
    expect(await domains(client, "query_id=2")).toEqual([net]);
    const count = await edge.store.read((tx) => tx.count("brand_domain_matches", "a1"));
    expect(count).toBe(1);
    await edge.brand.observe("a1", ["paypal.fr"]);
    expect(await edge.store.read((tx) => tx.count("brand_domain_matches", "a1"))).toBe(1);
  });
});

describe("lookback", () => {
  test("a new query finds earlier names, unless `search_lookback` is false", async () => {
    const { edge, client } = account();
    await edge.brand.observe("a1", seen);
    await client.ok("POST", "/domain/queries", body("paypal"));
    await client.ok("POST", "/domain/queries", body("paypal", 0, { search_lookback: false }));
    expect(await domains(client, "query_id=1")).toHaveLength(3);
    expect(await domains(client, "query_id=2")).toEqual([]);
    await edge.brand.observe("a1", ["paypal.fr"]);
    expect(await domains(client, "query_id=2")).toEqual(["paypal.fr"]);
  });

  test("names that are not retained are matched, but not found by lookback", async () => {
    const { edge, client } = account();
    await client.ok("POST", "/domain/queries", body("paypal"));
    const report = await edge.brand.observe("a1", seen, { retain: false });
    expect(report).toMatchObject({ records: 4, matched: 3, matches: 3, invalid: 0 });
    expect(await edge.store.read((tx) => tx.count("brand_domains", "a1"))).toBe(3);
    await client.ok("POST", "/domain/queries", body("paypal"));
    await client.ok("POST", "/domain/queries", body("unrelated"));
    expect(await domains(client, "query_id=2,3")).toEqual([]);
    await edge.brand.observe("a1", seen);
    await client.ok("POST", "/domain/queries", body("paypal"));
    expect(await domains(client, "query_id=4")).toHaveLength(3);
  });

  test("time bounds are inclusive in the feed and in lookback", async () => {
    const bounds = { min_time: "2026-01-03T00:00:00Z", max_time: "2026-01-05T01:00:00+01:00" };
    for (const lookback of [false, true]) {
      const { edge, client } = account();
      const names = ["02T23:59:59.999", "03T00:00:00", "05T00:00:00", "05T00:00:00.001"].map((time, i) => {
        return { domain: `paypal${i}.com`, first_seen: `2026-01-${time}Z` };
      });
      if (lookback) await edge.brand.observe("a1", names);
      await client.ok("POST", "/domain/queries", body("paypal", 0, bounds));
      if (!lookback) await edge.brand.observe("a1", names);
      expect(await domains(client)).toEqual(["paypal2.com", "paypal1.com"]);
    }
  });
});

describe("edit", () => {
  async function edited(patch: object): Promise<Account & { readonly found: string[] }> {
    const made = account();
    await made.edge.brand.observe("a1", [...seen, "paypa1.com"]);
    await made.client.ok("POST", "/domain/queries", body("paypal"));
    const answer = await made.client.ok("PATCH", "/domain/queries/1", patch);
    expect(answer).toEqual({ message: "Domain query 1 was changed.", success: true, query_id: 1 });
    return { ...made, found: (await domains(made.client)).sort() };
  }

  const before = ["paypal.com", "paypal.example.org", "secure-paypal.net"];

  test("a change of patterns removes outdated matches and adds new ones", async () => {
    const { found } = await edited({ string_matches: [{ pattern: "unrelated", max_edit_distance: 0 }] });
    expect(found).toEqual(["unrelated.com"]);
  });

  test("wider patterns without lookback do not match earlier names", async () => {
    const string_matches = [{ pattern: "paypal", max_edit_distance: 1 }];
    expect((await edited({ string_matches })).found).toEqual(["paypa1.com", ...before]);
    expect((await edited({ string_matches, search_lookback: false })).found).toEqual(before);
  });

  test("an edit can request only a lookback", async () => {
    const { edge, client } = account();
    await edge.brand.observe("a1", seen);
    await client.ok("POST", "/domain/queries", body("paypal", 0, { search_lookback: false }));
    await client.ok("PATCH", "/domain/queries/1", { search_lookback: true });
    expect((await domains(client)).sort()).toEqual(before);
  });

  test("time bounds are set, and removed by null", async () => {
    const { client, found } = await edited({ min_time: "2026-01-04T00:00:00Z" });
    expect(found).toEqual(["paypal.com", "paypal.example.org"]);
    await expectFailure(await client("PATCH", "/domain/queries/1", { max_time: "2026-01-01T00:00:00Z" }), {
      status: 400,
      code: 7001,
      pointer: "/min_time",
    });
    await client.ok("PATCH", "/domain/queries/1", { min_time: null });
    expect((await domains(client)).sort()).toEqual(before);
    expect((await client.ok("GET", "/domain/queries"))[0].parameters).not.toHaveProperty("min_time");
  });

  test("a change of tag and scan keeps the other members and `created`, and sets `updated`", async () => {
    let now = instant;
    const { client } = account({ clock: () => now });
    await client.ok("POST", "/domain/queries", body("paypal"));
    now += 1_000;
    await client.ok("PATCH", "/domain/queries/1", { tag: "new", scan: true });
    expect((await client.ok("GET", "/domain/queries"))[0]).toMatchObject({
      created: "2026-01-31T12:00:00.000000Z",
      updated: "2026-01-31T12:00:01.000000Z",
      query_tag: "new",
      scan: true,
      parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] },
    });
  });

  test("a match that stays keeps its id and stays dismissed", async () => {
    const { edge, client } = account();
    await client.ok("POST", "/domain/queries", body("paypal"));
    await edge.brand.observe("a1", seen);
    const matches = () => edge.store.read((tx) => tx.find("brand_domain_matches", "a1"));
    const [first] = await matches();
    await client.ok("POST", `/queries/1/matches/${first!.domain_id}/dismiss`);
    await client.ok("PATCH", "/domain/queries/1", {
      string_matches: [{ pattern: "paypal", max_edit_distance: 1 }],
    });
    const after = (await matches()).find((m) => m.id === first!.id);
    expect(after).toEqual({ ...first, dismissed: true });
  });

  test("ids and dates in a body are ignored and reported in notes", async () => {
    const { client } = account();
    const { message } = await client.ok("POST", "/domain/queries", body("paypal", 0, { query_id: 77 }));
    expect(message).toMatch(/created\. `query_id` is not a known member and was ignored\./);
  });
});

describe("accounts", () => {
  test("are separate", async () => {
    const { edge, client } = account();
    await client.ok("POST", "/domain/queries", body("paypal"));
    const other = clientOf(edge, "/accounts/a2/intel/v2/brand-protection");
    await edge.brand.observe("a2", ["paypal.com"]);
    expect(await domains(client)).toEqual([]);
    expect(await other.ok("GET", "/domain/queries")).toEqual([]);
    await expectFailure(await other("GET", "/domain/matches?query_id=1"), { status: 404, code: 7002 });
    await expectFailure(await other("DELETE", "/domain/queries/1"), { status: 404, code: 7002 });
    await other.ok("POST", "/domain/queries", body("paypal"));
    expect(await domains(other)).toEqual(["paypal.com"]);
    expect(await domains(client)).toEqual([]);
  });

  test("a world with accounts rejects other accounts", async () => {
    const { client, edge } = account({ world: { accounts: [{ id: "b" }] } });
    await expectFailure(await client("GET", "/domain/queries"), { status: 404, code: 7002 });
    await expectFailure(await client("POST", "/domain/queries", body("paypal")), { status: 404, code: 7002 });
    await expect(edge.brand.observe("a1", ["a.com"])).rejects.toThrow(/no account `a1`/);
  });

  test("a token needs the permission", async () => {
    const credentials = [{ token: "r", permissions: ["brand_protection:read" as const] }];
    const { client } = account({ credentials });
    const as = { authorization: "Bearer r" };
    expect((await client("GET", "/domain/queries", undefined, as)).status).toBe(200);
    await expectFailure(await client("POST", "/domain/queries", body("paypal"), as), {
      status: 403,
      code: 9109,
    });
  });

  test("profile `provider` uses the provider's names on the wire", async () => {
    const edge = createEdge({ profile: "provider" });
    const path = "https://edge.test/client/v4/accounts/a1/cloudforce-one/v2/brand-protection/domain/queries";
    const response = await edge.fetch(new Request(path, { headers: { authorization: "Bearer t" } }));
    expect(await jsonOf(response)).toEqual([]);
  });
});
