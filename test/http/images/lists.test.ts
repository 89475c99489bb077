/** Lists of images: pages, continuation tokens, creators and metadata filters. */
import { describe, expect, test } from "vitest";
import type { EdgeOptions } from "../../../src/edge.ts";
import { expectFailure } from "../../support/failure.ts";
import { imageSetting } from "../../support/images.ts";

interface Seed {
  readonly id: string;
  readonly creator?: string;
  readonly meta?: unknown;
}

/** A setting with images inserted into the store, a second apart. */
async function listSetting(seeds: readonly Seed[], options: EdgeOptions = {}) {
  const setting = imageSetting(options);
  await setting.client.ok("GET", "/v1");
  let sequence = 0;
  const add = (more: readonly Seed[]) =>
    setting.edge.store.write(async (tx) => {
      for (const { id, creator = null, ...rest } of more) {
        sequence++;
        const uploaded = new Date(sequence * 1000).toISOString();
        const fields = { sequence, uploaded, draft: false, creator, requireSignedURLs: false, ...rest };
        const original = { blob: `b${sequence}`, type: "png", width: 1, height: 1, frames: 1 } as const;
        await tx.insert("images", {
          scope: "a1",
          id,
          ...fields,
          original,
          upload_token: null,
          expires_at: null,
        });
      }
    });
  await add(seeds);
  const list = async (path: string) => {
    const { result } = await setting.client.ok("GET", path);
    return {
      ids: result.images.map((i: { id: string }) => i.id) as string[],
      token: result.continuation_token,
    };
  };
  return { ...setting, add, list };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `i${i + 1}` }));

describe("v1", () => {
  test("returns pages, newest first, with `result_info`", async () => {
    const { client, list } = await listSetting(numbered(5));
    expect((await list("/v1?per_page=2")).ids).toEqual(["i5", "i4"]);
    expect((await list("/v1?per_page=2&page=3")).ids).toEqual(["i1"]);
    expect((await list("/v1?page=2")).ids).toEqual([]);
    expect((await client.ok("GET", "/v1?per_page=2&page=3")).result_info).toEqual({
      page: 3,
      per_page: 2,
      count: 1,
      total_count: 5,
      total_pages: 3,
    });
  });

  test("100 by default, and at most 100", async () => {
    const { client, list } = await listSetting(numbered(101));
    expect((await list("/v1")).ids).toHaveLength(100);
    expect((await list("/v1?per_page=100&page=2")).ids).toEqual(["i1"]);
    for (const query of ["per_page=101", "per_page=0", "per_page=x", "page=0", "page=1.5", "page="]) {
      await expectFailure(await client("GET", `/v1?${query}`), { status: 400, code: 5400 });
    }
  });

  test.each(["/v1", "/v2"])("%s filters by creator; the empty string means without one", async (path) => {
    const { list } = await listSetting([
      { id: "a", creator: "ada" },
      { id: "b" },
      { id: "c", creator: "bob" },
    ]);
    expect((await list(path)).ids).toEqual(["c", "b", "a"]);
    expect((await list(`${path}?creator=ada`)).ids).toEqual(["a"]);
    expect((await list(`${path}?creator=`)).ids).toEqual(["b"]);
    expect((await list(`${path}?creator=eve`)).ids).toEqual([]);
  });
});

describe("v2", () => {
  test("continues from page to page in both orders, and ends with null", async () => {
    const { list } = await listSetting(numbered(5));
    for (const [sort, expected] of [
      ["desc", "i5 i4 | i3 i2 | i1"],
      ["asc", "i1 i2 | i3 i4 | i5"],
    ] as const) {
      const pages: string[] = [];
      let query = `/v2?per_page=2&sort_order=${sort}`;
      for (let token: string | null = ""; token !== null; ) {
        const page = await list(`${query}${token && `&continuation_token=${token}`}`);
        pages.push(page.ids.join(" "));
        token = page.token;
        query = `/v2?per_page=2&sort_order=${sort}`;
      }
      expect(pages.join(" | ")).toBe(expected);
    }
    expect((await list("/v2?per_page=5")).token).toBeNull();
    expect((await list("/v2?continuation_token=")).ids).toHaveLength(5);
  });

  test("1,000 by default, and at most 1,000", async () => {
    const { client, list } = await listSetting(numbered(1_001));
    expect((await list("/v2")).ids).toHaveLength(1_000);
    for (const query of ["per_page=1001", "per_page=0", "sort_order=up", "sort_order="]) {
      await expectFailure(await client("GET", `/v2?${query}`), { status: 400, code: 5400 });
    }
  });

  test("returns at most the limit over all pages of a listing", async () => {
    const { list } = await listSetting(numbered(8), { limits: { imagesPerListing: 5 } });
    const first = await list("/v2?per_page=3");
    expect(first.ids).toHaveLength(3);
    const second = await list(`/v2?per_page=3&continuation_token=${first.token}`);
    expect(second).toEqual({ ids: ["i5", "i4"], token: null });
    expect(await list("/v2")).toEqual({ ids: ["i8", "i7", "i6", "i5", "i4"], token: null });
  });

  test("has no `result_info`, and returns addresses", async () => {
    const { client } = await listSetting(numbered(1));
    const body = await client.ok("GET", "/v2");
    expect(body).not.toHaveProperty("result_info");
    expect(Object.keys(body.result)).toEqual(["images", "continuation_token"]);
    expect(body.result.images[0].variants[0]).toMatch(/\/i1\/public$/);
  });
});

