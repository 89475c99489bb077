/** The reader of names against what `normalizeHost` and `namePartsOf` say. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import { alphabetSteps, classOf, codePoints } from "../../../../src/engine/brand/names/alphabet.ts";
import { normalizeHost } from "../../../../src/engine/brand/names/host.ts";
import { createNameReader, nameCapacity } from "../../../../src/engine/brand/names/name.ts";

const alphabet = runSteps(alphabetSteps([{ points: codePoints("paypal-0.äé") }]));
const memory = { name: new Uint8Array(nameCapacity), ascii: new Uint8Array(nameCapacity) };
const reader = createNameReader(alphabet, memory);

/** The result of the reader for a name. */
function read(source: string) {
  if (!reader.read(source)) return undefined;
  const { name } = reader;
  return {
    classes: [...memory.name.subarray(0, name.length)],
    labelEnds: [...name.labelEnds.subarray(0, name.labels)],
    tokenEnds: [...name.tokenEnds.subarray(0, name.tokens)],
    textBound: name.textBound,
    host: name.parts().host,
  };
}

/** The same, plainly. */
function expected(source: string) {
  const result = normalizeHost(source);
  if (!result.ok) return undefined;
  const { host } = result.value;
  const points = codePoints(host);
  const endsOf = (letters: string) =>
    [...points.entries()].filter(([, c]) => letters.includes(String.fromCodePoint(c))).map(([i]) => i);
  const labelEnds = [...endsOf("."), points.length];
  const isNumber = /[0-9]$/.test(host);
  return {
    classes: points.map((c) => classOf(alphabet.idOf(c))),
    labelEnds,
    tokenEnds: [...endsOf(".-"), points.length],
    textBound: isNumber || labelEnds.length < 2 ? points.length : (labelEnds.at(-2) ?? 0),
    host,
  };
}

const examples = [
  "paypal.com",
  "PAYPAL.Com",
  "a-b.c-d.com",
  "a_b.*.com",
  "192.0.2.1",
  "a.b0",
  "a.b9",
  "a.b/",
  "a.b:",
  "com",
  "com.",
  "a..b",
  ".a",
  "a b",
  "a@b",
  "[a]",
  "a`b",
  "",
  "-",
  "a-",
  "xn--bcher-kva.example",
  "x.XN--bcher-kva.example",
  "axn--b.example",
  "ab--c.example",
  "xn-a.example",
  "bücher.example",
  "💩.la",
  "é",
  `${"a".repeat(63)}.com`,
  `${"a".repeat(64)}.com`,
  `com.${"a".repeat(63)}`,
  `com.${"a".repeat(64)}`,
  `${"a.".repeat(126)}a`,
  `${"a.".repeat(126)}ab`,
  `${"é.".repeat(126)}a`,
];

test.each(examples)("the reader agrees with normalizeHost about `%s`", (source) => {
  expect(read(source)).toEqual(expected(source));
});

test("and about random names", () => {
  const unit = fc.constantFrom(..."paylPAYL019-_.xn*é@ ");
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit, maxLength: 20 }), fc.domain()), (source) => {
      expect(read(source)).toEqual(expected(source));
    }),
  );
});

test("only plain ASCII names are read without folding", () => {
  const asciiOf = (source: string) => (reader.read(source) ? reader.name.ascii : "invalid");
  expect(asciiOf("PayPal.com")).toBe("PayPal.com");
  expect(asciiOf("paypal.com.")).toBeUndefined();
  expect(asciiOf(" paypal.com")).toBeUndefined();
  expect(asciiOf("xn--bcher-kva.example")).toBeUndefined();
  expect(asciiOf("ab--c.example")).toBe("ab--c.example");
  expect(asciiOf("bücher.example")).toBeUndefined();
});

test("a value that is not a string is no name", () => {
  expect(reader.read(undefined as unknown as string)).toBe(false);
  expect(reader.read(["paypal.com"] as unknown as string)).toBe(false);
});
