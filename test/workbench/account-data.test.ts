/** The data of the screens Names and logos, and Pictures: what it says, and hostile requests for it. */
import { afterAll, describe, expect, test } from "vitest";
import { demoAccount } from "../../src/cli/demo/account.ts";
import { photo } from "../../src/cli/demo/photo.ts";
import { createEdge } from "../../src/edge.ts";
import { dataEndpoints } from "../../src/workbench/data/endpoints.ts";
import { createWorkbenchHandler } from "../../src/workbench/handler.ts";
import { createEventLog } from "../../src/workbench/log/event-log.ts";
import type { LogEntry } from "../../src/workbench/messages.ts";
import { jsonOf } from "../support/client.ts";

const token = "t".repeat(32);
const edge = createEdge({ world: { accounts: [demoAccount(), { id: "empty" }] } });
const handle = createWorkbenchHandler({
  edge,
  files: new Map(),
  log: createEventLog<LogEntry>(),
  endpoints: dataEndpoints({ version: "1.2.3" }),
  guard: { token, hosts: [], anyAddress: false },
});
afterAll(() => edge.close());

const origin = "http://127.0.0.1:8788";

function get(name: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const own = { host: "127.0.0.1:8788", "x-edgeproof-session": token, ...headers };
  return handle(new Request(`${origin}/data/${name}`, { headers: own }));
}

function post(
  name: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const own = { host: "127.0.0.1:8788", "x-edgeproof-session": token, "content-type": "application/json" };
  const isBytes = body instanceof Uint8Array;
  return handle(
    new Request(`${origin}/data/${name}`, {
      method: "POST",
      headers: { ...own, ...headers },
      body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
    }),
  );
}

describe("names and logos", () => {
  test("a name has its span in both forms, and how it was found", async () => {
    const { matches, total, hasMore } = await jsonOf(await get("brand/names?account=demo&query=1"));
    expect([matches.length, total, hasMore]).toEqual([11, 11, false]);
    for (const { ascii, unicode, found } of matches) {
      const marked = ({ text, start, end }: { text: string; start: number; end: number }) =>
        text.slice(start, end);
      expect(marked(ascii)).toMatch(/^(n[a-z0-9]+d|northwin|xn--[a-z0-9-]+)$/);
      // Of the Unicode form only the letters are marked that a pattern was found in.
      if (ascii.text.includes("xn--")) expect(marked(unicode)).toMatch(/^n[^.]rthwind$/u);
      else expect(unicode).toBeUndefined();
      expect(found).toMatchObject({ pattern: "northwind", technique: expect.stringMatching(/\w/) });
    }
  });

  test("no match is below the threshold of its query", async () => {
    const { names, logos } = await jsonOf(await get("brand?account=demo"));
    for (const { id, threshold } of names) {
      const { matches } = await jsonOf(await get(`brand/names?account=demo&query=${id}`));
      for (const { found } of matches) expect(found.score).toBeGreaterThanOrEqual(threshold);
    }
    for (const { id, threshold } of logos) {
      const { matches } = await jsonOf(await get(`brand/logos?account=demo&query=${id}`));
      const scores = matches.map(({ score }: { score: number }) => score);
      expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
      expect(scores.at(-1)).toBeGreaterThanOrEqual(threshold);
      for (const { box } of matches) expect(Math.min(box.width, box.height)).toBeGreaterThan(0);
    }
  });

  test.each(["names", "logos"] as const)("a match of %s is dismissed, and listed again", async (kind) => {
    const read = async () =>
      (await jsonOf(await get(`brand/${kind}?account=demo&query=1&dismissed=true`))).matches;
    const [{ id }] = await read();
    const change = { account: "demo", kind, query: "1", match: id };
    for (const dismissed of [true, true, false, false]) {
      expect((await post("brand/dismiss", { ...change, dismissed })).status).toBe(200);
      expect((await read()).find((match: { id: string }) => match.id === id).isDismissed).toBe(dismissed);
    }
  });

  test("a picture is bytes to download, of no type that a browser opens", async () => {
    const [{ id }] = (await jsonOf(await get("brand/logos?account=demo&query=1"))).matches;
    for (const more of ["", `&match=${id}`]) {
      const response = await get(`brand/picture?account=demo&query=1${more}`);
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      expect(response.headers.get("content-disposition")).toBe("attachment");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(JSON.parse(response.headers.get("x-edgeproof-picture")!)).toEqual({ type: "image/png" });
      expect(Buffer.from(await response.arrayBuffer()).toString("latin1", 1, 4)).toBe("PNG");
    }
  });
});

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><script>1</script></svg>',
);

