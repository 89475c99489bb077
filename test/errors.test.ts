/** The catalogue against the specification's own table, written down in fixtures/spec-errors.json. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  ApiError,
  catalogue,
  InvalidInputError,
  note,
  noteCodes,
  pointer,
  problem,
  quote,
} from "../src/errors.ts";

interface SpecRow {
  readonly code: number;
  readonly name: string;
  /** Null where the specification withholds it. */
  readonly status: number | null;
}

const table = JSON.parse(readFileSync("fixtures/spec-errors.json", "utf8")) as SpecRow[];

describe("the catalogue", () => {
  test("the rows marked spec are the rows of the specification, with its names", () => {
    const rows = Object.entries(catalogue).filter(([, row]) => row.source === "spec");
    expect(rows.map(([code, row]) => [Number(code), row.name])).toEqual(
      table.map((row) => [row.code, row.name]),
    );
  });

  test("statuses are those of the specification; the four that it does not state are 400", () => {
    for (const { code, status } of table) {
      expect(catalogue[code as keyof typeof catalogue].status, String(code)).toBe(status ?? 400);
    }
  });

  test("no status makes clients repeat a request, but those of deliveries, a full queue and a failing origin, and of faults on demand", () => {
    const retried = Object.entries(catalogue).filter(
      ([, row]) => [408, 409, 429].includes(row.status) || row.status > 500,
    );
    expect(retried.map(([code]) => code)).toEqual([
      ...["971", "9403", "9407", "9504", "9505", "9509", "9510", "9522"],
    ]);
  });

  test("every row has a source", () => {
    for (const row of Object.values(catalogue)) expect(["spec", "observed", "chosen"]).toContain(row.source);
  });
});

test("an ApiError has the code and the status of its first problem", () => {
  const error = new ApiError(problem(11014, "a"), problem(11000, "b"));
  expect([error.code, error.status, error.message, error.problems.length]).toEqual([11014, 403, "a", 2]);
});

test("the message of an InvalidInputError has every problem with its pointer", () => {
  const problems = [problem(10400, "x", "/a"), problem(10400, "y")];
  const error = new InvalidInputError("the world is not valid", problems);
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe("the world is not valid: /a: x; y");
});

test("problems and notes are diagnostics with the rule, the level and the code of their situation", () => {
  expect(problem(5404, "a", "/id")).toEqual({
    rule: "images-image-not-found",
    level: "error",
    code: 5404,
    message: "a",
    pointer: "/id",
  });
  expect(note("memberIgnored", "b")).toEqual({
    rule: "member-ignored",
    level: "note",
    code: noteCodes.memberIgnored,
    message: "b",
  });
});

test("each code has a rule of its own", () => {
  const rules = Object.values(catalogue).map(({ rule }) => rule);
  expect(new Set(rules).size).toBe(rules.length);
  for (const rule of rules) expect(rule).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test("pointers are written as RFC 6901 specifies", () => {
  expect(pointer()).toBe("");
  expect(pointer("keys", 0, "a/b", "m~n")).toBe("/keys/0/a~1b/m~0n");
});

test("a quoted value is on one line and shortened", () => {
  expect(quote("a\nb")).toBe("`a\\nb`");
  expect(quote("x".repeat(200))).toBe(`\`${"x".repeat(80)}...\``);
  expect(quote(undefined)).toBe("nothing");
  expect([quote([1, 2]), quote({}), quote(null), quote(5)]).toEqual([
    "an array of 2 elements",
    "an object",
    "`null`",
    "`5`",
  ]);
});
