/** The law of the matcher: whatever algorithm is at work, it finds what the plain matrix finds. */
import {
  compileQueries,
  type DomainQuery,
  type MatchOptions,
  type MatchRule,
  normalizeHost,
} from "edgeproof/brand";
import fc from "fast-check";
import levenshtein from "fast-levenshtein";
import { describe, expect, test } from "vitest";
import { foldText } from "../../../src/engine/brand/names/fold.ts";
import { runs } from "../../support/runs.ts";
import { referenceMatches } from "./reference.ts";

const modes = fc.constantFrom(...(["contains", "label", "token"] as const));

const rule: fc.Arbitrary<MatchRule> = fc.record(
  {
    mode: modes,
    maxEdits: fc.nat(3),
    minLength: fc.nat(8),
    onlyWithEmbeddedSuffix: fc.boolean(),
    separators: fc.boolean(),
  },
  { requiredKeys: ["mode"] },
);

const options: fc.Arbitrary<MatchOptions> = fc.record({
  mode: fc.oneof(modes, fc.constant("recommended" as const), fc.array(rule, { minLength: 1, maxLength: 4 })),
  transpositions: fc.boolean(),
  confusables: fc.boolean(),
  separators: fc.boolean(),
});

/** Few letters make many ties; the others are astral, confusable, folded, separators, alternatives of each other. */
const letterSets = [
  "ab",
  "abc-",
  "paylo01-",
  "aаɑ𐐨💩ß",
  "mrnl1i.-",
  "bceéilïrnñmkdh",
  "abcdefghijklmnopqrstuvwxyz0123456789",
];

const suffixes = ["com", "co.uk", "github.io", "unlisted", "xn--p1ai", "公司.cn", "com.", "s3.amazonaws.com"];

function textOf(letters: string, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength });
}

/** A text made of another by a few edits, repeats and neighbours. */
function mutated(base: string, letters: string): fc.Arbitrary<string> {
  const edit = fc.tuple(
    fc.nat(),
    fc.constantFrom("drop", "put", "replace", "swap"),
    fc.constantFrom(...letters),
  );
  return fc.array(edit, { maxLength: 4 }).map((edits) => {
    const text = [...base];
    for (const [place, kind, letter] of edits) {
      const at = place % (text.length + 1);
      if (kind === "drop") text.splice(at, 1);
      else if (kind === "put") text.splice(at, 0, letter);
      else if (kind === "replace") text.splice(at, 1, letter);
      else text.splice(at, 2, ...text.slice(at, at + 2).reverse());
    }
    return text.join("");
  });
}

/** Public suffixes inside a name, addresses, and empty parts. */
const inside = fc.constantFrom("co.jp", "a-co-uk-b", "de", "a-de", "com", "192.0.2", "7", "a--b", "-x-");

const lengths = fc.oneof(
  { weight: 6, arbitrary: fc.constant(14) },
  { weight: 2, arbitrary: fc.constant(40) },
  { weight: 1, arbitrary: fc.constant(200) },
);

const cases = fc.tuple(fc.constantFrom(...letterSets), lengths).chain(([letters, maxLength]) =>
  fc
    .array(textOf(letters, maxLength).filter(isPattern), { minLength: 1, maxLength: 12 })
    .chain((patterns) => {
      const look = fc.constantFrom(...patterns).chain((base) => mutated(base.slice(0, 60), letters));
      const label = fc.oneof(
        look,
        textOf(letters, 20),
        look.map((text) => text + text),
      );
      return fc.record({
        patterns: fc.constant(patterns),
        distances: fc.array(fc.integer({ min: 0, max: 3 }), {
          minLength: patterns.length,
          maxLength: patterns.length,
        }),
        labels: fc.array(fc.oneof({ weight: 4, arbitrary: label }, { weight: 1, arbitrary: inside }), {
          minLength: 1,
          maxLength: 4,
        }),
        suffix: fc.constantFrom(...suffixes, ""),
      });
    }),
);

function queriesOf(patterns: readonly string[], distances: readonly number[]): DomainQuery[] {
  return patterns.map((pattern, i) => ({
    query_id: i + 1,
    parameters: { string_matches: [{ pattern, max_edit_distance: distances[i]! }] },
  }));
}

/** A dot alone is not a pattern. */
const isPattern = (pattern: string) => pattern !== ".";

