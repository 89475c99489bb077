/** Known answers of expressions in custom rules; `J` is the payload of the valid token of `C1`, `B` the body. */
import type { CustomCase } from "./evaluate-custom.ts";

/** An expression with a request and its value. */
export interface KnownAnswer extends CustomCase {
  readonly expression: string;
  readonly value: boolean;
}

const replaced = { J: 'http.request.jwt.claims["C1"][0]', B: "http.request.body.raw" } as const;

const answer = (expression: string, value: boolean, given: CustomCase = {}): KnownAnswer => ({
  ...given,
  expression: expression.replace(/\b[JB]\b/g, (name) => replaced[name as "J" | "B"]),
  value,
});
const body = (text: string): CustomCase => ({ body: text });
const token = (payload: string): CustomCase => ({ tokens: { C1: payload } });
const path = (text: string): CustomCase => ({ path: text });
const headers = (record: Record<string, string>): CustomCase => ({ headers: record });

const extensions: Readonly<Record<string, string>> = {
  "/foo": "",
  "/foo.mp3": "mp3",
  "/.mp3": "",
  "/.foo.mp3": "mp3",
  "/foo.tar.bz2": "bz2",
  "/foo.": "",
  "/foo.MP3": "mp3",
};

/** The answers, in the order of the specification's list. */
export const knownAnswers: readonly KnownAnswer[] = [
  answer(
    'lookup_json_string(B, "company") eq "cloudflare"',
    true,
    body('{"company":"cloudflare","product":"rulesets"}'),
  ),
  answer(
    'lookup_json_string(B, "network", "name") eq "cloudflare"',
    true,
    body('{"network":{"name":"cloudflare"}}'),
  ),
  answer('lookup_json_string(B, 1) eq "cloudflare"', true, body('["other_company","cloudflare"]')),
  answer(
    'lookup_json_string(B, "networks", 1) eq "cloudflare"',
    true,
    body('{"networks":["other_company","cloudflare"]}'),
  ),
  answer(
    'lookup_json_string(B, 1, "network") eq "cloudflare"',
    true,
    body('[{"network":"other"},{"network":"cloudflare"}]'),
  ),
  answer('lookup_json_integer(B, "version") == 2', true, body('{"record_id":"aed53a","version":2}')),
  answer('lookup_json_integer(B, "version") == 42', false, body('{"version":42.0}')),
  answer('lookup_json_integer(B, "product", "id") == 356', true, body('{"product":{"id":356}}')),
  answer("lookup_json_integer(B, 1) == -234", true, body('["first_item",-234]')),
  answer('lookup_json_integer(B, "version") eq 2', false, body('{"version":"2"}')),
  answer('lookup_json_integer(B, "version") eq 2', false, body("{")),
  answer('lookup_json_string(J, "user") eq "admin"', true, token('{"user":"admin"}')),
  answer('lookup_json_string(J, "user") eq "admin"', false),
  answer('lookup_json_string(J, "user") ne "admin"', false),
  answer('not (lookup_json_string(J, "user") eq "admin")', true),
  answer(
    'lookup_json_string(J, "customer", "username") == "user2"',
    true,
    token('{"customer":{"username":"user2"}}'),
  ),
  answer('lookup_json_string(J, "aud") eq "a"', false, token('{"aud":["a","b"]}')),
  answer('lookup_json_string(J, "aud", 0) eq "a"', true, token('{"aud":["a","b"]}')),
  answer('any(http.request.jwt.claims.aud["C1"][*] eq "b")', true, token('{"aud":["a","b"]}')),
  answer('http.request.jwt.claims.aud["C1"][0] eq "a"', true, token('{"aud":"a"}')),
  answer('http.request.jwt.claims.aud["C1"][0] eq "a"', false, token('{"aud":7}')),
  answer('http.request.jwt.claims.nbf.sec["C1"][0] eq 1700000060', true, token('{"nbf":1700000060.9}')),
  answer('any(http.request.jwt.claims.iss.names[*] eq "C1")', true, token('{"iss":"i"}')),
  answer('any(http.request.jwt.claims.iss.names[*] eq "C1")', false),
  answer('any(http.request.uri.args["search"][*] == "red+apples")', true, path("/?search=red+apples")),
  answer('len(http.request.uri.args["order"]) >= 0', false),
  answer('not len(http.request.uri.args["order"]) >= 0', true),
  answer('len(http.request.uri.args["order"]) >= 0', true, path("/?order=")),
  ...Object.entries(extensions).map(([name, extension]) =>
    answer(`http.request.uri.path.extension eq "${extension}"`, true, path(name)),
  ),
  ...["2, 5", "2", "-2", "0, -2"].map((positions, i) =>
    answer(
      `substring(http.user_agent, ${positions}) eq "${["dfg", "dfghjk", "jk", "asdfgh"][i]}"`,
      true,
      headers({ "user-agent": "asdfghjk" }),
    ),
  ),
  answer('remove_bytes(http.host, "\\x2e\\x77") eq "cloudflarecom"', true, {
    url: "https://www.cloudflare.com/",
  }),
  answer("cidr(ip.src, 24, 24) eq 113.10.0.0", true, { ip: "113.10.0.2" }),
  answer("cidr6(ip.src, 24) eq 113.10.0.2", true, { ip: "113.10.0.2" }),
  answer(
    'any(decode_base64(http.request.headers["client_id"][*])[*] eq "123abc")',
    true,
    headers({ client_id: "MTIzYWJj" }),
  ),
  ...Object.entries({ "a%20b": "a b", "a+b": "a b", "%2520": "%20" }).map(([text, decoded]) =>
    answer(`url_decode(http.user_agent) eq "${decoded}"`, true, headers({ "user-agent": text })),
  ),
  answer('any(http.request.headers["x"][*] eq "a")', false),
  answer('all(http.request.headers["x"][*] eq "a")', true),
  answer('all(starts_with(http.request.headers["x"][*], "a"))', false),
  answer('http.user_agent eq ""', true),
  answer("ip.src in {10.0.0.0/8 192.0.2.1..192.0.2.9}", true, { ip: "10.1.2.3" }),
  answer("ip.src eq 10.1.2.3", false, { ip: "2001:db8::1" }),
  answer("ip.src ne 10.1.2.3", true, { ip: "2001:db8::1" }),
  answer("not ssl and ssl or ssl", true),
  answer("ssl xor ssl", false),
  answer("true", true),
  answer('any((http.request.headers["a"][*] eq "1") and (http.request.headers["b"][*] eq "2"))', false, {
    headers: [
      ["a", "0"],
      ["a", "1"],
      ["b", "2"],
    ],
  }),
  answer('concat("a", http.request.headers["x"][0]) eq "a"', true),
  answer('coalesce(http.request.uri.args["first"][0], "") eq ""', true),
  answer('http.request.uri.path matches "\\.php$"', true, path("/a.php")),
  answer('http.request.uri.path matches "\\.php$"', false, path("/aXphp")),
  answer('http.request.uri.args["a"][0] ne http.request.uri.args["b"][0]', false, path("/?a=1")),
];

