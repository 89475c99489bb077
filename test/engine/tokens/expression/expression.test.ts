import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nestingCeiling } from "../../../../src/engine/tokens/expression/grammar.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import { checkReferences, references } from "../../../../src/engine/tokens/expression/references.ts";
import { createFinder } from "../../../../src/engine/tokens/expression/substring.ts";
import { printSyntaxError } from "../../../../src/engine/tokens/expression/syntax-error.ts";
import type { Expression } from "../../../../src/engine/tokens/expression/tree.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import { runs } from "../../../support/runs.ts";

function parse(text: string): Expression {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(printSyntaxError(parsed.problems[0]));
  return parsed.value;
}

function errorOf(text: string) {
  const parsed = parseExpression(text);
  if (parsed.ok) throw new Error("expected an error");
  return parsed.problems[0];
}

describe("parsing", () => {
  const a = 'is_jwt_valid("a")';
  const b = 'is_jwt_valid("b")';
  const c = 'is_jwt_present("c")';

  test.each([
    [`${a} or ${b} and ${c}`, `${a} or ${b} and ${c}`],
    [`${a} or (${b} and ${c})`, `${a} or ${b} and ${c}`],
    [`(${a} or ${b}) and ${c}`, `(${a} or ${b}) and ${c}`],
    [`${a} xor ${b} or ${c} xor ${a}`, `${a} xor ${b} or ${c} xor ${a}`],
    [`(${a} or ${b}) xor ${c}`, `(${a} or ${b}) xor ${c}`],
    [`${a} xor (${b} and ${c})`, `${a} xor ${b} and ${c}`],
    [`not ${a} and ${b}`, `not ${a} and ${b}`],
    [`(not ${a}) and ${b}`, `not ${a} and ${b}`],
    [`not (${a} and ${b})`, `not (${a} and ${b})`],
    [`!!${a}`, `not not ${a}`],
    [`((${a}))`, a],
    [`(${a} or ${b}) or ${c}`, `(${a} or ${b}) or ${c}`],
    [`${a}||${b}^^${c}&&${a}`, `${a} or ${b} xor ${c} and ${a}`],
    [`is_jwt_valid ( r"a" )\r\n or\n${b}`, `${a} or ${b}`],
    ['http.host=="x"', 'http.host eq "x"'],
    ['http.host != "x"', 'http.host ne "x"'],
    ['http.request.method in {"GET""PUT" r#"a"b"#}', 'http.request.method in {"GET" "PUT" "a\\"b"}'],
    ["http.host in {}", "http.host in {}"],
    ['http.request.headers["x-a"][12] contains "y"', 'http.request.headers["x-a"][12] contains "y"'],
    [
      'http.request.cookies["s"][0] strict wildcard "a*"',
      'http.request.cookies["s"][0] strict wildcard "a*"',
    ],
    ['http.request.uri.path wildcard r"/\\*/*"', 'http.request.uri.path wildcard "/\\\\*/*"'],
    ['http.host eq "\\"\\\\\\x41\\101\\303\\251"', 'http.host eq "\\"\\\\AAé"'],
    ['http.host eq "a\nb"', 'http.host eq "a\\x0Ab"'],
  ])("%s is parsed as %s", (text, printed) => {
    expect(printExpression(parse(text))).toBe(printed);
  });

  test("and has precedence over xor, and xor over or", () => {
    const tree = parse(`${a} or ${b} xor ${c} and ${a}`);
    expect(tree).toMatchObject({
      operator: "or",
      operands: [{}, { operator: "xor", operands: [{}, { operator: "and" }] }],
    });
  });

  test("a chain of one combinator is one combination", () => {
    expect(parse(`${a} or ${b} or ${c}`)).toMatchObject({ operator: "or", operands: [{}, {}, {}] });
  });

  test("the documented example of the printer is correct", () => {
    expect(printExpression(parse('!(is_jwt_valid("a")) || (http.host == "x" && is_jwt_present("b"))'))).toBe(
      'not is_jwt_valid("a") or http.host eq "x" and is_jwt_present("b")',
    );
  });
});

