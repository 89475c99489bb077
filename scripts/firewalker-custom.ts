/** Random expressions of custom rules with what the other engine of `compare-firewalker.ts` has, and their own values. */
import fc from "fast-check";
import { compileCustom } from "../src/engine/tokens/expression/compile.ts";
import { createProgram } from "../src/engine/tokens/expression/compile-value.ts";
import { parseExpression } from "../src/engine/tokens/expression/parser.ts";
import type { Expression } from "../src/engine/tokens/expression/tree.ts";
import { startValues } from "../src/engine/tokens/expression/values/request-values.ts";
import { readLists } from "../src/engine/tokens/rulesets/input/read-lists.ts";
import { readRequest } from "../src/engine/tokens/zone/request.ts";

/** A request of both engines; `cf` has the fields that the other one does not read from it. The body is a form. */
export interface CustomRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly cf: Readonly<Record<string, unknown>> & { readonly "ip.src": string };
}

/** The lists of both engines; the other one has no networks in lists, and no lists of strings. */
export const customLists = {
  ip: { clients: ["10.1.2.3", "2001:db8::1"], "cf.open": ["192.0.2.9"] },
  int: { networks: [12, 3] },
} as const;

const texts = ["", "a", "A", "/a", "/A/b", "GET", "example", "x=1", "aB", "12", "gz", "sid=1"];
const text = fc.oneof(
  fc.constantFrom(...texts).map((value) => JSON.stringify(value)),
  fc.constantFrom("61:42", '"\\x61"', 'r#"a"#'),
);
const regularExpression = fc
  .constantFrom("^/a", "[A-Z]+", "a|b", "^$", "b$", "\\.", "x=[0-9]", "[^a]")
  .map((pattern) => `"${pattern}"`);
const integer = fc.constantFrom("0", "1", "3", "12", "0x0D", "017", "-1", "13335");
const address = fc.constantFrom("10.1.2.3", "192.0.2.1", "::1", "2001:db8::1");
const addresses = fc.constantFrom("10.0.0.0/8", "192.0.2.1..192.0.2.9", "::1", "2001:db8::/32", "10.1.2.3");

const maps = fc.constantFrom(
  "http.request.headers",
  "http.request.uri.args",
  "http.request.cookies",
  "http.request.body.form",
);
const key = fc.constantFrom("a", "x-tag", "x", "sid", "none");
const array = fc.oneof(
  fc.tuple(maps, key).map(([map, name]) => `${map}["${name}"]`),
  fc.constantFrom("http.request.uri.args.names", "http.request.uri.args.values"),
);
/** Arrays of which the order differs, so that only their elements are compared. */
const unordered = fc.constantFrom(
  "http.request.headers.names",
  "http.request.headers.values",
  "http.request.body.form.names",
  "http.request.body.form.values",
);
const givenTexts = [
  ...["country", "continent", "city", "region", "region_code", "postal_code", "metro_code", "lat", "lon"].map(
    (name) => `ip.src.${name}`,
  ),
  "ip.src.subdivision_1_iso_code",
  "ip.src.subdivision_2_iso_code",
  "cf.verified_bot_category",
  "cf.waf.score.class",
  "cf.worker.upstream_zone",
] as const;
const stringField = fc.constantFrom(
  "http.request.method",
  "http.host",
  "http.request.uri",
  "http.request.uri.path",
  "http.request.uri.path.extension",
  "http.request.uri.query",
  "http.request.full_uri",
  "http.cookie",
  "http.referer",
  "http.user_agent",
  "http.x_forwarded_for",
  "http.request.body.raw",
  "http.request.body.mime",
  ...givenTexts,
  "ip.geoip.country",
  "ip.geoip.continent",
  "ip.geoip.subdivision_1_iso_code",
  "ip.geoip.subdivision_2_iso_code",
);
const single = fc.oneof(
  { weight: 3, arbitrary: stringField },
  { weight: 2, arbitrary: fc.tuple(array, fc.nat({ max: 1 })).map(([of, at]) => `${of}[${at}]`) },
);
/** The positions are in every value of the fields: the other engine ends its process at others. */
const substring = fc
  .tuple(
    fc.constantFrom("http.request.method", "http.host", "http.request.full_uri"),
    fc.constantFrom("0", "2", "-2", "0, 2", "1, 3", "0, -1", "1, -1", "-3, -1"),
  )
  .map(([of, positions]) => `substring(${of}, ${positions})`);
