/** The targets of `skip`, however the ids of rules are written. */
import { mutationReport } from "edgeproof/analysis";
import { compileZone, type Ruleset } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";

const phase = "http_request_firewall_custom";
const request = { method: "GET", url: "https://www.example.com/" };
const skipped = ["a", "b-1", "c_2"];

/** A rule with `skip`, then rules that log; those of `skipped` must be skipped. */
const zoneOf = (rules: string | readonly string[]) => {
  const skip = { id: "s", action: "skip", expression: "true", action_parameters: { rules: { z: rules } } };
  const logs = ["first", ...skipped, "b"].map((id) => ({ id, action: "log", expression: "true" }));
  return {
    configs: [],
    rules: [],
    rulesets: [{ id: "z", kind: "zone", phase, rules: [skip, ...logs] } as Ruleset],
  };
};

describe.each([
  ["an array", skipped],
  ["a string with commas", "a,b-1,c_2"],
  ["a string with a space after each comma", "a, b-1, c_2"],
  ["a string with a space before each comma", "a ,b-1 ,c_2"],
  ["a string with spaces at its ends", "  a,b-1,c_2 "],
  ["a string with tabs and lines", "a,\tb-1,\n  c_2\n"],
  ["a string with empty parts", ",a,,b-1, ,c_2,"],
  ["a string with an id twice", "a,c_2,a, b-1"],
])("%s of ids", (_, rules) => {
  test("skips the rules that it names, and no other rule", async () => {
    const zone = await compileZone(zoneOf(rules));
    const { custom } = await zone.evaluate(request);
    const results = custom?.rules.flatMap(({ rule, result }) => (result === "skipped" ? [rule] : []));
    expect(results).toEqual(skipped);
  });

  test("has a mutant without each id", () => {
    const descriptions = mutationReport(zoneOf(rules), [{ request, nowMs: 0 }]).map(
      (mutant) => mutant.description,
    );
    for (const id of skipped) expect(descriptions).toContain(`the rule no longer skips the rule \`${id}\``);
    expect(descriptions).not.toContain("the rule no longer skips the rule ``");
  });
});
