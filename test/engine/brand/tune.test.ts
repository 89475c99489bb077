/** The costs that `tuneQuery` reports are those of matchers with each setting. */
import { compileQueries, tuneQuery } from "edgeproof/brand";
import { describe, expect, test } from "vitest";

const names = [
  "paypal.com",
  "my-paypal.net",
  "paypa1.com",
  "papal.org",
  "my-paipai-shop.com",
  "pаypаl.com",
  "paypal.co.jp.example.com",
  "unrelated.org",
  "not a name",
];

describe("tuneQuery", () => {
  test("counts for each setting the names that a matcher finds, and leaves invalid ones out", () => {
    const report = tuneQuery("paypal", names);
    expect([report.pattern, report.names, report.invalid]).toEqual(["paypal", 8, 1]);
    expect(report.settings).toHaveLength(2 * 3 * 4 + 1);
    for (const { mode, maxEdits = 0, confusables, alarms, alarmsPer10k } of report.settings) {
      const string_matches = [{ pattern: "paypal", max_edit_distance: maxEdits }];
      const matcher = compileQueries([{ query_id: 1, parameters: { string_matches } }], {
        mode,
        confusables,
      });
      const found = names.filter((name) => matcher.match(name).length > 0).length;
      expect([mode, maxEdits, confusables, alarms]).toEqual([mode, maxEdits, confusables, found]);
      expect(alarmsPer10k).toBeCloseTo((10_000 * found) / 8, 9);
    }
  });

  test("shows the names that one more edit adds", () => {
    const { settings } = tuneQuery("paypal", names);
    const examples = settings
      .filter(({ mode, confusables }) => mode === "token" && !confusables)
      .map((setting) => setting.examples);
    expect(examples).toEqual([
      ["paypal.com", "my-paypal.net", "paypal.co.jp.example.com"],
      ["paypa1.com", "papal.org"],
      ["my-paipai-shop.com", "pаypаl.com"],
      [],
    ]);
  });

  test("of an empty sample has no alarms, and an invalid pattern is rejected", () => {
    expect(tuneQuery("paypal", []).settings.every(({ alarmsPer10k }) => alarmsPer10k === 0)).toBe(true);
    expect(() => tuneQuery("", [])).toThrow("This pattern cannot be tuned");
  });
});
