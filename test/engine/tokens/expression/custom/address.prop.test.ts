/** Addresses agree with those of Node, and base64 with its own encoding. */
import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  parseAddress,
  parseAddressRange,
  printAddress,
} from "../../../../../src/engine/tokens/expression/values/address.ts";
import { runs } from "../../../../support/runs.ts";
import { evaluateCustom } from "./evaluate-custom.ts";

const parts = fc.array(fc.constantFrom("::", ":", "0", "1", "ffff", "10", "1.2.3.4", ".", "256", "00", "g"), {
  maxLength: 12,
});

test("a string is an address exactly when it is one for Node", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        parts.map((all) => all.join("")),
        fc.ipV4(),
        fc.ipV6(),
      ),
      (text) => {
        const parsed = parseAddress(text);
        expect(parsed === undefined ? 0 : typeof parsed === "number" ? 4 : 6).toBe(isIP(text));
      },
    ),
    { numRuns: runs(20_000) },
  );
});

test("an address is printed as URLs have it, and read again", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const address = parseAddress(text) as bigint;
      expect(parseAddress(printAddress(address))).toBe(address);
      expect(`[${printAddress(address)}]`).toBe(new URL(`http://[${text}]`).hostname);
    }),
    { numRuns: runs(2_000) },
  );
});

test.each([
  "1.2.3.4::",
  "1.2.3.0/24/8",
  "1.2.3.0/33",
  "::/129",
  "1.2.3.0/",
  "1.2.3.0/024",
  "1..2",
  "1.2.3.4..",
  "",
])("`%s` is neither an address nor a network nor a range", (text) => {
  expect(parseAddressRange(text)).toBeTypeOf("string");
});

test.each([
  ["10.0.0.0/33", "`10.0.0.0/33` is not a network: a prefix length from 0 to 32 is expected"],
  ["2001:db8::/129", "`2001:db8::/129` is not a network: a prefix length from 0 to 128 is expected"],
  ["10.0.0/8", "`10.0.0/8` is not an IP address, network or range"],
  ["10.0.0.5/8", "`10.0.0.5/8` has bits after its prefix; the network is `10.0.0.0/8`"],
])("%s is rejected with its reason", (text, message) => {
  expect(parseAddressRange(text)).toBe(message);
});

test.each([
  "",
  "a",
  "ab",
  "abc",
  "abcd",
  "ab==",
  "abc=",
  "ab=",
  "abcd=",
  "a===",
  "====",
  "==",
  "ab-_",
  "YWJj\n",
])("`%s` is base64 exactly when some bytes have that encoding, with or without padding", (encoded) => {
  const plain = encoded.replace(/=+$/, "");
  const padded = plain.padEnd(Math.ceil(plain.length / 4) * 4, "=");
  const isBase64 =
    /^[A-Za-z0-9+/]*$/.test(plain) && plain.length % 4 !== 1 && (encoded === plain || encoded === padded);
  expect(evaluateCustom("len(decode_base64(http.request.body.raw)) ge 0", { body: encoded })).toBe(isBase64);
});

test("very long values are evaluated", () => {
  const body = "%25".repeat(200_000);
  const text =
    'len(url_decode(http.request.body.raw, "ru")) lt 400000 and not len(decode_base64(http.request.body.raw)) ge 0';
  expect(evaluateCustom(text, { body })).toBe(true);
  expect(
    evaluateCustom("len(decode_base64(http.request.body.raw)) eq 3000000", {
      body: "YWJj".repeat(1_000_000),
    }),
  ).toBe(true);
  expect(
    evaluateCustom('lookup_json_string(http.request.body.raw, "a") eq "b"', { body: "[".repeat(1_000_000) }),
  ).toBe(false);
});
