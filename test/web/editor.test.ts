/** The editor of expressions: its tokens are the lexer's, its errors the parser's, and its offers lead to valid text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offersAt } from "../../src/editor/expressions/completions.ts";
import { customOffersAt } from "../../src/editor/expressions/custom-completions.ts";
import { customFields } from "../../src/engine/tokens/expression/language/custom-fields.ts";
import { customFunctionNames } from "../../src/engine/tokens/expression/language/custom-functions.ts";
import { fields } from "../../src/engine/tokens/expression/language/fields.ts";
import { advance, startCursor } from "../../src/engine/tokens/expression/lexer.ts";
import { parseExpression } from "../../src/engine/tokens/expression/parser.ts";
import { expressionArbitrary } from "../../src/testing/arbitraries/token-zones.ts";
import { customLanguage } from "../../web/src/editor/custom-language.ts";
import { expressionProblems } from "../../web/src/editor/expression-problems.ts";
import { expressionTokens } from "../../web/src/editor/expression-tokens.ts";

const ids = ["51231d16-01f1-48e3-93f8-91c99e81288e", "b7d2a4c0-53c6-4c1b-9a55-3f0d9f0c1e22"];
const valid = expressionArbitrary(fc, ids);
/** Valid expressions with a few characters changed, and arbitrary text. */
const broken = fc
  .tuple(valid, fc.nat(), fc.string({ maxLength: 3, unit: fc.constantFrom(..."\"'()[]{}|&=~\\ \t\nax.1ä") }))
  .map(([text, at, inserted]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + inserted + text.slice(place + (at % 3));
  });
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
      const rest = shown.filter(({ kind }) => kind === "invalid").map((one) => [one.start, one.end]);
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
      const problems = expressionProblems(text, ids);
      if (!parsed.ok) expect(problems).toEqual(parsed.problems);
      else expect(problems.every(({ message }) => message.includes("configuration"))).toBe(true);
    }),
  );
});

test("a reference to an unknown configuration is an error at its place", () => {
  const text = `is_jwt_valid("${ids[0]}") or is_jwt_valid("unknown")`;
  expect(expressionProblems(text, ids).map(({ span }) => text.slice(span.start, span.end))).toEqual([
    '"unknown"',
  ]);
  expect(expressionProblems(text.replace("unknown", ids[1]!.toUpperCase()), ids)).toEqual([]);
});

describe("offers", () => {
  const configs = [
    { id: ids[0]!, title: "Staff" },
    { id: ids[1]!, title: "" },
  ];
  const labels = (before: string) => offersAt(before, configs)?.offers.map(({ label }) => label);

  test("inside of a call the configurations, by title where there is one", () => {
    expect(labels('not is_jwt_valid("')).toEqual(["Staff", ids[1]]);
    expect(offersAt('is_jwt_valid("5123', configs)).toMatchObject({
      from: 14,
      offers: [{ apply: `${ids[0]}")` }, {}],
    });
  });

  test("elsewhere fields, functions and operators; none in a string or after a space", () => {
    expect(labels("http.req")).toContain("http.request.method");
    expect(labels("is_")).toContain("is_jwt_present");
    expect(labels('http.host eq "a')).toBeUndefined();
    expect(labels("http.host ")).toBeUndefined();
  });

  test("every field and configuration that is offered is accepted by the parser", () => {
    const offered = offersAt("h", configs)?.offers.filter(({ label }) => Object.hasOwn(fields, label)) ?? [];
    expect(offered.map(({ label }) => label)).toEqual(Object.keys(fields));
    for (const { apply } of offered) expect(parseExpression(`${apply} eq "a"`).ok).toBe(true);
    for (const { apply } of offersAt('is_jwt_valid("', configs)?.offers ?? [])
      expect(parseExpression(`is_jwt_valid("${apply}`).ok).toBe(true);
  });
});

describe("offers for custom rules", () => {
  const names = { configs: [{ id: "C1", title: "Staff" }], lists: ["office"] };
  const offers = (before: string) => customOffersAt(before, names)?.offers ?? [];
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
      expect.arrayContaining([...customFields.keys(), ...customFunctionNames]),
    );
    const language = customLanguage(names);
    for (const { label, apply } of words.filter(({ label }) => customFields.has(label))) {
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
    expect(customLanguage(names).problems(text)).toEqual([]);
  });
});

test("tokens of custom rules have the kind of what they are, also where token rules have none", () => {
  const text = 'starts_with(http.host, "a") and ip.src in $office and len(http.host) & 1 ~ "\\."';
  const kinds = customLanguage({ configs: [], lists: [] })
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
