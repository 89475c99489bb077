/** The tables of rules: every id once, and an explanation of each. */
import { describe, expect, test } from "vitest";
import { maxSarifResults } from "../../../src/cli/output/report/sarif.ts";
import { allRules, explainRule, ruleTables } from "../../../src/cli/output/results/rules.ts";

/** Ids that tables share on purpose: the same situation, found by another question. */
const shared = ["undecided"];

describe("rules", () => {
  test("every id is in one table, unless it is shared on purpose", () => {
    const ids = Object.values(ruleTables).flatMap(Object.keys);
    const repeated = ids.filter((id, i) => ids.indexOf(id) !== i);
    expect(repeated).toEqual(shared);
    expect(maxSarifResults).toBeGreaterThan(ids.length);
  });

  test.each(Object.entries(allRules))(
    "%s has the texts that code hosts show, and an explanation",
    (id, rule) => {
      expect(id).toMatch(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/);
      for (const text of [rule.description, rule.help, rule.why ?? "."]) expect(text).toMatch(/[.?]$/);
      expect(rule.tags.length).toBeGreaterThan(0);
      expect(rule.tags.length).toBeLessThanOrEqual(20);
      expect(explainRule(id)).toContain(rule.help);
    },
  );

  test("an unknown id, and a member that every object has, have no explanation", () => {
    expect(explainRule("no-such-rule")).toBeUndefined();
    expect(explainRule("constructor")).toBeUndefined();
  });
});
