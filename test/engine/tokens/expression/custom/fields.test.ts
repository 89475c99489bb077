/** The values of fields of custom rules, and the members of requests that give them. */
import { expect, test } from "vitest";
import { listedFields, singleFields } from "../../../../../src/engine/tokens/expression/field.ts";
import { knownFields } from "../../../../../src/engine/tokens/expression/language/fields.ts";
import { compileList } from "../../../../../src/engine/tokens/expression/values/lists.ts";
import { checkRequest } from "../../../../../src/engine/tokens/zone/request.ts";
import { evaluateCustom } from "./evaluate-custom.ts";

const request = {
  method: "post",
  url: "https://WWW.Example.com:8443/a/b.tar.GZ?x=1&x=2&y&&z=a%20b#f",
  headers: [
    ["User-Agent", "agent é"],
    ["X-A", "1"],
    ["x-a", "2"],
    ["Cookie", "sid=1; n%61me=2"],
    ["cookie", "sid=3"],
    ["X-Forwarded-For", "10.0.0.1"],
    ["Content-Type", "Application/X-WWW-Form-Urlencoded; charset=utf-8"],
  ] as const,
  ip: "2001:db8::1",
  httpVersion: "HTTP/2",
  body: "a=1&b=%20&a=2",
  nowMs: 1_700_000_000_123,
  fields: { "ip.src.asnum": 13335, "cf.bot_management.detection_ids": [1, 2] },
  tokens: { C2: '{"sub":"s","iat":1.5,"jti":"j","iss":["i"],"aud":["a",1]}', C1: '{"sub":"é","nbf":-0.5}' },
  configurations: ["C1", "C2"],
};

test.each([
  'http.host eq "www.example.com"',
  'http.request.method eq "POST"',
  'http.request.uri eq "/a/b.tar.GZ?x=1&x=2&y&&z=a%20b"',
  'raw.http.request.uri.path eq "/a/b.tar.GZ"',
  'http.request.uri.path.extension eq "gz"',
  'http.request.uri.query eq "x=1&x=2&y&&z=a%20b"',
  'http.request.full_uri eq "https://www.example.com/a/b.tar.GZ?x=1&x=2&y&&z=a%20b"',
  'http.request.version eq "HTTP/2"',
  'http.cookie eq "sid=1; n%61me=2; sid=3"',
  'http.referer eq ""',
  'len(http.user_agent) eq 8 and http.user_agent eq "agent \\xC3\\xA9" and http.user_agent matches "\\xc3\\xa9$"',
  'http.x_forwarded_for eq "10.0.0.1"',
  'http.request.headers["x-a"][1] eq "2" and not http.request.headers["X-A"][1] eq "2"',
  'join(http.request.headers.names, ",") eq "user-agent,x-a,cookie,x-forwarded-for,content-type"',
  "len(http.request.headers.values) eq 7",
  'http.request.cookies["name"][0] eq "2" and http.request.cookies["sid"][1] eq "3"',
  'join(http.request.uri.args.values, ",") eq "1,2,,a%20b"',
  'http.request.uri.args["y"][0] eq ""',
  "ssl and not http.request.headers.truncated and not http.request.body.truncated",
  "http.request.timestamp.sec eq 1700000000 and http.request.timestamp.msec eq 123",
  'http.request.body.raw eq "a=1&b=%20&a=2" and http.request.body.size eq 13',
  'http.request.body.mime eq "application/x-www-form-urlencoded"',
  'http.request.body.form["a"][1] eq "2" and http.request.body.form["b"][0] eq "%20"',
  "ip.src eq 2001:DB8:0::1 and ip.geoip.asnum eq 13335 and ip.src.asnum in {13000..14000}",
  "any(cf.bot_management.detection_ids[*] eq 2)",
  'cf.threat_score eq 0 and cf.tls_client_auth.cert_issuer_dn eq "" and not cf.tls_client_auth.cert_verified',
  'join(http.request.jwt.claims.sub.names, ",") eq "C1,C2" and join(http.request.jwt.claims.sub.values, ",") eq "é,s"',
  'http.request.jwt.claims.iat.sec["C2"][0] eq 1 and http.request.jwt.claims.nbf.sec["C1"][0] eq -1',
  'http.request.jwt.claims.jti["C2"][0] eq "j"',
  'not has_key(http.request.jwt.claims.iss, "C2") and not has_key(http.request.jwt.claims.aud, "C2")',
  'http.request.jwt.claims["C1"][0] eq "{\\"sub\\":\\"é\\",\\"nbf\\":-0.5}" and not len(http.request.jwt.claims["C1"]) gt 1',
])("%s", (text) => {
  expect(evaluateCustom(text, request)).toBe(true);
});