describe("errors", () => {
  test.each([
    ["", 1, 1, "the end of the text"],
    ["is_jwt_valid", 1, 13, "Expected `(`, but found the end of the text."],
    ["is_jwt_valid()", 1, 14, "a configuration id in double quotes, but found `)`"],
    ["is_jwt_valid(a)", 1, 14, "a configuration id in double quotes, but found `a`"],
    ['is_jwt_valid("a" "b")', 1, 18, 'Expected `)`, but found `"b"`'],
    ['is_jwt_valid("a", "b")', 1, 17, "`is_jwt_valid` has one argument"],
    ['is_jwt_valid("a") or', 1, 21, '`or` needs a test on both of its sides; write `is_jwt_valid("a")`.'],
    ['is_jwt_valid("a") or or is_jwt_valid("b")', 1, 22, "`or` needs a test on both of its sides"],
    [
      'is_jwt_valid("a") is_jwt_valid("b")',
      1,
      19,
      "There is neither `and` nor `or` between two tests; write `is_jwt_valid(",
    ],
    ['is_jwt_valid("a") OR is_jwt_valid("b")', 1, 19, "Keywords are lower case: write `or`"],
    ['NOT is_jwt_valid("a")', 1, 1, "Keywords are lower case: write `not`"],
    ['(is_jwt_valid("a")', 1, 19, "Expected `)`"],
    ['is_jwt_valid("a"))', 1, 18, 'The parenthesis `)` has no `(`; write `is_jwt_valid("a")`.'],
    ['is_jwt_valid("a)', 1, 14, "not closed"],
    ['is_jwt_valid(r#"a")', 1, 14, "not closed"],
    ['is_jwt_valid("\\n")', 1, 15, "but found `\\\\n`"],
    ['is_jwt_valid("\\x4g")', 1, 15, "but found `\\\\x4g`"],
    ['is_jwt_valid("\\400")', 1, 15, "`\\OOO` (at most `\\377`)"],
    ['is_jwt_valid("a")\tor is_jwt_valid("b")', 1, 18, "A tab is not white space"],
    ["is_jwt_valid('a')", 1, 14, "double quotes, not single ones"],
    ['is_jwt_valid("a")\n or is_jwt_signed("b")', 2, 5, "`is_jwt_signed` is unknown"],
    ['http.host = "x"', 1, 11, "`=` is not an operator"],
    ['http.host matches "("', 1, 20, "Expected a regular expression"],
    ['http.host matches "(?=a)"', 1, 20, "Expected a regular expression"],
    ['len(lower(http.host)) contains "x"', 1, 23, "is an Int, which has no operator `contains`"],
    ['lower(len(http.host)) eq "x"', 1, 7, "argument 1 of `lower` must be a String"],
    ['len(http.host) eq "3"', 1, 19, "Expected an integer, without quotation marks"],
    ['any(http.host eq "x")', 1, 5, "`any` needs one result for each element"],
    ['starts_with(http.host "x")', 1, 23, "`starts_with` needs 2 arguments"],
    ['lower(http.host eq "x"', 1, 17, "Expected `,` or `)`"],
    ['http.host "x"', 1, 11, 'There is no operator between the two values; write `http.host eq "x"`.'],
    ["http.host eq 4", 1, 14, "Expected a string literal or a field or call of type String, but found `4`"],
    ['http.host strict "x"', 1, 18, "Expected `wildcard`"],
    ['http.host in "x"', 1, 14, "Expected `{`"],
    ['http.host in {"x"', 1, 18, "Expected a string literal or `}`"],
    ['http.host in {"x", "y"}', 1, 18, "A comma is not a separator"],
    ['http.host wildcard "a**b"', 1, 20, "must not have two `*` in a row"],
    ['http.host strict wildcard "a**b"', 1, 27, "must not have two `*` in a row"],
    ['http.host strict wildcard r"a\\b"', 1, 27, "a backslash must be followed by"],
    ['http.host wildcard r"a\\b"', 1, 20, "a backslash must be followed by"],
    [
      'http.request.headers["a"] eq "x"',
      1,
      1,
      'is an Array<String>, which has no operators; write `any(http.request.headers["a"][*] eq "x")`.',
    ],
    ['http.request.headers["a"][-1] eq "x"', 1, 27, "negative ones are not supported"],
    ['http.request.headers["a"]["b"] eq "x"', 1, 27, "its index must be an integer from 0, or `*`"],
    ['http.request.headers[a][0] eq "x"', 1, 22, "a name in double quotes"],
    ['http.refere eq "x"', 1, 1, "did you mean `http.referer`"],
    ['is_jwt_valid("a") | is_jwt_valid("b")', 1, 19, "`|` alone is not an operator"],
  ])("%j: line %i, column %i, %s", (text, line, column, message) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ line, column });
    expect(error.message).toContain(message);
    expect(error.expected.length).toBeGreaterThan(0);
    const [source, carets] = error.excerpt.split("\n") as [string, string];
    expect(source).toBe(text.split("\n")[line - 1]?.replace("\t", " "));
    expect(carets).toMatch(new RegExp(`^ {${column - 1}}\\^+$`));
  });

  test("are printed with the source line and a caret", () => {
    expect(printSyntaxError(errorOf('is_jwt_valid("a" or true'))).toBe(
      [
        "Expected `)`, but found `or`.",
        "  at line 1, column 18",
        '  | is_jwt_valid("a" or true',
        "  |                  ^^",
      ].join("\n"),
    );
  });

  test("show an excerpt of a long line", () => {
    const text = `${'is_jwt_valid("a") or '.repeat(100)}nonsense`;
    const [source, carets] = errorOf(text).excerpt.split("\n") as [string, string];
    expect(source.length).toBeLessThanOrEqual(76);
    expect(source.slice(carets.indexOf("^"), carets.length)).toBe("nonsense");
  });
});

