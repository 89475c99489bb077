/** Expressions of phases that are not evaluated: examples of the provider's documentation, and errors with their place and message. */
import { describe, expect, test } from "vitest";
import { knownFields } from "../../../../src/engine/tokens/expression/language/fields.ts";
import { functionNames } from "../../../../src/engine/tokens/expression/language/functions.ts";
import {
  isValueKind,
  nameKind,
  type RuleKind,
  ruleKinds,
} from "../../../../src/engine/tokens/expression/language/rule-kinds.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { adviseName, keywordsOf } from "../../../../src/engine/tokens/expression/words.ts";

const resultOf = (rules: RuleKind, text: string) => {
  const parsed = parseExpression(text, { rules });
  return parsed.ok ? "" : `${parsed.problems[0].column} ${parsed.problems[0].message}`;
};

const target = "values of http_request_dynamic_redirect";
const uri = "values of http_request_transform";
const sent = "values of http_request_late_transform";
const received = "values of http_response_headers_transform";
const counting = "counting expressions of http_ratelimit";
const counted = "characteristics of http_ratelimit";

/** A reference to a group in a replacement. */
const group = (index: number) => `$${`{${index}}`}`;

const accepted: Readonly<Partial<Record<RuleKind, readonly string[]>>> = {
  http_ratelimit: [
    '(http.request.uri.path eq "/login" and http.request.method eq "POST")',
    'http.host eq "shop.example" and cidr(ip.src, 24, 48) eq 192.0.2.0',
  ],
  [counting]: ['http.request.uri.path eq "/login" and http.response.code in {401 403}'],
  [counted]: [
    "ip.src",
    "cf.colo.id",
    "cf.unique_visitor_id",
    'http.request.headers["x-api-key"]',
    'http.request.cookies["session"]',
    'lookup_json_string(http.request.jwt.claims["c"][0], "sub")',
  ],
  http_request_dynamic_redirect: ['http.request.full_uri wildcard r"http*://old.example/*"'],
  [target]: [
    'concat("https://shop.example", http.request.uri.path)',
    'concat("https://", ip.src.country, ".shop.example")',
    `wildcard_replace(http.request.full_uri, r"http*://old.example/*", r"https://shop.example/${group(2)}")`,
    `wildcard_replace(http.request.full_uri, "*", "${group(1)}", "s")`,
    `lower(regex_replace(http.request.uri.path, "^/en/(.*)$", "/${group(1)}"))`,
    `concat(regex_replace(http.host, "^www[.]", ""), wildcard_replace(http.request.uri.path, "/a/*", "/${group(1)}"))`,
    "http.request.full_uri",
  ],
  http_request_redirect: ["http.request.full_uri in $moved"],
  "values of http_request_redirect": ["http.request.full_uri"],
  http_request_transform: ['http.request.accepted_languages[0] eq "de"'],
  [uri]: [
    'remove_query_args(http.request.uri.query, "utm_source", "utm_medium")',
    'remove_query_args(raw.http.request.uri.query, "a")',
    'concat("/", http.request.accepted_languages[0], http.request.uri.path)',
    "substring(http.request.uri.path, 3)",
  ],
  http_request_late_transform: ['any(raw.http.request.headers["x-a"][*] eq "1")'],
  [sent]: [
    "to_string(cf.bot_management.score)",
    "to_string(ssl)",
    "to_string(ip.src)",
    "uuidv4(cf.random_seed)",
    "ip.src.timezone.name",
    'encode_base64(sha256("secret"))',
    'encode_base64(concat(http.host, ":", http.request.uri.path), "up")',
    'join(http.request.headers.names, ",")',
    'http.request.headers["x-a"][0]',
  ],
  http_response_headers_transform: [
    'any(http.response.headers["server"][*] eq "nginx") and http.response.code lt 300',
    "cf.timings.edge_msec > 500",
  ],
  [received]: [
    'concat("edge; dur=", to_string(cf.timings.edge_msec))',
    'split(http.response.headers["x-categories"][0], ",", 64)[0]',
    'join(split(raw.http.response.headers["x-a"][0], ",", 3), ";")',
  ],
  http_response_compression: ['http.response.content_type.media_type eq "image/avif"'],
  http_custom_errors: [
    'cf.response.1xxx_code eq 1020 or cf.response.error_type eq "waf"',
    "http.response.code ge 500",
  ],
  http_request_cache_settings: ['http.request.uri.path.extension in {"css" "js"}'],
  http_request_origin: ['(http.host eq "a.example" and starts_with(http.request.uri.path, "/api/"))'],
  http_config_settings: ['ip.src.country eq "DE" and not cf.client.bot'],
  http_log_custom_fields: ["true"],
};

