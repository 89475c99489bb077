/** Secrets are masked by their names, wherever an address or an expression has them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { maskAddress, maskText } from "../../../src/core/text/secrets.ts";
import { runs } from "../../support/runs.ts";

const secretName = fc.constantFrom("token", "x-api-key", "session", "authorization", "client_secret");
const plainName = fc.constantFrom("q", "page", "x-plan", "author");
const letters = fc.string({ unit: fc.constantFrom("a", "b", "9", "-", "/", ";", "="), maxLength: 8 });
const secret = letters.map((text) => `PLANTED${text}`);
const delimiter = fc.constantFrom("/", "&", ";", "?", "#");
const parameters = fc.array(fc.tuple(delimiter, fc.oneof(secretName, plainName), letters), { maxLength: 4 });

test("a parameter with a secret name is masked in every part of an address", () => {
  fc.assert(
    fc.property(parameters, delimiter, secretName, secret, parameters, (before, mark, name, value, after) => {
      const print = (list: typeof before) =>
        list.map(([sign, key, text]) => `${sign}${key}=${text}`).join("");
      // In a query and after it, a slash and a question mark begin no parameter.
      fc.pre(!"/?".includes(mark) || !/[?#]/.test(print(before)));
      const address = `https://example.com${print(before)}${mark}${name}=${value}${print(after)}`;
      for (const masked of [maskAddress(address), maskText(`GET ${address}`)]) {
        expect(masked).not.toContain("PLANTED");
        expect(maskText(masked)).toBe(masked);
      }
    }),
    { numRuns: runs(1_000) },
  );
});

const operator = fc.constantFrom("eq", "ne", "contains", "strict wildcard", "matches", "==", "<", "in");
const wrapped = fc.constantFrom(
  (value: string) => value,
  (value: string) => `lower(${value})`,
  (value: string) => `substring(${value}, 0, 5)`,
);
const printed = fc.constantFrom(
  (text: string) => JSON.stringify(text),
  (text: string) => `r#"${text}"#`,
  (text: string) => `{"a" ${JSON.stringify(text)}}`,
);

test("a literal that is compared with a value of a secret name is masked, and no other one", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("headers", "cookies", "uri.args", "body.form"),
      fc.oneof(secretName, plainName),
      operator,
      wrapped,
      printed,
      secret,
      (field, name, compared, wrap, print, value) => {
        const read = wrap(`http.request.${field}[${JSON.stringify(name)}][0]`);
        const masked = maskText(`${read} ${compared} ${print(value)} and http.host eq "kept"`);
        expect(masked).toContain('and http.host eq "kept"');
        const isSecret = !["q", "page", "x-plan", "author"].includes(name);
        expect(masked.includes("PLANTED")).toBe(!isSecret);
      },
    ),
    { numRuns: runs(1_000) },
  );
});