describe("spans", () => {
  /** The source of a node, and of the nodes below it. */
  function sources(text: string, node: Expression): unknown {
    const own = text.slice(node.span.start, node.span.end);
    if (node.kind === "combination") return [own, ...node.operands.map((operand) => sources(text, operand))];
    return node.kind === "not" ? [own, sources(text, node.operand)] : own;
  }

  test.each([
    [
      ' is_jwt_valid("a")  or\n is_jwt_present("b") ',
      ['is_jwt_valid("a")  or\n is_jwt_present("b")', 'is_jwt_valid("a")', 'is_jwt_present("b")'],
    ],
    [
      'http.host eq "a" && http.host in { "b" } ',
      ['http.host eq "a" && http.host in { "b" }', 'http.host eq "a"', 'http.host in { "b" }'],
    ],
    [
      '( http.host eq "a" ) xor http.host ne "b"',
      ['( http.host eq "a" ) xor http.host ne "b"', 'http.host eq "a"', 'http.host ne "b"'],
    ],
    [
      'http.host eq "a" and ( not  http.host eq "b" ) ',
      [
        'http.host eq "a" and ( not  http.host eq "b" )',
        'http.host eq "a"',
        ['not  http.host eq "b"', 'http.host eq "b"'],
      ],
    ],
    [
      '! ( http.host eq "a" or http.host eq "b" ) ',
      [
        '! ( http.host eq "a" or http.host eq "b" )',
        ['http.host eq "a" or http.host eq "b"', 'http.host eq "a"', 'http.host eq "b"'],
      ],
    ],
    [
      'http.host eq "a" or http.host eq "b" xor http.host eq "c" and http.host eq "d"',
      [
        'http.host eq "a" or http.host eq "b" xor http.host eq "c" and http.host eq "d"',
        'http.host eq "a"',
        [
          'http.host eq "b" xor http.host eq "c" and http.host eq "d"',
          'http.host eq "b"',
          ['http.host eq "c" and http.host eq "d"', 'http.host eq "c"', 'http.host eq "d"'],
        ],
      ],
    ],
  ])("each node of %j has the span of its source", (text, expected) => {
    expect(sources(text, parse(text))).toEqual(expected);
  });

  test("a token test has the span of its configuration's id, quotes included", () => {
    const text = ' is_jwt_valid( r#"a"# )';
    const node = parse(text);
    const [reference] = references(node);
    expect(reference && text.slice(reference.span.start, reference.span.end)).toBe('r#"a"#');
  });
});

