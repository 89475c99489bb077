import { checkZone, compileZone, type UrlNormalization } from "edgeproof/tokens";
import { describe, expect, test, vi } from "vitest";
import { readNormalForm, readRawPath, readTarget } from "../../../../src/engine/tokens/zone/target.ts";
import { isNormalizedPath, normalizeUrlPath } from "../../../../src/engine/tokens/zone/url-normalization.ts";

/** The documented examples, and what follows from the documented steps. */
const paths = [
  // [sent, rfc3986, cloudflare]
  ["/hello", "/hello", "/hello"],
  ["/%68ello", "/hello", "/hello"],
  ["/%68ello//pa\\th", "/hello//pa%5Cth", "/hello/pa/th"],
  ["/%7euser/%2d%5f", "/~user/-_", "/~user/-_"],
  ["/a%2fb%5c%2F", "/a%2Fb%5C%2F", "/a%2Fb%5C%2F"],
  ["/a/%2e%2E/b", "/b", "/b"],
  ["/a/./b/../c", "/a/c", "/a/c"],
  ["/a/b/..", "/a/", "/a/"],
  ["/a/.", "/a/", "/a/"],
  ["/../..", "/", "/"],
  ["/a//../b", "/a/b", "/b"],
  ["/a\\..\\b", "/a%5C..%5Cb", "/b"],
  ["/.../..a", "/.../..a", "/.../..a"],
  ['/a|b"c ü', "/a%7Cb%22c%20%C3%BC", "/a%7Cb%22c%20%C3%BC"],
  ["/:@!$&'()*+,;=[]", "/:@!$&'()*+,;=[]", "/:@!$&'()*+,;=[]"],
  ["/%zz%4%41%", "/%25zz%254A%25", "/%25zz%254A%25"],
  ["/%2541", "/%2541", "/%2541"],
  ["/\ud800", "/%EF%BF%BD", "/%EF%BF%BD"],
] as const;

describe("normalizeUrlPath", () => {
  for (const [sent, rfc3986, cloudflare] of paths)
    test(`normalizes ${JSON.stringify(sent)}`, () => {
      expect(normalizeUrlPath(sent, "rfc3986")).toBe(rfc3986);
      expect(normalizeUrlPath(sent, "cloudflare")).toBe(cloudflare);
      expect(normalizeUrlPath(sent, "none")).toBe(sent);
    });

  test("returns a path in normal form after one scan", () => {
    const replace = vi.spyOn(String.prototype, "replace");
    for (const path of ["/", "/a/b.c", "/a%20b%C3%BC/%2F", "/.../..a"])
      expect(normalizeUrlPath(path, "cloudflare")).toBe(path);
    expect(replace).not.toHaveBeenCalled();
    expect(normalizeUrlPath("/%61", "cloudflare")).toBe("/a");
    expect(replace).toHaveBeenCalled();
    replace.mockRestore();
  });

  test("needs time that grows with the length only", () => {
    for (const part of ["/../", "%", "%2e/", "\\", "a/..", "//"]) {
      const path = `/${part.repeat(1_000_000 / part.length)}`;
      const start = performance.now();
      const once = normalizeUrlPath(path, "cloudflare");
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(isNormalizedPath(once, "cloudflare")).toBe(true);
    }
  }, 120_000);
});

describe("the path of a URL", () => {
  test("is as written, and starts with a slash", () => {
    expect(readRawPath("https://u:p@h:8/a/../%61?q/x#f")).toBe("/a/../%61");
    expect(readRawPath("  HTTP:\\\\h\\a\\..\\b \n")).toBe("/a\\..\\b");
    expect(readRawPath("http://h")).toBe("/");
    expect(readRawPath("http://h?/x")).toBe("/");
    expect(readRawPath("http:h/\ta")).toBe("/a");
  });

  test("is not read again when the URL is in normal form", () => {
    const url = "https://h.example/a/b";
    expect(readNormalForm(url)).toBeDefined();
    expect(readTarget(url, "cloudflare")).toStrictEqual({ host: "h.example", path: "/a/b" });
    expect(readTarget("https://h.example/a//b", "cloudflare")?.path).toBe("/a/b");
    expect(readTarget("https://h.example/a//b", "rfc3986")?.path).toBe("/a//b");
  });
});

