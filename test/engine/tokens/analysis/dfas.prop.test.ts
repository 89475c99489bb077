/** Each DFA against the function with the same result. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alphabetOf } from "../../../../src/engine/tokens/analysis/strings/combine.ts";
import {
  comparisonDfa,
  comparisonDfas,
  compileStringTest,
} from "../../../../src/engine/tokens/analysis/strings/comparison-dfas.ts";
import { caseDfa, uriPart, uriPartDfa } from "../../../../src/engine/tokens/analysis/strings/derived-dfas.ts";
import {
  affixDfa,
  type Dfa,
  stringSetDfa,
  substringDfa,
  wildcardDfa,
} from "../../../../src/engine/tokens/analysis/strings/dfa.ts";
import { compareLength, lengthDfa } from "../../../../src/engine/tokens/analysis/strings/length-dfa.ts";
import { patternDfa } from "../../../../src/engine/tokens/analysis/strings/pattern-dfa.ts";
import {
  methodDfa,
  pathDfa,
  queryDfa,
  sendableHostDfa,
  uriDfa,
} from "../../../../src/engine/tokens/analysis/strings/request-dfas.ts";
import type { StringTest } from "../../../../src/engine/tokens/analysis/strings/string-test.ts";
import { templateDfa } from "../../../../src/engine/tokens/analysis/strings/template-dfa.ts";
import {
  compactJwsDfa,
  tokenPresenceDfa,
} from "../../../../src/engine/tokens/analysis/strings/token-dfas.ts";
import {
  compilePattern,
  patternProblem,
} from "../../../../src/engine/tokens/expression/patterns/regular-expression.ts";
import { compileWildcard } from "../../../../src/engine/tokens/expression/wildcard.ts";
import { stripBearer } from "../../../../src/engine/tokens/zone/find-token.ts";
import { parseTemplate } from "../../../../src/engine/tokens/zone/path-template.ts";
import { createRouter, findRoute } from "../../../../src/engine/tokens/zone/router.ts";
import { readWithUrl } from "../../../../src/engine/tokens/zone/target.ts";
import { runs } from "../../../support/runs.ts";
import { comparison, functionTest, pattern, trickyText } from "../arbitraries.ts";

function run(dfa: Dfa, text: string): number {
  return dfa.output(text.split("").reduce((state, unit) => dfa.step(state, unit), dfa.start));
}

const patternRuns = runs(1000);

/** Patterns of the supported syntax, and some that are not valid. */
const regularExpression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ..."abB.^$",
        "[a-c]",
        "[^a]",
        "[^\\n-]",
        "[\\w.-]",
        "\\d",
        "\\W",
        "\\s",
        "\\.",
        "\\\\",
        "\\x41",
        "[]\\x41-\\103[]",
        "{01}",
        "é",
        "/",
        "]",
      ),
    },
    { weight: 3, arbitrary: fc.array(tie("node"), { maxLength: 3 }).map((items) => items.join("")) },
    { weight: 1, arbitrary: fc.tuple(tie("node"), tie("node")).map((items) => `(${items.join("|")})`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie("node"), fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0}", "{2,}"))
        .map(([item, bounds]) => `(?:${item})${bounds}`),
    },
  ),
})).node;

const short = fc.string({ unit: fc.constantFrom("a", "b", "B", "é", "*", "\\"), maxLength: 8 });

