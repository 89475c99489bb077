/** Links without secrets have no shared secret, in whatever format the rules are written. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { withoutSecrets } from "../../../web/src/playground/without-secrets.ts";

const k = randomBytes(48).toString("base64url");
const request = { method: "GET", url: "", headers: "" };
const clean = (rules: string) => withoutSecrets({ rules, before: rules, request });

const folded = `${k.slice(0, 30)}\n      ${k.slice(30)}`;

test.each([
  ["JSON", JSON.stringify({ kty: "oct", kid: "s", alg: "HS384", k })],
  ["JSON with escapes", `{"kty":"oct","k":"\\u0041${k}"}`],
  ["JSON with comments", `{ // a key\n "kty": "oct", "k"  :  "${k}", }`],
  ["YAML", `keys:\n  - kty: oct\n    k: ${k}\n    kid: s\n`],
  ["YAML with quotes", `- { kty: oct, 'k': '${k}', kid: s }`],
  ["YAML with a block", `- kty: oct\n  k: >-\n      ${folded}\n`],
  ["Terraform", `keys = [{ kty = "oct", k = "${k}", kid = "s" }]`],
])("%s", (_format, rules) => {
  const text = JSON.stringify(clean(rules));
  for (const part of [k, k.slice(0, 25), k.slice(32)]) expect(text).not.toContain(part);
  expect(text).toContain("oct");
});

test("other members and expressions stay", () => {
  const rules =
    'k: short\nexpression: http.request.uri.query eq "k=01234567890123456789012"\nblack = "0123456789012345678901234"';
  expect(clean(rules).rules).toBe(rules);
  const url = "https://a.example/?q=aLongWordThatIsSearchedFor&k=0123456789012345678901234";
  expect(withoutSecrets({ rules: "", before: "", request: { ...request, url } }).request.url).toBe(url);
});
