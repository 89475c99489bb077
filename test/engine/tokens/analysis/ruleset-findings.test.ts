/** The findings about custom rules: an example of each check, and similar rules without the finding. */

import { expect, test } from "vitest";
import type { Diagnostic } from "../../../../src/core/diagnostic.ts";
import { applyPatch } from "../../../../src/core/json/patch.ts";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { analyzeValidParts } from "../../../../src/engine/tokens/analysis/analyze-valid-parts.ts";
import { customChecks } from "../../../../src/engine/tokens/analysis/findings/rulesets/checks.ts";
import type { Ruleset } from "../../../../src/engine/tokens/rulesets/model.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { configs, rule } from "../zone-fixture.ts";

const phase = "http_request_firewall_custom";

type Rule = NonNullable<Ruleset["rules"]>[number];

const custom = (expression: string, more: Partial<Rule> = {}): Rule => ({
  id: "",
  action: "block",
  expression,
  ...more,
});

const skip = (
  expression: string,
  action_parameters: Rule["action_parameters"] = { ruleset: "current" },
): Rule => custom(expression, { action: "skip", ...(action_parameters && { action_parameters }) });

const execute = (id: string, expression = "true"): Rule =>
  custom(expression, { action: "execute", action_parameters: { id } });

const numbered = (rules: readonly Rule[]) => rules.map((rule, i) => ({ ...rule, id: `r${i}` }));
const entry = (...rules: readonly Rule[]): Ruleset => ({
  id: "z",
  kind: "zone",
  phase,
  rules: numbered(rules),
});
const executed = (...rules: readonly Rule[]): Ruleset => ({
  id: "c",
  kind: "custom",
  phase,
  rules: numbered(rules),
});

const inputOf = (rulesets: readonly Ruleset[], more: Partial<ZoneInput> = {}): ZoneInput => ({
  configs,
  rules: [],
  rulesets,
  ...more,
});

function findings(input: ZoneInput): Diagnostic[] {
  const found = analyze(input).filter(
    ({ rule: check }) => check !== "unused-config" && check !== "not-analyzed",
  );
  for (const { message, level, rule: check } of found) {
    expect(message).toMatch(/[.?]$/);
    if (check in customChecks) expect(level).toBe(customChecks[check as keyof typeof customChecks].level);
  }
  return found;
}

const found = (...rules: readonly Rule[]) =>
  findings(inputOf([entry(...rules)])).map(
    ({ rule: check, pointer = "" }) => `${check} ${pointer.replace("/rulesets/0/rules/", "")}`,
  );

const claims = 'http.request.jwt.claims["a"][0]';
const role = `lookup_json_string(${claims}, "role")`;
const level = `lookup_json_integer(${claims}, "level")`;
const aud = 'http.request.jwt.claims.aud["a"]';
const isDelete = 'http.request.method eq "DELETE"';
const path = (value: string) => `http.request.uri.path eq "${value}"`;

