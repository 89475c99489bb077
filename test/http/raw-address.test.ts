/** The address of a request as sent. */
import { expect, test } from "vitest";
import { rawAddress } from "../../src/http/requests/raw-address.ts";

test.each([
  ["https://edge.test", "https://edge.test", "/", ""],
  ["https://edge.test/", "https://edge.test", "/", ""],
  ["http://edge.test:8080/a%2Fb/c", "http://edge.test:8080", "/a%2Fb/c", ""],
  ["http://[::1]:8080/a?b=/c?d", "http://[::1]:8080", "/a", "b=/c?d"],
  ["https://edge.test/a?", "https://edge.test", "/a", ""],
  ["https://edge.test/a#b?c", "https://edge.test", "/a", ""],
  ["https://edge.test/a?b#c?d#e", "https://edge.test", "/a", "b"],
  ["https://edge.test?b=https://x/", "https://edge.test", "/", "b=https://x/"],
])("%s", (url, origin, pathname, query) => {
  expect(rawAddress(new Request(url))).toEqual({ origin, pathname, query });
});
