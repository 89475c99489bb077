/** Pasted input of the workbench: curl commands, archives, URLs with headers, tokens; and the way back to curl. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlainRequest } from "../../../src/workbench/messages.ts";
import { printCurl } from "../../../src/workbench/requests/print-curl.ts";
import { readPaste } from "../../../src/workbench/requests/read-paste.ts";

const url = "https://api.example.com/v1/orders";
const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln";
const shown: PlainRequest = { method: "GET", url, headers: [["accept", "*/*"]] };
const header = 'http.request.headers["authorization"][0]';
const context = { request: shown, sources: [header] };

function read(text: string, sources: readonly string[] = [header]) {
  return readPaste(text, { request: shown, sources });
}

/** The parts that rules read, without the headers that curl adds. */
function essence({ method, url: at, headers, body }: PlainRequest) {
  const own = headers.filter(([name]) => !["host", "accept", "user-agent"].includes(name.toLowerCase()));
  const lines = own.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return [method, at, body === undefined ? lines : [...lines, body]];
}

const har = (request: object) =>
  JSON.stringify({
    log: { version: "1.2", entries: [{ startedDateTime: "2026-01-01T00:00:00Z", request }] },
  });
const bearer = `authorization: Bearer ${jwt}`;

/** Title, pasted text, and what is read: method, URL, headers. */
const forms: readonly (readonly [string, string, unknown])[] = [
  // curl
  ["curl with a URL", `curl ${url}`, ["GET", url, []]],
  ["curl in single quotes", `curl '${url}?a=1&b=2'`, ["GET", `${url}?a=1&b=2`, []]],
  ["curl in double quotes", `curl "${url}"`, ["GET", url, []]],
  ["curl with a header", `curl -H '${bearer}' ${url}`, ["GET", url, [bearer]]],
  ["curl with --header=", `curl --header "${bearer}" "${url}"`, ["GET", url, [bearer]]],
  ["curl with joined -H", `curl -H'${bearer}' ${url}`, ["GET", url, [bearer]]],
  ["curl with --oauth2-bearer", `curl --oauth2-bearer ${jwt} ${url}`, ["GET", url, [bearer]]],
  ["curl with -u", `curl -u ada:pw ${url}`, ["GET", url, ["authorization: Basic YWRhOnB3"]]],
  ["curl with -X", `curl -X DELETE ${url}`, ["DELETE", url, []]],
  ["curl with joined -X", `curl -XPUT ${url}`, ["PUT", url, []]],
  ["curl with --request", `curl --request PATCH ${url}`, ["PATCH", url, []]],
  [
    "curl with -d",
    `curl -d 'a=1' ${url}`,
    ["POST", url, ["content-type: application/x-www-form-urlencoded", "a=1"]],
  ],
  ["curl with --json", `curl --json '{}' ${url}`, ["POST", url, ["content-type: application/json", "{}"]]],
  ["curl with -G", `curl -G -d a=1 ${url}`, ["GET", `${url}?a=1`, []]],
  ["curl with -I", `curl -I ${url}`, ["HEAD", url, []]],
  ["curl with a cookie", `curl -b 'session=${jwt}' ${url}`, ["GET", url, [`cookie: session=${jwt}`]]],
  ["curl with a prompt", `$ curl ${url}`, ["GET", url, []]],
  ["curl after a comment", `# the failing one\ncurl ${url}`, ["GET", url, []]],
  ["curl on several lines", `curl ${url} \\\n  -H '${bearer}' \\\n  --compressed`, ["GET", url, [bearer]]],
  ["curl for the Windows prompt", `curl ^"${url}^" ^\n  -H ^"${bearer}^"`, ["GET", url, [bearer]]],
  ["curl by its path", `/usr/bin/curl ${url}`, ["GET", url, []]],
  ["curl with ANSI quotes", `curl ${url} -H $'x-note: it\\'s'`, ["GET", url, ["x-note: it's"]]],
  ["curl with an empty header", `curl ${url} -H 'x-empty;'`, ["GET", url, ["x-empty: "]]],
  ["curl with --url-query", `curl --url-query a=b ${url}`, ["GET", `${url}?a=b`, []]],
  ["curl with white space around", `\n  curl ${url}  \n`, ["GET", url, []]],
  // archives
  [
    "a HAR",
    har({ method: "GET", url, headers: [{ name: "Authorization", value: `Bearer ${jwt}` }] }),
    ["GET", url, [bearer]],
  ],
  ["a HAR with a method", har({ method: "POST", url, headers: [] }), ["POST", url, []]],
  [
    "a HAR with a body",
    har({ method: "POST", url, headers: [], postData: { mimeType: "text/plain", text: "it's" } }),
    ["POST", url, ["it's"]],
  ],
  [
    "a HAR of HTTP/2",
    har({
      method: "GET",
      url,
      headers: [
        { name: ":authority", value: "api.example.com" },
        { name: "x-a", value: "1" },
      ],
    }),
    ["GET", url, ["x-a: 1"]],
  ],
  ["a HAR with a byte order mark", `\ufeff${har({ method: "GET", url, headers: [] })}`, ["GET", url, []]],
  // URL and headers
  ["a URL", url, ["GET", url, []]],
  ["a URL in angle brackets", `<${url}>`, ["GET", url, []]],
  ["a quoted URL with a comma", `"${url}",`, ["GET", url, []]],
  ["a host and path", "api.example.com/v1/orders", ["GET", url, []]],
  ["a method and a URL", `POST ${url}`, ["POST", url, []]],
  ["a method in lower case", `delete ${url}`, ["DELETE", url, []]],
  ["a URL and headers", `${url}\nAuthorization: Bearer ${jwt}\nX-A: 1`, ["GET", url, [bearer, "x-a: 1"]]],
  [
    "a request line and headers",
    `POST ${url} HTTP/1.1\nX-A: 1\n\n{"body":1}`,
    ["POST", url, ["x-a: 1", '{"body":1}']],
  ],
  [
    "a path with Host",
    `GET /v1/orders HTTP/1.1\r\nHost: api.example.com\r\nX-A: 1\r\n\r\n`,
    ["GET", url, ["x-a: 1"]],
  ],
  ["headers of HTTP/2", `GET ${url}\n:authority: api.example.com\nx-a: 1`, ["GET", url, ["x-a: 1"]]],
  ["headers as options", `${url}\n-H 'x-a: 1'`, ["GET", url, ["x-a: 1"]]],
  ["an empty header value", `${url}\nx-a:`, ["GET", url, ["x-a: "]]],
  // tokens
  ["a JWT", jwt, ["GET", url, [bearer]]],
  ["a JWT in quotes", `"${jwt}"`, ["GET", url, [bearer]]],
  ["a JWT with Bearer", `Bearer ${jwt}`, ["GET", url, [bearer]]],
  ["a JWT with bearer:", `bearer: ${jwt}`, ["GET", url, [bearer]]],
  ["the header of a JWT", `Authorization: Bearer ${jwt}`, ["GET", url, [bearer]]],
  ["a JWT broken into lines", `${jwt.slice(0, 20)}\n${jwt.slice(20)}`, ["GET", url, [bearer]]],
  ["an unsigned JWT", jwt.replace(/[^.]*$/, ""), ["GET", url, [bearer.replace(/[^.]*$/, "")]]],
];