const cases: Record<string, readonly [rules: readonly Rule[], expected: readonly string[]]> = {
  "a policy about a claim that also blocks requests without one": [
    [custom(`${isDelete} and not (${role} eq "admin")`)],
    [],
  ],
  "`ne` on a claim in a rule that blocks": [
    [custom(`${isDelete} and ${role} ne "admin"`)],
    ["fail-open 0/expression"],
  ],
  "two `ne` on a claim, of which none decides alone": [
    [custom(`${role} ne "admin" and ${role} ne "owner"`)],
    ["fail-open 0/expression"],
  ],
  "`ne` on a claim in a rule that challenges": [
    [custom(`${role} ne "admin"`, { action: "managed_challenge" })],
    ["fail-open 0/expression"],
  ],
  "`ne` on a claim in a rule that logs": [[custom(`${role} ne "admin"`, { action: "log" })], []],
  "`ne` on a claim below an even number of negations": [
    [custom(`not (ssl or not (${role} ne "admin"))`)],
    ["fail-open 0/expression"],
  ],
  "`ne` on a claim below one negation, which is true without it": [[custom(`not (${role} ne "admin")`)], []],
  "`any` of `ne` on the audiences": [
    [custom('any(http.request.jwt.claims.aud["a"][*] ne "web")')],
    ["fail-open 0/expression"],
  ],
  "`all` of `ne` on the audiences, which is true without them": [
    [custom('all(http.request.jwt.claims.aud["a"][*] ne "web")')],
    [],
  ],
  "`ne` on a claim with a default": [[custom(`coalesce(${role}, "") ne "admin"`)], []],
  "`eq` on a claim, which means the requests that have it": [[custom(`${role} eq "guest"`)], []],
  "`ne` on a claim beside `eq` on another one of the token": [
    [custom(`lookup_json_string(${claims}, "sub") eq "u1" and ${role} ne "admin"`)],
    [],
  ],
  "`ne` on a claim behind a rule that blocks requests without the token": [
    [
      custom('not any(http.request.jwt.claims.names[*] eq "a")'),
      custom(`${isDelete} and ${role} ne "admin"`),
    ],
    [],
  ],
  "`ne` on a claim before a rule that blocks requests without the token": [
    [custom(`${isDelete} and ${role} ne "admin"`), custom('not has_key(http.request.jwt.claims, "a")')],
    [],
  ],
  "`ne` on a claim beside a rule that blocks other requests without the token": [
    [
      custom(`${isDelete} and ${role} ne "admin"`),
      custom('ssl and not has_key(http.request.jwt.claims, "a")'),
    ],
    ["fail-open 0/expression"],
  ],
  "`ne` on a claim behind a rule that blocks requests without the token of another configuration": [
    [custom('not has_key(http.request.jwt.claims, "b")'), custom(`${role} ne "admin"`)],
    ["fail-open 1/expression"],
  ],
  "a negated claim in a rule that skips one that blocks": [
    [skip(`not (${role} eq "guest")`), custom(path("/admin"))],
    ["fail-open 0/expression"],
  ],
  "a negated claim in a rule that skips one that blocks other requests": [
    [skip(`${path("/a")} and not (${role} eq "guest")`), custom(path("/admin"))],
    [],
  ],
  "a negated claim in a rule that skips one that logs": [
    [skip(`not (${role} eq "guest")`), custom(path("/admin"), { action: "log" })],
    [],
  ],
  "`ne` on a claim in a rule that skips": [[skip(`${role} ne "guest"`), custom(path("/admin"))], []],

  ...Object.fromEntries(
    [
      ...[`${level} lt 3`, `${level} le 3`, `${role} lt "b"`, `len(${role}) le 3`, `not not ${level} lt 3`],
      ...[`http.request.timestamp.sec gt ${level}`, `http.request.timestamp.sec ge ${level}`],
      ...[`${level} lt http.request.timestamp.sec`, `any(${aud}[*] lt "b")`],
      ...[`any(not (${aud}[*] eq "b"))`, `any(not (${aud}[*] ge "b"))`, `any(not (${aud}[*] in {"b"}))`],
      ...[`any(not starts_with(${aud}[*], "b"))`, `any((${aud}[*] ne "b") and (${aud}[*] ne "c"))`],
      ...[`any((${aud}[*] lt "b") and (http.request.headers["x"][*] eq "c"))`, `${level} ne ${level}`],
    ].map((demand) => [
      `\`${demand}\`, which blocks claims but some or below a minimum`,
      [[custom(`${isDelete} and ${demand}`)], ["fail-open 0/expression"]],
    ]),
  ),
  ...Object.fromEntries(
    [
      ...["eq", "gt", "ge", "bitwise_and"].map((operator) => `${level} ${operator} 3`),
      ...[`${level} in {1..3}`, `${level} ge 3 and ${level} le 5`, `${role} contains "b"`],
      ...[`starts_with(${role}, "b")`, `${role} wildcard "b*"`, `${role} matches "b"`],
      ...[`http.request.timestamp.sec lt ${level}`, `http.request.timestamp.sec le ${level}`],
      ...[`any(${aud}[*] gt "b")`, `any(not (${aud}[*] ne "b"))`, `any(not (${aud}[*] lt "b"))`],
      ...[
        `any((${aud}[*] ne "b") and (${aud}[*] eq "c"))`,
        `${level} lt lookup_json_integer(${claims}, "max")`,
      ],
    ].map((denial) => [
      `\`${denial}\`, a deny list of claims`,
      [[custom(`${isDelete} and ${denial}`)], [] as const],
    ]),
  ),
  ...Object.fromEntries(
    ["ge", "gt", "lt", "le"].map((operator) => [
      `a negated \`${operator}\` of a claim in a rule that blocks, which is true without it`,
      [[custom(`not (${level} ${operator} 3)`)], [] as const],
    ]),
  ),
  ...Object.fromEntries(
    ["eq", "ne", "lt", "le", "gt", "ge"].map((operator) => [
      `a negated \`${operator}\` of a claim in a rule that skips one that blocks`,
      [[skip(`not (${level} ${operator} 3)`), custom(path("/admin"))], ["fail-open 0/expression"]],
    ]),
  ),
  "`lt` on a claim in a rule that skips": [[skip(`${level} lt 3`), custom(path("/admin"))], []],
  "`lt` on a claim behind a rule that blocks requests without the token": [
    [custom('not has_key(http.request.jwt.claims, "a")'), custom(`${level} lt 3`)],
    [],
  ],

  "claims of a configuration that does not exist": [
    [custom('any(http.request.jwt.claims.sub["z"][*] ne "u1")')],
    ["unknown-claims 0/expression"],
  ],
  "a list that is not given": [[custom("ip.src in $office")], ["unknown-list 0/expression"]],
  "a pattern with a part that is not computed": [
    [custom('http.host matches "\\b{start}a"')],
    ["undecided-pattern 0/expression"],
  ],
  "the name of a header with upper-case letters": [
    [custom('http.request.headers["X-Team"][0] eq "a"')],
    ["header-key-case 0/expression", "never-matches 0/expression"],
  ],
  "the name of a header with upper-case letters in a call": [
    [custom('has_key(http.request.headers, "X-Team")')],
    ["header-key-case 0/expression", "never-matches 0/expression"],
  ],
  "the name of an argument with upper-case letters": [[custom('http.request.uri.args["A"][0] eq "a"')], []],
  "`aud` as a string": [
    [custom(`not (lookup_json_string(${claims}, "aud") eq "web")`)],
    ["claim-type 0/expression"],
  ],
  "`aud` as an element": [[custom(`not (lookup_json_string(${claims}, "aud", 0) eq "web")`)], []],
  "`exp` as a string": [
    [custom(`lookup_json_string(${claims}, "exp") eq "1"`)],
    ["claim-type 0/expression", "never-matches 0/expression"],
  ],
  "`exp` as an integer": [[custom(`lookup_json_integer(${claims}, "exp") gt 1`)], []],
  "`sub` as an integer": [
    [custom(`lookup_json_integer(${claims}, "sub") eq 1`)],
    ["claim-type 0/expression"],
  ],
  "a field with its old name": [[custom('ip.geoip.country eq "FR"')], ["deprecated-field 0/expression"]],
  "a field with another name that is not deprecated": [
    [custom('raw.http.request.uri.query contains "a"')],
    [],
  ],
  "the order of addresses": [[custom("ip.src lt 10.0.0.0")], ["address-order 0/expression"]],
  "`all` of the results of a call": [
    [custom('all(starts_with(http.request.headers["a"][*], "b"))')],
    ["missing-in-all 0/expression"],
  ],
  "`is_timed_hmac_valid_v0`": [
    [custom('is_timed_hmac_valid_v0("k", http.request.uri.query, 60, http.request.timestamp.sec)')],
    ["timed-hmac 0/expression"],
  ],

  "a method in lower case": [
    [custom('http.request.method eq "get"')],
    ["never-matches 0/expression", "method-format 0/expression"],
  ],
  "a path without a slash": [
    [custom('http.request.uri.path in {"admin" "a"}')],
    ["never-matches 0/expression", "path-format 0/expression", "path-format 0/expression"],
  ],
  "two values of one field": [
    [custom('http.host eq "a.example.com" and http.host eq "b.example.com"')],
    ["never-matches 0/expression"],
  ],
  "an empty range of integers": [
    [custom("cf.waf.score gt 5 and cf.waf.score lt 6")],
    ["never-matches 0/expression"],
  ],
  "a range of one integer": [[custom("cf.waf.score gt 5 and cf.waf.score lt 7")], []],
  "an empty range of strings": [
    [custom('http.user_agent gt "a" and http.user_agent lt "a\\x00"')],
    ["never-matches 0/expression"],
  ],
  "a negative length": [
    [custom("len(http.user_agent) lt 0")],
    ["never-matches 0/expression", "number-domain 0/expression"],
  ],
  "an expression and its opposite": [[custom("ssl or not ssl")], ["always-matches 0/expression"]],
  "the expression `true`": [[custom("true")], []],
  "a comparison with a missing value and its opposite, which both can be false": [
    [custom(`${role} eq "a" or ${role} ne "a"`, { action: "log" })],
    [],
  ],
  "an operand twice": [[custom("ssl or ssl")], ["duplicate-operand 0/expression"]],
  "an operand that another one implies": [
    [custom('http.request.uri.path contains "ab" or http.request.uri.path contains "a"')],
    ["redundant-operand 0/expression"],
  ],
  "a header that is not a value, which is false without the header": [
    [custom('ssl and http.request.headers["a"][0] ne "b"')],
    ["missing-value 0/expression"],
  ],
  "a part that is false": [
    [custom('ssl or http.request.method eq "get"')],
    ["constant-comparison 0/expression", "method-format 0/expression"],
  ],

  "a rule behind one that blocks the same requests": [
    [custom("ip.src in {10.0.0.0/8}"), custom("ip.src in {10.1.0.0/16}", { action: "log" })],
    ["unreachable 1"],
  ],
  "a rule behind two that together block the same requests": [
    [custom("ssl"), custom("not ssl"), custom(isDelete)],
    ["unreachable 2"],
  ],
  "a rule behind one that blocks some of the same requests": [
    [custom("ip.src in {10.1.0.0/16}"), custom("ip.src in {10.0.0.0/8}")],
    [],
  ],
  "a rule behind one that logs the same requests": [[custom("ssl", { action: "log" }), custom("ssl")], []],
  "a rule behind one that challenges the same requests, which can have passed": [
    [custom("ssl", { action: "challenge" }), custom("ssl")],
    [],
  ],
  "a challenge behind another one of the same requests": [
    [custom("ssl", { action: "challenge" }), custom("ssl", { action: "js_challenge" })],
    ["unreachable 1"],
  ],
  "a rule behind one that skips it for the same requests": [[skip("ssl"), custom("ssl")], ["unreachable 1"]],
  "a rule behind one that skips it by its id": [
    [skip("true", { rules: { z: ["r2"] } }), custom("ssl"), custom(isDelete)],
    ["unreachable 2"],
  ],
  "a rule behind a disabled one": [
    [custom("ssl", { enabled: false }), custom("ssl")],
    ["disabled-custom-rule 0"],
  ],
  "a rule behind one whose result is unknown": [
    [custom("ssl", { exposed_credential_check: {} }), custom("ssl")],
    ["deprecated-rule 0/exposed_credential_check"],
  ],
  "a pattern that one value passes": [
    [custom('http.request.uri.path matches "^/a"'), custom(path("/abc"))],
    ["unreachable 1"],
  ],
  "a pattern that the value does not pass": [
    [custom('http.request.uri.path matches "^/b"'), custom(path("/abc"))],
    [],
  ],

  "a `skip` with no rule after it": [
    [custom("ssl"), skip("ssl")],
    ["unreachable 1", "skip-without-effect 1/action_parameters"],
  ],
  "a `skip` before disabled rules only": [
    [skip("ssl"), custom("ssl", { enabled: false })],
    ["skip-without-effect 0/action_parameters", "disabled-custom-rule 1"],
  ],
  "a `skip` of rules that come before it": [
    [custom("ssl"), skip(isDelete, { rules: { z: "r0, r9" } })],
    ["skip-without-effect 1/action_parameters"],
  ],
  "a `skip` of rulesets that are not executed": [
    [skip(isDelete, { rulesets: ["managed"] }), custom("ssl")],
    ["skip-without-effect 0/action_parameters"],
  ],
  "a `skip` of products, which are not evaluated here": [[skip(isDelete, { products: ["waf"] })], []],

  "an action that was removed": [[custom("ssl", { action: "rewrite" })], ["deprecated-rule 0/action"]],
  "a rule that an import could not read": [
    [custom("", { undecided: "its expression is known after apply" })],
    ["unknown-rule 0"],
  ],
};

