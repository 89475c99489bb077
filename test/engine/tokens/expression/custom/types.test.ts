/** The type checker of custom rules: each error has a position, the type that was found, and what that type allows. */
import { expect, test } from "vitest";
import { compileCustom } from "../../../../../src/engine/tokens/expression/compile.ts";
import { createProgram } from "../../../../../src/engine/tokens/expression/compile-value.ts";
import { parseExpression } from "../../../../../src/engine/tokens/expression/parser.ts";

const rejected = [
  'http.host bitwise_and "a"',
  'ip.src.asnum matches "1"',
  "ip.src.asnum eq ip.src",
  "ip.src eq 10.0.0.0/8",
  "http.host eq 5",
  "http.host contains http.cookie",
  'http.request.headers eq "a"',
  'http.request.headers["a"] eq "a"',
  "http.request.headers[0] eq 1",
  'http.request.headers.names["a"] eq "a"',
  'http.host["a"] eq "a"',
  "http.request.headers.names[-1] eq 1",
  'any(http.request.headers["a"][*][*] eq "a")',
  'any(http.request.headers["a"][0] eq "a")',
  'any(len(http.request.headers["a"][*]) gt 1)',
  'any((http.request.headers["a"][*] eq "a") or ssl)',
  'starts_with(http.request.headers["a"][*], "a")',
  'http.host eq http.request.headers["a"][*]',
  "lower(5)",
  'lower(http.host, "a") eq "a"',
  'starts_with("a") or ssl',
  'concat(http.host, http.request.headers["a"][*]) eq "a"',
  'concat(http.host, ip.src) eq "a"',
  'any(concat(http.request.headers[*], http.request.headers["a"])[*] eq "a")',
  'lookup_json_string("{}", "a") eq "a"',
  'lookup_json_string(http.host, http.cookie) eq "a"',
  'url_decode(http.host, "x") eq "a"',
  "cidr(ip.src, 24, 129) eq ::",
  "has_value(http.request.headers.names, 1)",
  "ip.src.asnum in {5..3}",
  "ip.src.asnum eq 9223372036854775808",
  "ip.src.asnum eq 08",
  "ip.src in {10.0.0.1..::1}",
  "http.host in $Bad",
  "ssl in {true}",
  "true and ssl",
  'to_string(ip.src) eq "a"',
  "http.response.code eq 200",
  'http.request.accepted_languages[0] eq "a"',
  'cf.colo.region eq "a"',
  "Ssl",
  "ssl AND ssl",
  'http.host wildcard "a**"',
  'http.host matches "("',
];