describe("forms of requests", () => {
  test("there are at least 40", () => expect(forms.length).toBeGreaterThanOrEqual(40));

  test.each(forms)("%s", (_title, text, expected) => {
    const { requests, rejected } = read(text);
    expect(requests.map(essence)).toEqual([expected]);
    expect(rejected).toEqual([]);
  });

  test.each(forms)("%s, to curl and back", (_title, text) => {
    const [first] = read(text).requests;
    const [again] = read(printCurl(first!)).requests;
    expect(essence(again!)).toEqual(essence(first!));
  });
});

test("a JWT is put into the first source of the zone, in place of the token there", () => {
  const cookie = 'http.request.cookies["session"][0]';
  expect(read(jwt, [cookie]).requests[0]?.headers).toEqual([
    ["accept", "*/*"],
    ["cookie", `session=${jwt}`],
  ]);
  const own = 'http.request.headers["x-partner-token"][0]';
  expect(read(jwt, [own]).requests[0]?.headers.at(-1)).toEqual(["x-partner-token", jwt]);
  const before = { ...context, request: { ...shown, headers: [["Authorization", "Bearer old"] as const] } };
  expect(readPaste(jwt, before).requests[0]?.headers).toEqual([["authorization", `Bearer ${jwt}`]]);
});

test("several requests are listed, and parts that are not requests are reported without their values", () => {
  const text = readFileSync("fixtures/traffic/requests.curl.txt", "utf8");
  expect(read(text).requests.length).toBeGreaterThan(2);
  const { requests, rejected } = read(`curl ${url}\nwget secret-value\ncurl $HOST`);
  expect(requests).toHaveLength(1);
  expect(rejected).toHaveLength(2);
  expect(rejected.join()).not.toContain("secret-value");
});

test.each([
  ["nothing", "  \n "],
  ["prose", "please look at the failing request"],
  ["another command", "wget https://a.example/"],
  ["another scheme", "ftp://a.example/x"],
  ["JSON that is not an archive", '{"a":1}\n'],
  ["headers without a URL", "x-a: 1\nx-b: 2"],
])("%s is rejected with what is allowed, without the text", (_title, text) => {
  const attempt = () => {
    const { requests } = read(text);
    if (requests.length === 0) throw new TypeError("no requests");
  };
  expect(attempt).toThrow(/must be|paste a request|no requests/);
});

test("no text makes the reader throw anything but a rejection", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        read(text);
      } catch (error) {
        expect((error as Error).name).toMatch(/RequestFault|InvalidInputError/);
      }
    }),
  );
});

test("every request is printed as a curl command that is read as the same request", () => {
  const value = fc.string({ unit: fc.constantFrom(..."ab'\"\\$`!; :{}*ä\t") }).map((text) => text.trim());
  const name = fc.stringMatching(/^x-[a-z0-9-]{1,8}$/);
  const method = fc.constantFrom("GET", "HEAD", "POST", "PURGE");
  const query = fc.constantFrom("", "?a=1&b=[2]", "?q={x}", "?s='");
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, value), { selector: ([header]) => header }),
      method,
      query,
      (headers, verb, search) => {
        const request: PlainRequest = { method: verb, url: url + search, headers };
        const [again] = read(printCurl(request)).requests;
        expect(essence(again!)).toEqual(essence(request));
        expect(again!.headers.map(([header]) => header)).not.toContain("accept");
      },
    ),
  );
});
