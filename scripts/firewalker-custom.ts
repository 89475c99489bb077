/** Random expressions of custom rules with what the other engine of `compare-firewalker.ts` has, and their own values. */
import fc from "fast-check";
import { compileCustom } from "../src/engine/tokens/expression/custom/compile.ts";
import { createProgram } from "../src/engine/tokens/expression/custom/compile-value.ts";
import { parseCustomExpression } from "../src/engine/tokens/expression/custom/parse.ts";
import { startValues } from "../src/engine/tokens/expression/custom/values/request-values.ts";
import { readRequest } from "../src/engine/tokens/zone/request.ts";

/** A request of both engines; `cf` has the fields that the other one does not read from it. */
export interface CustomRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly cf: Readonly<Record<string, unknown>> & { readonly "ip.src": string };
}

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

const maps = fc.constantFrom("http.request.headers", "http.request.uri.args", "http.request.cookies");
const key = fc.constantFrom("a", "x-tag", "x", "sid", "none");
const array = fc.oneof(
  fc.tuple(maps, key).map(([map, name]) => `${map}["${name}"]`),
  fc.constantFrom("http.request.uri.args.names", "http.request.uri.args.values"),
);
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
  "ip.src.country",
);
const single = fc.oneof(
  { weight: 3, arbitrary: stringField },
  { weight: 2, arbitrary: fc.tuple(array, fc.nat({ max: 1 })).map(([of, at]) => `${of}[${at}]`) },
);
const changed = (value: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 2, arbitrary: value },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("lower", "upper", "url_decode"), value)
        .map(([name, of]) => `${name}(${of})`),
    },
  );
const order = fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge", "==", "!=");
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
);
const integerValue = fc.oneof(
  fc.constantFrom("ip.src.asnum", "cf.bot_management.score", "cf.waf.score"),
  changed(single).map((of) => `len(${of})`),
);
const arrayLeaf = fc.oneof(
  joined(
    array.map((of) => `${of}[*]`),
    stringTest,
  ),
  joined(fc.constant("cf.bot_management.detection_ids[*]"), integerTest),
);
const quantified = fc.oneof(
  fc.tuple(fc.constantFrom("any", "all"), arrayLeaf).map(([name, of]) => `${name}(${of})`),
  fc
    .tuple(fc.constantFrom("any", "all"), arrayLeaf, fc.constantFrom("or", "xor", "and"), arrayLeaf)
    .map(([name, left, combinator, right]) => `${name}((${left}) ${combinator} (${right}))`),
);
const leaf = fc.oneof(
  { weight: 3, arbitrary: joined(changed(single), stringTest) },
  { weight: 2, arbitrary: joined(integerValue, integerTest) },
  {
    weight: 2,
    arbitrary: joined(fc.constant("ip.src"), fc.oneof(joined(order, address), setOf(addresses))),
  },
  { weight: 1, arbitrary: fc.constantFrom("ssl", "cf.client.bot", "cf.bot_management.verified_bot") },
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
    { weight: 1, arbitrary: tie("node").map((operand) => `not (${operand})`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie("node"), fc.constantFrom(" or ", " || ", " xor ", " ^^ ", " and ", " && "), tie("node"))
        .map((parts) => parts.join("")),
    },
  ),
})).node;

const cf = (ip: string, asnum: number, bot: boolean, ids: readonly number[]) => ({
  "ip.src": ip,
  "ip.src.asnum": asnum,
  "ip.src.country": bot ? "a" : "",
  "cf.client.bot": bot,
  "cf.bot_management.verified_bot": bot,
  "cf.bot_management.score": asnum % 99,
  "cf.bot_management.detection_ids": ids,
  "cf.waf.score": 3,
});

/** The requests that each expression is evaluated for. The bindings of the build misread addresses that start with `::`, and change the encoding of queries. */
export const customRequests: readonly CustomRequest[] = [
  { method: "GET", url: "https://www.example.org/a", headers: [], cf: cf("10.1.2.3", 13335, false, []) },
  {
    method: "POST",
    url: "http://www.example.org/A/b.GZ?x=1&a=12&x=",
    headers: [
      ["x-tag", "a"],
      ["cookie", "sid=1; a=12"],
      ["user-agent", "aB"],
    ],
    cf: cf("192.0.2.9", 12, true, [1, 3]),
  },
  {
    method: "GET",
    url: "https://example/?a=A&none=a",
    headers: [
      ["a", "A"],
      ["referer", "/a"],
      ["x-forwarded-for", "12"],
    ],
    cf: cf("2001:db8::1", 3, false, [12]),
  },
  {
    method: "DELETE",
    url: "http://a.example/.gz?sid=1",
    headers: [["x-tag", "aB"]],
    cf: cf("2001:db9::1", 1, true, [0]),
  },
];

/** Creates the function from requests to the values of an expression; undefined for one that is rejected. */
export function compileCustomOwn(text: string): ((request: CustomRequest) => boolean) | undefined {
  const parsed = parseCustomExpression(text);
  if (!parsed.ok) return undefined;
  const program = createProgram({ configurations: new Set(), lists: new Map() });
  const compiled = compileCustom(program, text, parsed.value);
  if (!compiled.ok) return undefined;
  return ({ method, url, headers, cf: { "ip.src": ip, ...fields } }) => {
    const request = { method, url, headers, ip, fields };
    const claims = { ids: [], valid: () => undefined };
    const value = compiled.value.test(startValues(program, readRequest(request), request, 0, claims));
    if (value === undefined) throw new Error(`${text} is unknown`);
    return value;
  };
}
