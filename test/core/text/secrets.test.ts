/** Secrets in what is printed: names, addresses, headers, bodies and documents. */
import { describe, expect, test } from "vitest";
import { isSecretName, maskBody, maskText, maskValue } from "../../../src/core/text/secrets.ts";

test.each([
  [true, "api_key X-Api-Key access_token clientSecret PASSWORD pwd sig X-Amz-Signature auth jwt"],
  [true, "session PHPSESSID connect.sid code auth_code otp %73ig author_token keywordtoken authorization"],
  [false, "author authors q page id keyword keywords design signal side unicode encode postcode pinned"],
])("%s for each of %s", (isSecret, names) => {
  expect(names.split(" ").filter((name) => isSecretName(name) !== isSecret)).toEqual([]);
});

test.each([
  ["postgres://u:PASS@h/db", "postgres://u:***@h/db"],
  ["postgres//u:PASS@h/db", "postgres//u:***@h/db"],
  ["postgres://u@h/db and postgresql://u@h/db", "postgres://u@h/db and postgresql://u@h/db"],
  ["found `https://u:P@SS@h`", "found `https://***@h`"],
  ["nats://TOKEN@h and nats//TOKEN:@h", "nats://***@h and nats//***@h"],
  ["nats://u:***@a:1", "nats://u:***@a:1"],
  ["at /a/https:~1~1u:PASS@h~1x", "at /a/https:~1~1***@h~1x"],
  ["https://h/?api_key=PASS&x=1&access_token=PASS", "https://h/?api_key=***&x=1&access_token=***"],
  ['GET https://h/?token=PA SS"PASS&x=1#id_token=PASS', "GET https://h/?token=***&x=1#id_token=***"],
  ['see https://h/?token=PASS, or "/x?key=PASS"', 'see https://h/?token=*** or "/x?key=***"'],
  ["me@example.com at https://example.com/a@b", "me@example.com at https://example.com/a@b"],
  ["https://a:b@c@example.com/?x=y@z", "https://***@example.com/?x=y@z"],
  ["http:ada:PASS@example.com/", "http:***@example.com/"],
  ["http:\\\\ada:PASS@example.com/", "http:\\\\***@example.com/"],
  ["cannot fetch 'https://a:b@example.com/x': no", "cannot fetch 'https://***@example.com/x': no"],
  ["/cdn-cgi/image/w=1/https:/a@h/x", "/cdn-cgi/image/w=1/https:/***@h/x"],
  ["/x?u=http%3A%2F%2Fu:PASS%40h", "/x?u=http%3A%2F%2F***%40h"],
  ['query contains "?author="', 'query contains "?author="'],
  ['query contains "&token=\\"', 'query contains "&token=\\"'],
  ["https://h/x&token=PASS", "https://h/x&token=***"],
  ["https://h/a=1;jsessionid=PASS&b=2", "https://h/a=1;jsessionid=***&b=2"],
  ["GET https://h/a/key=PASS: allow", "GET https://h/a/key=*** allow"],
  [
    'http.request.headers["authorization"][0] eq "Bearer PASS"',
    'http.request.headers["authorization"][0] eq "***"',
  ],
  [
    'any(http.request.cookies["sid"][*] in {"PASS" "P\\"ASS"}) or http.host eq "h"',
    'any(http.request.cookies["sid"][*] in {"***" "***"}) or http.host eq "h"',
  ],
  [
    'starts_with(lower(http.request.headers["x-api-key"][0]), "PASS") is false: "***"',
    'starts_with(lower(http.request.headers["x-api-key"][0]), "***") is false: "***"',
  ],
  ['`headers["x-api-key"][0] ne r#"PASS"#` becomes', '`headers["x-api-key"][0] ne r#"***"#` becomes'],
  ['http.request.headers["x-api-key"][0] eq "PA...', 'http.request.headers["x-api-key"][0] eq "***'],
  [
    'http.request.headers["x-api-key"][0] matches r##"PA"#SS"## and http.host eq "h"',
    'http.request.headers["x-api-key"][0] matches r##"***"## and http.host eq "h"',
  ],
  [
    'substring(http.request.headers["x-api-key"][0], -4) eq "PASS"',
    'substring(http.request.headers["x-api-key"][0], -4) eq "***"',
  ],
  [
    'lookup_json_string(lower(http.request.body.raw), "user", "password") in {"PASS" "PASS"}',
    'lookup_json_string(lower(http.request.body.raw), "user", "password") in {"***" "***"}',
  ],
  [
    'lookup_json_string(http.request.body.raw, "user") eq "ada"',
    'lookup_json_string(http.request.body.raw, "user") eq "ada"',
  ],
  [
    'lookup_json_string(http.request.jwt.claims["token"][0], "role") eq "admin"',
    'lookup_json_string(http.request.jwt.claims["token"][0], "role") eq "admin"',
  ],
  [
    'lookup_json_string(http.request.headers["x-api-key"][0], "role") eq "PASS"',
    'lookup_json_string(http.request.headers["x-api-key"][0], "role") eq "***"',
  ],
  [
    'is_timed_hmac_valid_v0("PASS", http.request.uri, 60, 1) or http.host eq "h"',
    'is_timed_hmac_valid_v0("***", http.request.uri, 60, 1) or http.host eq "h"',
  ],
  ['http.request.headers["x-plan"][0] eq "free"', 'http.request.headers["x-plan"][0] eq "free"'],
  ['http.request.headers["x-api-key"][0] eq ""', 'http.request.headers["x-api-key"][0] eq ""'],
  ["GET https://a.example/%3fkey=abc", "GET https://a.example/%3fkey=***"],
  ["key=abc", "key=***"],
  [
    "GET https://a.example/?x: see https://ada:abc@b.example/?key=abc&q=1",
    "GET https://a.example/?x: see https://***@b.example/?key=***&q=1",
  ],
])("%s is printed as %s", (given, masked) => {
  expect(maskText(given)).toBe(masked);
  expect(maskText(masked)).toBe(masked);
});