test.each(Object.entries(cases))("%s", (_, [rules, expected]) => {
  expect(found(...rules)).toEqual(expected);
});

const neverTrue = [
  'starts_with(http.request.uri.path, "api")',
  'lower(http.host) eq "A.example"',
  'http.request.uri.path contains "a" and http.request.uri.path eq "/b"',
  'http.host matches "^[A-Z]"',
  "len(http.request.uri.path) eq 0",
  "ip.src in {10.0.0.0/8} and ip.src eq 11.0.0.1",
  'http.request.uri.path wildcard "/a*" and not starts_with(lower(http.request.uri.path), "/a")',
  'lower(http.user_agent) contains "Googlebot"',
  'starts_with(http.request.full_uri, "/api")',
  'http.request.uri.query contains "?x" and not http.request.uri contains "?"',
  'http.request.uri.args["a"][0] contains "&"',
  'http.request.uri.args["a"][0] eq "b" and not http.request.uri.query contains "a=b"',
  'upper(http.request.method) eq "get"',
  'http.user_agent matches "(?i)bot" and not lower(http.user_agent) contains "bot"',
  'ssl and starts_with(http.request.full_uri, "http://")',
  'http.request.uri.path.extension eq "PHP"',
  'any(http.request.headers["x"][*] eq "a") and all(http.request.headers["x"][*] eq "b")',
  'url_decode(http.request.uri.query) contains "ab" and not url_decode(http.request.uri.query) contains "b"',
  'concat(http.host, http.request.uri.path) eq "example.com"',
  'http.cookie contains "a=1" and len(http.cookie) lt 3',
  'http.referer contains "x" and http.referer eq ""',
  'http.request.uri.path lt "/"',
];

