/** Laws of the readers of recorded requests, for hostile input. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCurl } from "../../../src/import/traffic/curl.ts";
import { readHar } from "../../../src/import/traffic/har.ts";
import { readLogpushLine } from "../../../src/import/traffic/logpush.ts";
import { createTrafficReader } from "../../../src/import/traffic/reader.ts";
import { nastyText } from "../../support/hostile.ts";
import { collectTraffic } from "./collect-traffic.ts";

const samples = ["traffic.har", "http_requests.ndjson", "requests.curl.txt"].map((name) =>
  readFileSync(`fixtures/traffic/${name}`),
);

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  nastyText,
  fc.constantFrom(1e300, -1, 2 ** 53, Number.MAX_VALUE),
);

const logpushFields = [
  "ClientRequestMethod",
  "ClientRequestScheme",
  "ClientRequestHost",
  "ClientRequestURI",
  "ClientRequestPath",
  "EdgeStartTimestamp",
  "RequestHeaders",
  "Cookies",
  "SecuritySources",
  "SecurityActions",
  "SecurityRuleIDs",
  "WebAssetsOperationID",
  "RayID",
  "ZoneName",
];

test("each Logpush record is one request or one rejection, whatever its fields are", () => {
  const valid = { ClientRequestMethod: "GET", ClientRequestHost: "a.example", ClientRequestURI: "/" };
  const fields = fc.dictionary(fc.constantFrom(...logpushFields, "__proto__", "constructor"), value);
  fc.assert(
    fc.property(fields, (more) => {
      const traffic = collectTraffic();
      readLogpushLine(JSON.stringify({ ...valid, ...more }), 1, traffic);
      expect(traffic.requests.length + traffic.rejections.length).toBe(1);
      for (const { nowMs = 0 } of traffic.requests) expect(Number.isFinite(nowMs)).toBe(true);
    }),
  );
});

test("each entry of an archive is one request, one rejection or skipped", () => {
  const request = fc.record(
    { method: value, url: fc.oneof(fc.webUrl(), value), headers: value, cookies: value },
    { requiredKeys: [] },
  );
  const time = fc.oneof(fc.constant("2026-01-31T12:00:00Z"), value);
  const entry = fc.oneof(value, fc.record({ startedDateTime: time, request }, { requiredKeys: [] }));
  fc.assert(
    fc.property(fc.array(entry), value, (entries, creator) => {
      const traffic = collectTraffic();
      const read = readHar({ log: { creator, entries } }, traffic);
      expect(read.ok).toBe(true);
      const { requests, rejections, skips } = traffic;
      expect(requests.length + rejections.length + skips.length).toBe(entries.length);
    }),
  );
});

test("any text of commands is read without an exception", () => {
  const word = fc.constantFrom(
    "curl",
    "https://a.example/",
    "-H",
    "'x: 1'",
    "-b",
    "-G",
    "-d",
    "^",
    "\\",
    "\n",
    '"',
    "$'",
    "$(",
    "--next",
    "--json",
    "-u",
    "@",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, nastyText)), fc.constantFrom(" ", ""), (words, space) => {
      const traffic = collectTraffic();
      readCurl(words.join(space), traffic);
      expect(traffic.requests.filter(({ url }) => !URL.canParse(url))).toEqual([]);
    }),
  );
});

test("a truncated or changed sample ends with a result, never with an exception", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 5 }),
      (sample, share, changes) => {
        const bytes = Buffer.from(sample.subarray(0, Math.floor(sample.length * share)));
        for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        const reader = createTrafficReader(collectTraffic());
        reader.push(bytes);
        expect(typeof reader.end().ok).toBe("boolean");
      },
    ),
  );
});
