/** The custom part of a verdict as the page shows it: the rule that decided, missing and unknown values. */
import { compileZone, type Ruleset } from "edgeproof/tokens";
import { expect, test } from "vitest";
import { viewOfVerdict } from "../../../src/workbench/requests/verdict-view.ts";
import { configs, request, tokens } from "../../engine/tokens/zone-fixture.ts";

const sub = 'lookup_json_string(http.request.jwt.claims["a"][0], "sub")';
const names = { rules: [], configs: [] };
const rulesetOf = (...expressions: readonly string[]): Ruleset => ({
  id: "z",
  kind: "zone",
  phase: "http_request_firewall_custom",
  rules: expressions.map((expression, i) => ({
    id: `r${i}`,
    action: "block",
    description: `rule ${i}`,
    expression,
  })),
});

async function viewOf(ruleset: Ruleset, asked = request("/a")) {
  const zone = await compileZone({ configs, rules: [], rulesets: [ruleset] });
  return viewOfVerdict(await zone.evaluate(asked), asked, names);
}

test("the rule that decided has its parts, with the reason of a missing claim", async () => {
  const view = await viewOf(rulesetOf(`not (${sub} eq "u1")`), request("/a", { a: tokens.malformed }));
  expect(view).toMatchObject({ action: "block", because: 'The custom rule "rule 0" decides: block.' });
  expect(view.custom).toEqual([
    {
      name: "rule 0",
      action: "block",
      isDecider: true,
      value: true,
      leaves: [{ text: `${sub} eq "u1"`, value: false, found: "missing: malformed" }],
    },
  ]);
});

test("an unknown value leaves rules open, and the reason names what to give", async () => {
  const view = await viewOf(rulesetOf("ip.src eq 192.0.2.1", 'http.request.method eq "PUT"'));
  expect(view).toMatchObject({
    action: "undecided",
    because: "Undecided: the custom rules need `ip` of the request.",
    custom: [{ name: "rule 0", isDecider: false, value: null, leaves: [{ value: null, found: "unknown" }] }],
  });
});

test("a zone without rulesets has no custom part", async () => {
  const zone = await compileZone({ configs, rules: [] });
  const verdict = await zone.evaluate(request("/a"));
  expect("custom" in viewOfVerdict(verdict, request("/a"), names)).toBe(false);
});
