/** Checking of queries, and what compiling refuses. */
import { checkQueries, checkStringMatches, compileQueries, type DomainQuery } from "edgeproof/brand";
import { describe, expect, test } from "vitest";
import { InvalidInputError } from "../../../src/errors.ts";

const at = "/0/parameters/string_matches";

function query(pattern: unknown, max_edit_distance: unknown = 1) {
  return [{ query_id: 1, parameters: { string_matches: [{ pattern, max_edit_distance }] } }];
}

describe("a query", () => {
  test.each([
    ["text", "", "Queries must be an array, found `text`."],
    [[null], "/0", "A query must be an object, found `null`."],
    [[{ query_id: 1 }], "/0/parameters", "The parameters must be an object, found `undefined`."],
    [
      [{ query_id: 1.5, parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] } }],
      "/0/query_id",
      "The query id must be an integer, found `1.5`.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: {} } }],
      at,
      "The string matches must be an array, found `an object`.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: [] } }],
      at,
      "A query must have 1 to 100 patterns, found 0.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: new Array(101).fill({}) } }],
      at,
      "A query must have 1 to 100 patterns, found 101.",
    ],
    [
      [{ query_id: 1, parameters: { string_matches: ["paypal"] } }],
      `${at}/0`,
      "A string match must be an object, found `paypal`.",
    ],
    [query(7), `${at}/0/pattern`, "The pattern must be a string, found `7`."],
    [query(" . "), `${at}/0/pattern`, "The pattern must have 1 to 200 characters, found 0 in ` . `."],
    [
      query("x".repeat(201)),
      `${at}/0/pattern`,
      `The pattern must have 1 to 200 characters, found 201 in \`${"x".repeat(80)}...\`.`,
    ],
    [
      query("paypal", 4),
      `${at}/0/max_edit_distance`,
      "The edit distance must be an integer from 0 to 3, found `4`.",
    ],
    [
      query("paypal", "1"),
      `${at}/0/max_edit_distance`,
      "The edit distance must be an integer from 0 to 3, found `1`.",
    ],
  ])("is refused: %j", (queries, pointer, message) => {
    expect(checkQueries(queries).problems).toEqual([{ code: 7001, pointer, message }]);
  });

  test("may have patterns of 1 to 200 code points of any script", () => {
    expect(checkQueries(query("💩".repeat(200))).problems).toEqual([]);
    expect(checkQueries(query("𐐨", 0))).toEqual({ problems: [], notes: [] });
    // One letter that folds into eighteen.
    expect(checkQueries(query("ﷺ".repeat(12))).problems).toHaveLength(1);
  });

  test("with a short pattern and edits gets a note, or is refused, as asked", () => {
    const matches = [{ pattern: "visa", max_edit_distance: 1 }];
    expect(checkStringMatches(matches)).toEqual({
      problems: [],
      notes: [
        {
          code: 10402,
          pointer: "/0/max_edit_distance",
          message:
            "The pattern `visa` has fewer than 5 characters; with edits allowed it is found in very many names.",
        },
      ],
    });
    expect(checkStringMatches(matches, { shortPatterns: "exact" })).toEqual({
      problems: [
        {
          code: 7001,
          pointer: "/0/max_edit_distance",
          message: "The pattern `visa` has fewer than 5 characters, so its edit distance must be 0.",
        },
      ],
      notes: [],
    });
    expect(
      checkStringMatches([{ pattern: "visa", max_edit_distance: 0 }], { shortPatterns: "exact" }).problems,
    ).toEqual([]);
  });

  test("is not compiled when it is wrong", () => {
    expect(() => compileQueries(query("", 9) as DomainQuery[])).toThrow(InvalidInputError);
    expect(() => compileQueries([], { mode: "exact" as "label" })).toThrow(
      'The option mode cannot be exact: use mode "contains" or "label", and true or false for transpositions, confusables, separators.',
    );
    expect(() => compileQueries([], { typo: true } as object)).toThrow(TypeError);
    expect(compileQueries([]).match("paypal.com")).toEqual([]);
  });
});
