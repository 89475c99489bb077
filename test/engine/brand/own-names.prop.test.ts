/** The laws of own domains: they are never matches, and nothing else changes. */
import { compileQueries, normalizeHost } from "edgeproof/brand";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText } from "../../../src/engine/brand/names/fold.ts";
import { runs } from "../../support/runs.ts";

const string_matches = [
  { pattern: "paypal", max_edit_distance: 1 },
  { pattern: "bücher", max_edit_distance: 1 },
  { pattern: "paypal.com", max_edit_distance: 0 },
];
const queries = [{ query_id: 1, parameters: { string_matches } }];

/** Each domain is given in other letters than those of the names. */
const domains = ["PayPal.com.", "xn--bcher-kva.example", "bücher.co.uk", "shop.paypal.de"];
const names = [
  ...["paypal.com", "paypal.de", "shop.paypal.de", "paypa1.com", "paypal.com.evil.net", "notpaypal.com"],
  ...["bücher.example", "XN--BCHER-KVA.example", "bücher.co.uk", "bucher.co.uk", "paypal.github.io"],
];
const name = fc
  .tuple(fc.constantFrom("", "www.", "a.b.", "my-", "x"), fc.constantFrom(...names), fc.constantFrom("", "."))
  .map((parts) => parts.join(""));

/** Whether a name is one of the domains or below one, by its labels. */
function isBelow(host: string, own: readonly string[]): boolean {
  const labels = foldText(host.replace(/\.$/, "")).split(".");
  return own.some((domain) => {
    const wanted = foldText(domain.replace(/\.$/, "")).split(".");
    return labels.slice(-wanted.length).join(".") === wanted.join(".");
  });
}

test("own domains and their subdomains are never matches, and all other names match as without them", () => {
  let [owned, kept] = [0, 0];
  const mode = fc.constantFrom(...(["contains", "label", "token", "recommended"] as const));
  fc.assert(
    fc.property(fc.subarray(domains), name, mode, (own, host, mode) => {
      expect(normalizeHost(host).ok).toBe(true);
      const plain = compileQueries(queries, { mode }).match(host);
      const isOwn = isBelow(host, own);
      if (plain.length > 0 && isOwn) owned += 1;
      if (plain.length > 0 && !isOwn) kept += 1;
      expect(compileQueries(queries, { mode, own }).match(host)).toEqual(isOwn ? [] : plain);
    }),
    { numRuns: runs(4_000, 800) },
  );
  expect(Math.min(owned, kept)).toBeGreaterThan(0);
});

describe("a list of own domains", () => {
  test.each([
    [["com"], "`own[0]`: An own domain must not be a public suffix"],
    [["paypal.com", "co.uk."], "`own[1]`: An own domain must not be a public suffix"],
    [["GitHub.io"], "such as `example.github.io`"],
    [["a b.com"], "`own[0]`: A host name cannot contain ` `"],
    [[""], "`own[0]`: A host name must not be empty"],
    [[7], "`own[0]`: A host name must be a string"],
    ["paypal.com", "`own` must be a list of domains"],
  ])("of %j is rejected", (own, message) => {
    expect(() => compileQueries(queries, { own: own as string[] })).toThrow(TypeError);
    expect(() => compileQueries(queries, { own: own as string[] })).toThrow(message);
  });
});
