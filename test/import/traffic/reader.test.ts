/** Reading files of recorded requests: detection of the format, whole files, and samples. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createTrafficReader, type TrafficReaderOptions } from "../../../src/import/traffic/reader.ts";
import { requestsFrom } from "../../../src/import/traffic/requests-from.ts";
import { collectTraffic } from "./collect-traffic.ts";

const sample = (name: string) => readFileSync(`fixtures/traffic/${name}`);

function read(chunks: readonly (string | Uint8Array)[], options: TrafficReaderOptions = {}) {
  const traffic = collectTraffic();
  const reader = createTrafficReader(traffic, options);
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string));
  return { ...traffic, end: reader.end() };
}

test.each([
  ["traffic.har", "har", 5],
  ["http_requests.ndjson", "logpush", 4],
  ["requests.curl.txt", "curl", 3],
])("%s is read as %s with its requests", (name, format, count) => {
  const { requests, rejected, ...found } = requestsFrom(sample(name));
  expect(found.format).toBe(format);
  expect(requests).toHaveLength(count);
  expect(rejected).toEqual([]);
});

test.each(["traffic.har", "http_requests.ndjson", "requests.curl.txt"])(
  "%s has the same requests in single bytes",
  (name) => {
    const bytes = sample(name);
    const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
    expect(read(single).requests).toEqual(requestsFrom(bytes).requests);
  },
);

test.each(["traffic.har", "http_requests.ndjson", "requests.curl.txt"])(
  "%s in UTF-16, with and without a byte order mark, has the same requests",
  (name) => {
    const text = sample(name).toString("utf8");
    const wide = Buffer.from(text, "utf16le");
    const marked = Buffer.from(`\ufeff${text}`, "utf16le");
    const expected = requestsFrom(sample(name)).requests;
    for (const bytes of [wide, marked, Buffer.from(marked).swap16(), Buffer.from(wide).swap16()]) {
      expect(read([bytes]).requests).toEqual(expected);
      expect(read([bytes.subarray(0, 1), bytes.subarray(1, 702), bytes.subarray(702)]).requests).toEqual(
        expected,
      );
    }
  },
);

describe("the format is detected", () => {
  test.each([
    ['{"log":{"entries":[]}}', "har"],
    ['\ufeff {\n  "log": {"entries":[]}}', "har"],
    ['{\n  "comment": "",\n  "log": {"entries":[]}}', "har"],
    ['{"ClientRequestMethod":"GET"}\n{}', "logpush"],
    ['\ufeff{"ClientRequestMethod":"GET"}', "logpush"],
    ["curl https://a.example/", "curl"],
    ["# my requests\n\n$ curl https://a.example/", "curl"],
    ["/usr/bin/curl https://a.example/", "curl"],
    ["curl.exe https://a.example/", "curl"],
  ])("%j is %s", (text, format) => {
    expect(read([text]).end).toEqual({ ok: true, value: format });
  });

  test("an array of log records is read as the lines are", () => {
    const record = { ClientRequestMethod: "GET", ClientRequestHost: "a.example", ClientRequestURI: "/" };
    const found = read([JSON.stringify([record, 1, { ...record, RayID: "r2" }], null, 2)]);
    expect(found.end).toEqual({ ok: true, value: "logpush" });
    expect(found.requests.map(({ name }) => name)).toEqual(["line 1", "r2"]);
    expect(found.rejections).toEqual([{ position: 2, reason: "the record is not a JSON object" }]);
  });

  test("a byte order mark is not a part of the first record", () => {
    const record = '{"ClientRequestMethod":"GET","ClientRequestHost":"a.example","ClientRequestURI":"/"}';
    expect(read([`\ufeff${record}`]).requests).toHaveLength(1);
  });

  test("a given format is used without detection", () => {
    expect(read(["{"], { format: "logpush" }).rejections).toHaveLength(1);
  });
});

describe("a file that cannot be read", () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ["empty", "", /^the file is empty$/],
    ["another format", "hello", /^the format is not known; it must be one of: HTTP archive \(HAR\), Logpush/],
    ["an array", "[]", /^the format is not known/],
    ["truncated", '{\n"log": {"entries": [', /^the file is not JSON: syntax error at line 2, column \d+$/],
    ["not an archive", '{"log":1}', /^`log` must be an object; found a number$/],
    ["not UTF-8", Buffer.from('{"log":"\xff"}', "latin1"), /^the file is not UTF-8$/],
  ])("%s is a failure with the reason", (_what, bytes, reason) => {
    expect(read([bytes]).end).toEqual({ ok: false, problems: [expect.stringMatching(reason)] });
  });

  test("does not show its text, which may have secrets", () => {
    const secret = "eyJhbGciOiJFUzI1NiJ9";
    expect(JSON.stringify(read([`{\n"log": ${secret}`]).end)).not.toContain(secret.slice(0, 6));
  });

  test("is given up when it is too large", () => {
    const found = read(['{"log":', " ".repeat(70_000), " ".repeat(70_000), "1}"], {
      maxWholeFileBytes: 100_000,
    });
    expect(found.end).toEqual({
      ok: false,
      problems: ["HTTP archive (HAR) of more than 100000 bytes; split it into smaller files"],
    });
  });

  test("is given up at its start when its format is not known", () => {
    const reader = createTrafficReader(collectTraffic());
    reader.push(Buffer.alloc(70_000, "x"));
    expect(reader.hasFailed).toBe(true);
    reader.push(Buffer.from("curl https://a.example/"));
    expect(reader.end()).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/^the format is not known/)],
    });
  });

  test("is an exception of requestsFrom", () => {
    expect(() => requestsFrom("hello")).toThrow(/The requests cannot be read.*format is not known/);
  });
});

test("a line of 100 MB is rejected by its number in bounded memory, and the next line is read", () => {
  const record = '{"ClientRequestMethod":"GET","ClientRequestHost":"a.example","ClientRequestURI":"/"}';
  const traffic = collectTraffic();
  const reader = createTrafficReader(traffic);
  const before = process.memoryUsage().rss;
  reader.push(Buffer.from('{"a":"'));
  const chunk = Buffer.alloc(1_000_000, "x");
  for (let i = 0; i < 100; i++) reader.push(chunk);
  reader.push(Buffer.from(`"}\n${record}\n`));
  expect(reader.end().ok).toBe(true);
  expect(traffic.rejections).toEqual([{ position: 1, reason: "the line is longer than 4194304 bytes" }]);
  expect(traffic.requests.map(({ position }) => position)).toEqual([2]);
  expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
});
