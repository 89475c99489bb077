/** Addresses of transformations, and the origins that a zone allows. */
import { describe, expect, test } from "vitest";
import { cachePolicy } from "../../../../src/engine/images/request/cache-policy.ts";
import { followClient } from "../../../../src/engine/images/request/client-hints.ts";
import { readOverlays } from "../../../../src/engine/images/request/overlay-options.ts";
import {
  isAllowedSource,
  parseAllowedOrigins,
} from "../../../../src/engine/images/request/source-origins.ts";
import {
  resolveSource,
  splitTransformAddress,
} from "../../../../src/engine/images/request/transform-address.ts";

function resolved(source: string): string | number {
  const url = resolveSource(source, "https://shop.example.com");
  return url.ok ? url.value.href : url.problems[0].code!;
}

describe("the source of an address", () => {
  test.each([
    ["photos/a.jpg", "https://shop.example.com/photos/a.jpg"],
    ["/photos/a.jpg", "https://shop.example.com/photos/a.jpg"],
    ["photos/a%20b.jpg?v=2&w=3", "https://shop.example.com/photos/a%20b.jpg?v=2&w=3"],
    ["https://b.com/a.jpg?x=1", "https://b.com/a.jpg?x=1"],
    ["HTTP://B.com:80/a.jpg", "http://b.com/a.jpg"],
    ["https%3A%2F%2Fb.com%2Fa.jpg", "https://shop.example.com/https%3A%2F%2Fb.com%2Fa.jpg"],
    ["/\\b.com/a.jpg", "https://shop.example.com//b.com/a.jpg"],
    ["@b.com/a.jpg", "https://shop.example.com/@b.com/a.jpg"],
  ])("%s is %s", (source, url) => expect(resolved(source)).toBe(url));

  test.each([
    ["//b.com/a.jpg", 9406],
    ["https:/b.com/a.jpg", 9406],
    ["file:///etc/passwd", 9406],
    ["data:image/png;base64,AA", 9406],
    ["https://", 9406],
    ["https://b.com:99999/a.jpg", 9406],
    ["https://u:p@b.com/a.jpg", 9419],
    ["photos/a b.jpg", 9419],
    ["photos/ä.jpg", 9419],
  ])("%s is rejected with %i", (source, code) => expect(resolved(source)).toBe(code));

  test.each(["", "width=80", "width=80/", "/photos/a.jpg"])(
    "an address without options or source is 9401: %j",
    (rest) => {
      const split = splitTransformAddress(rest);
      expect(split.ok ? undefined : split.problems[0].code).toBe(9401);
    },
  );
});

describe("allowed origins", () => {
  const allowed = (list: string, url: string, mode: "on" | "off" | "open" = "on") => {
    const parsed = parseAllowedOrigins(list);
    if (!parsed.ok) throw new Error(parsed.problems[0].message);
    return isAllowedSource(new URL(url), "example.com", mode, parsed.value);
  };

  test.each([
    ["", "https://example.com/a", true],
    ["", "https://img.example.com/a", true],
    ["", "https://notexample.com/a", false],
    ["", "https://example.com.evil.com/a", false],
    ["b.com", "https://b.com/a", true],
    ["b.com", "https://x.b.com/a", false],
    ["*.b.com", "https://b.com/a", true],
    ["*.b.com", "https://x.y.b.com/a", true],
    ["*.b.com", "https://xb.com/a", false],
    ["b.com/photos", "https://b.com/photos/a", true],
    ["b.com/photos/", "https://b.com/photos/a", true],
    ["b.com/photos/", "https://b.com/photos", false],
    ["b.com/photos", "https://b.com/photosx/a", true],
    ["b.com/themes", "https://b.com/themes-2024/a", true],
    ["b.com/themes", "https://b.com/theme", false],
    ["b.com/photos", "https://b.com/photos/../private/a", false],
    ["b.com/photos", "https://b.com/photos/%2e%2e/private/a", false],
    ["b.com", "https://b.com:8443/a", false],
    ["localhost:3000", "http://localhost:3000/a", true],
    ["a.com, B.com ,", "https://b.com/a", true],
  ])("with the list %j, %s is allowed: %s", (list, url, is) => expect(allowed(list, url)).toBe(is));

  test("`open` allows every source, `off` none", () => {
    expect(allowed("", "https://other.org/a", "open")).toBe(true);
    expect(allowed("", "https://example.com/a", "off")).toBe(false);
  });

  test.each([
    "https://b.com",
    "*",
    "*.",
    "b.com?x",
    "u@b.com",
    "a b.com",
    "b.com:x",
    "x".repeat(9_000),
    "b.*.com",
  ])("%j is not a list of origins", (list) => expect(parseAllowedOrigins(list).ok).toBe(false));
});

describe("options that follow the client", () => {
  const headers = (given: Record<string, string>) => (name: string) => given[name];

  test.each([
    [{ "sec-ch-viewport-width": "300" }, 320],
    [{ "sec-ch-viewport-width": "400", "sec-ch-dpr": "2" }, 960],
    [{ "sec-ch-viewport-width": "4000" }, 1200],
    [{ "sec-ch-viewport-width": "x" }, 1200],
    [{ "user-agent": "Mozilla/5.0 (iPhone) Mobile/15E148" }, 768],
    [{}, 1200],
  ])("`width=auto` with %j is %i", (given, width) => {
    expect(followClient({ width: "auto" }, headers(given)).options).toEqual({ width });
  });

  test("`wbreakpoints`, `wmobile` and `wdesktop` replace the widths", () => {
    const options = { width: "auto", wbreakpoints: [100, 200], wmobile: 50, wdesktop: 60 } as const;
    expect(followClient(options, headers({ "sec-ch-viewport-width": "150" })).options).toEqual({
      width: 200,
    });
    expect(followClient(options, headers({ "user-agent": "x Mobile" })).options).toEqual({ width: 50 });
    expect(followClient(options, headers({})).options).toEqual({ width: 60 });
  });

  test.each([
    [{ rtt: "151" }, 20],
    [{ rtt: "150" }, 80],
    [{ "save-data": "on" }, 20],
    [{ ect: "3g" }, 20],
    [{ ect: "4g" }, 80],
    [{ downlink: "4.9" }, 20],
    [{ downlink: "5" }, 80],
  ])("with %j the quality is %i", (given, quality) => {
    const { options, vary } = followClient({ quality: 80, "slow-connection-quality": 20 }, headers(given));
    expect(options).toEqual({ quality });
    expect(vary).toEqual(["rtt", "save-data", "ect", "downlink"]);
  });
});

test.each([
  [undefined, "max-age=3600", 0],
  ["public, max-age=86400, immutable", "public, immutable, max-age=86400", 0],
  ["max-age=60", "max-age=3600", 1],
  ["no-store", "max-age=3600", 1],
  ["private, max-age=90000", "max-age=3600", 1],
])("the origin's cache-control %j becomes %j", (given, value, warnings) => {
  const policy = cachePolicy(given);
  expect([policy.value, policy.warnings.length]).toEqual([value, warnings]);
});

test.each([
  [5],
  [[5]],
  [[{}]],
  [[{ url: "https://b.com/a", opacity: 2 }]],
  [[{ url: "https://b.com/a", top: 1, bottom: 1 }]],
  [[{ url: "https://b.com/a", width: -0.5 }]],
  [Array.from({ length: 33 }, () => ({ url: "https://b.com/a" }))],
])("`draw` %j is rejected with 9401", (draw) => {
  const read = readOverlays(draw);
  expect(read.ok ? undefined : read.problems[0].code).toBe(9401);
});
