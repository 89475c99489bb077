/** Observed names and pictures by POST: counts with line numbers, hostile bodies, and who may send them. */
import { request as sendRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { serveOnNode } from "../../../src/http/node-server.ts";
import { rememberPeer } from "../../../src/http/server/peer.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";
import { clientOf, jsonOf } from "../../support/client.ts";
import { countWrites } from "../../support/counting-store.ts";
import { expectFailure } from "../../support/failure.ts";
import { validating } from "../../support/interface.ts";

const wing = drawPng(drawings["wing"]!, { side: 48 });
const stairs = drawPng(drawings["stairs"]!, { side: 48 });
const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] };
const logo = { tag: "l", similarity_threshold: 0.9, image_data: Buffer.from(wing).toString("base64") };

type Kind = "names" | "pictures";

interface Given {
  readonly body?: string | Uint8Array | FormData;
  readonly type?: string;
  readonly account?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function requestOf(kind: Kind, { body = "", type, account = "a1", token = "t", headers }: Given): Request {
  const url = `https://edge.test/client/v4/accounts/${account}/edgeproof/observations/${kind}`;
  return new Request(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(type !== undefined && { "content-type": type }),
      ...headers,
    },
    body: body as FormData,
  });
}

function send(edge: Edge, kind: Kind, given: Given): Promise<Response> {
  return validating(edge.fetch)(requestOf(kind, given));
}

const names = (edge: Edge, body: string | Uint8Array, more: Given = {}) =>
  send(edge, "names", { type: "text/plain", body, ...more });

const result = async (response: Promise<Response>) => (await jsonOf(await response)).result;

function create(options: EdgeOptions = {}): Edge {
  return createEdge({ ingest: true, ...options });
}

type Part = readonly [name: string, value: string | Uint8Array];

function formOf(...parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts)
    form.append(name, typeof value === "string" ? value : new Blob([new Uint8Array(value)]));
  return form;
}

/** All names and pictures that the account has. */
async function stored(edge: Edge, account = "a1"): Promise<readonly string[]> {
  return edge.store.read(async (tx) => [
    ...(await tx.find("brand_domains", account)).map(({ id }) => id),
    ...(await tx.find("brand_logo_scans", account)).map(({ domain }) => `picture of ${domain}`),
  ]);
}