test("errors", () => {
  const messages = rejected.map((text) => {
    const parsed = parseExpression(text, { rules: "custom" });
    return parsed.ok ? `${text}: accepted` : `${parsed.problems[0].excerpt}\n${parsed.problems[0].message}`;
  });
  expect(`\n${messages.join("\n\n")}\n`).toMatchInlineSnapshot(`
    "
    http.host bitwise_and "a"
              ^^^^^^^^^^^
    \`http.host\` is a String, which has no operator \`bitwise_and\`; it has \`eq\`, \`ne\`, \`lt\`, \`le\`, \`gt\`, \`ge\`, \`in\`, \`contains\`, \`wildcard\`, \`strict wildcard\` or \`matches\`.

    ip.src.asnum matches "1"
                 ^^^^^^^
    \`ip.src.asnum\` is an Int, which has no operator \`matches\`; it has \`eq\`, \`ne\`, \`lt\`, \`le\`, \`gt\`, \`ge\`, \`in\` or \`bitwise_and\`.

    ip.src.asnum eq ip.src
                    ^^^^^^
    \`ip.src\` is an IP, and is compared with an Int; both must be of one type.

    ip.src eq 10.0.0.0/8
              ^^^^^^^^^^
    \`10.0.0.0/8\` is not an IP address; write \`ip.src in {10.0.0.0/8}\`.

    http.host eq 5
                 ^
    Expected a string literal or a field or call of type String, but found \`5\`; write \`http.host eq "5"\`.

    http.host contains http.cookie
                       ^^^^^^^^^^^
    Expected a string literal, but found \`http.cookie\`: only \`eq\`, \`ne\`, \`lt\`, \`le\`, \`gt\` and \`ge\` compare two values of the request.

    http.request.headers eq "a"
    ^^^^^^^^^^^^^^^^^^^^
    \`http.request.headers\` is a Map<Array<String>>, which has no operators; write \`any(http.request.headers.values[*] eq "a")\`.

    http.request.headers["a"] eq "a"
    ^^^^^^^^^^^^^^^^^^^^^^^^^
    \`http.request.headers["a"]\` is an Array<String>, which has no operators; write \`any(http.request.headers["a"][*] eq "a")\`.

    http.request.headers[0] eq 1
                         ^
    \`http.request.headers\` is a Map<Array<String>>: its index must be a name in double quotes, or \`*\`.

    http.request.headers.names["a"] eq "a"
                               ^^^
    \`http.request.headers.names\` is an Array<String>: its index must be an integer from 0, or \`*\`.

    http.host["a"] eq "a"
             ^
    \`http.host\` is a String, which has no index; only an Array and a Map have one.

    http.request.headers.names[-1] eq 1
                               ^
    An index counts from the first value, which is 0; negative ones are not supported; write \`http.request.headers.names[0] eq "1"\`.

    any(http.request.headers["a"][*][*] eq "a")
                                    ^
    \`http.request.headers["a"][*]\` is a String, which has no index; only an Array and a Map have one.

    any(http.request.headers["a"][0] eq "a")
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    \`any\` needs one result for each element of an array, and found a Bool: write \`[*]\` for the index.

    any(len(http.request.headers["a"][*]) gt 1)
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    \`len(http.request.headers["a"][*])\` is an Array<Int>, which has no operators; write \`len(http.request.headers["a"][*])[*] gt 1\`.

    any((http.request.headers["a"][*] eq "a") or ssl)
                                                 ^^^
    \`or\` has an Array<Bool> on its left and a Bool on its right; both must be of one type.

    starts_with(http.request.headers["a"][*], "a")
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    \`starts_with(http.request.headers["a"][*], "a")\` is an Array<Bool>, one result for each element; write \`any(starts_with(http.request.headers["a"][*], "a"))\`.

    http.host eq http.request.headers["a"][*]
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    \`http.request.headers["a"][*]\` has \`[*]\`, which is allowed on the left side only.

    lower(5)
          ^
    \`5\` is an Int; argument 1 of \`lower\` must be a String.

    lower(http.host, "a") eq "a"
                     ^^^
    \`lower\` has fewer arguments: \`lower(String)\`.

    starts_with("a") or ssl
                   ^
    \`starts_with\` needs 2 arguments or more: \`starts_with(String, String)\`.

    concat(http.host, http.request.headers["a"][*]) eq "a"
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    \`http.request.headers["a"][*]\` has \`[*]\`, which is allowed in the first argument of a call only.

    concat(http.host, ip.src) eq "a"
                      ^^^^^^
    \`ip.src\` is an IP; argument 2 of \`concat\` must be a String.

    any(concat(http.request.headers[*], http.request.headers["a"])[*] eq "a")
               ^^^^^^^^^^^^^^^^^^^^^^^
    \`concat\` of each element would be an array of arrays, which no type is.

    lookup_json_string("{}", "a") eq "a"
                       ^^^^
    Argument 1 of \`lookup_json_string\` must be a field or a call, not a literal.

    lookup_json_string(http.host, http.cookie) eq "a"
                                  ^^^^^^^^^^^
    Argument 2 of \`lookup_json_string\` must be a literal.

    url_decode(http.host, "x") eq "a"
                          ^^^
    The option must have only the letters \`r\` and \`u\`.

    cidr(ip.src, 24, 129) eq ::
                     ^^^
    \`129\` must be an integer from 1 to 128.

    has_value(http.request.headers.names, 1)
                                          ^
    \`1\` is an Int; argument 2 of \`has_value\` must be a String.

    ip.src.asnum in {5..3}
                     ^^^^
    The range \`5..3\` must be ascending; write \`ip.src.asnum in {3..5}\`.

    ip.src.asnum eq 9223372036854775808
                    ^^^^^^^^^^^^^^^^^^^
    \`9223372036854775808\` is not an integer of 64 bits, such as 10, -10, 0x0A or 012.

    ip.src.asnum eq 08
                    ^^
    \`08\` is not an integer of 64 bits, such as 10, -10, 0x0A or 012.

    ip.src in {10.0.0.1..::1}
               ^^^^^^^^^^^^^
    The range \`10.0.0.1..::1\` has addresses of two families.

    http.host in $Bad
                 ^^^^
    \`$Bad\` is not the name of a list: lower-case letters, digits, \`_\` and \`.\`, and no dot at either end.

    ssl in {true}
        ^^
    \`ssl\` is a Bool, which has no operators; write \`ssl\` or \`not ssl\`.

    true and ssl
    ^^^^
    \`true\` is allowed only as the whole expression; a Bool has no operand.

    to_string(ip.src) eq "a"
    ^^^^^^^^^
    \`to_string\` is not available in custom rules; it exists in values of \`http_request_dynamic_redirect\`, values of \`http_request_transform\`, values of \`http_request_late_transform\`, values of \`http_response_headers_transform\`, which are checked and not evaluated.

    http.response.code eq 200
    ^^^^^^^^^^^^^^^^^^
    \`http.response.code\` is not available in custom rules; it exists in counting expressions of \`http_ratelimit\`, conditions of \`http_response_headers_transform\`, values of \`http_response_headers_transform\`, conditions of \`http_response_compression\`, conditions of \`http_custom_errors\`, conditions of \`http_log_custom_fields\`, which are checked and not evaluated.

    http.request.accepted_languages[0] eq "a"
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    \`http.request.accepted_languages\` is not available in custom rules; it exists in conditions of \`http_request_transform\`, values of \`http_request_transform\`, conditions of \`http_request_late_transform\`, values of \`http_request_late_transform\`, conditions of \`http_response_headers_transform\`, values of \`http_response_headers_transform\`, which are checked and not evaluated.

    cf.colo.region eq "a"
    ^^^^^^^^^^^^^^
    \`cf.colo.region\` is not a field of custom rules; docs/reference.md lists the fields and functions of custom rules.

    Ssl
    ^^^
    \`Ssl\` is unknown; did you mean \`ssl\`?

    ssl AND ssl
        ^^^
    Keywords are lower case: write \`and\`, not \`AND\`.

    http.host wildcard "a**"
                       ^^^^^
    Expected a wildcard pattern, but found \`"a**"\`: a wildcard pattern must not have two \`*\` in a row.

    http.host matches "("
                       ^
    Expected a regular expression, but found \`"("\`: the group that starts with \`(\` is not closed; add \`)\`, or write \`\\(\` for the character.
    "
  `);
});