describe.each(Object.entries(accepted))("%s", (rules, texts) => {
  test.each(texts)("%s", (text) => {
    expect(resultOf(rules as RuleKind, text)).toBe("");
  });
});

test("every kind has an example", () => {
  expect(Object.keys(accepted).sort()).toEqual(
    ruleKinds.filter((kind) => kind !== "token" && kind !== "custom").sort(),
  );
});

const responses =
  "counting expressions of `http_ratelimit`, conditions of `http_response_headers_transform`, values of `http_response_headers_transform`, conditions of `http_response_compression`, conditions of `http_custom_errors`, conditions of `http_log_custom_fields`, which are checked and not evaluated.";

describe("errors", () => {
  test.each<[RuleKind, string, string]>([
    [
      "custom",
      "http.response.code eq 401",
      `1 \`http.response.code\` is not available in custom rules; it exists in ${responses}`,
    ],
    [
      "http_ratelimit",
      "http.response.code eq 401",
      `1 \`http.response.code\` is not available in conditions of \`http_ratelimit\`; it exists in ${responses}`,
    ],
    [
      "http_request_transform",
      'ip.src.timezone.name eq "Europe/Berlin"',
      "1 `ip.src.timezone.name` is not available in conditions of `http_request_transform`; it exists in values of `http_request_transform`, values of `http_request_late_transform`, values of `http_response_headers_transform`, which are checked and not evaluated.",
    ],
    [
      "http_config_settings",
      "cidr(ip.src, 24, 24) eq 192.0.2.0",
      "1 `cidr` is not available in conditions of `http_config_settings`; custom rules have it.",
    ],
    [sent, 'wildcard_replace(http.host, "*", "a")', "1 `wildcard_replace` is not available in values of"],
    [target, 'remove_query_args(http.request.uri.query, "a")', "1 `remove_query_args` is not available in"],
    ["http_ratelimit", 'is_jwt_valid("a")', "1 `is_jwt_valid` is a function of token rules"],
    [
      sent,
      "cf.bot_management.score",
      "1 `cf.bot_management.score` is an Int, and a value must be a String; see `to_string`",
    ],
    [
      sent,
      'http.request.headers["x"]',
      '1 `http.request.headers["x"]` is an Array<String>, and a value must be a String',
    ],
    [sent, 'http.request.headers["x"][*]', '1 `http.request.headers["x"][*]` has `[*]`'],
    [sent, '"a"', '1 Expected a field or a call, but found `"a"`.'],
    [sent, "", "1 Expected a field or a call, but found the end of the text."],
    [sent, 'http.host eq "a"', "11 Expected the end of the text, but found `eq`."],
    [sent, "http.hots", "1 `http.hots` is an unknown field; did you mean `http.host`?"],
    [
      sent,
      "to_string(http.host)",
      "11 `http.host` is a String; argument 1 of `to_string` must be an Int, a Bool or an IP.",
    ],
    [sent, "to_string(1)", "11 `to_string` has literals alone."],
    [sent, 'encode_base64(http.host, "x")', "26 The option must have only the letters `u` and `p`."],
    [sent, "encode_base64(http.host, http.host)", "26 Argument 2 of `encode_base64` must be a literal."],
    [sent, "sha256(ssl)", "8 `ssl` is a Bool; argument 1 of `sha256` must be a String."],
    [sent, "uuidv4(ip.src)", "8 `ip.src` is an IP; argument 1 of `uuidv4` must be a String."],
    [target, 'regex_replace(http.host, "(", "a")', "26 The group that starts with `(` is not closed"],
    [
      target,
      'regex_replace(http.host, http.host, "a")',
      "26 Argument 2 of `regex_replace` must be a literal.",
    ],
    [
      target,
      `regex_replace(http.host, "a", "${group(1).repeat(9)}")`,
      "31 It has 9 references, and a replacement must have at most 8.",
    ],
    [
      target,
      'concat(regex_replace(http.host, "a", "b"), regex_replace(http.host, "a", "b"))',
      "44 An expression can have `regex_replace` only once.",
    ],
    [
      target,
      'regex_replace(wildcard_replace(http.host, "a", "b"), "a", "b")',
      "15 `wildcard_replace` must not be an argument of `regex_replace`.",
    ],
    [
      target,
      'wildcard_replace("a", "a", "b")',
      "18 Argument 1 of `wildcard_replace` must be a field or a call",
    ],
    [
      target,
      'wildcard_replace(http.host, "**", "b")',
      "29 A wildcard pattern must not have two `*` in a row.",
    ],
    [target, 'wildcard_replace(http.host, "*", "b", "i")', "39 The option must have only the letters `s`."],
    [target, 'wildcard_replace(http.host, "*")', "32 `wildcard_replace` needs 3 arguments or more"],
    [uri, "remove_query_args(http.request.uri.query)", "41 `remove_query_args` needs 2 arguments or more"],
    [
      uri,
      'remove_query_args(http.request.uri, "a")',
      "19 Argument 1 of `remove_query_args` must be `http.request.uri.query` or `raw.http.request.uri.query`.",
    ],
    [received, 'split(http.host, "", 3)[0]', "18 A separator must not be empty."],
    [received, 'split(http.host, ",", 129)[0]', "23 `129` must be an integer from 1 to 128."],
    [received, 'split(http.host, ",")[0]', "21 `split` needs 3 arguments or more"],
    [
      received,
      'split(http.host, ",", 3)',
      '1 `split(http.host, ",", 3)` is an Array<String>, and a value must be',
    ],
    [
      received,
      'split(http.request.headers["a"][*], ",", 3)[0]',
      "7 `split` of each element would be an array of arrays",
    ],
  ])("%s: %s", (rules, text, message) => {
    expect(resultOf(rules, text).slice(0, message.length)).toBe(message);
  });
});

