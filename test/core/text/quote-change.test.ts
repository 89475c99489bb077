/** Messages about a text that becomes another. */
import { expect, test } from "vitest";
import { quoteChange } from "../../../src/errors.ts";

test("of long texts the difference is shown, and what both begin with is shortened", () => {
  const same = `lookup_json_string(http.request.jwt.claims["${"0123456789abcdef".repeat(4)}"]`;
  expect(quoteChange(`${same}[0], "aud") eq "shop"`, `${same}[0], "sub") eq "shop"`)).toBe(
    '`...9abcdef"][0], "aud") eq "shop"` becomes `...9abcdef"][0], "sub") eq "shop"`'.replaceAll(
      '...9abcdef"][0], "',
      `...${`${same}[0], "`.slice(-20)}`,
    ),
  );
});

test("short texts are shown whole", () => {
  expect(quoteChange("is_jwt_valid", "is_jwt_present")).toBe("`is_jwt_valid` becomes `is_jwt_present`");
});

test("half of a character is not shown", () => {
  const same = "x".repeat(90);
  expect(quoteChange(`${same}\u{1f600}${"y".repeat(19)}a`, `${same}\u{1f600}${"y".repeat(19)}b`)).toBe(
    `\`...${"y".repeat(19)}a\` becomes \`...${"y".repeat(19)}b\``,
  );
});
