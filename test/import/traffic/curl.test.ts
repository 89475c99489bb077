/** Reading curl commands. */
import { describe, expect, test } from "vitest";
import { readCurl } from "../../../src/import/traffic/curl.ts";
import { type RecordedRequest, silenceOf } from "../../../src/import/traffic/recorded-request.ts";
import { collectTraffic } from "./collect-traffic.ts";

function read(text: string) {
  const traffic = collectTraffic();
  readCurl(text, traffic);
  return traffic;
}

function requestOf(text: string): RecordedRequest {
  const { requests, rejections } = read(text);
  expect(rejections).toEqual([]);
  expect(requests).toHaveLength(1);
  return requests[0]!;
}

const url = "https://api.example.com/v1/orders";

/** The headers that the command sets. */
const headersOf = (text: string) =>
  requestOf(text).headers.filter(
    ([name, value]) => name !== "host" && !(name === "accept" && value === "*/*"),
  );

describe("the method", () => {
  test.each([
    [`curl ${url}`, "GET"],
    [`curl -X PATCH ${url}`, "PATCH"],
    [`curl -XDELETE ${url}`, "DELETE"],
    [`curl -sSLX PUT ${url}`, "PUT"],
    [`curl --request POST --url ${url}`, "POST"],
    [`curl -d a=b ${url}`, "POST"],
    [`curl --data-raw '{}' ${url}`, "POST"],
    [`curl --json '{}' ${url}`, "POST"],
    [`curl -F a=@file ${url}`, "POST"],
    [`curl -T file ${url}`, "PUT"],
    [`curl -I ${url}`, "HEAD"],
    [`curl -G -d a=b ${url}`, "GET"],
    [`curl -d a=b -X PUT ${url}`, "PUT"],
    [`curl --compressed -k -o out.json -w '%{http_code}' ${url}`, "GET"],
  ])("of %s is %s", (text, method) => {
    expect(requestOf(text).method).toBe(method);
  });
});

describe("headers", () => {
  test("are those of -H, in order, also repeated", () => {
    expect(headersOf(`curl ${url} -H 'X-A: 1' -H "x-b:2" --header $'x-a: it\\'s'`)).toEqual([
      ["X-A", "1"],
      ["x-b", "2"],
      ["x-a", "it's"],
    ]);
  });

  test("with a semicolon are empty, with a colon alone removed", () => {
    expect(headersOf(`curl ${url} -H 'x-a;' -H 'accept:'`)).toEqual([["x-a", ""]]);
    expect(requestOf(`curl ${url} -H 'accept:'`).headers).toEqual([["host", "api.example.com"]]);
  });

  test("come from -u, --oauth2-bearer, -A, -e, -b and --json, and -H overrides them", () => {
    expect(headersOf(`curl ${url} -u ada:pw`)).toEqual([["authorization", "Basic YWRhOnB3"]]);
    expect(headersOf(`curl ${url} --oauth2-bearer t`)).toEqual([["authorization", "Bearer t"]]);
    expect(headersOf(`curl ${url} --oauth2-bearer t -H 'Authorization: own'`)).toEqual([
      ["Authorization", "own"],
    ]);
    expect(headersOf(`curl ${url} -A agent -e https://a/`)).toEqual([
      ["user-agent", "agent"],
      ["referer", "https://a/"],
    ]);
    expect(headersOf(`curl ${url} -b 'a=1; b=2' --cookie c=3`)).toEqual([["cookie", "a=1; b=2; c=3"]]);
    expect(headersOf(`curl ${url} --json '{}'`)).toEqual([
      ["accept", "application/json"],
      ["content-type", "application/json"],
    ]);
  });
});

describe("the body", () => {
  test.each([
    ["-d a=b -d c=d", "a=b&c=d"],
    ["--data-raw '{\"a\":1}'", '{"a":1}'],
    ["--json '{}'", "{}"],
    ["--data-urlencode 'mail=ada@example.com'", "mail=ada%40example.com"],
  ])("of %s is known", (options, body) => {
    expect(requestOf(`curl ${options} ${url}`).given).toEqual({ body });
  });

  test.each([
    "-d @file",
    "-d a=b -d @file",
    "--data-urlencode name@file",
    "--data-urlencode @file",
    "-F a=b",
    "-T file",
    '-d "$BODY"',
    "-G -d a=b",
    "--json 1 --json 2",
    "-X POST",
  ])("of %s is unknown or absent", (options) => {
    expect(requestOf(`curl ${options} ${url}`).given).toBeUndefined();
  });

  test("has the type of a form, unless another one is set", () => {
    const form = [["content-type", "application/x-www-form-urlencoded"]];
    expect(headersOf(`curl -d a=b ${url}`)).toEqual(form);
    expect(headersOf(`curl -d a=b -H 'Content-Type: text/plain' ${url}`)).toEqual([
      ["Content-Type", "text/plain"],
    ]);
    expect(headersOf(`curl -G -d a=b ${url}`)).toEqual([]);
  });
});

