/** Timestamps, identifiers, settings, limits and pages. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ProfileSettings, profiles } from "../../src/core/profiles.ts";
import { quote } from "../../src/errors.ts";
import { pageQuery } from "../../src/schemas/envelope.ts";
import { imageListQuery } from "../../src/schemas/images.ts";
import { previewQuery } from "../../src/schemas/tokens.ts";
import { idsFrom, randomIds, seededIds } from "../../src/service/ids.ts";
import { defaultLimits, resolveLimits } from "../../src/service/limits.ts";
import { pageOf, sliceOf } from "../../src/service/paging.ts";
import { acceptQuery } from "../../src/service/query.ts";
import { resolveSettings } from "../../src/service/settings.ts";
import { formatTimestamp, parseTimestamp } from "../../src/service/time.ts";

describe("timestamps", () => {
  test("are printed with microseconds; rounding carries into the seconds", () => {
    expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00.000000Z");
    expect(formatTimestamp(1_699_461_917_236.841)).toBe("2023-11-08T16:45:17.236841Z");
    expect(formatTimestamp(999.9999)).toBe("1970-01-01T00:00:01.000000Z");
  });

  test("a printed timestamp parses back to itself, to the microsecond", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.nat(999), (ms, micros) => {
        const text = formatTimestamp(ms + micros / 1000);
        expect(formatTimestamp(parseTimestamp(text)!)).toBe(text);
      }),
    );
  });

  test.each([
    ["1985-04-12T23:20:50.52Z", 482_196_050_520],
    ["1996-12-19T16:39:57-08:00", 851_042_397_000],
    ["1937-01-01T12:00:27.87+00:20", -1_041_337_172_130],
    ["2024-02-29t00:00:00z", 1_709_164_800_000],
  ])("%s (RFC 3339, section 5.8 and its grammar)", (text, ms) => {
    expect(parseTimestamp(text)).toBe(ms);
  });

  test.each([
    "2023-02-29T00:00:00Z",
    "2023-04-31T00:00:00Z",
    "2023-13-01T00:00:00Z",
    "2023-01-01T24:00:00Z",
    "2023-01-01T00:60:00Z",
    "2023-01-01T00:00:61Z",
    "2023-01-01T00:00:00",
    "2023-01-01",
    "2023-01-01T00:00:00+24:00",
    "2023-01-01T00:00:00.Z",
    " 2023-01-01T00:00:00Z",
    "",
    "tomorrow",
  ])("%j is not a timestamp", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe("identifiers", () => {
  test("have their formats", () => {
    for (const ids of [randomIds(), seededIds("x")]) {
      expect(ids.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(ids.hex(5)).toMatch(/^[0-9a-f]{5}$/);
      expect(ids.secret(32)).toMatch(/^[A-Za-z0-9]{32}$/);
    }
  });

  test("the same seed repeats its values, another seed has others, and no value occurs twice", () => {
    const draw = (seed: string) => {
      const ids = seededIds(seed);
      return Array.from({ length: 50 }, () => ids.uuid());
    };
    expect(draw("a")).toEqual(draw("a"));
    expect(new Set([...draw("a"), ...draw("b")]).size).toBe(100);
  });

  test("secrets draw every letter with equal probability: bytes above the last whole range are dropped", () => {
    const given = [247, 248, 255, 0];
    expect(idsFrom((count) => Uint8Array.from({ length: count }, () => given.shift() ?? 1)).secret(2)).toBe(
      "9A",
    );
  });
});

describe("settings", () => {
  test("the two profiles differ in every row but four", () => {
    const same = Object.keys(profiles.spec).filter((row) => {
      const key = row as keyof ProfileSettings;
      return JSON.stringify(profiles.spec[key]) === JSON.stringify(profiles.provider[key]);
    });
    expect(same).toEqual(["envelopes", "appsPaging", "proxyErrors", "verifier"]);
  });

  test("every row is an option that overrides either profile", () => {
    for (const profile of ["spec", "provider"] as const) {
      const other = profiles[profile === "spec" ? "provider" : "spec"];
      for (const row of Object.keys(other) as (keyof ProfileSettings)[]) {
        const settings = resolveSettings(profile, { [row]: other[row] });
        expect(settings).toEqual({ ...profiles[profile], brand: {}, [row]: other[row] });
      }
    }
  });

  test("an unknown profile is a TypeError, and other options are not settings", () => {
    expect(() => resolveSettings("real" as never)).toThrow(
      'profile must be "spec" or "provider"; found `real`',
    );
    expect(() => resolveSettings("__proto__" as never)).toThrow(TypeError);
    expect(resolveSettings("spec", { store: 1 } as never)).toEqual({ ...profiles.spec, brand: {} });
  });

  test("an invalid value of a row is an error that lists the allowed values", () => {
    for (const row of Object.keys(profiles.spec).filter((name) => !/upload/.test(name))) {
      for (const wrong of ["wrong", null, -1, Number.NaN])
        expect(() => resolveSettings("spec", { [row]: wrong }), `${row} ${wrong}`).toThrow(
          new RegExp(`^${row} must be .*; found ${quote(wrong).replaceAll(/[()]/g, "\\$&")}$`),
        );
      expect(resolveSettings("spec", { [row]: undefined })).toEqual({ ...profiles.spec, brand: {} });
    }
    expect(() => resolveSettings("spec", { wireNames: "z" } as never)).toThrow('"spec" or "provider"');
    expect(() => resolveSettings("spec", { authFailureStatus: 500 } as never)).toThrow("400 or 401");
    expect(() => resolveSettings("spec", { configsPerZone: 1.5 })).toThrow(RangeError);
  });
});

describe("limits", () => {
  test("an unknown limit is a TypeError with the nearest one", () => {
    expect(() => resolveLimits({ bodyByte: 1 } as object)).toThrow(TypeError);
    expect(() => resolveLimits({ bodyByte: 1 } as object)).toThrow(/did you mean `bodyBytes`/);
  });

  test("the caller's limits override the defaults", () => {
    expect(resolveLimits({ bodyBytes: 5 })).toEqual({ ...defaultLimits, bodyBytes: 5 });
  });

  test.each([{ bodyBytes: -1 }, { bodyBytes: 1.5 }, { bodyBytes: Number.NaN }])(
    "%j is a RangeError",
    (own) => {
      expect(() => resolveLimits(own)).toThrow(RangeError);
    },
  );

  test("tokens have at least one byte, pictures 1 to 100,000,000 pixels; every other limit may be 0", () => {
    expect(() => resolveLimits({ tokenBytes: 0 })).toThrow("an integer from 1;");
    for (const logoPixels of [0, 100_000_001])
      expect(() => resolveLimits({ logoPixels })).toThrow("an integer from 1 to 100000000;");
    expect(resolveLimits({ logoPixels: 100_000_000 }).logoPixels).toBe(100_000_000);
    const { tokenBytes, logoPixels, ...others } = defaultLimits;
    const nothing = Object.fromEntries(Object.keys(others).map((name) => [name, 0]));
    expect(resolveLimits(nothing)).toEqual({ ...nothing, tokenBytes, logoPixels });
  });
});

describe("pages", () => {
  test("concatenate to the whole list for every page size", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 50 }), (all, size) => {
        const read = (page: number) => pageOf(all, sliceOf({ page, per_page: size }));
        const pages = Array.from({ length: read(1).info.total_pages }, (_, i) => read(i + 1));
        expect(pages.flatMap((p) => p.items)).toEqual(all);
        expect(read(pages.length + 1).items).toEqual([]);
        for (const { items, info } of pages) expect(info.count).toBe(items.length);
      }),
    );
  });

  test("a page size above the maximum is clamped or rejected, by the declaration of the list", () => {
    expect(acceptQuery(pageQuery, { per_page: 51 }, "tokens")).toEqual({ page: 1, per_page: 50 });
    expect(() => acceptQuery(imageListQuery, { per_page: 101 }, "images")).toThrow(
      /from 1 to 100; found `101`/,
    );
  });

  test("a value of another type, and a parameter that is not declared, are rejected", () => {
    for (const per_page of ["20", 0, 1.5, Number.NaN, null])
      expect(() => acceptQuery(pageQuery, { per_page } as never, "tokens")).toThrow(/`per_page` must be/);
    const state = (value: unknown) => () => acceptQuery(previewQuery, { state: value } as never, "tokens");
    expect(state(["included", "all"])).toThrow(/found `all`/);
    expect(state("included")).toThrow(/a list, .* found `included`/);
    expect(state([])).toThrow(/found an empty array/);
    expect(() => acceptQuery(pageQuery, { perPage: 20 } as never, "tokens")).toThrow(TypeError);
  });
});