test.each(neverTrue)("`%s` never matches", (expression) => {
  expect(found(custom(expression))).toContain("never-matches 0/expression");
});

const alwaysTrue = [
  'starts_with(http.request.uri.path, "/")',
  "len(http.host) ge 1",
  'not lower(http.user_agent) contains "Googlebot"',
  'starts_with(http.request.full_uri, "http")',
  'http.request.uri wildcard "/*"',
  "ip.src in {0.0.0.0/0} or ip.src in {::/0}",
  'ssl or starts_with(http.request.full_uri, "http://")',
];

test.each(alwaysTrue)("`%s` always matches", (expression) => {
  expect(found(custom(expression))).toContain("always-matches 0/expression");
});

const hidden = [
  ['starts_with(http.request.uri.path, "/api")', 'http.request.uri.path eq "/api/v1"'],
  ['http.request.uri.path wildcard "/admin*"', 'starts_with(http.request.uri.path, "/admin/users")'],
  ['http.user_agent contains "bot"', 'http.user_agent contains "Googlebot"'],
  ['lower(http.user_agent) contains "bot"', 'http.user_agent matches "(?i)bot"'],
  ['http.request.uri contains "?"', 'http.request.uri.query ne ""'],
  ['http.request.uri.path matches "^/(a|b)/"', 'http.request.uri.path eq "/a/x"'],
  [
    'http.request.full_uri wildcard "*://a.example/*"',
    'http.host eq "a.example" and http.request.uri.path eq "/login"',
  ],
  ['any(http.request.headers["x-a"][*] eq "1")', 'http.request.headers["x-a"][0] eq "1"'],
  ['http.request.uri.query contains "a=1"', 'any(http.request.uri.args["a"][*] eq "1")'],
  ["not ssl", 'starts_with(http.request.full_uri, "http://")'],
] as const;