test("every field of token rules is one of custom rules, and each of these has a value or is unknown", () => {
  expect([...singleFields, ...listedFields].filter((name) => !knownFields.has(name))).toEqual([]);
  for (const [name, { type, source }] of knownFields) {
    if (source === "phase") continue;
    const text =
      type.startsWith("Map") || type.startsWith("Array")
        ? `has_value(${name}, ${literals[type.replace(/.*<|>.*/g, "")]})`
        : `coalesce(${name}, ${literals[type] ?? name}) ${type === "Bool" ? "" : `eq ${literals[type]}`}`;
    const found = evaluateCustom(text);
    const isUnknown = ["ip", "body", "zone", "given"].includes(source);
    expect(typeof found === "boolean", name).toBe(!isUnknown);
    if (isUnknown) expect(found).toEqual({ needs: [name] });
  }
});

const literals: Readonly<Record<string, string>> = { String: '"a"', Int: "1", IP: "1.2.3.4" };

test("fields override what a request has, and aliases are one field", () => {
  const given = {
    fields: { "http.host": "b.example", "ip.geoip.country": "DE", "http.request.headers.names": ["q"] },
  };
  expect(evaluateCustom('http.host eq "b.example" and ip.src.country eq "DE"', given)).toBe(true);
  expect(evaluateCustom('any(http.request.headers.names[*] eq "q")', given)).toBe(true);
});

test("a `Request` of the platform has its headers, and neither address nor body", () => {
  const web = new Request("https://a.example/", { method: "POST", headers: { "X-A": "1" }, body: "b" });
  const { method, url, headers } = web;
  expect(
    evaluateCustom('http.request.headers["x-a"][0] eq "1"', { method, url, headers: [...headers] }),
  ).toBe(true);
  expect(checkRequest(web)).toEqual([]);
});

test("integers keep 64 bits, as literals and in JSON", () => {
  const body =
    '{"a":9223372036854775807,"b":9223372036854775808,"c":9007199254740993,"c":-9223372036854775808}';
  const is = (text: string) => evaluateCustom(text, { body });
  expect(is('lookup_json_integer(http.request.body.raw, "a") eq 9223372036854775807')).toBe(true);
  expect(is('lookup_json_integer(http.request.body.raw, "a") gt 9223372036854775806')).toBe(true);
  expect(is('coalesce(lookup_json_integer(http.request.body.raw, "b"), 1) eq 1')).toBe(true);
  expect(is('lookup_json_integer(http.request.body.raw, "c") in {-0x8000000000000000}')).toBe(true);
});

