/** Masked credentials of URLs. */
import { expect, test } from "vitest";
import { maskCredentials } from "../../../../src/service/images/uploads/mask-credentials.ts";

test.each([
  ["http://ada:secret@example.com/a@b", "http://***@example.com/a@b"],
  ["https://ada@example.com", "https://***@example.com"],
  ["https://a:b@c@example.com/?x=y@z", "https://***@example.com/?x=y@z"],
  ["http:ada:secret@example.com/", "http:***@example.com/"],
  ["http:\\\\ada:secret@example.com/", "http:\\\\***@example.com/"],
  ["cannot fetch 'https://a:b@example.com/x': no", "cannot fetch 'https://***@example.com/x': no"],
  ["https://example.com/user@example.com", "https://example.com/user@example.com"],
  ["mail ada@example.com", "mail ada@example.com"],
])("%s becomes %s", (text, masked) => {
  expect(maskCredentials(text)).toBe(masked);
});
