/** Validation of queries, and the queries and options that the compiler rejects. */
import { checkQueries, checkStringMatches, compileQueries, type DomainQuery } from "edgeproof/brand";
import { describe, expect, test } from "vitest";
import { InvalidInputError } from "../../../src/errors.ts";

const at = "/0/parameters/string_matches";

function query(pattern: unknown, max_edit_distance: unknown = 1) {
  return [{ query_id: 1, parameters: { string_matches: [{ pattern, max_edit_distance }] } }];
}

describe("a query", () => {
  test.each([
    ["text", "", "The queries must be an array; found `text`."],
    [[null], "/0", "A query must be an object; found `null`."],
    [[{ query_id: 1 }], "/0/parameters", "`parameters` must be an object; found nothing."],
    [
      [{ query_id: 1.5, parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] } }],
      "/0/query_id",
      "`query_id` must be an integer; found `1.5`.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: {} } }],
      at,
      "`string_matches` must be an array; found an object.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: [] } }],
      at,
      "`string_matches` must have 1 to 100 elements; found 0.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: new Array(101).fill({}) } }],
      at,
      "`string_matches` must have 1 to 100 elements; found 101.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: ["paypal"] } }],
      `${at}/0`,
      "A string match must be an object; found `paypal`.",
    ],
    [query(7), `${at}/0/pattern`, "`pattern` must be a string; found `7`."],
    [query(" . "), `${at}/0/pattern`, "`pattern` must be 1 to 200 characters; found 0 in ` . `."],
    [
      query("x".repeat(201)),
      `${at}/0/pattern`,
      `\`pattern\` must be 1 to 200 characters; found 201 in \`${"x".repeat(80)}...\`.`,
    ],
    [
      query("paypal", 4),
      `${at}/0/max_edit_distance`,
      "`max_edit_distance` must be an integer from 0 to 3; found `4`.",
    ],
    [
      query("paypal", "1"),
      `${at}/0/max_edit_distance`,
      "`max_edit_distance` must be an integer from 0 to 3; found `1`.",
    ],
  ])("is rejected: %j", (queries, pointer, message) => {
    expect(checkQueries(queries).problems).toMatchObject([{ code: 7001, pointer, message }]);
  });

  test("can have patterns of 1 to 200 code points of any script", () => {
    expect(checkQueries(query("💩".repeat(200))).problems).toEqual([]);
    expect(checkQueries(query("𐐨", 0))).toEqual({ problems: [], notes: [] });
    // One letter that folds into eighteen.
    expect(checkQueries(query("ﷺ".repeat(12))).problems).toHaveLength(1);
  });

  test('with a short pattern and edits gets a note, or is rejected with `shortPatterns: "exact"`', () => {
    const matches = [{ pattern: "visa", max_edit_distance: 1 }];
    expect(checkStringMatches(matches)).toMatchObject({
      problems: [],
      notes: [
        {
          code: 10402,
          pointer: "/0/max_edit_distance",
          message:
            "Very many names match with edits, because the pattern `visa` has fewer than 5 characters.",
        },
      ],
    });
    expect(checkStringMatches(matches, { shortPatterns: "exact" })).toMatchObject({
      problems: [
        {
          code: 7001,
          pointer: "/0/max_edit_distance",
          message: "`max_edit_distance` must be 0, because the pattern `visa` has fewer than 5 characters.",
        },
      ],
      notes: [],
    });
    expect(
      checkStringMatches([{ pattern: "visa", max_edit_distance: 0 }], { shortPatterns: "exact" }).problems,
    ).toEqual([]);
  });

  test.each([
    ["https://paypal.com", ":"],
    ["paypal/login", "/"],
    ["pay pal", " "],
    ["pay\tpal", "\\u0009"],
    ["pay@pal", "@"],
  ])(
    "%j, which no host can hold, is accepted with a note when it is searched as sent",
    (pattern, character) => {
      const { problems, notes } = checkStringMatches([{ pattern, max_edit_distance: 0 }], {
        patterns: "as-sent",
      });
      expect(problems).toEqual([]);
      expect(notes).toMatchObject([{ code: 10402, pointer: "/0/pattern" }]);
      expect(notes[0]?.message).toContain("No host name can contain ");
      if (!character.startsWith("\\")) expect(notes[0]?.message).toContain(`\`${character}\``);
    },
  );

  test.each([
    ["https://paypal.com", "paypal.com"],
    ["www.paypal.com", "paypal.com"],
    ["*.paypal.com", "paypal.com"],
    ["PayPal®", "PayPal"],
    ["paypal/login", "paypal"],
  ])("%j is searched as the name in it, with a note", (pattern, name) => {
    const string_matches = [{ pattern, max_edit_distance: 0 }];
    const { problems, notes } = checkStringMatches(string_matches);
    expect(problems).toEqual([]);
    const message = `The pattern \`${pattern}\` is searched as \`${name}\`.`;
    expect(notes).toMatchObject([{ code: 10402, pointer: "/0/pattern", message }]);
    const queries = [{ query_id: 1, parameters: { string_matches } }];
    for (const mode of ["contains", "token", "recommended"] as const) {
      const [match] = compileQueries(queries, { mode }).match("login.paypal.com");
      expect(match).toMatchObject({ pattern, distance: 0, technique: "exact" });
    }
  });

  test("that has a name of few letters is noted for them, and one of no name is searched as it is", () => {
    const { notes } = checkStringMatches([{ pattern: "https://abc", max_edit_distance: 1 }]);
    expect(notes.map((note) => note.message)).toEqual([
      "The pattern `https://abc` is searched as `abc`.",
      expect.stringContaining("has fewer than 5 characters"),
    ]);
    const [note] = checkStringMatches([{ pattern: "®", max_edit_distance: 0 }]).notes;
    expect(note?.message ?? "").not.toContain("is searched as");
  });

  test("with U+0000 is rejected, and one of every other allowed character has no note", () => {
    expect(checkStringMatches([{ pattern: "pay\0pal", max_edit_distance: 0 }])).toMatchObject({
      problems: [{ code: 7001, pointer: "/0/pattern", message: "`pattern` must not contain U+0000." }],
    });
    expect(checkStringMatches([{ pattern: "PayPal-_1*.münchen", max_edit_distance: 0 }]).notes).toEqual([]);
  });

  test("is not compiled when it is invalid", () => {
    expect(() => compileQueries(query("", 9) as DomainQuery[])).toThrow(InvalidInputError);
    expect(() => compileQueries([], { mode: "exact" as "label" })).toThrow(
      "`mode` cannot be `exact`; `mode` must be `contains`, `label`, `token`, `recommended` or a list of 1 to 10 rules, and `transpositions`, `confusables`, `separators` must be true or false.",
    );
    expect(() => compileQueries([], { typo: true } as object)).toThrow(TypeError);
    expect(compileQueries([]).match("paypal.com")).toEqual([]);
  });
});