test("JSON over its limits has no values; at its limits it has", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}"a"${"]".repeat(depth)}`;
  const first = (depth: number) =>
    `lookup_json_string(http.request.body.raw, ${Array(depth).fill("0").join(", ")}) eq "a"`;
  expect(evaluateCustom(first(64), { body: nested(64) })).toBe(true);
  expect(evaluateCustom(first(65), { body: nested(65) })).toBe(false);
  const long = (length: number) => ({ body: `{"a":"a"}`.padEnd(length, " ") });
  const text = 'lookup_json_string(http.request.body.raw, "a") eq "a"';
  expect(evaluateCustom(text, long(65_536))).toBe(true);
  expect(evaluateCustom(text, long(65_537))).toBe(false);
});

test.each([
  ['{"a":"1","\\u0061":"2"}', '"a"', "2"],
  ['{"é":"1"}', '"é"', "1"],
  ['{"__proto__":"1"}', '"__proto__"', "1"],
  ['{"b":{"a":"x"},"a" : [ "0" , {"c":"1"} ] }', '"a", 1, "c"', "1"],
  ['{"a":"\\ud83d\\ude00"}', '"a"', "😀"],
])("in %s the string at %s is %s", (body, path, value) => {
  expect(evaluateCustom(`lookup_json_string(http.request.body.raw, ${path}) eq "${value}"`, { body })).toBe(
    true,
  );
});

test.each(["[[],[1,2],{}]", '{"a":"]}","1":[1,[2,3]]}', "[ 1 , 2 ]", "7", "[]"])(
  "integers in %s are found at each path that has one, and only there",
  (body) => {
    for (const path of ["0", "1", "2", '"1", 0', '"1", 1, 1', "1, 0", "1, 1", "1, 2", '"a", 0']) {
      const keys = JSON.parse(`[${path}]`) as (string | number)[];
      const found = keys.reduce<unknown>(
        (value, key) =>
          (typeof key === "number") === Array.isArray(value) ? (value as never)?.[key] : undefined,
        JSON.parse(body),
      );
      const text = `coalesce(lookup_json_integer(http.request.body.raw, ${path}), -1) eq ${typeof found === "number" ? found : -1}`;
      expect(evaluateCustom(text, { body }), text).toBe(true);
    }
  },
);

test("a time and its code are valid until the lifetime ends", () => {
  const message = "/a.jpg?verify=1700000000-m7RVVJYZO7a1oW4Y0sJiU7bXtrN4qfTDVFN26l%2FZ4no%3D";
  const test = (more: string) => `is_timed_hmac_valid_v0("key", http.request.body.raw, 10, ${more})`;
  const signed = (separator: string, code: string) => ({ body: `/a.jpg${separator}1700000000-${code}` });
  expect(evaluateCustom(test("1700000000, 8"), { body: message })).toBe(false);
  const code = "fydVTUFsupe0vIFitbXOqFzyBoEd+NwFfFWMZkJNUPY=";
  expect(evaluateCustom(test("1700000009, 8"), signed("?verify=", "x"))).toBe(false);
  // URL-safe and without padding; this one has a `-` of its own.
  const safe = "fydVTUFsupe0vIFitbXOqFzyBoEd-NwFfFWMZkJNUPY";
  expect(evaluateCustom(test('1700000009, 1, "s"'), signed("?", safe))).toBe(true);
  expect(evaluateCustom(test('1700000009, 1, "s"'), signed("?", code))).toBe(false);
  expect(evaluateCustom(test("1700000009, 1"), signed("?", encodeURIComponent(code)))).toBe(true);
  expect(evaluateCustom(test('1700000010, 1, "s"'), signed("?", safe))).toBe(false);
  expect(evaluateCustom(test('1700000009, 0, "s"'), signed("?", safe))).toBe(false);
});

test("a list has addresses, host names with subdomains, or autonomous systems", () => {
  const lists = new Map(
    Object.entries({
      addresses: compileList("ip", ["10.0.0.0/8", "::1"]),
      hosts: compileList("hostname", ["*.Example.com", "b.example"]),
      systems: compileList("asn", [13335]),
    }).flatMap(([name, list]) => (list.ok ? [[name, list.value] as const] : [])),
  );
  const given = { lists, ip: "10.1.1.1", fields: { "ip.src.asnum": 13335 } };
  expect(
    evaluateCustom("ip.src in $addresses and ip.src.asnum in $systems and http.host in $hosts", given),
  ).toBe(true);
  expect(evaluateCustom("http.host in $hosts", { ...given, url: "https://example.com/" })).toBe(false);
  expect(() => evaluateCustom("ip.src in $hosts", given)).toThrow(
    "The list `$hosts` has values of type String",
  );
  const wrong = [
    compileList("ip", ["10.0.0.1/8"]),
    compileList("hostname", ["a b"]),
    compileList("asn", ["x"]),
  ];
  expect(wrong.map((list) => (list.ok ? undefined : list.problems[0].message))).toMatchInlineSnapshot(`
    [
      "\`10.0.0.1/8\` has bits after its prefix; the network is \`10.0.0.0/8\`.",
      "An item must be a host name, with or without \`*.\` at its start; found the string \`a b\`.",
      "\`x\` must be the number of an autonomous system, 0 to 4294967295.",
    ]
  `);
});

test("invalid members of a request are problems with pointers, and stop the evaluation", () => {
  const invalid = {
    method: "GET",
    url: "https://a.example/",
    ip: "1.2.3",
    httpVersion: 2,
    body: {},
    challengePassed: "yes",
    fields: {
      ssl: 1,
      "ip.src.asnum": 1.5,
      "http.request.headers": { a: "b" },
      "http.request.jwt.claims": {},
      "ip.src.contry": "DE",
      "cf.bot_management.detection_ids": ["1"],
    },
  };
  expect(
    checkRequest(invalid).map(({ pointer, message }) => `${pointer}: ${message}`),
  ).toMatchInlineSnapshot(`
    [
      "/ip: \`ip\` must be an IPv4 or IPv6 address; found the string \`1.2.3\`.",
      "/httpVersion: \`httpVersion\` must be a string such as \`HTTP/2\`; found \`2\`.",
      "/body: \`body\` must be a string or bytes (Uint8Array); found an object.",
      "/challengePassed: \`challengePassed\` must be a boolean; found the string \`yes\`.",
      "/fields/ssl: \`ssl\` must be a Bool, as a boolean; found \`1\`.",
      "/fields/ip.src.asnum: \`ip.src.asnum\` must be an Int, as an integer; found \`1.5\`.",
      "/fields/http.request.headers: \`http.request.headers\` must be a Map<Array<String>>, as an object of an array with each element a string; found an object.",
      "/fields/http.request.jwt.claims: \`http.request.jwt.claims\` is read from the tokens of the request, not from \`fields\`.",
      "/fields/ip.src.contry: \`ip.src.contry\` is an unknown field; did you mean \`ip.src.country\`?",
      "/fields/cf.bot_management.detection_ids: \`cf.bot_management.detection_ids\` must be an Array<Int>, as an array with each element an integer; found an array of 1 element.",
    ]
  `);
  expect(() => evaluateCustom("ssl", { ip: "1.2.3" })).toThrow("The request cannot be evaluated");
  expect(checkRequest({ method: "GET", url: "https://a.example/", fields: [] })).toHaveLength(1);
});