describe("a continuation token", () => {
  async function withToken() {
    const seeds = numbered(6).map((seed, i) => ({ ...seed, creator: "ada", meta: { a: i % 2, b: "x" } }));
    const setting = await listSetting(seeds);
    return { ...setting, token: (await setting.list("/v2?per_page=2")).token as string };
  }

  test("is valid only for its own listing", async () => {
    const { client, token, list } = await withToken();
    for (const query of ["sort_order=asc", "creator=ada", "creator=", "meta.a[eq:number]=1"]) {
      const response = await client("GET", `/v2?per_page=2&${query}&continuation_token=${token}`);
      await expectFailure(response, { status: 400, code: 5400, message: /continuation_token/ });
    }
    expect((await list(`/v2?continuation_token=${token}&per_page=1&sort_order=desc`)).ids).toEqual(["i4"]);
  });

  test("of a filtered listing is valid for its filters in any order", async () => {
    const { list } = await withToken();
    const { token } = await list("/v2?per_page=1&meta.a[eq:number]=1&meta.b[in]=x|y");
    expect(
      (await list(`/v2?meta.b[in]=x%7Cy&meta.a%5Beq%3Anumber%5D=1&continuation_token=${token}`)).ids,
    ).toEqual(["i4", "i2"]);
  });

  test("is invalid in another account", async () => {
    const { edge, token } = await withToken();
    const headers = { authorization: "Bearer t" };
    const url = `https://edge.test/client/v4/accounts/a2/images/v2?continuation_token=${token}`;
    await expectFailure(await edge.fetch(new Request(url, { headers })), { status: 400, code: 5400 });
  });

  test("cannot be forged: with a character changed, added or removed it is rejected", async () => {
    const { client, token } = await withToken();
    const forged = [...token].map(
      (c, i) => `${token.slice(0, i)}${c === "A" ? "B" : "A"}${token.slice(i + 1)}`,
    );
    const [body = "", code = ""] = token.split(".");
    const place = JSON.parse(Buffer.from(body, "base64url").toString());
    const other = Buffer.from(JSON.stringify([place[0], 1, 0])).toString("base64url");
    forged.push(
      `${token}A`,
      token.slice(1),
      token.slice(0, -1),
      `${other}.${code}`,
      body,
      ".",
      "null",
      `${token}=`,
    );
    for (const text of forged) {
      const response = await client("GET", `/v2?continuation_token=${encodeURIComponent(text)}`);
      await expectFailure(response, { status: 400, code: 5400 });
    }
  });

  test("survives a restart: a second simulator on the same store accepts it", async () => {
    const { edge, token } = await withToken();
    const { result } = await imageSetting({ store: edge.store }).client.ok(
      "GET",
      `/v2?continuation_token=${token}`,
    );
    expect(result.images).toHaveLength(4);
  });
});

describe("metadata filters", () => {
  const seeds: readonly Seed[] = [
    { id: "a", creator: "ada", meta: { kind: "cat", size: { w: 1 }, ok: true } },
    { id: "b", meta: { kind: "dog", size: { w: "1" } } },
    { id: "c", creator: "ada", meta: { kind: "cat|dog", size: { w: 10 }, ok: "true" } },
    { id: "d", meta: "cat" },
    { id: "e" },
  ];

  test.each([
    ["meta.kind[eq]=cat", ["a"]],
    ["meta.kind%5Beq%3Astring%5D=dog", ["b"]],
    ["meta.kind[in]=cat|dog", ["b", "a"]],
    ["meta.size.w[eq]=1", ["b", "a"]],
    ["meta.size.w[eq:number]=1", ["a"]],
    ["meta.size.w[in:number]=1|10", ["c", "a"]],
    ["meta.size.w[in:string]=1%7C10", ["b"]],
    ["meta.ok[eq:boolean]=true", ["a"]],
    ["meta.kind[eq]=cat&meta.size.w[eq:number]=1&creator=ada", ["a"]],
    ["meta.kind[eq]=cat&creator=", []],
    ["meta.__proto__[eq]=x", []],
  ])("%s", async (query, ids) => {
    expect((await (await listSetting(seeds)).list(`/v2?${query}`)).ids).toEqual(ids);
  });

  test.each([
    "meta.kind=cat",
    "meta.kind[like]=c",
    "meta.a[in:boolean]=true",
    "meta.[eq]=x",
    "meta.a.b.c.d.e.f[eq]=x",
    "meta.a[eq:number]=x",
    "meta.a[in]=1|2|3|4|5|6|7|8|9|10|11",
    [1, 2, 3, 4, 5, 6].map((n) => `meta.a${n}[eq]=x`).join("&"),
  ])("%s is rejected with 5400, not ignored", async (query) => {
    await expectFailure(await imageSetting().client("GET", `/v2?${query}`), { status: 400, code: 5400 });
  });

  test("are evaluated for all images, and pages are full", async () => {
    const many = Array.from({ length: 1_300 }, (_, i) => ({ id: `i${i}`, meta: { n: i % 600 } }));
    const { list } = await listSetting(many);
    const first = await list("/v2?meta.n[eq:number]=7&per_page=2");
    expect(first.ids).toEqual(["i1207", "i607"]);
    const second = await list(`/v2?meta.n[eq:number]=7&per_page=2&continuation_token=${first.token}`);
    expect(second).toEqual({ ids: ["i7"], token: null });
  });
});
