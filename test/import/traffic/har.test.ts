/** Reading HTTP archives. */
import { describe, expect, test } from "vitest";
import { readHar } from "../../../src/import/traffic/har.ts";
import { silenceOf } from "../../../src/import/traffic/recorded-request.ts";
import { collectTraffic } from "./collect-traffic.ts";

type Pair = { readonly name: string; readonly value: string };

const pair = (name: string, value: string): Pair => ({ name, value });

function entryOf(request: object, more: object = {}): object {
  return {
    startedDateTime: "2026-11-22T10:00:01.120Z",
    request: { method: "GET", url: "https://api.example.com/a", headers: [], cookies: [], ...request },
    response: { status: 200 },
    ...more,
  };
}

function read(entries: readonly unknown[], creator = "WebInspector") {
  const traffic = collectTraffic();
  const result = readHar({ log: { version: "1.2", creator: { name: creator }, entries } }, traffic);
  expect(result.ok).toBe(true);
  return traffic;
}

const authorization = { kind: "header", name: "authorization", index: 0 } as const;
const session = { kind: "cookie", name: "session", index: 0 } as const;
const other = { kind: "header", name: "x-auth", index: 0 } as const;

const silences = (entries: readonly unknown[], creator?: string) =>
  read(entries, creator).requests.map(({ recording }) => [
    silenceOf(recording, authorization),
    silenceOf(recording, session),
    silenceOf(recording, other),
  ]);

test("an entry has its time, its position, and its headers without pseudo headers", () => {
  const headers = [pair(":authority", "api.example.com"), pair(":path", "/a"), pair("X-Auth", "t")];
  expect(read([entryOf({ headers })]).requests).toMatchObject([
    {
      name: "entry 1",
      position: 1,
      method: "GET",
      url: "https://api.example.com/a",
      nowMs: Date.UTC(2026, 10, 22, 10, 0, 1, 120),
      headers: [
        ["host", "api.example.com"],
        ["X-Auth", "t"],
      ],
    },
  ]);
});

test("cookies of the list are a header when no header has them", () => {
  const cookies = [pair("a", "1"), pair("session", "2")];
  const [first, second] = read([
    entryOf({ cookies }),
    entryOf({ cookies, headers: [pair("Cookie", "a=3")] }),
  ]).requests;
  expect(first?.headers).toContainEqual(["cookie", "a=1; session=2"]);
  expect(second?.headers.filter(([name]) => name.toLowerCase() === "cookie")).toEqual([["Cookie", "a=3"]]);
});

describe("a file of a browser that leaves out credentials", () => {
  test("without any credential is stripped of authorization and cookies, not of other headers", () => {
    expect(silences([entryOf({}), entryOf({})])).toEqual([
      ["stripped", "stripped", "absent"],
      ["stripped", "stripped", "absent"],
    ]);
  });

  test.each([
    ["an authorization header", { headers: [pair("Authorization", "Bearer x")] }],
    ["a cookie header", { headers: [pair("cookie", "a=b")] }],
    ["a list of cookies", { cookies: [pair("a", "b")] }],
  ])("with %s is complete", (_what, request) => {
    expect(silences([entryOf({}), entryOf(request)])[0]).toEqual(["absent", "absent", "absent"]);
  });

  test("has preflights as they were, because those have no credentials", () => {
    const headers = [pair("Access-Control-Request-Method", "POST")];
    expect(silences([entryOf({ method: "OPTIONS", headers })])).toEqual([["absent", "absent", "absent"]]);
    expect(silences([entryOf({ method: "OPTIONS" })])).toEqual([["stripped", "stripped", "absent"]]);
  });
});

test("a file of another program is complete", () => {
  expect(silences([entryOf({})], "Firefox")).toEqual([["absent", "absent", "absent"]]);
});

test.each(["data:text/plain,x", "blob:https://a/b", "about:blank", "chrome-extension://a/b.js"])(
  "a request to %s is skipped with its scheme",
  (url) => {
    const { requests, skips } = read([entryOf({ url })]);
    expect(requests).toEqual([]);
    expect(skips).toEqual([`the URL has the scheme ${url.split(":")[0]}`]);
  },
);

test("the handshake of a WebSocket is a request of http or https", () => {
  const { requests } = read([
    entryOf({ url: "wss://api.example.com/a" }),
    entryOf({ url: "ws://api.example.com/b" }),
  ]);
  expect(requests.map(({ url }) => url)).toEqual(["https://api.example.com/a", "http://api.example.com/b"]);
});

test("a request that the cache answered is skipped", () => {
  const { requests, skips } = read([entryOf({}, { _fromCache: "disk" })]);
  expect([requests, skips]).toEqual([[], ["answered from the browser's cache"]]);
});

describe("invalid entries are rejected with their position, and the others are read", () => {
  const secret = "eyJhbGciOiJFUzI1NiJ9.e30.c2VjcmV0";
  test.each<[unknown, RegExp]>([
    [null, /^the entry must be an object with the member `request`$/],
    [{ request: secret }, /^the entry must be an object with the member `request`$/],
    [entryOf({ method: 1 }), /^`method` must be a string; found a number$/],
    [entryOf({ url: [secret] }), /^`url` must be a string; found an array$/],
    [entryOf({}, { startedDateTime: secret }), /^`startedDateTime` must be an RFC 3339 time$/],
    [entryOf({ headers: secret }), /^`headers` must be an array of objects with `name` and `value`$/],
    [entryOf({ headers: [{ name: "a", value: 1 }] }), /^`headers` must be an array/],
    [entryOf({ headers: [null] }), /^`headers` must be an array/],
  ])("%j", (entry, reason) => {
    const { requests, rejections } = read([entry, entryOf({})]);
    expect(requests.map(({ position }) => position)).toEqual([2]);
    expect(rejections).toEqual([{ position: 1, reason: expect.stringMatching(reason) }]);
    expect(JSON.stringify(rejections)).not.toContain(secret);
  });
});

test.each<[unknown, string]>([
  [{}, "`log` must be an object; found nothing"],
  [[], "`log` must be an object; found nothing"],
  [{ log: [] }, "`log` must be an object; found an array"],
  [{ log: {} }, "`log.entries` must be an array; found nothing"],
  [{ log: { entries: "x" } }, "`log.entries` must be an array; found a string"],
])("%j is not an archive", (value, problem) => {
  expect(readHar(value, collectTraffic())).toEqual({ ok: false, problems: [problem] });
});

test.each([
  ["text", { mimeType: "application/json", text: '{"a":1}' }, { body: '{"a":1}' }],
  [
    "a form whose files are left out",
    { mimeType: "multipart/form-data; boundary=x", text: "--x" },
    undefined,
  ],
  ["encoded bytes", { mimeType: "image/png", text: "AAAA", encoding: "base64" }, undefined],
  ["parameters alone", { mimeType: "application/x-www-form-urlencoded", params: [] }, undefined],
  ["no text", { mimeType: "text/plain", text: 1 }, undefined],
  ["nothing", undefined, undefined],
])("a body that is %s", (_title, postData, given) => {
  expect(read([entryOf({ method: "POST", postData })]).requests[0]?.given).toEqual(given);
});
