import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copyHeaders, readRequest } from "../../../../src/engine/tokens/zone/request.ts";
import { readNormalForm, readTarget, readWithUrl } from "../../../../src/engine/tokens/zone/target.ts";
import { runs } from "../../../support/runs.ts";
import { field, request } from "../arbitraries.ts";
import { modelField } from "../model.ts";
import { readField } from "../read-field.ts";

/** Addresses in and around normal form. */
const address = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://", "https:/", "wss://"),
    fc.array(
      fc.constantFrom("a", "b-", "-c", "1", "0x7f", "127", "xn--a", "x_y", "A", "é", "", "%61", "com"),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    fc.constantFrom("", ":80", ":8443", ":x", "."),
    fc.array(
      fc.constantFrom(
        "/",
        "a",
        ".",
        "..",
        "%2e",
        "%2F",
        "b.c",
        "é",
        " ",
        "~!$&'()*+,;=:@-_",
        "\\",
        "|",
        '"',
        "{x}",
      ),
      {
        maxLength: 6,
      },
    ),
    fc.constantFrom("", "?", "?q=/../#", "#f", "?é \n"),
  )
  .map(([scheme, labels, port, path, end]) => {
    const joined = path.join("");
    return `${scheme}${labels.join(".")}${port}${joined && !joined.startsWith("/") ? "/" : ""}${joined}${end}`;
  });

describe("a URL", () => {
  test("has the same target on the fast path and by URL", () => {
    let byHand = 0;
    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl({ withQueryParameters: true, withFragments: true })), (url) => {
        const fast = readNormalForm(url);
        if (fast === undefined) return;
        byHand++;
        expect(fast).toEqual(readWithUrl(url));
      }),
      { numRuns: runs(5000, 5000) },
    );
    expect(byHand).toBeGreaterThan(200);
  });

  test("in the common format takes the fast path", () => {
    for (const url of [
      "https://api.example.com/v1/users/42?x=1",
      "http://localhost/",
      "https://a.b.c.example/x.json",
    ]) {
      expect(readNormalForm(url)).toBeDefined();
    }
    for (const url of [
      "https://a.example:1/",
      "https://a.example/%41",
      "https://a.example/../b",
      "https://1.2/",
    ]) {
      expect(readNormalForm(url)).toBeUndefined();
    }
  });

  test("of any kind never throws", () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: "binary" }), address), (url) => void readTarget(url)));
    expect(readTarget(`https://${"a.".repeat(500_000)}b_/`)).toBeDefined();
    expect(readTarget(`https://a.example${"/a".repeat(500_000)}|`)?.path.length).toBeGreaterThan(1_000_000);
  });
});

describe("a field", () => {
  test("has the value that the model reads", () => {
    fc.assert(
      fc.property(request, field, (given, wanted) => {
        expect(readField(readRequest(given), wanted)).toBe(modelField(given, wanted));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("has the same value in an object and in a copy, whatever changes in the request after copying", () => {
    fc.assert(
      fc.property(request, field, (given, wanted) => {
        const record: Record<string, string[]> = Object.create(null);
        for (const [name, value] of given.headers) {
          record[name.toLowerCase()] ??= [];
          record[name.toLowerCase()]?.push(value);
        }
        const expected = readField(readRequest(given), wanted);
        expect(readField(readRequest({ ...given, headers: record }), wanted)).toBe(expected);
        const copy = copyHeaders(readRequest(given));
        given.headers.length = 0;
        expect(readField(copy, wanted)).toBe(expected);
      }),
    );
  });

  test("never throws, whatever the headers are", () => {
    const headers = fc.oneof(
      fc.array(fc.anything(), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("__proto__", "constructor", "accept", "cookie", "get"), fc.anything()),
    );
    fc.assert(
      fc.property(headers, field, (given, wanted) => {
        if (typeof (given as { get?: unknown }).get === "function") return;
        const reader = readRequest({ method: "GET", url: "https://a.example/", headers: given as never });
        const value = readField(copyHeaders(reader), wanted);
        expect(value === undefined || typeof value === "string").toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("with the name of a prototype's member is missing", () => {
    const reader = readRequest({ method: "GET", url: "https://a.example/", headers: {} });
    for (const key of ["__proto__", "constructor", "toString"]) {
      expect(readField(reader, { name: "http.request.headers", key, index: 0 })).toBeUndefined();
      expect(readField(reader, { name: "http.request.cookies", key, index: 0 })).toBeUndefined();
    }
  });
});