describe("names", () => {
  test("of text and JSON are stored and matched; the answer counts new, duplicate and rejected lines", async () => {
    const edge = create();
    await edge.brand.queries.create("a1", query);
    const body = [
      "\ufeff# of today",
      "paypa1.example",
      "",
      '{"domain":"paypal.example","first_seen":"2026-01-02T03:04:05Z","registrar":"R"}\r',
      "https://PAYPA1.example/login",
      "not a name",
      '{"domain": 5}',
      '{"dns_names":["a.example","*.b.example"]}',
      '{"domain":',
      '"quoted.example"',
      "[1]",
      "other.example",
    ].join("\n");
    const first = await result(names(edge, body, { type: "application/x-ndjson" }));
    expect(first).toMatchObject({ new: 6, duplicate: 1, rejected: 4, matches: 2 });
    expect(first.problems.map(({ line }: { line: number }) => line)).toEqual([6, 7, 9, 11]);
    expect(first.problems[2].message).toMatch(/^The line is not JSON: /);
    const again = await result(names(edge, body));
    expect(again).toMatchObject({ new: 0, duplicate: 7, rejected: 4, matches: 0 });
    const { matches } = await clientOf(edge, "/accounts/a1/intel/v2/brand-protection").ok(
      "GET",
      "/domain/matches?query_id=1&orderBy=domain",
    );
    expect(matches).toMatchObject([
      { domain: "paypa1.example" },
      { domain: "paypal.example", registrar: "R", first_seen: "2026-01-02T03:04:05.000000Z" },
    ]);
  });

  test("a line that is not UTF-8 or too long is rejected with its number, and the others are stored", async () => {
    const edge = create();
    const bytes = Buffer.concat([
      Buffer.from("one.example\n"),
      Buffer.from([0x61, 0xff, 0x2e, 0x62]),
      Buffer.from(`\n${"x".repeat(70_000)}\n\0\ntwo.example`),
    ]);
    const counted = await result(names(edge, bytes));
    expect(counted).toMatchObject({ new: 2, duplicate: 0, rejected: 3 });
    expect(counted.problems).toMatchObject([
      { line: 2, message: "The line is not UTF-8." },
      { line: 3, message: "A line must be at most 65536 bytes." },
      { line: 4 },
    ]);
    expect(await stored(edge)).toEqual(["one.example", "two.example"]);
  });

  test("at most 100 problems are listed, and all are counted, with numbers beyond a batch", async () => {
    const edge = create();
    const lines = Array.from({ length: 2_500 }, (_, i) => (i === 2_400 ? "{" : `n${i}.example`));
    const counted = await result(names(edge, lines.join("\n")));
    expect(counted).toMatchObject({ new: 2_499, rejected: 1, problems: [{ line: 2_401 }] });
    const invalid = await result(names(edge, "{\n".repeat(150)));
    expect(invalid).toMatchObject({ new: 0, rejected: 150 });
    expect(invalid.problems).toHaveLength(100);
  });

  test("certificates with thousands of names are stored 1,000 names at a time, between which other work runs", async () => {
    const { store, queues } = countWrites(createMemoryStore());
    const edge = create({ store });
    const certificate = (i: number, last: string) =>
      JSON.stringify({
        dns_names: [...Array.from({ length: 1_499 }, (_, k) => `n${k}.c${i}.example`), last],
      });
    const lines = [
      certificate(0, "a.example"),
      "{",
      certificate(1, "not a name"),
      certificate(2, "a.example"),
    ];
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const counted = await result(names(edge, lines.join("\n")));
    clearInterval(timer);
    expect(counted).toMatchObject({ new: 4_498, duplicate: 1, rejected: 2 });
    expect(counted.problems).toMatchObject([
      { line: 2 },
      { line: 3, message: expect.stringContaining("`not a name`") },
    ]);
    // The first write stores the settings of the account.
    expect(queues).toHaveLength(1 + 5);
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("a body with one byte or line too many is rejected, and nothing of it is stored", async () => {
    const edge = create({ limits: { observationBytes: 30, observationLines: 3 } });
    expect(await result(names(edge, "a.example\nb.example\nc.example\n"))).toMatchObject({ new: 3 });
    await expectFailure(await names(edge, `d.example${" ".repeat(22)}`), { status: 413, code: 10413 });
    await expectFailure(await names(edge, "e.ex\nf.ex\ng.ex\nh.ex"), { status: 413, code: 10413 });
    expect(await stored(edge)).toEqual(["a.example", "b.example", "c.example"]);
  });

  test("other content types and compressed bodies are rejected", async () => {
    const edge = create();
    for (const type of ["application/json", "multipart/form-data; boundary=b", "x"])
      await expectFailure(await names(edge, "a.example", { type }), { status: 400, code: 9207 });
    const headers = { "content-encoding": "gzip" };
    await expectFailure(await names(edge, "a.example", { headers }), { status: 415, code: 10415 });
    expect(await result(names(edge, ""))).toMatchObject({ new: 0, duplicate: 0, rejected: 0 });
  });
});

describe("pictures", () => {
  test("are stored with the facts before them and searched for logos; invalid ones are counted", async () => {
    const edge = create();
    await edge.brand.logos.queries.create("a1", logo);
    const body = () =>
      formOf(
        ["facts", '{"domain":"phish.example","url_scan_id":"s1","matched_at":"2026-01-02T03:04:05Z"}'],
        ["picture", wing],
        ["picture", stairs],
        ["picture", wing.subarray(0, wing.length - 20)],
        ["facts", "{"],
        ["picture", stairs],
        ["facts", '{"domain":"no host"}'],
        ["picture", stairs],
        ["picture", new TextEncoder().encode("<svg/>")],
        ["picture", stairs],
      );
    const first = await result(send(edge, "pictures", { body: body() }));
    expect(first).toMatchObject({ new: 2, duplicate: 1, rejected: 4, matches: 1 });
    expect(first.problems.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5, 6]);
    const again = await result(send(edge, "pictures", { body: body() }));
    expect(again).toMatchObject({ new: 0, duplicate: 3, rejected: 4, matches: 0 });
    const { matches } = await clientOf(edge, "/accounts/a1/intel/v2/brand-protection").ok(
      "GET",
      "/logo/matches?query_id=1",
    );
    expect(matches).toMatchObject([{ domain: "phish.example", url_scan_id: "s1" }]);
  });

  test("members of facts that are not known are ignored, whatever their names", async () => {
    const facts =
      '{"domain":"phish.example","message":{"a":1},"image":"x","__proto__":{"domain":"b.example"}}';
    const body = formOf(["facts", facts], ["picture", wing]);
    const expected = { new: 1, duplicate: 0, rejected: 0, matches: 0, problems: [] };
    expect(await result(send(create(), "pictures", { body }))).toEqual(expected);
  });

  const picture = ["picture", stairs] as const;
  const facts = ["facts", "{}"] as const;
  test.each([
    ["a field `url`", formOf(["url", "http://169.254.169.254/"], picture)],
    ["facts without a picture", formOf(picture, facts)],
    ["two facts for a picture", formOf(facts, facts, picture)],
    ["no picture", formOf(facts)],
    ["no part", new FormData()],
  ])("a form with %s is rejected, and nothing of it is stored", async (_, body) => {
    const edge = create();
    await expectFailure(await send(edge, "pictures", { body }), { status: 400, code: 7001 });
    expect(await stored(edge)).toEqual([]);
  });

  test("too many or too large pictures, long facts and other content types are rejected", async () => {
    const edge = create({ limits: { observationPictures: 2, imageUploadBytes: 3_000 } });
    const tooLarge = { status: 413, code: 10413 };
    const pictures = (...parts: readonly Part[]) => send(edge, "pictures", { body: formOf(...parts) });
    await expectFailure(await pictures(picture, picture, picture), tooLarge);
    await expectFailure(await pictures(["picture", new Uint8Array(3_001)]), tooLarge);
    await expectFailure(await pictures(["facts", " ".repeat(65_537)], picture), tooLarge);
    const type = { status: 400, code: 9207 };
    await expectFailure(await send(edge, "pictures", { body: "a", type: "image/png" }), type);
    expect(await stored(edge)).toEqual([]);
  });
});

describe("access", () => {
  const credentials = [
    { token: "writes", permissions: ["brand_protection:write" as const], accounts: ["a1"] },
    { token: "reads", permissions: ["brand_protection:read" as const], accounts: ["a1"] },
    { token: "images", permissions: ["images:write" as const], accounts: ["a1"] },
  ];
  const forbidden = { status: 403, code: 9109 };

  test("without the option `ingest` there is no route", async () => {
    await expectFailure(await names(createEdge(), "a.example"), { status: 404, code: 7003 });
  });

  test("with API tokens, the permission to write brand protection of the account is required", async () => {
    const edge = create({ credentials });
    const remote = (given: Given) => {
      const request = requestOf("names", { type: "text/plain", body: "a.example", ...given });
      rememberPeer(request, "192.0.2.1");
      return edge.fetch(request);
    };
    expect(await result(remote({ token: "writes" }))).toMatchObject({ new: 1 });
    for (const token of ["reads", "images"]) await expectFailure(await remote({ token }), forbidden);
    await expectFailure(await remote({ token: "writes", account: "a2" }), forbidden);
    await expectFailure(await remote({ token: "other" }), { status: 403, code: 10000 });
    expect(await stored(edge, "a2")).toEqual([]);
  });

  test("an account that the world does not have is not found", async () => {
    const edge = create({ world: { accounts: [{ id: "a1" }] } });
    const missing = { status: 404, code: 7002 };
    await expectFailure(await names(edge, "a.example", { account: "a2" }), missing);
    const body = formOf(["picture", stairs]);
    await expectFailure(await send(edge, "pictures", { body, account: "a2" }), missing);
  });

  test.each([
    ["127.0.0.1", {}, 200],
    ["::ffff:127.0.0.1", {}, 200],
    ["::1", {}, 200],
    ["192.0.2.1", {}, 403],
    ["::ffff:192.0.2.1", {}, 403],
    [undefined, {}, 403],
    ["127.0.0.1", { "x-forwarded-for": "192.0.2.1" }, 403],
    ["127.0.0.1", { forwarded: "for=127.0.0.1" }, 403],
  ])(
    "without API tokens, a client at %s with the headers %j is answered %d",
    async (address, headers, status) => {
      const request = requestOf("names", { type: "text/plain", body: "a.example", headers });
      rememberPeer(request, address);
      expect((await create().fetch(request)).status).toBe(status);
    },
  );

  test("over a socket, a client on this machine may send both, and a cut body stores nothing", async () => {
    const edge = create();
    const server = await serveOnNode(edge.fetch, { port: 0 });
    const url = `${server.url}/client/v4/accounts/a1/edgeproof/observations`;
    const headers = { authorization: "Bearer t" };
    const post = (kind: Kind, body: string | FormData, more = {}) =>
      fetch(`${url}/${kind}`, { method: "POST", headers: { ...headers, ...more }, body });
    expect(await result(post("names", "a.example\nb.example"))).toMatchObject({ new: 2 });
    expect(await result(post("pictures", formOf(["picture", stairs])))).toMatchObject({ new: 1 });
    expect((await post("names", "c.example", { "x-forwarded-for": "1.2.3.4" })).status).toBe(403);
    await new Promise<void>((resolve) => {
      const options = { method: "POST", headers: { ...headers, "content-length": "1000" } };
      const cut = sendRequest(`${url}/names`, options).on("error", () => resolve());
      cut.write("cut.example\nmore", () => cut.destroy(new Error("cut")));
    });
    await server.close();
    expect(await stored(edge)).toEqual(["a.example", "b.example", "picture of "]);
  });
});