describe("a DFA has the same result as the plain function", () => {
  test("substringDfa accepts strings that contain the substring", () => {
    fc.assert(
      fc.property(short, short, (piece, text) => {
        expect(run(substringDfa(piece), text)).toBe(Number(text.includes(piece)));
      }),
    );
    expect(run(substringDfa("aab"), "aaab")).toBe(1);
  });

  test("stringSetDfa outputs the index of the string", () => {
    fc.assert(
      fc.property(fc.array(short), short, (texts, text) => {
        expect(run(stringSetDfa(texts), text)).toBe(texts.indexOf(text) + 1);
      }),
    );
  });

  test("wildcardDfa accepts strings that match the pattern", () => {
    fc.assert(
      fc.property(pattern, short, fc.boolean(), (wanted, text, strict) => {
        expect(run(wildcardDfa(wanted, strict), text)).toBe(Number(compileWildcard(wanted, strict)(text)));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("methodDfa accepts methods", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        const isMethod = /^[!#$%&'*+\-.^_`|~0-9A-Z]+$/.test(text);
        expect(run(methodDfa, text)).toBe(Number(isMethod));
      }),
    );
  });

  const pathUnit = fc.constantFrom(
    "/",
    ".",
    "%",
    "2",
    "e",
    "E",
    "a",
    "[",
    "|",
    "^",
    '"',
    " ",
    "é",
    "\\",
    "?",
  );

  test("pathDfa accepts paths that URL does not change", () => {
    fc.assert(
      fc.property(fc.string({ unit: pathUnit, maxLength: 10 }), (text) => {
        const isPath = readWithUrl(`https://h${text}`)?.path === text;
        expect(run(pathDfa, text)).toBe(Number(isPath));
      }),
      { numRuns: runs(2000) },
    );
  });

  test("sendableHostDfa accepts only hosts that URL does not change", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", "1", "-", "."), maxLength: 8 }), (text) => {
        if (run(sendableHostDfa, text) === 1) expect(readWithUrl(`https://${text}/`)?.host).toBe(text);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("patternDfa accepts strings in which the engine finds the pattern", () => {
    const unit = fc.constantFrom("a", "b", "B", "c", "1", "/", ".", "-", "\n", "\xe9", "\x80");
    let supported = 0;
    fc.assert(
      fc.property(
        fc.constantFrom("", "", "(?i)", "(?s)", "(?is)"),
        regularExpression,
        fc.array(fc.string({ unit, maxLength: 8 }), { maxLength: 8 }),
        (flags, inner, texts) => {
          const pattern = flags + inner;
          fc.pre(patternProblem(pattern) === undefined);
          const dfa = patternDfa(pattern);
          if (dfa === undefined) return;
          supported++;
          const finds = compilePattern(pattern);
          for (const text of ["", ...texts])
            expect([text, run(dfa, text)]).toEqual([text, Number(finds(text))]);
        },
      ),
      { numRuns: patternRuns },
    );
    expect(supported).toBeGreaterThan(patternRuns / 2);
  });

  test("patternDfa has no result for syntax that it does not know", () => {
    const unsupported = [
      "(?m)^a",
      "\\b",
      "\\pL",
      "é",
      "\\Qa",
      "a{65}",
      "\\xe9",
      "[a-é]",
      "(?u).",
      "\\b{start}",
    ];
    expect(unsupported.filter((pattern) => patternDfa(pattern) !== undefined)).toEqual([]);
  });

  test("queryDfa and uriDfa accept queries and URIs that URL does not change", () => {
    const text = fc.string({
      unit: fc.oneof(pathUnit, fc.constantFrom("'", "`", "{", "#", "<")),
      maxLength: 10,
    });
    fc.assert(
      fc.property(text, (tested) => {
        const query = new URL(`https://h/?${tested}`).search.slice(1);
        expect(run(queryDfa, tested)).toBe(Number(query === tested));
        const { pathname, search } = new URL(`https://h/${tested}`);
        expect(run(uriDfa, `/${tested}`)).toBe(Number(pathname + search === `/${tested}`));
      }),
      { numRuns: runs(2000) },
    );
  });

  test("affixDfa accepts strings with a prefix and, after it, a suffix", () => {
    fc.assert(
      fc.property(short, short, short, (prefix, suffix, text) => {
        const holds = text.startsWith(prefix) && text.slice(prefix.length).endsWith(suffix);
        expect(run(affixDfa(prefix, suffix), text)).toBe(Number(holds));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("lengthDfa compares the length in UTF-8 with each integer", () => {
    const unit = fc.constantFrom("a", "é", "€", "\u{1f600}", "\ud83d", "\ude00");
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 12 }), { minLength: 1 }),
        fc.string({ unit }),
        (list, text) => {
          const integers = list.sort((a, b) => a - b);
          const output = run(lengthDfa(integers), text);
          const signs = integers.map((integer) => Math.sign(Buffer.byteLength(text) - integer) + 0);
          expect(integers.map((_, i) => compareLength(output, i) + 0)).toEqual(signs);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  test("caseDfa and uriPartDfa run another DFA over what they make of a string", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "A", "b", "B", "?", "é"), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(text), text, (texts, tested) => {
        const inner = stringSetDfa(texts);
        expect(run(caseDfa(inner, "lower"), tested)).toBe(
          run(inner, tested.replaceAll("A", "a").replaceAll("B", "b")),
        );
        expect(run(caseDfa(inner, "upper"), tested)).toBe(
          run(inner, tested.replaceAll("a", "A").replaceAll("b", "B")),
        );
        for (const part of ["path", "query"] as const)
          expect(run(uriPartDfa(inner, part), tested)).toBe(run(inner, uriPart(tested, part)));
      }),
      { numRuns: runs(1000) },
    );
  });

  const leaf = fc.oneof(functionTest, comparison);
  const stringTest: fc.Arbitrary<StringTest> = fc.oneof(
    leaf.map((comparison) => ({ comparison })),
    fc.record({ comparison: leaf, part: fc.constantFrom("path" as const, "query" as const) }),
  );
  const piece = fc.constantFrom("GET", "/a", "aB", "?", "é", "B", "x".repeat(5), "api.example.com");
  const anyText = fc.oneof(
    trickyText,
    fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join("")),
  );

  test("the DFAs of comparisons have the results of the compiled comparisons, each alone and all together", () => {
    fc.assert(
      fc.property(fc.array(stringTest, { maxLength: 4 }), fc.array(anyText), (tests, texts) => {
        const together = comparisonDfas(tests);
        for (const text of texts) {
          const expected = tests.map((compared) => compileStringTest(compared)(text));
          expect(together.answers(together.dfas.map((dfa) => run(dfa, text)))).toEqual(expected);
          const alone = tests.map(comparisonDfa).map(({ dfa, holds }) => holds(run(dfa, text)));
          expect(alone).toEqual(expected);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  test("a code unit without transitions of its own has those of the unit that represents it", () => {
    const fillers = "xyzéü€中\ude00\udfff\ud83d\ud800";
    const others = [..."aAbBzZqQ", "ß", "Ω", "語", "\udc01", "\ud801"];
    fc.assert(
      fc.property(stringTest, fc.array(fc.nat({ max: 20 }), { maxLength: 6 }), (base, picks) => {
        const { dfa } = comparisonDfa(base);
        const alphabet = alphabetOf([dfa], fillers);
        for (const other of others.filter((unit) => !dfa.units.has(unit))) {
          const isSame = alphabet
            .filter((unit) => !dfa.units.has(unit))
            .some((unit) => {
              const start = picks.reduce(
                (state, pick) => dfa.step(state, alphabet[pick % alphabet.length] ?? "x"),
                dfa.start,
              );
              return dfa.step(start, unit) === dfa.step(start, other);
            });
          expect(isSame).toBe(true);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  const schemeText = fc
    .array(fc.constantFrom("Bearer", "bearer", ":", " ", "\t", "b", "ab", ".", "c"), { maxLength: 7 })
    .map((parts) => parts.join(""));

  test("tokenPresenceDfa accepts values that are not empty without Bearer", () => {
    fc.assert(
      fc.property(schemeText, (text) => {
        expect(run(tokenPresenceDfa, text)).toBe(Number(stripBearer(text) !== ""));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("compactJwsDfa accepts values with three segments", () => {
    fc.assert(
      fc.property(schemeText, (text) => {
        const isToken = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(stripBearer(text));
        expect(run(compactJwsDfa, text)).toBe(Number(isToken));
      }),
      { numRuns: runs(2000) },
    );
  });

  const templates = ["/a", "/{x}", "/a/{x}", "/a/", "/", "/%41%2f|/b", "/{x}/b"];

  test.each(templates)("templateDfa accepts the paths that match the template %s", (endpoint) => {
    const parsed = parseTemplate(endpoint);
    if (!parsed.ok) throw new Error(parsed.problems[0].message);
    const segments = parsed.value;
    const router = createRouter([{ host: "h", method: "GET", segments, value: true }]);
    const text = fc
      .array(fc.constantFrom("/", "a", "b", "A", "%", "41", "%41", "%61", "%2F", "%2f", "|", "%7C", "x"), {
        maxLength: 7,
      })
      .map((parts) => `/${parts.join("")}`);
    const dfa = templateDfa(segments);
    fc.assert(
      fc.property(text, (path) => {
        expect(run(dfa, path)).toBe(Number(findRoute(router, "h", "GET", path) === true));
      }),
      { numRuns: runs(500) },
    );
  });
});