describe("the query", () => {
  test("has the data of -G and --url-query", () => {
    expect(requestOf(`curl -G -d a=b --data-urlencode 'c=d e' '${url}?x=y#f'`).url).toBe(
      `${url}?x=y&a=b&c=d%20e#f`,
    );
    expect(requestOf(`curl --url-query q=1 ${url}`).url).toBe(`${url}?q=1`);
  });
});

describe("shells", () => {
  test("lines are continued with a backslash, and comments and prompts are ignored", () => {
    const text = `# first\n$ curl '${url}' \\\n  -H 'x-a: 1' \\\r\n  --compressed\n\ncurl ${url} # end\n`;
    const { requests, rejections } = read(text);
    expect(rejections).toEqual([]);
    expect(requests.map(({ position }) => position)).toEqual([2, 6]);
  });

  test("commands are separated by line ends, semicolons and operators", () => {
    expect(read(`curl ${url}; curl ${url} && curl ${url} | tee`).requests).toHaveLength(3);
    expect(read(`curl ${url} | tee`).rejections).toEqual([
      { position: 1, reason: "the command is not curl" },
    ]);
  });

  test.each([
    [`"a\\"b\\$c\\d"`, `a"b$c\\d`],
    [`$'\\x41\\u0042\\103\\n'`, "ABC"],
    [`a\\ b'c'"d"`, "a bcd"],
  ])("the word %s is read", (word, value) => {
    expect(headersOf(`curl ${url} -H x-a:${word}`)).toEqual([["x-a", value]]);
  });

  test("the form of the Windows prompt is read", () => {
    const text = `curl.exe --request POST ^\r\n  --url ^"${url}^?a^=1^&b=2^" ^\r\n  -H ^"x-a: ^\\^"q^\\^"^" ^\r\n  --data-raw "{\\"a\\":1}"`;
    const request = requestOf(text);
    expect(request).toMatchObject({ method: "POST", url: `${url}?a=1&b=2` });
    expect(request.headers).toContainEqual(["x-a", '"q"']);
  });

  test("--next starts another request, and several URLs are several requests", () => {
    const { requests } = read(`curl -X POST ${url}/1 ${url}/2 --next ${url}/3`);
    expect(requests.map(({ method, url: at }) => [method, at])).toEqual([
      ["POST", `${url}/1`],
      ["POST", `${url}/2`],
      ["GET", `${url}/3`],
    ]);
  });
});

describe("what a command takes from elsewhere is not known", () => {
  const authorization = { kind: "header", name: "authorization", index: 0 } as const;
  const session = { kind: "cookie", name: "session", index: 0 } as const;
  const silences = (text: string) => {
    const { recording, headers } = requestOf(text);
    expect(headers.filter(([name]) => /authorization|cookie/i.test(name))).toEqual([]);
    return [silenceOf(recording, authorization), silenceOf(recording, session)];
  };

  test.each([
    [`-H "Authorization: Bearer $TOKEN"`, ["stripped", "absent"]],
    [`-H "Authorization: Bearer $(cat token)"`, ["stripped", "absent"]],
    ['-H "authorization: `cat token`"', ["stripped", "absent"]],
    [`--oauth2-bearer $TOKEN`, ["stripped", "absent"]],
    [`-u "ada:\${PASSWORD}"`, ["stripped", "absent"]],
    [`-b cookies.txt`, ["absent", "stripped"]],
    [`-H "cookie: $COOKIE"`, ["absent", "stripped"]],
    [`-H @headers.txt`, ["stripped", "stripped"]],
    [`-H 'x-a: 1'`, ["absent", "absent"]],
  ])("%s", (options, expected) => {
    expect(silences(`curl ${url} ${options}`)).toEqual(expected);
  });

  test("a variable in single quotes is text", () => {
    expect(headersOf(`curl ${url} -H 'authorization: $TOKEN'`)).toEqual([["authorization", "$TOKEN"]]);
  });
});

test.each([
  ["wget https://api.example.com/", "the command is not curl"],
  ["curl", "the command has no URL"],
  ["curl -H", "the command has no URL"],
  [`curl 'https://api`, "a quote is not closed"],
  [`curl "https://api`, "a quote is not closed"],
  [`curl $'https://api`, "a quote is not closed"],
  ["curl https://$HOST/", "the URL has a shell expansion, and commands are not run"],
  [`curl -X "$METHOD" ${url}`, "the method has a shell expansion, and commands are not run"],
  ["curl ftp://example.com/", "the URL is not an absolute http or https URL"],
  ["curl http://:", "the URL is not an absolute http or https URL"],
  [
    "curl 'https://a.example/{b,c}'",
    "curl expands `{}` and `[]` in the URL; write the requests one by one, or add --globoff",
  ],
  ["curl -K options.txt https://a.example/", "options are in a file (`--config`), which is not read"],
])("%s is rejected", (text, reason) => {
  expect(read(text)).toMatchObject({ requests: [], rejections: [{ position: 1, reason }] });
});

test("braces are text with --globoff, and a URL without a scheme is http", () => {
  expect(requestOf("curl -g 'api.example.com/{a}'").url).toBe("http://api.example.com/{a}");
});
