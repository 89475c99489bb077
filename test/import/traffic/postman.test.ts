/** Postman collections: folders, variables, authorization, and items that are not requests. */
import { describe, expect, test } from "vitest";
import { readPostman } from "../../../src/import/traffic/postman.ts";
import { silenceOf } from "../../../src/import/traffic/recorded-request.ts";
import { isRedacted } from "../../../src/import/traffic/redaction.ts";
import { requestsFrom } from "../../../src/import/traffic/requests-from.ts";
import { collectTraffic } from "./collect-traffic.ts";

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const read = (collection: object) =>
  requestsFrom(JSON.stringify({ info: { name: "Shop", schema }, ...collection }));

test("requests of folders have the variables and the authorization of the folders around them", () => {
  const collection = {
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
    variable: [
      { key: "host", value: "api.example.com" },
      { key: "base", value: "https://{{host}}/v1" },
      { key: "token", value: "a.b.c" },
    ],
    item: [
      {
        name: "Orders",
        variable: [{ key: "token", value: "d.e.f" }],
        item: [{ name: "list", request: { method: "get", url: { raw: "{{base}}/orders?page=1" } } }],
      },
      { name: "home", request: "{{base}}" },
    ],
  };
  const { format, requests, rejected } = read(collection);
  expect([format, rejected]).toEqual(["postman", []]);
  expect(requests).toMatchObject([
    {
      name: "list",
      method: "GET",
      url: "https://api.example.com/v1/orders?page=1",
      headers: [
        ["host", "api.example.com"],
        ["authorization", "Bearer d.e.f"],
      ],
    },
    {
      name: "home",
      method: "GET",
      url: "https://api.example.com/v1",
      headers: [
        ["host", "api.example.com"],
        ["authorization", "Bearer a.b.c"],
      ],
    },
  ]);
});

test("a request's own header and authorization win; disabled headers are left out", () => {
  const header = [
    { key: "Authorization", value: "Bearer own" },
    { key: "X-Off", value: "1", disabled: true },
  ];
  const url = "https://api.example.com/";
  const apikey = [
    { key: "key", value: "X-Key" },
    { key: "value", value: "k" },
  ];
  const { requests } = read({
    auth: { type: "bearer", bearer: [{ key: "token", value: "shared" }] },
    item: [
      { request: { url, header } },
      { request: { url, auth: { type: "noauth" } } },
      { request: { url, auth: { type: "apikey", apikey } } },
    ],
  });
  expect(requests.map(({ headers }) => headers.slice(1))).toEqual(
    [[], [], [["X-Key", "k"]]].map((list, i) => (i === 0 ? [["Authorization", "Bearer own"]] : list)),
  );
  expect(requests.map(({ headers }) => headers.some(([name]) => name === "host"))).toEqual([
    true,
    true,
    true,
  ]);
});

test("a token without a value is redacted, and one that is computed when it is sent was left out", () => {
  const url = "https://api.example.com/";
  const { requests } = read({
    item: [
      { request: { url, auth: { type: "bearer", bearer: [{ key: "token", value: "{{secret}}" }] } } },
      { request: { url, auth: { type: "oauth2", oauth2: [] } } },
    ],
  });
  expect(isRedacted(requests[0]!.headers.at(-1)![1])).toBe(true);
  const silence = silenceOf(requests[1]!.recording, { kind: "header", name: "authorization", index: 0 });
  expect(silence).toBe("stripped");
});

describe("items that are not requests are rejected, and the others are read", () => {
  const deep = (depth: number): object =>
    depth === 0 ? { request: "https://a.example/" } : { item: [deep(depth - 1)] };
  test.each<[string, unknown, RegExp]>([
    ["no request", { name: "x" }, /^the item must be an object with the member `request`, or a folder$/],
    ["null", null, /^the item must be an object/],
    ["no address", { request: { url: 1 } }, /^`url` must be a string; found a number$/],
    [
      "a method that is not a string",
      { request: { url: "https://a.example/", method: 1 } },
      /^`method` must be a string/,
    ],
    ["a host without a value", { request: "https://{{host}}/v1" }, /^the host is a variable without a value/],
    ["a variable of itself", { request: "{{loop}}/v1" }, /^the host is a variable without a value/],
    ["another scheme", { request: "ftp://a.example/" }, /^the address is not an http or https URL$/],
    ["folders that are too deep", deep(200), /^folders are nested deeper than 100 levels$/],
  ])("%s", (_what, item, reason) => {
    const { requests, rejected } = read({
      variable: [{ key: "loop", value: "{{loop}}" }],
      item: [item, { request: "https://a.example/" }],
    });
    expect(rejected).toEqual([{ position: 1, reason: expect.stringMatching(reason) }]);
    expect(requests).toHaveLength(1);
  });

  test("a file without a list of items is a failure", () => {
    for (const value of [{}, null, { item: {} }])
      expect(readPostman(value, collectTraffic())).toMatchObject({ ok: false });
  });
});