test.each([
  ["user=a&password=PASS", "user=a&password=***"],
  ['{"user":"a","api_key" : "PA\\"SS","n":1}', '{"user":"a","api_key":"***","n":1}'],
  ['{"token":"PASS', '{"token":"***"'],
])("the body %s is printed as %s", (given, masked) => expect(maskBody(given)).toBe(masked));

describe("maskValue", () => {
  test("masks members and headers by name, and keeps what has a public name", () => {
    const placeholder = "eyJhbGciOiJwbGFjZWhvbGRlciJ9.e30.valid-token-1-";
    const value = {
      password: "PASS",
      code: 10_002,
      tokens: { auth: "valid" },
      headers: [
        ["authorization", `Bearer ${placeholder}`],
        ["x-api-key", "PASSWORD1"],
        ["cookie", "a=b; sid=PASS"],
      ],
      more: [{ headers: { Authorization: ["PASSWORD1"], accept: "*/*" } }, { toJSON: () => "//u:PASS@h" }],
      none: null,
    };
    expect(maskValue(value)).toEqual({
      ...value,
      password: "***",
      headers: [
        ["authorization", `Bearer ${placeholder}`],
        ["x-api-key", "***"],
        ["cookie", "a=b; sid=***"],
      ],
      more: [{ headers: { Authorization: ["***"], accept: "*/*" } }, "//***@h"],
    });
  });
});

test("a long text is masked in linear time", () => {
  const from = process.cpuUsage();
  for (const part of ["//a:", "?key", "//@", "&sig", "~1~1a", "https:", "https%3a%2f", "?a=\\", '"key":"'])
    for (const start of ["", "https://", "{"]) {
      maskText(start + part.repeat(50_000));
      maskBody(start + part.repeat(50_000));
    }
  expect(process.cpuUsage(from).user).toBeLessThan(4_000_000);
});

test.each([
  ["a literal", maskText, 'headers["token"] eq "', '"'],
  ["a raw literal", maskText, 'headers["token"] eq r#"', '"#'],
  ["a parameter", maskText, "https://a.example/?token=", ""],
  ["an encoded parameter", maskText, "/%3ftoken=", ""],
  ["an encoded user", maskText, "https%3a%2f%2f", "%40a.example"],
  ["a member", maskBody, '{"password":"', '"}'],
] as const)("%s of 20 million characters is masked", (_name, mask, start, end) => {
  expect(mask(start + "a".repeat(20_000_000) + end).length).toBeLessThan(200);
});
