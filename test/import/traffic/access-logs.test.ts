/** Access logs of servers: what a line has, what it lacks, and lines that are not requests. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { silenceOf } from "../../../src/import/traffic/recorded-request.ts";
import { requestsFrom } from "../../../src/import/traffic/requests-from.ts";
import { nastyText } from "../../support/hostile.ts";

const nginx =
  '203.0.113.7 - ada [25/Nov/2026:10:00:00 +0100] "GET /v1/orders?page=2 HTTP/1.1" 200 512 "https://shop.example/\\x22" "agent \\"x\\""';
const alb =
  'wss 2026-11-25T10:00:00.186641Z app/lb/50dc6c495c0c9188 192.0.2.1:2817 10.0.0.1:80 0.001 0.003 0.000 101 101 34 366 "GET https://api.example.com:443/socket?x=1 HTTP/1.1" "curl/8" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:group "Root=1-58337364" "api.example.com" "-" 1 2026-11-25T09:59:59.0Z "forward" "-" "-"';
const cloudfront = [
  "#Version: 1.0",
  "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-request-id x-host-header cs-protocol",
  "2026-11-25\t10:00:00\tFRA2\t1045\t203.0.113.7\tPOST\td111.cloudfront.example\t/v1/a%20b\t200\t-\tMozilla%2F5.0\tq=1\t-\tabc==\tapi.example.com\thttps",
  "2026-11-25\t10:00:01\tFRA2\t1045\t203.0.113.7\tGET\td111.cloudfront.example\t/\t200\thttps://a.example/\t-\t-\t-\tdef==\tapi.example.com\twss",
].join("\r\n");

test("nginx: method, target, time, referer and agent, with the host that is given", () => {
  const { format, requests, rejected } = requestsFrom(`${nginx}\n`, { host: "api.example.com" });
  expect([format, rejected]).toEqual(["nginx", []]);
  expect(requests).toMatchObject([
    {
      name: "line 1",
      method: "GET",
      url: "https://api.example.com/v1/orders?page=2",
      nowMs: Date.UTC(2026, 10, 25, 9),
      headers: [
        ["host", "api.example.com"],
        ["user-agent", 'agent "x"'],
        ["referer", 'https://shop.example/"'],
      ],
    },
  ]);
});

test("nginx: without a host the line is rejected, and a host before the address wins", () => {
  const { rejected } = requestsFrom(nginx);
  expect(rejected).toEqual([{ position: 1, reason: "the log has no host; name it with `--host`" }]);
  const { requests } = requestsFrom(`www.example.com ${nginx}`, { host: "api.example.com" });
  expect(requests[0]?.url).toBe("https://www.example.com/v1/orders?page=2");
});

test("a load balancer: the handshake of a WebSocket is a request, and the trace is its name", () => {
  const { format, requests, rejected } = requestsFrom(alb);
  expect([format, rejected]).toEqual(["alb", []]);
  expect(requests).toMatchObject([
    {
      name: "Root=1-58337364",
      method: "GET",
      url: "https://api.example.com:443/socket?x=1",
      nowMs: expect.closeTo(Date.parse("2026-11-25T10:00:00.186Z"), -1),
      headers: [
        ["host", "api.example.com"],
        ["user-agent", "curl/8"],
      ],
    },
  ]);
});

test("CloudFront: fields by their names in any order, decoded, with the viewer's host", () => {
  const { format, requests, rejected } = requestsFrom(cloudfront);
  expect([format, rejected]).toEqual(["cloudfront", []]);
  expect(requests).toMatchObject([
    {
      name: "abc==",
      method: "POST",
      url: "https://api.example.com/v1/a%20b?q=1",
      nowMs: Date.UTC(2026, 10, 25, 10),
      headers: [
        ["host", "api.example.com"],
        ["user-agent", "Mozilla/5.0"],
      ],
    },
    {
      name: "def==",
      url: "https://api.example.com/",
      headers: [
        ["host", "api.example.com"],
        ["referer", "https://a.example/"],
      ],
    },
  ]);
});

test.each([nginx, alb, cloudfront])("tokens in headers and cookies were left out: %#", (text) => {
  const [request] = requestsFrom(text, { host: "api.example.com" }).requests;
  const silence = (kind: "header" | "cookie" | "query", name: string) =>
    silenceOf(request!.recording, { kind, name, index: 0 });
  expect(silence("header", "authorization")).toBe("stripped");
  expect(silence("cookie", "session")).toBe("stripped");
  expect(silence("header", "user-agent")).toBe("absent");
  expect(silence("query", "")).toBe("absent");
});

describe("lines that are not requests are rejected with their number, and the others are read", () => {
  test.each<[string, string, RegExp]>([
    ["another format of nginx", `${nginx}\nhello`, /^the line is not in the format `combined` of nginx$/],
    [
      "bytes of TLS on a plain port",
      `${nginx}\n${nginx.replace("GET /v1/orders?page=2 HTTP/1.1", "\\x16\\x03")}`,
      /^the request is not a method/,
    ],
    ["an unknown month", `${nginx}\n${nginx.replace("Nov", "Nox")}`, /^the time is not `day\/month/],
    [
      "a load balancer without a request",
      `${alb}\n${alb.replace(/"GET [^"]*"/, '"- - - "')}`,
      /^the request is not a method/,
    ],
    [
      "CloudFront without a field",
      `${cloudfront}\r\n2026-11-25\t10:00:00`,
      /^the field `cs-method` is missing$/,
    ],
  ])("%s", (_what, text, reason) => {
    const { requests, rejected } = requestsFrom(text, { host: "api.example.com" });
    expect(requests.length).toBeGreaterThan(0);
    expect(rejected).toEqual([{ position: text.split("\n").length, reason: expect.stringMatching(reason) }]);
  });
});

test("no changed line throws, and each is a request or a rejection without the line", () => {
  const line = fc.constantFrom(nginx, alb, cloudfront);
  fc.assert(
    fc.property(line, fc.nat(400), fc.nat(40), nastyText, (text, at, length, put) => {
      const changed = `${text}\n${text.slice(0, at)}${put}${text.slice(at + length)}`.replaceAll("\0", "");
      const { requests, rejected } = requestsFrom(changed, { host: "api.example.com" });
      expect(requests.length).toBeGreaterThan(0);
      for (const { url } of requests) expect(URL.canParse(url)).toBe(true);
      for (const { reason } of rejected) expect(reason).not.toContain("203.0.113.7");
    }),
  );
});
