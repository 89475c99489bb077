/** The same requests over every store have the same responses, byte for byte; changes through one edge apply to another at once. */
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { signAddress } from "../../../src/engine/images/signing.ts";
import { seededIds } from "../../../src/service/ids.ts";
import type { Store } from "../../../src/store/port.ts";
import { drawings, paint, png as pngOf } from "../../engine/logo/drawings.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { turns } from "../../support/deferred.ts";
import { expectFailure } from "../../support/failure.ts";
import { formOf, imageSetting, origin, png } from "../../support/images.ts";
import { configBody, ruleBody, type TestKeys, testKeys } from "../../support/keys.ts";
import { isMissing, type StorePlace, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();
const instant = Date.UTC(2026, 0, 31, 12);
const zone = "/zones/z1/token_validation";
const brand = "/accounts/a1/intel/v2/brand-protection";

let keys: TestKeys;
let logo: Buffer;
let picture: Buffer;
beforeAll(async () => {
  keys = await testKeys();
  logo = await pngOf(paint(drawings["stairs"]!, { side: 64 }));
  picture = await png(77);
});

/** Everything an edge answers, in order. */
interface Story {
  readonly edge: Edge;
  /** Asks, notes the answer, and gives its parsed body when it is JSON. */
  ask(method: string, path: string, body?: unknown): Promise<Json>;
  readonly answers: string[];
}

function story(store: Store, options: EdgeOptions = {}): Story {
  const time = { now: instant };
  const edge = createEdge({ store, clock: () => time.now++, ids: seededIds("story"), ...options });
  const answers: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const isForm = body instanceof FormData;
    const headers = {
      ...(!path.startsWith("http") && { authorization: "Bearer t" }),
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
    };
    const url = path.startsWith("http") ? path : `${origin}/client/v4${path}`;
    const sent = isForm ? body : body === undefined ? null : JSON.stringify(body);
    const response = await edge.fetch(new Request(url, { method, headers, body: sent }));
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    const text = bytes.toString(type.includes("json") ? "utf8" : "base64");
    answers.push(`${method} ${path}: ${response.status} ${response.headers.get("etag")} ${text}`);
    return type.includes("json") ? JSON.parse(text) : undefined;
  };
  return { edge, ask, answers };
}

async function tokens({ ask, edge, answers }: Story): Promise<void> {
  const config = (await ask("POST", `${zone}/config`, configBody([keys.es256, keys.rs256]))).result.id;
  const valid = `is_jwt_valid("${config}")`;
  const { result } = await ask(
    "POST",
    `${zone}/rules/bulk`,
    [..."abcdefg"].map((title) => ruleBody(valid, { title })),
  );
  await ask("POST", `${zone}/rules`, ruleBody("is_jwt_valid(", { title: "wrong" }));
  await ask("PATCH", `${zone}/rules/${result[5].id}`, { position: { index: 2 }, enabled: false });
  await ask("PATCH", `${zone}/rules/${result[1].id}`, { position: { after: result[6].id } });
  await ask("DELETE", `${zone}/rules/${result[0].id}`);
  await ask("DELETE", `${zone}/rules/${result[0].id}`);
  for (const query of ["", "?per_page=2&page=2", "?enabled=true", "?action=log", "?per_page=0"])
    await ask("GET", `${zone}/rules${query}`);
  await ask("PATCH", `${zone}/config/${config}`, { title: "new" });
  await ask("PUT", `${zone}/config/${config}/credentials`, { keys: [keys.ps256.jwk] });
  await ask("DELETE", `${zone}/config/${config}`);
  await ask("GET", `${zone}/config`);
  const request = { method: "POST", url: "https://api.example.com/v1/orders" };
  answers.push(JSON.stringify(await edge.tokens.evaluate("z1", request)));
}

