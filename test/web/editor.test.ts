/** The editor of expressions: its tokens are the lexer's, its errors the parser's, and its offers lead to valid text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offersAt } from "../../src/editor/expressions/completions.ts";
import { listedFields, singleFields } from "../../src/engine/tokens/expression/field.ts";
import { hasField, knownFields } from "../../src/engine/tokens/expression/language/fields.ts";
import { functionNames, hasFunction } from "../../src/engine/tokens/expression/language/functions.ts";
import { advance, startCursor } from "../../src/engine/tokens/expression/lexer.ts";
import { parseExpression } from "../../src/engine/tokens/expression/parser.ts";
import { expressionArbitrary } from "../../src/testing/arbitraries/token-zones.ts";
import { expressionTokens } from "../../web/src/editor/expression-tokens.ts";
import { languageOf } from "../../web/src/editor/language.ts";

const ids = ["51231d16-01f1-48e3-93f8-91c99e81288e", "b7d2a4c0-53c6-4c1b-9a55-3f0d9f0c1e22"];
const valid = expressionArbitrary(fc, ids);
/** Valid expressions with a few characters changed, and arbitrary text. */
const broken = fc
  .tuple(valid, fc.nat(), fc.string({ maxLength: 3, unit: fc.constantFrom(..."\"'()[]{}|&=~\\ \t\nax.1ä") }))
  .map(([text, at, inserted]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + inserted + text.slice(place + (at % 3));
  });
const problemsOf = (text: string) =>
  languageOf("token", { configs: ids.map((id) => ({ id, title: "" })), lists: [] }).problems(text);
const texts = fc.oneof(valid, broken, fc.string());

/** The spans of the lexer's tokens, and whether it rejected the rest. */
function lexed(text: string): {
  readonly spans: readonly (readonly [number, number])[];
  readonly rejects: boolean;
} {
  const spans: [number, number][] = [];
  try {
    for (const cursor = startCursor(text); cursor.token.kind !== "end"; advance(cursor))
      spans.push([cursor.token.span.start, cursor.token.span.end]);
    return { spans, rejects: false };
  } catch {
    return { spans, rejects: true };
  }
}

test("the tokens that the editor shows are those of the lexer", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { spans, rejects } = lexed(text);
      const shown = expressionTokens(text);
      const known = shown.filter(({ kind }) => kind !== "invalid");
      expect(known.map(({ start, end }) => [start, end])).toEqual(spans);
      const end = spans.at(-1)?.[1] ?? 0;
      const rest = shown.filter(({ kind }) => kind === "invalid").map((token) => [token.start, token.end]);
      expect(rest).toEqual(rejects && end < text.length ? [[end, text.length]] : []);
    }),
  );
});

test("tokens have the kind of what they are", () => {
  const text = 'is_jwt_valid("a") and not http.host in {"b"} or len(http.host) > 7';
  const kinds = expressionTokens(text).map(({ start, end, kind }) => [text.slice(start, end), kind]);
  expect(kinds).toContainEqual(["is_jwt_valid", "function"]);
  expect(kinds).toContainEqual(["http.host", "field"]);
  expect(kinds).toContainEqual(["and", "operator"]);
  expect(kinds).toContainEqual(['"a"', "string"]);
  expect(kinds).toContainEqual(["7", "number"]);
});

test("the errors that the editor shows are those of the parser", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseExpression(text);
      const problems = problemsOf(text);
      if (!parsed.ok) expect(problems).toEqual(parsed.problems);
      else expect(problems.every(({ message }) => message.includes("configuration"))).toBe(true);
    }),
  );
});

test("a reference to an unknown configuration is an error at its place", () => {
  const text = `is_jwt_valid("${ids[0]}") or is_jwt_valid("unknown")`;
  expect(problemsOf(text).map(({ span }) => text.slice(span.start, span.end))).toEqual(['"unknown"']);
  expect(problemsOf(text.replace("unknown", ids[1]!.toUpperCase()))).toEqual([]);
});

