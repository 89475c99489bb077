/** The mistakes in expressions: no false alarm, and corrections that keep the meaning. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { findMistakes, mistakes } from "../../../../src/engine/tokens/analysis/findings/mistakes/mistakes.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { runs } from "../../../support/runs.ts";
import { withoutSpans } from "../arbitraries.ts";
import { expression, printModel } from "../expression/custom/arbitraries.ts";

function treeOf(text: string) {
  const parsed = parseExpression(text, { rules: "custom" });
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problems[0].message}`);
  return parsed.value;
}

const mistakesIn = (text: string) => findMistakes({ text, tree: treeOf(text), rejects: true });

const urls = fc.webUrl({ withQueryParameters: true }).filter((url) => URL.canParse(url));

test("a value that a request has is no mistake", () => {
  const property = fc.property(urls, fc.constantFrom("GET", "POST", "PROPFIND"), (url, method) => {
    const { hostname, pathname, search, href } = new URL(url);
    const query = search.slice(1);
    const values = {
      "http.host": hostname,
      "http.request.method": method,
      "http.request.uri.path": pathname,
      "http.request.uri": pathname + search,
      "http.request.uri.query": query.startsWith("?") ? "" : query,
      "http.request.full_uri": href,
    };
    for (const [name, value] of Object.entries(values)) {
      const found = mistakesIn(`${name} eq ${JSON.stringify(value)}`);
      const wrong = found.filter(({ kind }) => mistakes[kind].level === "warning");
      expect([name, value, wrong]).toEqual([name, value, []]);
    }
  });
  fc.assert(property, { numRuns: runs(2_000) });
});

test("the mistakes of any expression have a place in it, and corrections that are expressions", () => {
  const property = fc.property(expression.map(printModel), (text) => {
    for (const { span, corrected } of mistakesIn(text)) {
      expect(0 <= span.start && span.start <= span.end && span.end <= text.length).toBe(true);
      if (corrected !== undefined) treeOf(corrected);
    }
  });
  fc.assert(property, { numRuns: runs(2_000) });
});

const operators = fc.constantFrom("and", "or", "xor");
const operands = fc.constantFrom(
  "ssl",
  "not ssl",
  "(ssl)",
  'http.host eq "a"',
  "(ssl or ssl)",
  "cf.client.bot",
);

test("parentheses around mixed operators keep the meaning, and are not reported again", () => {
  const texts = fc
    .tuple(operands, fc.array(fc.tuple(operators, operands), { minLength: 1, maxLength: 6 }))
    .map(([first, rest]) => [first, ...rest.flat()].join(" "));
  let found = 0;
  const property = fc.property(texts, (text) => {
    const mixed = mistakesIn(text).find(({ kind }) => kind === "mixed-operators");
    if (mixed?.corrected === undefined) return;
    found++;
    expect(withoutSpans(treeOf(mixed.corrected))).toEqual(withoutSpans(treeOf(text)));
    const again = mistakesIn(mixed.corrected).filter(
      ({ kind, span }) => kind === mixed.kind && span.start <= mixed.span.start,
    );
    expect(again).toEqual([]);
  });
  fc.assert(property, { numRuns: runs(2_000) });
  expect(found).toBeGreaterThan(10);
});

const ranges = fc
  .tuple(fc.nat({ max: 12 }), fc.nat({ max: 4 }))
  .map(([first, more]) => [first, first + more] as const);

test("a set without its redundant items has the same values, and no others", () => {
  const valuesOf = (text: string) => {
    const items = [...text.matchAll(/(\d+)\.\.(\d+)|(?<=[{ ])(\d+)(?=[ }])/g)];
    const has = (value: number) =>
      items.some(([, first, last, only]) => Number(first ?? only) <= value && value <= Number(last ?? only));
    return Array.from({ length: 20 }, (_, value) => has(value));
  };
  const property = fc.property(fc.array(ranges, { minLength: 1, maxLength: 6 }), (items) => {
    const text = `ip.src.asnum in {${items.map(([first, last]) => `${first}..${last}`).join(" ")}}`;
    const { corrected = text } =
      mistakesIn(text).find(({ kind, corrected }) => kind === "redundant-item" && corrected) ?? {};
    expect(valuesOf(corrected)).toEqual(valuesOf(text));
    const again = mistakesIn(corrected).filter(
      ({ kind, message }) => kind === "redundant-item" && !message.includes("overlap"),
    );
    expect(again).toEqual([]);
  });
  fc.assert(property, { numRuns: runs(2_000) });
});