async function proxy({ ask }: Story): Promise<void> {
  const app = (protocol: string, name: string, change = {}) => ({
    protocol,
    dns: { type: "CNAME", name },
    origin_direct: [`${protocol.replace("/", "://192.0.2.1:")}`],
    ...change,
  });
  const apps = (id: string) => `/zones/${id}/app_service/apps`;
  const { result } = await ask("POST", apps("z1"), app("tcp/22", "ssh.example.com"));
  await ask("POST", apps("z1"), app("tcp/5432", "db.example.com"));
  await ask("POST", apps("z2"), app("tcp/22", "SSH.example.com."));
  await ask("POST", apps("z1"), app("tcp/22", "ssh.example.com", { tls: 5 }));
  await ask("PATCH", `${apps("z1")}/${result.id}`, { dns: { name: "new.example.com" } });
  await ask("POST", apps("z2"), app("tcp/22", "ssh.example.com"));
  for (const query of ["", "?order=protocol&direction=desc", "?order=dns&per_page=1&page=2"])
    await ask("GET", `${apps("z1")}${query}`);
  await ask("PUT", `${apps("z1")}/${result.id}`, app("tcp/23", "ssh2.example.com"));
  await ask("DELETE", `${apps("z1")}/${result.id}`);
  await ask("GET", `${apps("z1")}/${result.id}`);
}

async function domains({ ask, edge, answers }: Story): Promise<void> {
  const query = (pattern: string, change = {}) => ({
    tag: pattern,
    string_matches: [{ pattern, max_edit_distance: 1 }],
    ...change,
  });
  await ask("POST", `${brand}/domain/queries`, query("paypal", { scan: true }));
  const names = [
    "paypa1.com",
    "x-paypal.net",
    "pаypal.org",
    "micr0soft.example",
    "other.example",
    "bad..name",
  ];
  const records = names.map((domain, i) => ({
    domain,
    registrar: `r${i % 2}`,
    first_seen: new Date(instant - i * 1e6).toISOString(),
  }));
  answers.push(JSON.stringify(await edge.brand.observe("a1", records)));
  await ask("POST", `${brand}/domain/queries`, query("microsoft"));
  await ask("POST", `${brand}/domain/queries`, query("", {}));
  const listed = await ask("GET", `${brand}/domain/matches?query_id=1&include_domain_id=true`);
  await ask("PATCH", `${brand}/domain/queries/1`, {
    string_matches: [{ pattern: "paypal", max_edit_distance: 0 }],
  });
  const { domain_id } = listed.matches[0];
  await ask("POST", `${brand}/queries/1/matches/${domain_id}/dismiss`);
  for (const rest of [
    "query_id=1",
    "query_id=1&include_dismissed=true&order_by=domain",
    "query_id=1,2",
    "query_id=1&domain_search=XN",
    "query_id=9",
    "query_id=1&limit=1&offset=1",
  ])
    await ask("GET", `${brand}/domain/matches?${rest}`);
  for (const query_id of [["1"], ["1", "2"]]) {
    const request = { query_id, include_dismissed: true, recompute: true };
    answers.push(JSON.stringify(await edge.brand.matches.list("a1", request)));
  }
  await ask("GET", `${brand}/domain/queries`);
  await ask("DELETE", `${brand}/domain/queries/2`);
}

async function logos({ ask, edge, answers }: Story): Promise<void> {
  const body = { image_data: logo.toString("base64"), similarity_threshold: 0.75, tag: "ours" };
  await ask("POST", `${brand}/logo/queries`, body);
  await ask("POST", `${brand}/logo/queries`, body);
  answers.push(
    JSON.stringify(
      await edge.brand.observeImages("a1", [{ image: logo, domain: "a.example" }, { image: picture }]),
    ),
  );
  for (const rest of ["query_id=1", "query_id=1&download=true"])
    await ask("GET", `${brand}/logo/matches?${rest}`);
  const dismissal = `${brand}/logo/queries/1/matches/1`;
  for (const path of [`${dismissal}/dismiss`, `${brand}/logo/queries/1/matches/3/dismiss`])
    await ask("POST", path);
  answers.push(JSON.stringify(await edge.brand.logos.matches.list("a1", { query_id: "1" })));
  await ask("POST", `${dismissal}/undismiss`);
  await ask("GET", `${brand}/logo/queries?download=true`);
  await ask("DELETE", `${brand}/logo/queries/1`);
  await ask("GET", `${brand}/logo/queries`);
}

