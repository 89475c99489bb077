/** Errors of expressions: where they are and what is expected there; and literals at their limits. */
import { describe, expect, test } from "vitest";
import type { ExpressionLimits } from "../../../../src/engine/tokens/expression/grammar.ts";
import { printString, readString, startsString } from "../../../../src/engine/tokens/expression/literal.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";

/** Span and expected alternatives of the first error. */
function errorOf(text: string, options?: ExpressionLimits): string {
  const parsed = parseExpression(text, options);
  if (parsed.ok) return "no error";
  const { span, expected, found } = parsed.problems[0];
  return `${span.start}-${span.end} ${found}: ${expected.join(", ")}`;
}

test("errors have a place and the alternatives that are allowed there", () => {
  const texts = [
    "",
    "(",
    "http.host",
    "http.host eq",
    'http.host eq "a',
    'http.host eq "a\\',
    'http.host eq "\\n"',
    'http.host eq "\\x4"',
    'http.host eq "\\xG0"',
    'http.host eq "\\8"',
    'http.host eq "\\400"',
    'http.host eq "\\12"',
    'http.host eq r"a',
    'http.host eq r#"a"',
    "http.host eq r#a",
    `http.host eq r${"#".repeat(256)}"a"${"#".repeat(256)}`,
    'http.host eq "a" and',
    'http.host eq "a")',
    '(http.host eq "a"',
    'http.host eq "a" \t and http.method',
    "\u00a7",
    "\u{1f600} eq",
    'http.request.headers["a"] eq "b"',
    'http.request.headers["a"][x] eq "b"',
    'http.request.headers["a"][9007199254740992] eq "b"',
    'http.request.headers["a"][*] eq "b"',
    'any(http.request.headers["a"][0] eq "b")',
    'any(http.host eq "b")',
    'any(lower(http.host) eq "b")',
    'all(http.request.headers["a"][0] matches "b")',
    "any()",
    'starts_with("a", "b")',
    'starts_with(len(http.host), "b")',
    'starts_with(http.host "b")',
    "starts_with(http.host, b)",
    "lower()",
    "lower(len(http.host)) eq 1",
    'lower("a") eq "b"',
    'len(http.host) eq "a"',
    "len(http.host) contains 1",
    'is_jwt_valid("a","b")',
    "is_jwt_valid(a)",
    'http.host in {"a" b}',
    "http.host in {}",
    'http.host matches "("',
  ];
  expect(
    texts.map((text) => `${JSON.stringify(text).slice(0, 60)}  ${errorOf(text)}`).join("\n"),
  ).toMatchInlineSnapshot(`
    """  0-0 the end of the text: \`is_jwt_valid(...)\`, \`is_jwt_present(...)\`, a field, a call, \`any(...)\`, \`all(...)\`, \`not\`, \`(\`
    "("  1-1 the end of the text: \`is_jwt_valid(...)\`, \`is_jwt_present(...)\`, a field, a call, \`any(...)\`, \`all(...)\`, \`not\`, \`(\`
    "http.host"  9-9 the end of the text: \`eq\`, \`ne\`, \`lt\`, \`le\`, \`gt\`, \`ge\`, \`in\`, \`contains\`, \`wildcard\`, \`strict wildcard\`, \`matches\`
    "http.host eq"  12-12 the end of the text: a string literal, a field or call of type String
    "http.host eq \\"a"  13-14 \`"\`: \`"\`
    "http.host eq \\"a\\\\"  13-14 \`"\`: \`"\`
    "http.host eq \\"\\\\n\\""  14-16 \`\\\\n\`: \`\\"\`, \`\\\\\`, \`\\xHH\`, \`\\OOO\` (at most \`\\377\`)
    "http.host eq \\"\\\\x4\\""  14-18 \`\\\\x4"\`: \`\\"\`, \`\\\\\`, \`\\xHH\`, \`\\OOO\` (at most \`\\377\`)
    "http.host eq \\"\\\\xG0\\""  14-18 \`\\\\xG0\`: \`\\"\`, \`\\\\\`, \`\\xHH\`, \`\\OOO\` (at most \`\\377\`)
    "http.host eq \\"\\\\8\\""  14-16 \`\\\\8\`: \`\\"\`, \`\\\\\`, \`\\xHH\`, \`\\OOO\` (at most \`\\377\`)
    "http.host eq \\"\\\\400\\""  14-18 \`\\\\400\`: \`\\"\`, \`\\\\\`, \`\\xHH\`, \`\\OOO\` (at most \`\\377\`)
    "http.host eq \\"\\\\12\\""  14-18 \`\\\\12"\`: \`\\"\`, \`\\\\\`, \`\\xHH\`, \`\\OOO\` (at most \`\\377\`)
    "http.host eq r\\"a"  13-14 \`r\`: \`"\`
    "http.host eq r#\\"a\\""  13-14 \`r\`: \`"#\`
    "http.host eq r#a"  15-16 \`a\`: \`"\`
    "http.host eq r#############################################  13-270 \`r###############################################################################...\`: at most 255 \`#\`
    "http.host eq \\"a\\" and"  20-20 the end of the text: \`is_jwt_valid(...)\`, \`is_jwt_present(...)\`, a field, a call, \`any(...)\`, \`all(...)\`, \`not\`, \`(\`
    "http.host eq \\"a\\")"  16-17 \`)\`: \`or\`, \`xor\`, \`and\`, the end of the text
    "(http.host eq \\"a\\""  17-17 the end of the text: \`)\`
    "http.host eq \\"a\\" \\t and http.method"  17-18 \`\\t\`: a field, a call, a string, an operator, a parenthesis
    "§"  0-1 \`§\`: a field, a call, a string, an operator, a parenthesis
    "😀 eq"  0-2 \`😀\`: a field, a call, a string, an operator, a parenthesis
    "http.request.headers[\\"a\\"] eq \\"b\\""  0-25 \`http.request.headers["a"]\`: a Bool, Int, IP or String
    "http.request.headers[\\"a\\"][x] eq \\"b\\""  26-27 \`x\`: an integer from 0, \`*\`
    "http.request.headers[\\"a\\"][9007199254740992] eq \\"b\\""  26-42 \`9007199254740992\`: an index (an integer from 0)
    "http.request.headers[\\"a\\"][*] eq \\"b\\""  0-35 \`http.request.headers["a"][*] eq "b"\`: \`any(...)\`, \`all(...)\`
    "any(http.request.headers[\\"a\\"][0] eq \\"b\\")"  4-39 \`http.request.headers["a"][0] eq "b"\`: a value with \`[*]\`, an Array<Bool>
    "any(http.host eq \\"b\\")"  4-20 \`http.host eq "b"\`: a value with \`[*]\`, an Array<Bool>
    "any(lower(http.host) eq \\"b\\")"  4-27 \`lower(http.host) eq "b"\`: a value with \`[*]\`, an Array<Bool>
    "all(http.request.headers[\\"a\\"][0] matches \\"b\\")"  4-44 \`http.request.headers["a"][0] matches "b"\`: a value with \`[*]\`, an Array<Bool>
    "any()"  4-5 \`)\`: \`is_jwt_valid(...)\`, \`is_jwt_present(...)\`, a field, a call, \`any(...)\`, \`all(...)\`, \`not\`, \`(\`
    "starts_with(\\"a\\", \\"b\\")"  12-20 \`"a", "b"\`: a field or a call among the arguments
    "starts_with(len(http.host), \\"b\\")"  12-26 \`len(http.host)\`: a String
    "starts_with(http.host \\"b\\")"  22-25 \`"b"\`: \`,\`
    "starts_with(http.host, b)"  23-24 \`b\`: a String
    "lower()"  6-7 \`)\`: a String
    "lower(len(http.host)) eq 1"  6-20 \`len(http.host)\`: a String
    "lower(\\"a\\") eq \\"b\\""  6-9 \`"a"\`: a field or a call among the arguments
    "len(http.host) eq \\"a\\""  18-21 \`"a"\`: an integer, a field or call of type Int
    "len(http.host) contains 1"  15-23 \`contains\`: \`eq\`, \`ne\`, \`lt\`, \`le\`, \`gt\`, \`ge\`, \`in\`, \`bitwise_and\`
    "is_jwt_valid(\\"a\\",\\"b\\")"  16-17 \`,\`: \`)\`
    "is_jwt_valid(a)"  13-14 \`a\`: a configuration id in double quotes
    "http.host in {\\"a\\" b}"  18-19 \`b\`: a string literal, \`}\`
    "http.host in {}"  no error
    "http.host matches \\"(\\""  19-20 \`(\`: a regular expression"
  `);
});

