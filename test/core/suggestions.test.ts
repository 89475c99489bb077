/** Suggestions for mistyped names: typing errors have one, other words none. */
import { expect, test } from "vitest";
import { didYouMean } from "../../src/core/suggest.ts";

const options = ["--zone", "--open", "--host", "--world", "--watch", "--partial", "--coverage-out"];

test.each([
  ["evla", ["eval", "diff"], "eval"],
  ["chekc", ["check", "eval"], "check"],
  ["--wrold", options, "--world"],
  ["--zne", options, "--zone"],
  ["--covrage-ot", options, "--coverage-out"],
  ["blok", ["allow", "block", "log"], "block"],
  ["tpye", ["type", "name"], "type"],
])("%s of %j is %s", (typed, words, expected) =>
  expect(didYouMean(typed, words)).toBe(`; did you mean \`${expected}\`?`),
);

test.each([
  ["xml", ["text", "json", "html", "lcov"]],
  ["--nope", options],
  ["foo", ["or", "not", "for"].slice(0, 2)],
  ["abc", ["cab", "and"]],
])("%s resembles none of %j", (typed, words) => expect(didYouMean(typed, words)).toBe(""));