describe("a matcher", () => {
  test("finds the same matches as the plain matrix", () => {
    fc.assert(
      fc.property(cases, options, ({ patterns, distances, labels, suffix }, setting) => {
        const queries = queriesOf(patterns, distances);
        const host = [...labels, suffix].filter((part) => part !== "").join(".");
        const found = compileQueries(queries, setting)
          .match(host)
          .map(({ query_id, pattern_index, host, distance, channel, mode, host_span }) => ({
            query_id,
            pattern_index,
            host,
            distance,
            channel,
            mode,
            host_span,
          }));
        expect(found).toEqual(referenceMatches(queries, setting, host));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("finds the same look-alikes of several replaced letters as the plain comparison of every substring", () => {
    const patterns = ["discord", "modern", "lincoln", "blackbird", "milli", "b3h8k"];
    const queries = queriesOf(
      patterns,
      patterns.map(() => 0),
    );
    const replacements = [
      "d cl b ď dl",
      "m rn nn rr ḿ n",
      "n r ñ m",
      "i 1 l í",
      "l i 1 ł",
      "c e ç",
      "b d lb",
      "h lh",
      "k lc",
      "3 8",
    ];
    const glyphs = new Map(replacements.map((row) => [row[0], row.split(" ")]));
    const lookAlike = fc
      .constantFrom(...patterns)
      .chain((pattern) => fc.tuple(...[...pattern].map((c) => fc.constantFrom(c, ...(glyphs.get(c) ?? [c])))))
      .map((letters) => letters.join(""));
    const name = fc.array(fc.oneof(lookAlike, fc.constantFrom("é-", "-", ".", "a")), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(name, options, (parts, setting) => {
        const host = `${parts.join("")}.com`;
        const found = compileQueries(queries, { ...setting, confusables: true }).match(host);
        const expected = referenceMatches(queries, { ...setting, confusables: true }, host);
        expect(
          found.map((match) => [match.query_id, match.distance, match.channel, match.host_span]),
        ).toEqual(expected.map((match) => [match.query_id, match.distance, match.channel, match.host_span]));
      }),
      { numRuns: runs(1000) },
    );
  });

  test.each([
    ["ASCII", "abcde", 16],
    ["the BMP", "aé\u0430\u0251\u5b57", 10],
    ["all planes", "aé\u{10428}\u{10429}\u{1f4a9}\u{20000}", 8],
  ])("with label agrees with fast-levenshtein over the code points of %s", (_, letters, maxLength) => {
    const all = [...letters];
    // The package counts UTF-16 units, so each letter becomes one.
    const units = (text: string) => [...text].map((c) => String.fromCharCode(97 + all.indexOf(c))).join("");
    const word = textOf(letters, maxLength);
    const cases = word.chain((label) =>
      fc.tuple(
        fc.array(fc.oneof(word, mutated(label, letters).filter(Boolean)), { minLength: 1, maxLength: 30 }),
        fc.constant(label),
        fc.nat(3),
      ),
    );
    const met = [0, 0, 0, 0];
    fc.assert(
      fc.property(cases, ([patterns, label, limit]) => {
        const queries = queriesOf(
          patterns,
          patterns.map(() => limit),
        );
        const found = compileQueries(queries, { mode: "label" }).match(`${label}.example`);
        const expected = patterns.map((pattern) => levenshtein.get(units(pattern), units(label)));
        expect(found.map((m) => [m.query_id, m.distance])).toEqual(
          expected.flatMap((distance, i) => (distance <= limit ? [[i + 1, distance]] : [])),
        );
        for (const { distance } of found) met[distance]! += 1;
      }),
      { numRuns: runs(2_000, 100) },
    );
    expect(Math.min(...met)).toBeGreaterThan(0);
  });

  test("reads every name as normalizeHost does", () => {
    // A pattern of one letter with three edits is found in every host, so that whatever is not matched was not read.
    const everything = compileQueries(queriesOf(["q"], [3]));
    const letters = fc.constantFrom(..."aZ09-_*.:/ \u00e9\u0130\u3002", "xn--", "xn--ls8h", "a".repeat(60));
    const names = fc.oneof(
      fc.domain(),
      fc.string({ unit: letters, maxLength: 12 }),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(names, (name) => {
        const result = normalizeHost(name);
        const hosts = everything.match(name).map(({ host }) => host);
        expect(hosts).toEqual(result.ok ? [result.value.host] : []);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("returns the span in the given string for names that were folded", () => {
    fc.assert(
      fc.property(cases, ({ patterns, labels }) => {
        const queries = queriesOf(
          patterns,
          patterns.map(() => 1),
        ).slice(0, 3);
        const given = ` ${labels.join(".").toUpperCase()}.COM.`;
        for (const { span, host, host_span } of compileQueries(queries).match(given)) {
          const normalised = [...host].slice(host_span.start, host_span.end).join("");
          expect(foldText(given.slice(span.start, span.end))).toContain(normalised);
        }
      }),
    );
  });
});