test("limits name what is at most allowed", () => {
  expect(errorOf('http.host eq "abc"', { maxLength: 10 })).toBe("10-11 `e`: at most 10 characters");
  expect(errorOf('((http.host eq "abc"))', { maxNesting: 1 })).toBe("1-2 `(`: at most 1 levels");
  expect(errorOf('not not http.host eq "a"', { maxNesting: 1 })).toBe("4-7 `not`: at most 1 levels");
  expect(errorOf('(http.host eq "a") or (http.host eq "b")', { maxNesting: 1 })).toBe("no error");
  expect(errorOf('not http.host eq "a" or not http.host eq "b"', { maxNesting: 1 })).toBe("no error");
});

test("tabs are white space around an expression only", () => {
  expect(errorOf('\t \thttp.host eq "\t"\t ')).toBe("no error");
  expect(errorOf('\t \thttp.host\teq "a"')).toMatch(/^12-13 /);
  const parsed = parseExpression('\t http.host eq "a\tb"\t');
  expect(parsed.ok && parsed.value).toMatchObject({ right: { value: "a\tb" }, span: { start: 2, end: 20 } });
});

describe("a string literal", () => {
  test.each([
    ['"a"', "a", 3],
    ['""', "", 2],
    ['"a\\"b\\\\"x', 'a"b\\', 8],
    ['"\\x41\\x7e"', "A~", 10],
    ['"\\000\\101\\377"', "\0A\u00ff", 14],
    ['r"a\\"', "a\\", 5],
    ['r""', "", 3],
    ['r#"a"b"#', 'a"b', 8],
    ['r##"a"#"##c', 'a"#', 10],
    [`r${"#".repeat(255)}"a"${"#".repeat(255)}`, "a", 514],
  ])("%s is %j and ends at %i", (text, value, end) => {
    expect(startsString(text, 0)).toBe(true);
    expect(readString(text, 0)).toEqual({ value, end });
  });

  test.each(["a", "ra", "r", 'R"a"', "'a'"])("does not start with %s", (text) => {
    expect(startsString(text, 0)).toBe(false);
  });

  test("is printed with escapes for quotes, backslashes and control characters", () => {
    expect(printString('a"\\\n\u007f\u009f\u00a0\u{1f600}')).toBe('"a\\"\\\\\\x0A\\x7F\\x9F\u00a0\u{1f600}"');
  });
});