test.each(hidden)("a rule with `%s` hides one with `%s`, and not the reverse", (earlier, later) => {
  expect(found(custom(earlier), custom(later))).toContain("unreachable 1");
  const isSame =
    earlier.includes("(?i)") || later.includes("(?i)") || earlier.includes("?") || earlier === "not ssl";
  expect(found(custom(later), custom(earlier)).includes("unreachable 1")).toBe(isSame);
});

const otherPhase: Ruleset = { id: "rl", kind: "zone", phase: "http_ratelimit", rules: [] };

const zones: Record<string, readonly [ZoneInput, readonly string[]]> = {
  "an executed ruleset": [inputOf([entry(execute("c")), executed(custom("ssl"))]), []],
  "a rule of an executed ruleset that no request reaches": [
    inputOf([entry(execute("c", "ssl")), executed(custom("not ssl"))]),
    ["unreachable /rulesets/1/rules/0"],
  ],
  "a rule of a ruleset that is executed twice, and reached once": [
    inputOf([entry(execute("c", "ssl"), execute("c", "not ssl")), executed(custom("not ssl"))]),
    [],
  ],
  "a ruleset that nothing executes": [
    inputOf([entry(custom("ssl")), executed(custom("ssl"))]),
    ["unused-ruleset /rulesets/1"],
  ],
  "a ruleset of another phase": [inputOf([otherPhase]), ["other-phase /rulesets/0/phase"]],
  "a rule that only some plans have": [
    inputOf([entry(custom('http.host matches "^a"'))], { configs: [] }),
    ["plan-needed /rulesets/0"],
  ],
  "a rule that only some plans have, in a zone with one of these plans": [
    inputOf([entry(custom('http.host matches "^a"'))], { configs: [], plan: "business" }),
    [],
  ],
  "a rule that only some plans have, in a zone whose token configurations need the highest one": [
    inputOf([entry(custom('http.host matches "^a"'))]),
    [],
  ],
  "a rule of a zone behind one of its account": [
    inputOf([entry(custom("ssl"))], {
      account_rulesets: [{ ...entry(custom("true")), id: "a", kind: "root" }],
    }),
    ["unreachable /rulesets/0/rules/0"],
  ],
  "a `skip` in a zone with token rules": [
    inputOf([entry(skip(isDelete), custom("ssl"))], { rules: [rule("t", 'is_jwt_valid("a")')] }),
    ["skip-keeps-token-rules /rulesets/0/rules/0/action_parameters"],
  ],
  "a `skip` in a zone with disabled token rules": [
    inputOf([entry(skip(isDelete), custom("ssl"))], {
      rules: [rule("t", 'is_jwt_valid("a")', { enabled: false })],
    }),
    ["disabled /rules/0"],
  ],
  "a list that is given": [
    inputOf([entry(custom("ip.src in $office"))], {
      lists: { office: { kind: "ip", items: ["10.0.0.0/8"] } },
    }),
    [],
  ],
  "an address of a list that an earlier rule blocks": [
    inputOf([entry(custom("ip.src in $office"), custom("ip.src eq 10.1.2.3"))], {
      lists: { office: { kind: "ip", items: ["10.0.0.0/8"] } },
    }),
    ["unreachable /rulesets/0/rules/1"],
  ],
};