const changed = (value: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 4, arbitrary: value },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("lower", "upper", "url_decode"), value)
        .map(([name, of]) => `${name}(${of})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fc.constantFrom("", "a", "/.", "\\x2e\\x77", "aA1"))
        .map(([of, bytes]) => `remove_bytes(${of}, "${bytes}")`),
    },
    { weight: 1, arbitrary: substring },
  );
const order = fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge", "==", "!=", "<", "<=", ">", ">=");
const setOf = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => `in {${items.join(" ")}}`);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(" "));

const stringTest = fc.oneof(
  joined(fc.oneof(order, fc.constant("contains")), text),
  joined(fc.constantFrom("matches", "~"), regularExpression),
  setOf(text),
);
const integerTest = fc.oneof(
  joined(order, integer),
  setOf(fc.oneof(integer, fc.constantFrom("1..9", "-3..0"))),
  joined(fc.constantFrom("&", "bitwise_and"), integer),
  fc.constantFrom("in $networks", "in $absent"),
);
const givenIntegers = [
  "ip.src.asnum",
  "cf.bot_management.score",
  "cf.threat_score",
  "cf.waf.score",
  "cf.waf.score.rce",
  "cf.waf.score.sqli",
  "cf.waf.score.xss",
] as const;
const integerValue = fc.oneof(
  fc.constantFrom(...givenIntegers, "ip.geoip.asnum", "http.request.body.size"),
  changed(single).map((of) => `len(${of})`),
);
const call = fc.constantFrom("starts_with", "ends_with");
const calledWith = (value: fc.Arbitrary<string>) =>
  fc.tuple(call, value, text).map(([name, of, part]) => `${name}(${of}, ${part})`);
const stream = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(array, unordered).map((of) => `${of}[*]`) },
  {
    weight: 2,
    arbitrary: fc.tuple(maps, fc.constantFrom("[*][0]", "[*][1]", "[*][*]")).map((parts) => parts.join("")),
  },
);
const mapped = fc
  .tuple(fc.constantFrom("lower", "upper", "url_decode"), stream)
  .map(([name, of]) => `${name}(${of})[*]`);
const arrayLeaf = fc.oneof(
  { weight: 4, arbitrary: joined(fc.oneof(stream, mapped), stringTest) },
  { weight: 1, arbitrary: joined(fc.constant("cf.bot_management.detection_ids[*]"), integerTest) },
  { weight: 1, arbitrary: calledWith(stream) },
);
const quantified = fc.oneof(
  fc.tuple(fc.constantFrom("any", "all"), arrayLeaf).map(([name, of]) => `${name}(${of})`),
  fc
    .tuple(fc.constantFrom("any", "all"), arrayLeaf, fc.constantFrom("or", "xor", "and"), arrayLeaf)
    .map(([name, left, combinator, right]) => `${name}((${left}) ${combinator} (${right}))`),
  fc.tuple(fc.constantFrom("any", "all"), arrayLeaf).map(([name, of]) => `${name}(not ${of})`),
);
const givenFlags = [
  "cf.client.bot",
  "cf.bot_management.verified_bot",
  "ip.src.is_in_european_union",
  "http.request.headers.truncated",
  "http.request.body.truncated",
] as const;
const leaf = fc.oneof(
  { weight: 3, arbitrary: joined(changed(single), stringTest) },
  { weight: 2, arbitrary: joined(integerValue, integerTest) },
  {
    weight: 2,
    arbitrary: joined(
      fc.constant("ip.src"),
      fc.oneof(
        joined(order, address),
        setOf(addresses),
        fc.constantFrom("in $clients", "in $cf.open", "in $absent"),
      ),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("ssl", "ip.geoip.is_in_european_union", ...givenFlags) },
  { weight: 1, arbitrary: calledWith(changed(single)) },
  { weight: 3, arbitrary: quantified },
  // Errors of both: an operator that the type lacks, an array without a quantifier, and host bits.
  {
    weight: 1,
    arbitrary: fc.oneof(
      joined(fc.constantFrom("ip.src", "ssl"), stringTest),
      arrayLeaf,
      fc.constantFrom("ip.src in {10.0.0.1/8}", "ip.src.asnum in {3..1}", 'http.host eq "\\q"'),
    ),
  },
);

/** The expressions. */
export const customExpression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 3, arbitrary: leaf },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("not ", "!", "! ", "not not "), fc.boolean(), tie("node"))
        .map(([not, inParentheses, operand]) => (inParentheses ? `${not}(${operand})` : not + operand)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie("node"), fc.constantFrom(" or ", " || ", " xor ", " ^^ ", " and ", " && "), tie("node"))
        .map((parts) => parts.join("")),
    },
  ),
})).node;

const cf = (ip: string, asnum: number, bot: boolean, ids: readonly number[]) => ({
  ...Object.fromEntries(givenTexts.map((name, i) => [name, bot ? (texts[i % texts.length] ?? "") : ""])),
  ...Object.fromEntries(givenIntegers.map((name, i) => [name, (asnum + i) % 99])),
  ...Object.fromEntries(givenFlags.map((name) => [name, bot])),
  "ip.src": ip,
  "ip.src.asnum": asnum,
  "cf.bot_management.detection_ids": ids,
});

const form = ["content-type", "application/x-www-form-urlencoded"] as const;

/** The requests that each expression is evaluated for. The bindings of the build misread addresses that start with `::`, and change the encoding of queries. */
export const customRequests: readonly CustomRequest[] = [
  {
    method: "GET",
    url: "https://www.example.org/a",
    headers: [],
    body: "",
    cf: cf("10.1.2.3", 13335, false, []),
  },
  {
    method: "POST",
    url: "http://www.example.org/A/b.GZ?x=1&a=12&x=",
    headers: [["x-tag", "a"], ["cookie", "sid=1; a=12"], ["user-agent", "aB"], form],
    body: "a=12&x=A&a=/a",
    cf: cf("192.0.2.9", 12, true, [1, 3]),
  },
  {
    method: "GET",
    url: "https://example/?a=A&none=a",
    headers: [["a", "A"], ["referer", "/a"], ["x-forwarded-for", "12"], form],
    body: "sid=1",
    cf: cf("2001:db8::1", 3, false, [12]),
  },
  {
    method: "DELETE",
    url: "http://a.example/.gz?sid=1",
    headers: [["x-tag", "aB"]],
    body: "",
    cf: cf("2001:db9::1", 1, true, [0]),
  },
];

const { lists } = readLists({
  ...Object.fromEntries(Object.entries(customLists.ip).map(([name, items]) => [name, { kind: "ip", items }])),
  ...Object.fromEntries(
    Object.entries(customLists.int).map(([name, items]) => [name, { kind: "asn", items }]),
  ),
});

/** Creates the function from requests to the values of an expression, undefined for an unknown one; undefined for an expression that is rejected. */
export function compileCustomOwn(
  text: string,
  readTree: (expression: Expression) => Expression = (expression) => expression,
): ((request: CustomRequest) => boolean | undefined) | undefined {
  const parsed = parseExpression(text, { rules: "custom" });
  if (!parsed.ok) return undefined;
  const program = createProgram({ configurations: new Set(), lists });
  const compiled = compileCustom(program, text, readTree(parsed.value));
  if (!compiled.ok) return undefined;
  return ({ method, url, headers, body, cf: { "ip.src": ip, ...fields } }) => {
    const request = { method, url, headers, body, ip, fields };
    const claims = { ids: [], valid: () => undefined };
    // Values that are not in a list that was not given are unknown here, and not in it there.
    return compiled.value.test(startValues(program, readRequest(request), request, 0, claims));
  };
}

/** The expression with `not ... eq` for each `ne` of a single value: true for a missing one, as `ne` is in the other engine. */
export function withoutNotEqual(expression: Expression): Expression {
  switch (expression.kind) {
    case "combination":
      return { ...expression, operands: expression.operands.map(withoutNotEqual) };
    case "not":
      return { ...expression, operand: withoutNotEqual(expression.operand) };
    case "comparison": {
      const { operator, isArray, span } = expression;
      if (operator !== "ne" || isArray) return expression;
      return { kind: "not", operand: { ...expression, operator: "eq" }, isArray, span };
    }
    default:
      return expression;
  }
}
