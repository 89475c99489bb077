/** Random typed expressions of custom rules, their text, and random requests with the same values in the model. */
import fc from "fast-check";
import type { E, Model, R, V } from "./reference.ts";

const string = (v: string | Buffer): Model => ({ t: "string", v: Buffer.from(v) });
const int = (v: number): Model => ({ t: "int", v: BigInt(v) });
const ip = (v: string): Model => ({ t: "ip", v });

const texts = [
  "",
  "a",
  "A",
  "b",
  "ab",
  "aB",
  "é",
  "MTIz",
  "a%20b",
  "a+b",
  "%2541",
  "%u0041",
  "*",
  "\\",
  '"',
  "1",
];
const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

const field = (name: string): V => ({ k: "field", name });
const index = (of: V, key: string | number): V => ({ k: "index", of, key });
const each = (of: V): V => ({ k: "each", of });
const call = (name: string, ...args: readonly V[]): V => ({ k: "call", name, args });

/** A literal of a string; also as hexadecimal bytes, and as bytes that are not text. */
const stringLiteral: fc.Arbitrary<V> = fc.oneof(
  fc.constantFrom(...texts).map((v): V => ({ k: "literal", text: quoted(v), value: string(v) })),
  fc.constant<V>({ k: "literal", text: "61:62", value: string("ab") }),
  fc.constant<V>({ k: "literal", text: '"\\xc3\\xA9"', value: string("é") }),
  fc.constant<V>({ k: "literal", text: '"\\xff"', value: string(Buffer.of(0xff)) }),
  fc.constant<V>({ k: "literal", text: 'r#"a"b"#', value: string('a"b') }),
);
const plainLiteral = fc
  .constantFrom(...texts)
  .map((v): V => ({ k: "literal", text: quoted(v), value: string(v) }));
const integers = [0, 1, 2, 3, 5, -1, -2, 9_007_199_254_740_991];
const integerText = (v: number) => fc.constantFrom(String(v), v < 0 ? String(v) : `0x${v.toString(16)}`);
const intLiteral: fc.Arbitrary<V> = fc
  .constantFrom(...integers)
  .chain((v) => integerText(v).map((text): V => ({ k: "literal", text, value: int(v) })));
const smallInt = (...values: number[]) =>
  fc.constantFrom(...values).map((v): V => ({ k: "literal", text: String(v), value: int(v) }));
const addresses = [
  "10.1.2.3",
  "10.0.0.0",
  "192.0.2.1",
  "::1",
  "2001:db8::1",
  "2001:db8::",
  "255.255.255.255",
];
const ipLiteral = fc.constantFrom(...addresses).map((v): V => ({ k: "literal", text: v, value: ip(v) }));

const maps = ["http.request.headers", "http.request.uri.args", "http.request.jwt.claims.aud"] as const;
const key = fc.constantFrom("a", "b", "C1", "é");
const map = fc.constantFrom(...maps).map(field);
const array: fc.Arbitrary<V> = fc.oneof(
  fc.tuple(map, key).map(([of, name]) => index(of, name)),
  fc.constantFrom(...maps, "http.request.jwt.claims.nbf.sec").map((name) => field(`${name}.names`)),
  fc.constantFrom(...maps).map((name) => field(`${name}.values`)),
);
const intArray: fc.Arbitrary<V> = fc.oneof(
  fc.constant(field("cf.bot_management.detection_ids")),
  fc.constant(index(field("http.request.jwt.claims.nbf.sec"), "C1")),
);
const position = fc.constantFrom(0, 1, 2);
const jsonSource: fc.Arbitrary<V> = fc.constantFrom(
  field("http.request.body.raw"),
  index(index(field("http.request.jwt.claims"), "C1"), 0),
);
const jsonKey = fc.oneof(
  fc.constantFrom("a", "b", "é", "aud").map((v): V => ({ k: "literal", text: quoted(v), value: string(v) })),
  smallInt(0, 1),
);

