/** Each DFA against the function with the same result. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Dfa,
  stringSetDfa,
  substringDfa,
  wildcardDfa,
} from "../../../../src/engine/tokens/analysis/strings/dfa.ts";
import {
  methodDfa,
  pathDfa,
  sendableHostDfa,
} from "../../../../src/engine/tokens/analysis/strings/request-dfas.ts";
import { templateDfa } from "../../../../src/engine/tokens/analysis/strings/template-dfa.ts";
import {
  compactJwsDfa,
  tokenPresenceDfa,
} from "../../../../src/engine/tokens/analysis/strings/token-dfas.ts";
import { compileWildcard } from "../../../../src/engine/tokens/expression/wildcard.ts";
import { stripBearer } from "../../../../src/engine/tokens/zone/find-token.ts";
import { parseTemplate } from "../../../../src/engine/tokens/zone/path-template.ts";
import { createRouter, findRoute } from "../../../../src/engine/tokens/zone/router.ts";
import { readWithUrl } from "../../../../src/engine/tokens/zone/target.ts";
import { pattern } from "../arbitraries.ts";

function run(dfa: Dfa, text: string): number {
  return dfa.output(text.split("").reduce((state, unit) => dfa.step(state, unit), dfa.start));
}

const short = fc.string({ unit: fc.constantFrom("a", "b", "B", "é", "*", "\\"), maxLength: 8 });

describe("a DFA has the same result as the plain function", () => {
  test("substringDfa accepts strings that contain the substring", () => {
    fc.assert(
      fc.property(
        short,
        short,
        (piece, text) => run(substringDfa(piece), text) === Number(text.includes(piece)),
      ),
    );
    expect(run(substringDfa("aab"), "aaab")).toBe(1);
  });

  test("stringSetDfa outputs the index of the string", () => {
    fc.assert(
      fc.property(
        fc.array(short),
        short,
        (texts, text) => run(stringSetDfa(texts), text) === texts.indexOf(text) + 1,
      ),
    );
  });

  test("wildcardDfa accepts strings that match the pattern", () => {
    fc.assert(
      fc.property(pattern, short, fc.boolean(), (wanted, text, strict) => {
        expect(run(wildcardDfa(wanted, strict), text)).toBe(Number(compileWildcard(wanted, strict)(text)));
      }),
      { numRuns: 1000 },
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
      { numRuns: 2000 },
    );
  });

  test("sendableHostDfa accepts only hosts that URL does not change", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", "1", "-", "."), maxLength: 8 }), (text) => {
        if (run(sendableHostDfa, text) === 1) expect(readWithUrl(`https://${text}/`)?.host).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  const schemeText = fc
    .array(fc.constantFrom("Bearer", "bearer", ":", " ", "\t", "b", "ab", ".", "c"), { maxLength: 7 })
    .map((parts) => parts.join(""));

  test("tokenPresenceDfa accepts values that are not empty without Bearer", () => {
    fc.assert(
      fc.property(schemeText, (text) => run(tokenPresenceDfa, text) === Number(stripBearer(text) !== "")),
      { numRuns: 1000 },
    );
  });

  test("compactJwsDfa accepts values with three segments", () => {
    fc.assert(
      fc.property(schemeText, (text) => {
        const isToken = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(stripBearer(text));
        expect(run(compactJwsDfa, text)).toBe(Number(isToken));
      }),
      { numRuns: 2000 },
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
      fc.property(text, (path) => run(dfa, path) === Number(findRoute(router, "h", "GET", path) === true)),
      { numRuns: 500 },
    );
  });
});