test.each(Object.entries(zones))("a zone with %s", (_, [input, expected]) => {
  expect(findings(input).map(({ rule: check, pointer }) => `${check} ${pointer}`)).toEqual(expected);
});

test("a part that the analysis does not look into is a note", () => {
  const expression = 'ssl and http.request.headers["a"][0] eq http.request.headers["b"][0]';
  const [first, ...others] = analyze(inputOf([entry(custom(expression))])).filter(
    ({ rule: check }) => check !== "unused-config",
  );
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    rule: "not-analyzed",
    level: "note",
    pointer: "/rulesets/0/rules/0/expression",
  });
  expect(first?.message).toContain('`http.request.headers["a"][0] eq http.request.headers["b"][0]`');
});

test("every check has an example here", () => {
  const listed = [...Object.values(cases), ...Object.values(zones)].flatMap(([, expected]) => expected);
  const examples = new Set(listed.map((line) => line.split(" ")[0]));
  const others = Object.keys(customChecks).filter((check) => !examples.has(check));
  expect(others).toEqual([]);
});

const fixes: Record<string, readonly [before: Rule, after: string]> = {
  "`ne` on a claim": [custom(`ssl and ${role} != "admin"`), `ssl and not (${role} eq "admin")`],
  "two `ne` on a claim": [
    custom(`${role} ne "a" and (${role} ne "b")`),
    `not (${role} eq "a") and (not (${role} eq "b"))`,
  ],
  "the `ne` that decides": [
    custom(
      `(lookup_json_string(${claims}, "sub") eq "a" and ${role} ne "b") or (${isDelete} and ${role} ne "c")`,
    ),
    `(lookup_json_string(${claims}, "sub") eq "a" and ${role} ne "b") or (${isDelete} and not (${role} eq "c"))`,
  ],
  "a negated claim in a rule that skips": [skip(`ssl and not (${role} == "a")`), `ssl and ${role} ne "a"`],
  ...Object.fromEntries(
    ["eq ne", "ne eq", "lt ge", "ge lt", "le gt", "gt le"].flatMap((pair) => {
      const [operator = "", opposite = ""] = pair.split(" ");
      const skipping = skip(`ssl and not (${level} ${operator} 3)`);
      const skips = [
        `a negated \`${operator}\` in a rule that skips`,
        [skipping, `ssl and ${level} ${opposite} 3`],
      ] as const;
      const blocking = custom(`ssl and ${level} ${operator} 3`);
      const blocks = [`\`${operator}\``, [blocking, `ssl and not (${level} ${opposite} 3)`]] as const;
      return ["ne", "lt", "le"].includes(operator) ? [skips, blocks] : [skips];
    }),
  ),
  "the value that is compared with a lower claim": [
    custom(`http.request.timestamp.sec > ${level}`),
    `not (http.request.timestamp.sec le ${level})`,
  ],
  "the name of a header": [
    custom('http.request.headers["X-A"][0] eq "b"'),
    'http.request.headers["x-a"][0] eq "b"',
  ],
  "`aud` as a string": [
    custom(`ssl and not lookup_json_string(${claims}, "aud") in {"a" "b"}`),
    'ssl and not any(http.request.jwt.claims.aud["a"][*] in {"a" "b"})',
  ],
  "the old name of a field": [custom("ip.geoip.asnum in {1 2}"), "ip.src.asnum in {1 2}"],
};