const compiled = (text: string) => {
  const parsed = parseExpression(text, { rules: "custom" });
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  const result = compileCustom(
    createProgram({ configurations: new Set(["C1"]), lists: new Map() }),
    text,
    parsed.value,
  );
  if (!result.ok) throw new Error(result.problems[0].message);
  return result.value;
};

test("notes have positions", () => {
  const text =
    'http.request.jwt.claims["C9"][0] eq "a" or ip.src in $list or ip.src lt ::1 or all(starts_with(http.request.headers["x"][*], "a"))';
  expect(compiled(text).notes.map(({ column, message }) => `${column}: ${message}`)).toMatchInlineSnapshot(`
    [
      "25: There is no token configuration \`C9\`: its claims are always missing; did you mean \`C1\`?",
      "54: There is no list \`$list\`: whether it has a value is unknown; add \`{ "name": "list", "kind": "ip", "items": [...] }\` to \`accounts[].lists\` of a world, or \`"list": { "kind": "ip", "items": [...] }\` to \`lists\` of a zone.",
      "63: The order of addresses is not documented; addresses of two families have none.",
      "80: \`all\` of the results of a call is false when its array is missing; of comparisons it is true.",
    ]
  `);
});

test("an expression names the configurations that it reads", () => {
  const { configs, allConfigs } = compiled(
    'http.request.jwt.claims["C1"][0] eq "a" or any(http.request.jwt.claims.aud["C2"][*] eq "b")',
  );
  expect({ configs, allConfigs }).toEqual({ configs: ["C1", "C2"], allConfigs: false });
  expect(compiled('any(http.request.jwt.claims.sub.values[*] eq "a")').allConfigs).toBe(true);
});
