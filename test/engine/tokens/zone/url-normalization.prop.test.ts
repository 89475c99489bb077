import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accepts } from "../../../../src/engine/tokens/analysis/strings/dfa.ts";
import { normalizedPathDfas, pathDfa } from "../../../../src/engine/tokens/analysis/strings/request-dfas.ts";
import { readTarget } from "../../../../src/engine/tokens/zone/target.ts";
import {
  isNormalizedPath,
  normalizeChangedPath,
  normalizeUrlPath,
} from "../../../../src/engine/tokens/zone/url-normalization.ts";
import { runs } from "../../../support/runs.ts";

const types = ["rfc3986", "cloudflare"] as const;

const piece = fc.oneof(
  fc.constantFrom(
    "/",
    "//",
    "\\",
    ".",
    "..",
    "/.",
    "/..",
    "/../",
    "%",
    "%2e",
    "%2E",
    "%2f",
    "%5c",
    "%41",
    "%7E",
  ),
  fc.constantFrom(
    "a",
    "Z",
    "0",
    "-",
    "_",
    "~",
    ":",
    "@",
    "[",
    "]",
    "|",
    "^",
    '"',
    " ",
    "é",
    "\ud83d\ude00",
    "\ud800",
  ),
  fc.integer({ min: 0, max: 255 }).map((code) => `%${code.toString(16).padStart(2, "0")}`),
  fc.string({ maxLength: 3 }).filter((text) => !/[?#]/.test(text)),
);
const path = fc.array(piece, { maxLength: 12 }).map((parts) => `/${parts.join("")}`);

/** The same by other means: character by character, and the algorithm of RFC 3986 with its two buffers. */
function plainNormalize(path: string, type: (typeof types)[number]): string {
  let input = path;
  if (type === "cloudflare") {
    input = input.split("\\").join("/");
    while (input.includes("//")) input = input.split("//").join("/");
  }
  let encoded = "";
  const characters = Array.from(input);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    const digits = (characters[i + 1] ?? "") + (characters[i + 2] ?? "");
    const code =
      [...digits].every((digit) => "0123456789abcdefABCDEF".includes(digit)) && digits.length === 2;
    if (character === "%" && code) {
      const decoded = String.fromCharCode(Number.parseInt(digits, 16));
      encoded += isUnreserved(decoded) ? decoded : `%${digits.toUpperCase()}`;
      i += 2;
    } else if (isUnreserved(character) || ":/?#[]@!$&'()*+,;=".includes(character)) encoded += character;
    else
      for (const byte of new TextEncoder().encode(character))
        encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  let rest = encoded;
  let output = "";
  while (rest !== "") {
    if (rest.startsWith("/./")) rest = rest.slice(2);
    else if (rest === "/.") rest = "/";
    else if (rest.startsWith("/../") || rest === "/..") {
      rest = `/${rest.slice(4)}`;
      output = output.slice(0, Math.max(0, output.lastIndexOf("/")));
    } else {
      const end = rest.indexOf("/", 1);
      output += end === -1 ? rest : rest.slice(0, end);
      rest = end === -1 ? "" : rest.slice(end);
    }
  }
  return output;
}

function isUnreserved(character: string): boolean {
  return character.length === 1 && "-._~".includes(character) ? true : /^[A-Za-z0-9]$/.test(character);
}

describe("normalizeUrlPath", () => {
  for (const type of types) {
    test(`is the normalization of the standard (${type})`, () => {
      fc.assert(
        fc.property(path, (sent) => {
          expect(normalizeUrlPath(sent, type)).toBe(plainNormalize(sent, type));
        }),
        { numRuns: runs(2000) },
      );
    });

    test(`changes nothing the second time, and leaves exactly what the scan finds normal (${type})`, () => {
      fc.assert(
        fc.property(path, (sent) => {
          const once = normalizeUrlPath(sent, type);
          expect(normalizeUrlPath(once, type)).toBe(once);
          expect(isNormalizedPath(once, type)).toBe(true);
          // The fast path and the general one agree.
          expect(isNormalizedPath(sent, type)).toBe(normalizeChangedPath(sent, type) === sent);
        }),
        { numRuns: runs(2000) },
      );
    });

    test(`leaves the paths that the analysis counts as possible (${type})`, () => {
      fc.assert(
        fc.property(path, fc.boolean(), (sent, isChanged) => {
          const once = isChanged ? normalizeUrlPath(sent, type) : sent;
          expect(accepts(pathDfa, once) && accepts(normalizedPathDfas[type], once)).toBe(
            isNormalizedPath(once, type),
          );
        }),
        { numRuns: runs(2000) },
      );
    });

    test(`is what the path of a URL becomes (${type})`, () => {
      fc.assert(
        fc.property(path, (sent) => {
          const written = sent.replace(/[\t\n\r]/g, "").replace(/[\0-\x20]+$/, "");
          expect(readTarget(`https://h.example${sent}`, type)?.path).toBe(plainNormalize(written, type));
        }),
        { numRuns: runs(2000) },
      );
    });
  }

  test("leaves fewer paths the stricter it is", () => {
    fc.assert(
      fc.property(path, (sent) => {
        const once = normalizeUrlPath(sent, "cloudflare");
        expect(isNormalizedPath(once, "rfc3986")).toBe(true);
        expect(readTarget(`https://h.example${once}`)?.path).toBe(once);
      }),
      { numRuns: runs(2000) },
    );
  });
});
