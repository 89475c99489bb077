/** The tables of host names, and what is made with them, are those of tr46. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tableModule } from "../../../scripts/idna/table.ts";
import { domainToAscii } from "../../../src/core/idna/host.ts";
import { runs } from "../../support/runs.ts";

interface Tr46 {
  toASCII(host: string, options: Readonly<Record<string, boolean>>): string | null;
}

const { toASCII } = createRequire(new URL("../../../scripts/idna/package.json", import.meta.url))(
  "tr46",
) as Tr46;

const forbidden = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

/** As the URL standard calls it. Without tr46's own joiner check, which reads other letters than those around the joiner. */
function expected(host: string): string {
  const ascii = toASCII(host, { checkBidi: true, checkJoiners: true }) ?? "";
  return forbidden.test(ascii) ? "" : ascii;
}

test("the file of the tables is the one that `npm run build:idna` writes", () => {
  expect(readFileSync("src/core/idna/table.ts", "utf8")).toBe(tableModule());
});

test("every character of planes 0 and 1 has the A-label of tr46, after Latin and after Hebrew letters", () => {
  const different: string[] = [];
  for (let point = 0x80; point < 0x20000; point++) {
    const character = String.fromCodePoint(point);
    for (const host of [`ab${character}`, `\u05d0${character}`])
      if (domainToAscii(host) !== expected(host)) different.push(`U+${point.toString(16)}`);
  }
  expect(different).toEqual([]);
});

test("hosts have the A-labels of tr46", () => {
  const telling = fc.constantFrom(
    ..."abz09-.\u00fc\u00df\u03c2\u00ad\u0301\u0661\u06f1\u05d0\u0628\u0627\u094d\u0915\u200c\u200d\u3002\u2100ı",
  );
  const host = fc.oneof(
    fc.string({
      unit: fc.oneof(telling, fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 })),
      maxLength: 10,
    }),
    fc
      .string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789-"), maxLength: 12 })
      .map((rest) => `xn--${rest}`),
  );
  fc.assert(
    fc.property(host, (given) => {
      // Only URLs have addresses.
      fc.pre(!/(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/.test(expected(given)));
      expect(domainToAscii(given)).toBe(expected(given));
    }),
    { numRuns: runs(100_000) },
  );
});