describe("pictures", () => {
  test("a file is rendered as delivery renders it, through variants and fits", async () => {
    const [{ id: image }] = (await jsonOf(await get("images?account=demo"))).images.slice(-1);
    for (const [asked, size] of [
      ["variant=thumbnail", [160, 160]],
      ["fit=contain&width=100&height=100", [67, 100]],
      ["fit=pad&width=90&height=30", [90, 30]],
    ] as const) {
      const stored = await post(`images/render?account=demo&image=${image}&${asked}`, new Uint8Array());
      const facts = JSON.parse(stored.headers.get("x-edgeproof-picture")!);
      expect([asked, facts.width, facts.height]).toEqual([asked, ...size]);
      expect(facts).toMatchObject({ type: "image/jpeg", frames: 1, ms: expect.any(Number) });
      const dropped = await post(`images/render?account=demo&${asked}`, photo);
      expect(Buffer.from(await dropped.arrayBuffer())).toEqual(Buffer.from(await stored.arrayBuffer()));
    }
  });

  test("an SVG is cleaned, and like every picture of no type that a browser opens", async () => {
    const response = await post("images/render?account=demo&fit=cover&width=9&height=9", svg);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(await response.text()).not.toContain("script");
  });

  test("an address is signed with a stored key, whose value is in no response", async () => {
    const expiresAtMs = Date.now() + 60_000;
    const body = { account: "demo", image: "members", variant: "public", key: "default" };
    const signed = await jsonOf(await post("images/sign", { ...body, expiresAtMs }));
    expect(signed).toMatchObject({ isRequired: true, expiresAtMs });
    const request = (path: string) => edge.fetch(new Request(`https://edge.test${path}`));
    expect((await request(signed.address)).status).toBe(200);
    expect((await request(signed.address.replace(/exp=\d+/, "exp=9999999999"))).status).toBe(403);
    const { value } = (await edge.images.keys.list("demo"))[0]!;
    expect(JSON.stringify(signed) + (await (await get("images?account=demo")).text())).not.toContain(value);
  });

  test.each([
    ["images/validate", "<html>", 400, /not an image/],
    ["images/validate", "", 400, /empty/],
    ["images/render?account=demo&fit=cover&width=0", svg, 400, /width/],
    ["images/render?account=demo&fit=all&width=9", svg, 400, /fit/],
    ["images/render?account=demo", svg, 400, /width/],
    ["images/render?account=demo&variant=none", svg, 404, /variant/],
    ["images/render?account=demo&variant=public&image=none", "", 404, /none/],
    ["images/render?account=missing&variant=public", svg, 404, /missing/],
  ] as const)("%s with %s is rejected", async (name, body, status, message) => {
    const response = await post(name, Buffer.from(body));
    const found = await jsonOf(response);
    expect([response.status >= 400 && response.status < 500, found.message]).toEqual([
      true,
      expect.stringMatching(message),
    ]);
    if (status === 404) expect(response.status).toBe(404);
  });

  test.each([
    { image: "none" },
    { variant: "none" },
    { key: "none" },
    { key: 1 },
    { expiresAtMs: "now" },
    { expiresAtMs: -1 },
  ])("an address with %j is not signed", async (change) => {
    const body = { account: "demo", image: "members", variant: "public", key: "default", ...change };
    const response = await post("images/sign", body);
    expect([response.status, await jsonOf(response)]).toEqual([
      Object.values(change)[0] === "none" ? 404 : 400,
      expect.objectContaining({ message: expect.stringMatching(/\S/) }),
    ]);
  });
});

const reads = [
  "brand?account=demo",
  "brand/names?account=demo&query=1",
  "brand/logos?account=demo&query=1",
  "brand/picture?account=demo&query=1",
  "images?account=demo",
  "images/original?account=demo&image=harbor",
];
const dismissal = { account: "demo", kind: "names", query: "1", match: "1", dismissed: true };
const writes: readonly (readonly [string, unknown])[] = [
  ["brand/dismiss", dismissal],
  ["images/validate", svg],
  ["images/render?account=demo&variant=public", svg],
  ["images/sign", { account: "demo", image: "members", variant: "public", key: "default" }],
];

describe("hostile requests", () => {
  const forged: readonly (readonly [string, Record<string, string>, number])[] = [
    ["no token", { "x-edgeproof-session": "" }, 403],
    ["another token", { "x-edgeproof-session": "u".repeat(32) }, 403],
    ["a foreign origin", { origin: "http://evil.test" }, 403],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a foreign host", { host: "evil.test" }, 421],
  ];
  test.each(forged)("with %s are rejected by every endpoint", async (_title, headers, status) => {
    for (const name of reads) expect([name, (await get(name, headers)).status]).toEqual([name, status]);
    for (const [name, body] of writes)
      expect([name, (await post(name, body, headers)).status]).toEqual([name, status]);
  });

  test.each([
    ["brand?account=missing", 404],
    ["brand/names?account=demo&query=99", 404],
    ["brand/names?account=demo&query=x", 400],
    ["brand/names?account=demo", 400],
    ["brand/names?account=demo&query=1&offset=-1", 400],
    ["brand/names?account=demo&query=1&dismissed=perhaps", 400],
    ["brand/logos?account=demo&query=99", 404],
    ["brand/picture?account=demo&query=99", 404],
    ["brand/picture?account=demo&query=1&match=99", 404],
    ["brand/picture?account=demo&query=1&match=../1", 400],
  ])("%s is answered with %i and a message", async (name, status) => {
    const response = await get(name);
    expect([response.status, (await jsonOf(response)).message]).toEqual([
      status,
      expect.stringMatching(/\S/),
    ]);
  });

  test("a dismissal with a wrong member changes nothing", async () => {
    for (const [change, status] of [
      [{ kind: "both" }, 400],
      [{ dismissed: "true" }, 400],
      [{ match: "99" }, 404],
      [{ match: 1 }, 400],
      [{ query: "__proto__" }, 400],
      [{ account: "empty" }, 404],
    ] as const)
      expect([change, (await post("brand/dismiss", { ...dismissal, ...change })).status]).toEqual([
        change,
        status,
      ]);
    const { matches } = await jsonOf(await get("brand/names?account=demo&query=1&dismissed=true"));
    expect(matches.some((match: { isDismissed: boolean }) => match.isDismissed)).toBe(false);
  });
});