/** A value of type String, of a depth. */
function stringValue(depth: number): fc.Arbitrary<V> {
  const leaf: fc.Arbitrary<V> = fc.oneof(
    fc.constantFrom("http.host", "http.user_agent", "http.request.uri.path", "ip.src.country").map(field),
    fc.tuple(array, position).map(([of, at]) => index(of, at)),
  );
  if (depth === 0) return leaf;
  const inner = stringValue(depth - 1);
  return fc.oneof(
    leaf,
    fc
      .tuple(fc.constantFrom("lower", "upper", "decode_base64", "url_decode"), inner)
      .map(([name, v]) => call(name, v)),
    fc
      .tuple(inner, fc.constantFrom("r", "u", "ru", ""))
      .map(([v, options]) =>
        call("url_decode", v, { k: "literal", text: quoted(options), value: string(options) }),
      ),
    fc
      .array(fc.oneof(inner, plainLiteral), { minLength: 2, maxLength: 3 })
      .filter(hasValue)
      .map((args) => call("concat", ...args)),
    fc
      .array(fc.oneof(inner, plainLiteral), { minLength: 2, maxLength: 3 })
      .filter(hasValue)
      .map((args) => call("coalesce", ...args)),
    fc.tuple(inner, smallInt(-2, 0, 1, 3)).map(([v, from]) => call("substring", v, from)),
    fc.tuple(inner, smallInt(-2, 0, 1), smallInt(-1, 1, 2, 9)).map((args) => call("substring", ...args)),
    fc.tuple(inner, plainLiteral).map((args) => call("remove_bytes", ...args)),
    fc.tuple(array, plainLiteral).map((args) => call("join", ...args)),
    fc
      .tuple(jsonSource, fc.array(jsonKey, { minLength: 1, maxLength: 2 }))
      .map(([source, path]) => call("lookup_json_string", source, ...path)),
  );
}

function intValue(depth: number): fc.Arbitrary<V> {
  const leaf: fc.Arbitrary<V> = fc.oneof(
    fc.constantFrom("ip.src.asnum", "cf.waf.score").map(field),
    fc.tuple(intArray, position).map(([of, at]) => index(of, at)),
    fc
      .tuple(jsonSource, fc.array(jsonKey, { minLength: 1, maxLength: 2 }))
      .map(([source, path]) => call("lookup_json_integer", source, ...path)),
  );
  if (depth === 0) return leaf;
  return fc.oneof(
    leaf,
    stringValue(depth - 1).map((v) => call("len", v)),
    fc.oneof(array, intArray).map((v) => call("len", v)),
    fc
      .array(fc.oneof(intValue(depth - 1), intLiteral), { minLength: 2, maxLength: 3 })
      .filter(hasValue)
      .map((args) => call("coalesce", ...args)),
  );
}

/** A call of literals alone is rejected. */
function hasValue(args: readonly V[]): boolean {
  return args.some(({ k }) => k !== "literal");
}

function ipValue(): fc.Arbitrary<V> {
  const source = fc.constant(field("ip.src"));
  return fc.oneof(
    source,
    fc
      .tuple(source, smallInt(1, 8, 24, 32), smallInt(1, 32, 64, 127, 128))
      .map((args) => call("cidr", ...args)),
    fc.tuple(source, smallInt(1, 32, 64, 127, 128)).map((args) => call("cidr6", ...args)),
    fc.tuple(source, ipLiteral).map((args) => call("coalesce", ...args)),
  );
}

function boolValue(depth: number): fc.Arbitrary<V> {
  const inner = stringValue(Math.max(0, depth - 1));
  return fc.oneof(
    fc.constantFrom("ssl", "cf.client.bot").map(field),
    fc
      .tuple(fc.constantFrom("starts_with", "ends_with"), inner, fc.oneof(inner, plainLiteral))
      .map(([name, ...args]) => call(name, ...args)),
    fc
      .tuple(map, key)
      .map(([of, name]) => call("has_key", of, { k: "literal", text: quoted(name), value: string(name) })),
    fc.tuple(fc.oneof(map, array), plainLiteral).map((args) => call("has_value", ...args)),
    fc.tuple(intArray, intLiteral).map((args) => call("has_value", ...args)),
    inner.map((v) =>
      call(
        "hash_in_range",
        ...[0, 5].map((at): V => ({ k: "literal", text: String(at), value: int(at) })),
        v,
      ),
    ),
  );
}

const stringStream: fc.Arbitrary<V> = fc.oneof(
  array.map(each),
  map.map((of) => index(each(of), 0)),
  map.map((of) => each(each(of))),
  fc
    .tuple(fc.constantFrom("lower", "decode_base64", "url_decode"), array)
    .map(([name, of]) => each(call(name, each(of)))),
  fc
    .tuple(array, fc.oneof(stringValue(0), plainLiteral))
    .map(([of, more]) => each(call("concat", each(of), more))),
);
const intStream: fc.Arbitrary<V> = fc.oneof(
  intArray.map(each),
  array.map((of) => each(call("len", each(of)))),
  map.map((of) => each(call("len", each(of)))),
);
const boolArray: fc.Arbitrary<V> = fc
  .tuple(fc.constantFrom("starts_with", "ends_with"), array, fc.oneof(stringValue(0), plainLiteral))
  .map(([name, of, more]) => call(name, each(of), more));