test.each(Object.entries(fixes))("the fix of %s removes the finding", (_, [before, after]) => {
  const input = inputOf([entry(before, custom(path("/admin")))]);
  const [first] = findings(input);
  const fixed = applyPatch(input, first?.fix ?? []) as ZoneInput;
  expect(fixed.rulesets?.[0]?.rules?.[0]?.expression).toBe(after);
  expect(findings(fixed)).toEqual([]);
});

test("a finding has the part of the expression, and the token rules that block such requests", () => {
  const rules = [
    rule("t", 'is_jwt_valid("a") and http.request.method eq "GET"'),
    rule("u", 'is_jwt_valid("a") or is_jwt_valid("b")'),
  ];
  const expression = `ssl and ${role} ne "admin"`;
  const all = findings({ ...inputOf([entry(custom(expression))]), rules });
  const first = all.find(({ rule: check }) => check === "fail-open");
  expect(first).toMatchObject({
    rule: "fail-open",
    subject: { ruleset: "z", rule: "r0" },
    help: `Write \`not (${role} eq "admin")\`.`,
    related: [{ pointer: "/rules/0" }],
  });
  expect(expression.slice(first?.span?.start, first?.span?.end)).toBe(`${role} ne "admin"`);
});

test("an unreachable rule names the rules before it that end or skip its requests", () => {
  const [first] = findings(
    inputOf([
      entry(
        custom("ip.src eq 10.0.0.1"),
        custom("ssl", { description: "no https" }),
        custom("ssl and not ssl or ssl"),
      ),
    ]),
  );
  expect(first?.message).toBe(
    "The rule never acts, because for every request that it matches earlier rules end or skip the evaluation: `no https`.",
  );
});