describe("limits", () => {
  const leaf = 'is_jwt_valid("a")';

  test("allow 128 levels of nesting, not 129", () => {
    const nested = (levels: number) => `${"(".repeat(levels)}${leaf}${")".repeat(levels)}`;
    expect(parseExpression(nested(128)).ok).toBe(true);
    expect(errorOf(nested(129))).toMatchObject({
      offset: 128,
      message:
        "An expression must be nested at most 128 levels deep. Remove parentheses, or divide it into several rules.",
    });
    expect(parseExpression(`${"not ".repeat(128)}${leaf}`).ok).toBe(true);
    expect(errorOf(`${"!".repeat(129)}${leaf}`).offset).toBe(128);
  });

  test("count nested groups, not adjacent ones", () => {
    expect(parseExpression(Array.from({ length: 150 }, () => `(${leaf})`).join("or")).ok).toBe(true);
  });

  test("allow 4,096 characters, not 4,097", () => {
    const padded = (length: number) => leaf.padEnd(length, " ");
    expect(parseExpression(padded(4096)).ok).toBe(true);
    expect(errorOf(padded(4097))).toMatchObject({
      offset: 4096,
      message:
        "An expression must have at most 4096 characters; this one has 4097. Divide it into several rules.",
    });
  });

  test("can be changed by options, up to the ceiling", () => {
    expect(parseExpression(`((${leaf}))`, { maxNesting: 1 }).ok).toBe(false);
    expect(parseExpression(leaf, { maxLength: 5 }).ok).toBe(false);
    const deep = `${"(".repeat(nestingCeiling)}${leaf}${")".repeat(nestingCeiling)}`;
    expect(parseExpression(deep, { maxNesting: nestingCeiling }).ok).toBe(true);
    expect(() => parseExpression(leaf, { maxNesting: nestingCeiling + 1 })).toThrow(RangeError);
    expect(() => parseExpression(leaf, { maxLength: 0 })).toThrow(
      "`maxLength` must be a positive integer; found `0`.",
    );
  });

  test("a long chain does not exhaust the stack", () => {
    const chain = Array.from({ length: 100_000 }, () => leaf).join(" or ");
    const parsed = parseExpression(chain, { maxLength: 1e7 });
    expect(parsed.ok && printExpression(parsed.value)).toBe(chain);
  });
});

describe("references", () => {
  const text = 'is_jwt_valid("a") or\n not is_jwt_present("b") and is_jwt_valid("a")';

  test("are listed from left to right, with repetitions", () => {
    expect(references(parse(text)).map((reference) => reference.id)).toEqual(["a", "b", "a"]);
  });

  test("to unknown configurations are errors with their position", () => {
    const [error, ...more] = checkReferences(text, parse(text), (id) => id === "a");
    expect(more).toEqual([]);
    expect(error).toMatchObject({ line: 2, column: 21, message: "There is no token configuration `b`." });
  });
});

describe("messages of common mistakes", () => {
  test.each([
    [
      'http.request.headers["a"][*] eq "x"',
      '`http.request.headers["a"][*] eq "x"` is an Array<Bool>, one result for each element; write `any(http.request.headers["a"][*] eq "x")`.',
    ],
    [
      'http.request.headers["a"][-1] eq "x"',
      'An index counts from the first value, which is 0; negative ones are not supported; write `http.request.headers["a"][0] eq "x"`.',
    ],
    ['http.request.headers["a"][1.5] eq "x"', "An index must be an integer, without a fraction."],
    [
      'is_jwt_valid("a","b")',
      '`is_jwt_valid` has one argument; for several configurations write `is_jwt_valid("a") or is_jwt_valid("b")`.',
    ],
    ['ip.src eq "1.2.3.4"', "`ip.src` is not available in token rules; custom rules have it."],
    [
      "cf.bot_management.score eq 1",
      "`cf.bot_management.score` is not available in token rules; custom rules have it.",
    ],
    [
      'http.request.uri.pth eq "/"',
      "`http.request.uri.pth` is an unknown field; did you mean `http.request.uri.path`?",
    ],
    ['is_jwt_vald("a")', "`is_jwt_vald` is unknown; did you mean `is_jwt_valid`?"],
    [
      'split("a", "b") eq "ab"',
      "`split` is not available in token rules; it exists in conditions of `http_response_headers_transform`, values of `http_response_headers_transform`, conditions of `http_custom_errors`, which are checked and not evaluated.",
    ],
    [
      'http.host in {"a", "b"}',
      'A comma is not a separator; the values of a set are separated by spaces; write `http.host in {"a" "b"}`.',
    ],
  ])("%s", (text, message) => {
    const parsed = parseExpression(text);
    expect(parsed.ok ? "" : parsed.problems[0].message).toBe(message);
  });

  test("carets are below wide characters and combining marks", () => {
    const carets = (text: string) => {
      const parsed = parseExpression(text);
      return parsed.ok ? "" : parsed.problems[0].excerpt;
    };
    expect(carets('http.host eq "\u4e2d\u6587" orr')).toBe(
      `http.host eq "\u4e2d\u6587" orr\n${" ".repeat(20)}^^^`,
    );
    expect(carets('http.host eq "e\u0301\u{1f600}" orr')).toBe(
      `http.host eq "e\u0301\u{1f600}" orr\n${" ".repeat(19)}^^^`,
    );
  });
});