test("a name is a word of a kind, or the message names each kind that has it", () => {
  for (const name of [
    ...knownFields.keys(),
    ...functionNames.filter((candidate) => !candidate.startsWith("is_jwt")),
  ]) {
    const lacking = ruleKinds.filter((kind) => adviseName(kind, name) !== undefined);
    const having = ruleKinds.filter((kind) => !lacking.includes(kind));
    expect(having, name).not.toEqual([]);
    for (const kind of lacking) {
      const message = adviseName(kind, name) ?? "";
      expect(message).toContain(`\`${name}\` is not available in ${nameKind(kind)}; `);
      if (having.includes("custom")) expect(message).toContain("custom rules have it");
      else for (const kind of having) expect(message).toContain(nameKind(kind));
    }
  }
});

test("a value has the limits of expressions", () => {
  const nested = (depth: number) => `${"lower(".repeat(depth)}http.host${")".repeat(depth)}`;
  expect(resultOf(sent, nested(128))).toBe("");
  expect(resultOf(sent, nested(129))).toContain("nested at most 128 levels deep");
  expect(resultOf(sent, `${" ".repeat(4096)}ssl`)).toContain("at most 4096 characters");
  expect(isValueKind(counting)).toBe(false);
  expect(keywordsOf(sent).has("uuidv4")).toBe(true);
});