test("questions beyond the limit of steps are undecided, and the other findings stay", () => {
  const many = Array.from({ length: 12 }, (_, i) => `http.request.uri.path contains "${i}"`).join(" xor ");
  const rules = [custom(many), custom('http.request.headers["A"][0] eq "b"')];
  const checks = analyze(inputOf([entry(...rules)]), { maxSteps: 40 }).map(({ rule: check }) => check);
  expect(checks).toContain("search-limit");
  expect(checks).toContain("header-key-case");
});

test("a zone with many rules is analysed within the limit", () => {
  const expressions = [
    (i: number) => path(`/${i}`),
    (i: number) => `http.host eq "h${i % 20}.example.com" and http.request.uri.path wildcard "/a${i}/*"`,
    (i: number) => `ip.src in {10.${i % 250}.0.0/16} or http.user_agent contains "bot${i}"`,
  ];
  const rules = Array.from({ length: 200 }, (_, i) => custom(expressions[i % 3]?.(i) ?? ""));
  expect(findings(inputOf([entry(...rules)]))).toEqual([]);
});

test("of an invalid custom rule, the others are analysed", () => {
  const rules = [custom("ssl contains"), custom(`${role} ne "admin"`), custom("ssl"), custom("ssl")];
  const checks = analyzeValidParts(inputOf([entry(...rules)]), {}).map(
    ({ rule: check, pointer }) => `${check} ${pointer}`,
  );
  expect(checks).toEqual([
    "invalid /rulesets/0/rules/0/expression",
    "fail-open /rulesets/0/rules/1/expression",
    "unreachable /rulesets/0/rules/3",
  ]);
});

test("an invalid rule has the code of the service, where it has one", () => {
  const rules = [custom("true", { logging: { enabled: true } }), custom("(")];
  const found = analyze(inputOf([entry(...rules)])).map(({ rule: check, code }) => [check, code]);
  expect(found).toEqual([
    ["invalid", 20018],
    ["invalid", undefined],
  ]);
});

test("of an invalid ruleset, nothing about custom rules is found", () => {
  const checks = analyzeValidParts(inputOf([{ ...entry(custom("ssl")), kind: "root" }]), {});
  expect(checks.map(({ rule: check, pointer }) => `${check} ${pointer}`)).toEqual([
    "invalid /rulesets/0/kind",
    "after-invalid /rulesets",
  ]);
});