/** Expressions that are errors, with the column. */
export const knownErrors: Readonly<Record<string, number>> = {
  'http.request.jwt.claims.exp.sec["C1"][0] gt 1': 1,
  'is_jwt_valid("C1")': 1,
  "ip.src in {10.0.0.1/8}": 12,
  "ip.src in {123.185.456.169}": 12,
  'ip.src contains "1"': 8,
  "ssl eq true": 5,
  'ip.src.asnum in {"1"}': 18,
  'http.request.headers.names[*] eq "x"': 1,
  'any(http.request.headers["a"][*] eq "1" and http.request.headers["b"][*] eq "2")': 41,
};

/** Expressions that users wrote, with the column of the error, or the requests that pass and those that do not. */
export const userExpressions: readonly (
  | { readonly expression: string; readonly column: number }
  | {
      readonly expression: string;
      readonly passes: readonly CustomCase[];
      readonly fails: readonly CustomCase[];
    }
)[] = [
  {
    expression: `http.request.method eq "POST" and http.request.uri.path matches "(comment|conversation|event poll)create" and not http.cookie matches "auth_session=[0-9a-zA-Z]32-[0-9]10-[0-9a-z]6"'`,
    column: 181,
  },
  {
    expression:
      "(any(cf.bot_management.detection_ids[*] eq 201326593 and cf.waf.credential_check.username_and_password_leaked))",
    column: 54,
  },
  { expression: `all(http.request.headers['content-type'][*] == "application/json")`, column: 26 },
  { expression: '(ip.src in {123.185.456.169} and http.host eq "<host>")', column: 13 },
  {
    expression: "(not ip.geoip.asnum in {13335 209242} )",
    passes: [{ fields: { "ip.src.asnum": 1 } }],
    fails: [{ fields: { "ip.src.asnum": 13335 } }, { fields: { "ip.geoip.asnum": 209242 } }],
  },
  {
    expression:
      '(http.host eq "www.example.com" && http.request.uri.query eq "session-id=true") && (http.cookie contains "sid=") && (not(any(http.request.headers["cookie"][*] ~ "sid=[-,a-zA-Z0-9]{1,128}")))',
    passes: [{ path: "/?session-id=true", headers: { cookie: "sid=" } }],
    fails: [{ path: "/?session-id=true", headers: { cookie: "sid=a-1" } }, { headers: { cookie: "sid=" } }],
  },
  { expression: '(http.request.uri.path eq "/admin")', passes: [path("/admin")], fails: [path("/admin/")] },
  {
    expression: 'http.request.uri.path contains "/skip-current-ruleset/"',
    passes: [path("/a/skip-current-ruleset/b")],
    fails: [path("/skip-current-ruleset")],
  },
  {
    expression:
      '(http.request.uri.path matches "/admin/*" and not http.request.uri.path matches "/admin/login/")',
    passes: [path("/admin"), path("/administrator"), path("/admin/x")],
    fails: [path("/admin/login/"), path("/")],
  },
  {
    expression:
      '(http.request.uri.path wildcard "*/.kube/*") or (http.request.uri.path wildcard "*/.env") or ssl xor ssl',
    passes: [path("/a/.KUBE/b"), path("/.env")],
    fails: [path("/.env/a")],
  },
];