describe("a search for a long substring", () => {
  test("finds what the built-in search finds", () => {
    const unit = fc.constantFrom("a", "b");
    const text = fc.string({ unit, maxLength: 200 });
    const substring = fc.tuple(fc.string({ unit, maxLength: 4 }), fc.nat(12)).map(([s, n]) => s.repeat(n));
    fc.assert(
      fc.property(text, substring, fc.nat(10), (given, part, from) => {
        expect(createFinder(part)(given, from)).toBe(given.indexOf(part, from));
        expect(createFinder(part)(given + part, 0)).toBe((given + part).indexOf(part));
      }),
      { numRuns: runs(2000) },
    );
  });

  test("reads each letter of the text once, also of the worst text", () => {
    const find = createFinder(`b${"a".repeat(4_000)}`);
    let reads = 0;
    const hostile = {
      length: 200_000,
      charCodeAt: () => {
        reads += 1;
        return "a".charCodeAt(0);
      },
    };
    expect(find(hostile as unknown as string, 0)).toBe(-1);
    expect(reads).toBe(hostile.length);
  });
});

describe("functions", () => {
  const headers: [string, string][] = [
    ["X-Tag", "Alpha"],
    ["x-tag", "BETA"],
    ["Cookie", "c=1; c=22"],
    ["x-e", "\u00c4\u{1f600}"],
  ];
  const request = { method: "GET", url: "https://Api.example.com:8443/Users/7?q=A&b#f?x", headers };
  const tag = 'http.request.headers["x-tag"]';

  test.each([
    ['lower(http.request.uri.path) eq "/users/7"', true],
    ['upper(lower(http.request.uri.path)) eq "/USERS/7"', true],
    ['lower(http.request.headers["x-e"][0]) eq "\u00c4\u{1f600}"', true],
    ['starts_with(http.request.uri, "/Users/7?")', true],
    ['ends_with(http.request.uri, "&b")', true],
    ['http.request.uri.query eq "q=A&b"', true],
    ['http.request.uri.query matches "^q=[A-Z]"', true],
    ['http.request.uri.path ~ r"/\\d+$"', true],
    ['http.request.uri.path matches "^users"', false],
    ['len(http.request.headers["x-e"][0]) eq 6', true],
    ["len(http.request.uri.query) ge 6", false],
    ["len(http.request.method) <= 3", true],
    [`any(${tag}[*] eq "BETA")`, true],
    [`all(${tag}[*] eq "BETA")`, false],
    [`all(lower(${tag}[*]) in {"alpha" "beta"})`, true],
    [`any(starts_with(${tag}[*], "A"))`, true],
    [`any(len(${tag}[*]) gt 5)`, false],
    ['all(http.request.cookies["c"][*] matches "^[0-9]+$")', true],
    // No value: functions are missing, `any` is false, `all` is true.
    ['any(http.request.headers["none"][*] ne "x")', false],
    ['all(http.request.headers["none"][*] eq "x")', true],
    ['lower(http.request.headers["none"][0]) ne "x"', false],
    ['len(http.request.headers["none"][0]) ge 0', false],
    ['not starts_with(http.request.headers["none"][0], "")', true],
  ])("%s is %s", async (expression, expected) => {
    const selector = { include: [{ host: ["api.example.com"] }] };
    const rule = { id: "r", action: "block" as const, enabled: true, expression, selector };
    const zone = await compileZone({ configs: [], rules: [rule] }, { clock: () => 0 });
    expect(zone.evaluateSync(request).action).toBe(expected ? "allow" : "block");
    expect(zone.evaluateSync(request).trace.expressions[0]?.decidedBy).toHaveLength(1);
    expect(printExpression(parse(printExpression(parse(expression))))).toBe(
      printExpression(parse(expression)),
    );
  });

  test("a hostile pattern and value end", async () => {
    const expression = 'http.request.headers["x"][0] matches "^(a+)+$"';
    const selector = { include: [{ host: ["api.example.com"] }] };
    const rule = { id: "r", action: "block" as const, enabled: true, expression, selector };
    const zone = await compileZone({ configs: [], rules: [rule] }, { clock: () => 0 });
    // An engine that tries every repetition would not end.
    expect(zone.evaluateSync({ ...request, headers: { x: `${"a".repeat(20_000)}b` } }).action).toBe("block");
  });
});