async function images({ ask }: Story): Promise<void> {
  const base = "/accounts/a1/images";
  for (const [i, id] of ["a/b", "été", "c"].entries())
    await ask(
      "POST",
      `${base}/v1`,
      formOf({ file: picture, id, metadata: `{"n":${i}}`, ...(i && { creator: "ada" }) }),
    );
  await ask("POST", `${base}/v1`, formOf({ file: picture, id: "c" }));
  await ask("POST", `${base}/v1`, formOf({ file: "no file" }));
  await ask("POST", `${base}/v1/variants`, {
    id: "thumb",
    options: { fit: "cover", width: 20, height: 10, metadata: "none" },
  });
  const { uploadURL } = (await ask("POST", `${base}/v2/direct_upload`, formOf({ id: "draft" }))).result;
  await ask("POST", uploadURL, formOf({ file: picture }));
  await ask("POST", uploadURL, formOf({ file: picture }));
  const { variants } = (await ask("GET", `${base}/v1/a/b`)).result;
  for (const address of variants) await ask("GET", new URL(address, origin).href);
  await ask("PATCH", `${base}/v1/c`, { requireSignedURLs: true });
  for (const path of [
    "/v1?per_page=2",
    "/v1?creator=ada",
    "/v2?meta.n[eq:number]=1",
    "/v1/stats",
    "/v1/keys",
    "/v1/variants",
    "/v1/a/b/blob",
  ])
    await ask("GET", `${base}${path}`);
  const { result } = await ask("GET", `${base}/v2?per_page=2&sort_order=asc`);
  await ask("GET", `${base}/v2?per_page=2&sort_order=asc&continuation_token=${result.continuation_token}`);
  await ask("DELETE", `${base}/v1/a/b`);
  await ask("GET", new URL(variants[0], origin).href);
}

const stories = { tokens, proxy, domains, logos, images };

describe("the same requests have the same responses over every store", async () => {
  const outcomeOf = async (name: keyof typeof stories, place: StorePlace) => {
    const teller = story(await place.open());
    await stories[name](teller);
    await teller.edge.close();
    return teller.answers;
  };
  for (const name of Object.keys(stories) as (keyof typeof stories)[]) {
    for (const kind of ["SQLite", "PostgreSQL"]) {
      test.skipIf(isMissing(kind))(`${name} over ${kind}`, async () => {
        const expected = await outcomeOf(name, kinds["memory"]!());
        expect(await outcomeOf(name, kinds[kind]!())).toEqual(expected);
        expect(expected.filter((answer) => / 200 /.test(answer)).length).toBeGreaterThan(4);
      });
    }
  }
});

/** Two edges on one place, each with a connection of its own. */
async function pair(place: StorePlace, options: EdgeOptions = {}) {
  const [first, second] = [await place.open(), await place.open()];
  return [createEdge({ store: first, ...options }), createEdge({ store: second, ...options })] as const;
}