describe("offers", () => {
  const configs = [
    { id: ids[0]!, title: "Staff" },
    { id: ids[1]!, title: "" },
  ];
  const names = { configs, lists: [] };
  const labels = (before: string) => offersAt("token", before, names)?.offers.map(({ label }) => label);

  test("inside of a call the configurations, by title where there is one", () => {
    expect(labels('not is_jwt_valid("')).toEqual(["Staff", ids[1]]);
    expect(offersAt("token", 'is_jwt_valid("5123', names)).toMatchObject({
      from: 14,
      offers: [{ apply: `${ids[0]}")` }, {}],
    });
  });

  test("elsewhere fields, functions and operators; operators behind a value; none in a string", () => {
    expect(labels("http.req")).toContain("http.request.method");
    expect(labels("is_")).toContain("is_jwt_present");
    expect(labels('http.host eq "a')).toBeUndefined();
    expect(labels("http.host ")).toContain("contains");
  });

  test("every field and configuration that is offered is accepted by the parser", () => {
    const offered = offersAt("token", "h", names)?.offers.filter(({ label }) => knownFields.has(label)) ?? [];
    const labels = offered.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining([...singleFields, ...listedFields]));
    expect(labels).not.toContain("ip.src");
    for (const { label, apply } of offered)
      if (knownFields.get(label)?.type !== "Bool" && !apply.endsWith("[*]"))
        expect([apply, parseExpression(`${apply} eq "a"`).ok]).toEqual([apply, true]);
    for (const { apply } of offersAt("token", 'is_jwt_valid("', names)?.offers ?? [])
      expect(parseExpression(`is_jwt_valid("${apply}`).ok).toBe(true);
  });
});

describe("offers for custom rules", () => {
  const names = { configs: [{ id: "C1", title: "Staff" }], lists: ["office"] };
  const offers = (before: string) => offersAt("custom", before, names)?.offers ?? [];
  const labels = (before: string) => offers(before).map(({ label }) => label);

  test("are configurations in claims, lists behind `$`, operators behind a value, and nothing in a string", () => {
    expect(labels('lookup_json_string(http.request.jwt.claims["')).toEqual(["Staff"]);
    expect(labels('http.request.jwt.claims.aud["')).toEqual(["Staff"]);
    expect(labels("ip.src in $o")).toEqual(["$office"]);
    expect(labels("ip.src.asnum ")).toEqual(expect.arrayContaining(["ge", "bitwise_and"]));
    expect(labels('(http.request.headers["a"][0] ')).toEqual(expect.arrayContaining(["wildcard", "matches"]));
    expect(labels("ip.src.asnum ")).not.toContain("matches");
    expect(labels("ssl ")).toEqual(["or", "xor", "and"]);
    expect(labels("http.request.headers ")).toEqual([]);
    expect(labels('http.host eq "a')).toEqual([]);
  });

  test("are every field and function, each as the parser accepts its beginning", () => {
    const words = offers("h");
    expect(words.map(({ label }) => label)).toEqual(
      expect.arrayContaining([
        ...[...knownFields].flatMap(([name, field]) => (hasField("custom", field) ? name : [])),
        ...functionNames.filter((name) => hasFunction("custom", name)),
      ]),
    );
    const language = languageOf("custom", names);
    for (const { label, apply } of words.filter(({ label }) => knownFields.has(label))) {
      const [problem] = language.problems(`${apply} `);
      // The value is complete, or the next key of a map is open: nothing before the end is wrong.
      const isAtEnd = problem === undefined || problem.span.end >= apply.length || problem.span.start === 0;
      expect([label, isAtEnd, problem?.message ?? ""]).toEqual([
        label,
        true,
        expect.not.stringContaining("unknown"),
      ]);
    }
  });

  test("the configuration completes a claim that the parser accepts", () => {
    const before = 'lookup_json_string(http.request.jwt.claims["';
    const text = `${before}${offers(before)[0]?.apply}, "role") eq "a"`;
    expect(languageOf("custom", names).problems(text)).toEqual([]);
  });
});

test("tokens of custom rules have the kind of what they are, also where token rules have none", () => {
  const text = 'starts_with(http.host, "a") and ip.src in $office and len(http.host) & 1 ~ "\\."';
  const kinds = languageOf("custom", { configs: [], lists: [] })
    .tokens(text)
    .map(({ start, end, kind }) => [text.slice(start, end), kind]);
  expect(kinds).toEqual(
    expect.arrayContaining([
      ["starts_with", "function"],
      ["ip.src", "field"],
      ["$", "symbol"],
      ["and", "operator"],
      ['"\\."', "string"],
    ]),
  );
  expect(kinds.flat()).not.toContain("invalid");
});
