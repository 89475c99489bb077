/** The host in what feeds have for a name. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostPartOf } from "../../../../src/engine/brand/names/host-part.ts";

test.each([
  ["https://user:pw@Login.Example.com:8443/path?a=b#c", "Login.Example.com"],
  ["http://example.com", "example.com"],
  ["//cdn.example.com/x", "cdn.example.com"],
  ["hxxps://example.com?x", "example.com"],
  ["example.com/path", "example.com"],
  ["example.com:443", "example.com"],
  ["*.example.com", "example.com"],
  ["https://*.example.com./", "example.com."],
  [" müller.example ", "müller.example"],
  ["https://a@b@example.com\\evil", "example.com"],
  ["evil[.]com", "evil.com"],
  ["login.evil(.)com", "login.evil.com"],
  ["evil[dot]com", "evil.com"],
  ["hxxps[:]//evil[.]com/path", "evil.com"],
  ["hxxp[://]evil[.]com", "evil.com"],
  // Not host names, and reported as such.
  ["/index.html", "/index.html"],
  ["a b.com", "a b.com"],
  ["user@example.com", "user@example.com"],
  ["https://", "https://"],
])("of %s is %s", (given, host) => {
  expect(hostPartOf(given)).toBe(host);
});

test("of a name alone is the name", () => {
  fc.assert(
    fc.property(fc.domain(), (name) => {
      expect(hostPartOf(name)).toBe(name);
    }),
  );
});