const host = "api.example.com";
const operations = [{ operation_id: "admin", method: "GET", host, endpoint: "/admin/{x}" }];
const block = (expression: string) => ({
  id: "1".repeat(32),
  name: "entry",
  kind: "zone" as const,
  phase: "http_request_firewall_custom",
  rules: [{ id: "2".repeat(32), action: "block" as const, expression, enabled: true }],
});

async function evaluate(expression: string, path: string, url_normalization?: UrlNormalization) {
  const zone = await compileZone({
    configs: [],
    rules: [],
    operations,
    rulesets: [block(expression)],
    ...(url_normalization && { url_normalization }),
  });
  const { action, operation } = await zone.evaluate({ method: "GET", url: `https://${host}${path}` });
  return [action, operation?.operation_id];
}

const incoming = { type: "cloudflare", scope: "incoming" } as const;

describe("a zone", () => {
  const prefix = 'starts_with(http.request.uri.path, "/admin/")';

  test("lets rules and operations read the normalized path", async () => {
    for (const path of ["/%61dmin/x", "/a/../admin/x", "//admin\\x"])
      expect(await evaluate(prefix, path, incoming)).toStrictEqual(["block", "admin"]);
    expect(await evaluate("false", "/%61dmin//x", incoming)).toStrictEqual(["allow", "admin"]);
    expect(await evaluate(prefix, "/%61dmin//x", { type: "rfc3986", scope: "both" })).toStrictEqual([
      "block",
      undefined,
    ]);
  });

  test("reads the path as before without the setting, and with the scope `none`", async () => {
    for (const setting of [undefined, { type: "cloudflare", scope: "none" } as const]) {
      expect(await evaluate(prefix, "/%61dmin/x", setting)).toStrictEqual(["allow", "admin"]);
      expect(await evaluate("false", "//admin/x", setting)).toStrictEqual(["allow", undefined]);
    }
  });

  test("has a normalized URI, and a raw one as it was sent", async () => {
    const path = "/%61/..//x.PHP?a=%61";
    const holds = async (expression: string, setting?: UrlNormalization) =>
      (await evaluate(expression, path, setting))[0] === "block";
    expect(await holds('http.request.uri eq "/x.PHP?a=%61"', incoming)).toBe(true);
    expect(await holds(`http.request.full_uri eq "https://${host}/x.PHP?a=%61"`, incoming)).toBe(true);
    expect(await holds('http.request.uri.path.extension eq "php"', incoming)).toBe(true);
    for (const setting of [undefined, incoming]) {
      expect(await holds('raw.http.request.uri.path eq "/%61/..//x.PHP"', setting)).toBe(true);
      expect(await holds('raw.http.request.uri eq "/%61/..//x.PHP?a=%61"', setting)).toBe(true);
      expect(await holds('raw.http.request.uri.path.extension eq "php"', setting)).toBe(true);
      expect(await holds(`raw.http.request.full_uri eq "https://${host}${path}"`, setting)).toBe(true);
      expect(await holds('raw.http.request.uri.query eq "a=%61"', setting)).toBe(true);
    }
  });

  test("has normalized paths in token rules", async () => {
    const selector = { include: [{ host: [host] }] };
    const expression = `not ${prefix}`;
    const zone = await compileZone({
      configs: [],
      rules: [{ id: "r", action: "block", enabled: true, expression, selector }],
      url_normalization: incoming,
    });
    const verdict = await zone.evaluate({ method: "GET", url: `https://${host}/%61dmin/x` });
    expect(verdict.action).toBe("block");
    expect(verdict.operation?.endpoint).toBe("/admin/x");
  });

  test("reports what is wrong with the setting", () => {
    const problemsOf = (url_normalization: unknown) =>
      checkZone({ configs: [], rules: [], url_normalization }).map(({ pointer, message }) => [
        pointer,
        message,
      ]);
    expect(problemsOf(incoming)).toStrictEqual([]);
    expect(problemsOf("cloudflare")).toStrictEqual([
      [
        "/url_normalization",
        "`url_normalization` must be an object with `type` and `scope`; found the string `cloudflare`.",
      ],
    ]);
    expect(problemsOf({ type: "rfc" })).toStrictEqual([
      ["/url_normalization/type", "`type` must be `cloudflare` or `rfc3986`; found the string `rfc`."],
      ["/url_normalization/scope", "`scope` must be `incoming`, `both` or `none`; it is missing."],
    ]);
  });
});