const orders = fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge");
const compare =
  (left: V) =>
  ([op, right]: readonly [string, R]): E => ({ k: "compare", left, op, right });

const stringSet = fc.array(stringLiteral, { maxLength: 3 }).map(
  (of): R => ({
    k: "set",
    text: of.map((item) => (item.k === "literal" ? item.text : "")).join(" "),
    items: of.flatMap((item) => (item.k === "literal" ? [[item.value, item.value] as const] : [])),
  }),
);
const intSet = fc.array(fc.tuple(fc.constantFrom(...integers), fc.nat(4)), { maxLength: 3 }).map(
  (of): R => ({
    k: "set",
    text: of
      .map(([first, more]) => (more === 0 ? String(first) : `${first}..${first + (first < 10 ? more : 0)}`))
      .join(" "),
    items: of.map(([first, more]) => [int(first), int(first + (first < 10 ? more : 0))] as const),
  }),
);
const ranges: Readonly<Record<string, readonly [string, string]>> = {
  "10.0.0.0/8": ["10.0.0.0", "10.255.255.255"],
  "192.0.2.1..192.0.2.9": ["192.0.2.1", "192.0.2.9"],
  "2001:db8::/32": ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  "::1": ["::1", "::1"],
  "0.0.0.0/0": ["0.0.0.0", "255.255.255.255"],
  "::/127": ["::", "::1"],
};
/** The ranges of the list `$known`. */
export const knownRanges = ["10.0.0.0/8", "2001:db8::/32"];
export const rangeOf = (text: string) =>
  (ranges[text] as readonly [string, string]).map(ip) as [Model, Model];
const ipSet = fc
  .subarray(Object.keys(ranges))
  .map((of): R => ({ k: "set", text: of.join(" "), items: of.map(rangeOf) }));
const patterns = ["^a", "[A-Z]+", "b$", "^$", "\\.", 'a"b', "[^a]", "a|%", "é", "."];
const regex = fc.constantFrom(...patterns).map(
  (v): R => ({
    k: "regex",
    text: `"${v.replaceAll('"', '\\"')}"`,
    pattern: Buffer.from(v).toString("latin1"),
  }),
);
const wildcards = ["*", "a*", "*B", "\\*", "é", "a*b", "A"];
const wildcard = fc
  .constantFrom(...wildcards)
  .map((v): R => ({ k: "wildcard", text: quoted(v), pattern: Buffer.from(v).toString("latin1") }));

const stringRight: fc.Arbitrary<readonly [string, R]> = fc.oneof(
  fc.tuple(orders, fc.oneof(stringLiteral, stringValue(1))),
  fc.tuple(fc.constant("in"), stringSet),
  fc.tuple(fc.constant("contains"), stringLiteral),
  fc.tuple(fc.constant("matches"), regex),
  fc.tuple(fc.constantFrom("wildcard", "strict wildcard"), wildcard),
  fc.tuple(fc.constant("in"), fc.constant<R>({ k: "list", name: "cf.unknown" })),
);
const intRight: fc.Arbitrary<readonly [string, R]> = fc.oneof(
  fc.tuple(orders, fc.oneof(intLiteral, intValue(1))),
  fc.tuple(fc.constant("in"), intSet),
  fc.tuple(fc.constant("bitwise_and"), fc.oneof(intLiteral, intValue(0))),
);
const ipRight: fc.Arbitrary<readonly [string, R]> = fc.oneof(
  fc.tuple(orders, fc.oneof(ipLiteral, ipValue())),
  fc.tuple(fc.constant("in"), ipSet),
  fc.tuple(
    fc.constant("in"),
    fc.constantFrom("known", "unknown").map((name): R => ({ k: "list", name })),
  ),
);
const compared = (left: fc.Arbitrary<V>, right: fc.Arbitrary<readonly [string, R]>) =>
  fc.tuple(left, right).map(([of, operation]) => compare(of)(operation));

const arrayLeaf: fc.Arbitrary<E> = fc.oneof(
  compared(stringStream, stringRight),
  compared(intStream, intRight),
  boolArray.map((value): E => ({ k: "test", value })),
);

