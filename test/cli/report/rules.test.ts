/** The tables of rules: every id once, and an explanation of each. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { maxSarifResults } from "../../../src/cli/output/report/sarif.ts";
import { allRules, explainRule, ruleTables } from "../../../src/cli/output/results/rules.ts";

/** Ids that tables share on purpose: the same situation, found by another question. */
const shared = ["undecided", "invalid-part", "not_a_zone", "undecided-application", "member-ignored"];

describe("rules", () => {
  test("every id is in one table, unless it is shared on purpose", () => {
    const ids = Object.values(ruleTables).flatMap(Object.keys);
    const repeated = ids.filter((id, i) => ids.indexOf(id) !== i);
    expect([...new Set(repeated)]).toEqual(shared);
    expect(maxSarifResults).toBeGreaterThan(ids.length);
  });

  test.each(allRules.map((rule) => [rule.id, rule] as const))(
    "%s has the texts that code hosts show, and an explanation",
    (id, rule) => {
      expect(id).toMatch(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/);
      for (const text of [rule.description, rule.help, rule.why ?? "."]) expect(text).toMatch(/[.?]$/);
      expect(rule.tags.length).toBeGreaterThan(0);
      expect(rule.tags.length).toBeLessThanOrEqual(20);
      expect(explainRule(rule)).toContain(rule.help);
    },
  );

  test("every id that the sources of the command line write is in a table", async () => {
    const written: string[] = [];
    for (const name of await readdir("src/cli", { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const text = await readFile(join("src/cli", name), "utf8");
      written.push(...Array.from(text.matchAll(/\brule(?: =|:) "([^"]+)"/g), ([, id = ""]) => id));
    }
    expect(written).toContain("invalid-part");
    const known = new Set(allRules.map(({ id }) => id));
    expect(written.filter((id) => !known.has(id))).toEqual([]);
  });
});