describe.each(Object.keys(kinds))(
  "over %s, a change through one edge applies to the other at once",
  (kind) => {
    const pairTest = (
      name: string,
      work: (here: Edge, there: Edge) => Promise<void>,
      options?: EdgeOptions,
    ) =>
      test.skipIf(isMissing(kind))(name, async () => {
        const [here, there] = await pair(kinds[kind]!(), options);
        await work(here, there);
        await Promise.all([here.close(), there.close()]);
      });

    pairTest("verdicts", async (here, there) => {
      const client = clientOf(there, zone);
      const verdict = async () =>
        (await here.tokens.evaluate("z1", { method: "GET", url: "https://api.example.com/" })).action;
      const first = await verdict();
      const { id } = (await client.ok("POST", "/config", configBody([keys.es256]))).result;
      const rule = (await client.ok("POST", "/rules", ruleBody(`is_jwt_valid("${id}")`, { action: "block" })))
        .result;
      const blocked = await verdict();
      expect(blocked).not.toEqual(first);
      for (let round = 0; round < 5; round++) {
        await client.ok("PATCH", `/rules/${rule.id}`, { enabled: false });
        expect(await verdict()).toEqual(first);
        await client.ok("PATCH", `/rules/${rule.id}`, { enabled: true });
        expect(await verdict()).toEqual(blocked);
      }
      await client.ok("DELETE", `/rules/${rule.id}`);
      expect(await verdict()).toEqual(first);
    });

    pairTest("matches of domains", async (here, there) => {
      const client = clientOf(there, `${brand}/domain`);
      const found = async (name: string) => (await here.brand.observe("a1", [name])).matches;
      expect(await found("paypal-1.com")).toBe(0);
      const query = {
        tag: "t",
        string_matches: [{ pattern: "paypal", max_edit_distance: 0 }],
        search_lookback: false,
      };
      await client.ok("POST", "/queries", query);
      expect(await found("paypal-2.com")).toBe(1);
      await client.ok("PATCH", "/queries/1", {
        string_matches: [{ pattern: "microsoft", max_edit_distance: 0 }],
        search_lookback: false,
      });
      expect(await found("paypal-3.com")).toBe(0);
      expect(await found("microsoft-3.com")).toBe(1);
      await client.ok("DELETE", "/queries/1");
      expect(await found("microsoft-4.com")).toBe(0);
    });

    pairTest("matches of logos", async (here, there) => {
      const client = clientOf(there, `${brand}/logo`);
      const found = async (domain: string) =>
        (await here.brand.observeImages("a1", [{ image: logo, domain }], { retain: false })).matches;
      expect(await found("a.example")).toBe(0);
      await client.ok("POST", "/queries", {
        image_data: logo.toString("base64"),
        similarity_threshold: 0.75,
        tag: "ours",
      });
      expect(await found("b.example")).toBe(1);
      await client.ok("DELETE", "/queries/1");
      expect(await found("c.example")).toBe(0);
    });

    pairTest("delivery", async (here, there) => {
      const { client, upload } = imageSetting({ store: there.store });
      const shown = async (address: string) => {
        const response = await here.fetch(new Request(new URL(address, origin)));
        return [
          response.status,
          response.headers.get("etag"),
          (await response.arrayBuffer()).byteLength,
        ] as const;
      };
      const options = { fit: "cover", width: 20, height: 10, metadata: "none" };
      await client.ok("POST", "/v1/variants", { id: "thumb", options });
      const { variants } = await upload({ id: "x" });
      const address = variants.find((v: string) => v.endsWith("/thumb"));
      const before = await shown(address);
      expect([before[0], await shown(address)]).toEqual([200, before]);
      await client.ok("PATCH", "/v1/variants/thumb", { options: { ...options, width: 30 } });
      const after = await shown(address);
      expect([after[0], after[1] === before[1]]).toEqual([200, false]);
      const { result } = await client.ok("PATCH", "/v1/x", { requireSignedURLs: true });
      expect((await shown(address))[0]).toBe(404);
      const own = result.variants.find((v: string) => v.endsWith("/thumb"));
      expect((await shown(own))[0]).toBe(403);
      const { value } = (await client.ok("PUT", "/v1/keys/second", {})).result.keys.find(
        (k: Json) => k.name === "second",
      );
      const signed = signAddress(new URL(own, origin).href, value);
      expect((await shown(signed))[0]).toBe(200);
      await client.ok("DELETE", "/v1/keys/second");
      expect((await shown(signed))[0]).toBe(403);
      await client.ok("DELETE", "/v1/variants/thumb");
      await client.ok("DELETE", `/v1/${result.id}`);
      expect((await shown(signed))[0]).toBe(404);
    });

    pairTest("names of applications", async (here, there) => {
      const app = {
        protocol: "tcp/22",
        dns: { type: "CNAME", name: "ssh.example.com" },
        origin_direct: ["tcp://192.0.2.1:22"],
      };
      const { id } = (await clientOf(there, "/zones/z1/app_service/apps").ok("POST", "", app)).result;
      const other = clientOf(here, "/zones/z2/app_service/apps");
      await expectFailure(await other("POST", "", app), { status: 400, code: 16001 });
      await clientOf(there, "/zones/z1/app_service/apps").ok("DELETE", `/${id}`);
      await other.ok("POST", "", app);
    });
  },
);

test("an account whose logo index is evicted loses no match", async () => {
  const store = await kinds["memory"]!().open();
  /** Answers late, so that other accounts come in between. */
  const late: Store = {
    ...store,
    read: async (work) => {
      const result = await store.read(work);
      await turns(20 * Math.random());
      return result;
    },
  };
  const edge = createEdge({ store: late, limits: { compiledAccounts: 1 } });
  const body = { image_data: logo.toString("base64"), similarity_threshold: 0.75, tag: "ours" };
  const accounts = ["a1", "a2", "a3"];
  for (const account of accounts)
    await clientOf(edge, `/accounts/${account}/intel/v2/brand-protection/logo`).ok("POST", "/queries", body);
  for (let round = 0; round < 6; round++) {
    const feed = [{ image: logo, domain: `d${round}.example` }];
    const reports = await Promise.all(accounts.map((account) => edge.brand.observeImages(account, feed)));
    expect(reports.map(({ matches }) => matches)).toEqual([1, 1, 1]);
  }
  await edge.close();
});