function arrayTest(depth: number): fc.Arbitrary<E> {
  if (depth === 0) return arrayLeaf;
  const inner = arrayTest(depth - 1);
  return fc.oneof({ weight: 3, arbitrary: arrayLeaf }, { weight: 2, arbitrary: combined(inner) });
}

function combined(inner: fc.Arbitrary<E>): fc.Arbitrary<E> {
  return fc.oneof(
    inner.map((of): E => ({ k: "not", of })),
    fc
      .tuple(fc.constantFrom("or", "xor", "and"), fc.array(inner, { minLength: 2, maxLength: 3 }))
      .map(([k, of]): E => ({ k, of })),
  );
}

const leaf: fc.Arbitrary<E> = fc.oneof(
  compared(stringValue(2), stringRight),
  compared(intValue(2), intRight),
  compared(ipValue(), ipRight),
  boolValue(2).map((value): E => ({ k: "test", value })),
  fc.tuple(fc.constantFrom("any", "all"), arrayTest(2)).map(([k, of]): E => ({ k, of })),
);

/** An expression with one result. */
export const expression: fc.Arbitrary<E> = fc.oneof(leaf, combined(leaf), combined(combined(leaf)));

const documents = [
  "",
  "{",
  '{"a":"b","b":1}',
  '["a",{"é":"a","a":[2]}]',
  '{"a":[0,-1],"b":1.5,"aud":"a"}',
  '"a"',
  "null",
];
const listOf = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 });
const mapOf = fc.dictionary(fc.constantFrom("a", "b", "é"), listOf, { noNullPrototype: true });

/** The values of a request; what is absent is unknown. */
export interface RandomRequest {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly ip: string | undefined;
  readonly body: string | undefined;
  readonly payload: string | undefined;
}

/** A request. Fields that a request always has are overridden. */
export const request: fc.Arbitrary<RandomRequest> = fc.record({
  fields: fc.record(
    {
      "http.host": fc.constantFrom(...texts),
      "http.user_agent": fc.constantFrom(...texts),
      "http.request.uri.path": fc.constantFrom(...texts),
      ssl: fc.boolean(),
      "http.request.headers": mapOf,
      "http.request.uri.args": mapOf,
      "ip.src.country": fc.constantFrom(...texts),
      "ip.src.asnum": fc.constantFrom(...integers),
      "cf.waf.score": fc.constantFrom(...integers),
      "cf.client.bot": fc.boolean(),
      "cf.bot_management.detection_ids": fc.array(fc.constantFrom(...integers), { maxLength: 3 }),
    },
    {
      requiredKeys: [
        "http.host",
        "http.user_agent",
        "http.request.uri.path",
        "ssl",
        "http.request.headers",
        "http.request.uri.args",
      ],
    },
  ),
  ip: fc.option(fc.constantFrom(...addresses), { nil: undefined }),
  body: fc.option(fc.constantFrom(...documents), { nil: undefined }),
  payload: fc.constantFrom(
    undefined,
    '{"aud":"a","nbf":3}',
    '{"aud":["a","é"],"a":"b","b":5}',
    '{"aud":7,"nbf":"x"}',
  ),
});

/** The text of an expression, with parentheses around each operand. */
export function printModel(e: E): string {
  switch (e.k) {
    case "not":
      return `not (${printModel(e.of)})`;
    case "any":
    case "all":
      return `${e.k}(${"of" in e.of ? `(${printModel(e.of)})` : printModel(e.of)})`;
    case "test":
      return printValue(e.value);
    case "compare":
      return `${printValue(e.left)} ${e.op} ${printRight(e.right)}`;
    default:
      return e.of.map((operand) => `(${printModel(operand)})`).join(` ${e.k} `);
  }
}

function printRight(right: R): string {
  if (right.k === "set") return `{${right.text}}`;
  if (right.k === "list") return `$${right.name}`;
  if (right.k === "regex" || right.k === "wildcard") return (right as { readonly text: string }).text;
  return printValue(right as V);
}

function printValue(v: V): string {
  switch (v.k) {
    case "field":
      return v.name;
    case "index":
      return `${printValue(v.of)}[${typeof v.key === "string" ? quoted(v.key) : v.key}]`;
    case "each":
      return `${printValue(v.of)}[*]`;
    case "call":
      return `${v.name}(${v.args.map(printValue).join(", ")})`;
    case "literal":
      return v.text;
  }
}
