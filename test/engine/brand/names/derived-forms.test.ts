/** Derived forms of a string, and their late computation. */
import { expect, test } from "vitest";
import { derivedFormsOf, once } from "../../../../src/engine/brand/names/derived-forms.ts";

test("the derived forms are the skeleton and the string without hyphens or dots", () => {
  const forms = derivedFormsOf("a-b.0-1.m");
  expect([forms.text, forms.skeleton(), forms.withoutHyphens(), forms.withoutDots()]).toEqual([
    "a-b.0-1.m",
    "a-b.o-l.rn",
    "ab.01.m",
    "a-b0-1m",
  ]);
  const plain = derivedFormsOf("abc");
  expect([plain.withoutHyphens(), plain.withoutDots()]).toEqual(["abc", "abc"]);
});

test("`once` computes its value at the first call and never again, an empty string too", () => {
  let calls = 0;
  const value = once(() => {
    calls += 1;
    return "";
  });
  expect(calls).toBe(0);
  expect([value(), value(), calls]).toEqual(["", "", 1]);
});
