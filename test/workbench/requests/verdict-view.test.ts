/** The custom part of a verdict as the page shows it: the rule that decided, missing and unknown values. */
import { compileZone } from "edgeproof/tokens";
import { expect, test } from "vitest";
import type { PlainVerdict } from "../../../src/engine/tokens/verdict/verdict.ts";
import { viewOfPlainVerdict, viewOfVerdict } from "../../../src/workbench/requests/verdict-view.ts";
import { configs, request, tokens } from "../../engine/tokens/zone-fixture.ts";

const sub = 'lookup_json_string(http.request.jwt.claims["a"][0], "sub")';
const names = { rules: [], configs: [], rulesets: [] };
const rulesetOf = (...expressions: readonly string[]) => ({
  id: "z",
  kind: "zone" as const,
  phase: "http_request_firewall_custom",
  rules: expressions.map((expression, i) => ({
    id: `r${i}`,
    action: "block" as const,
    description: `rule ${i}`,
    expression,
  })),
});

async function viewOf(ruleset: ReturnType<typeof rulesetOf>, asked = request("/a"), known = ruleset) {
  const zone = await compileZone({ configs, rules: [], rulesets: [ruleset] });
  const rules = known.rules.map((rule) => ({
    ...rule,
    title: rule.description,
    enabled: true,
    parameters: "",
  }));
  return viewOfVerdict(await zone.evaluate(asked), asked, { ...names, rulesets: [{ id: "z", rules }] });
}

test("the rule that decided has its parts on its own text, with the reason of a missing claim", async () => {
  const expression = `not (${sub}  eq "u1")`;
  const view = await viewOf(rulesetOf(expression), request("/a", { a: tokens.malformed }));
  const because = `The custom rule "rule 0" blocks it: ${sub} eq "u1" is false: missing: malformed.`;
  expect(view).toMatchObject({ action: "block", because });
  const key = { ruleset: "z", rule: "r0", title: "rule 0" };
  expect(view.custom).toMatchObject({ action: "block", response: "403", decider: key, needs: [] });
  const [rule] = view.custom!.rules;
  expect(rule).toMatchObject({ ...key, result: "matched" });
  const { start, end, ...leaf } = rule!.leaves[0]!;
  const reason = "the request has no such value";
  expect(leaf).toEqual({ text: `${sub}  eq "u1"`, value: false, reason, found: "missing: malformed" });
  expect(expression.slice(start, end)).toBe(leaf.text);
});

test("an unknown value leaves rules open, and the reason names what to give", async () => {
  const view = await viewOf(rulesetOf("ip.src eq 192.0.2.1", 'http.request.method eq "PUT"'));
  expect(view).toMatchObject({
    action: "undecided",
    because: "Undecided: the custom rules need `ip` of the request.",
    custom: { action: "undecided", needs: ["ip.src"] },
  });
  expect(view.custom?.rules.map(({ result }) => result)).toEqual(["undecided", "undecided"]);
  expect(view.custom?.rules[0]?.leaves).toMatchObject([{ value: null, reason: "unknown" }]);
});

test("a rule that does not match has its parts and their tree, with the values that were found", async () => {
  const view = await viewOf(rulesetOf('http.host eq "b" and ssl or http.request.method eq "PUT"'));
  const host = { text: 'http.host eq "b"', value: false, found: '"api.example.com"' };
  const ssl = { text: "ssl", value: null, reason: "not evaluated: already decided" };
  const method = { text: 'http.request.method eq "PUT"', value: false, found: '"GET"' };
  expect(view.custom?.rules[0]).toMatchObject({ result: "not_matched", leaves: [host, ssl, method] });
  const parts = [host, ssl, method].map((part) => ({ ...part, operands: [] }));
  const and = { text: "and", value: false, operands: parts.slice(0, 2) };
  expect(view.custom?.rules[0]?.tree).toEqual({ text: "or", value: false, operands: [and, parts[2]] });
});

test("a rule that has changed since the evaluation has no parts", async () => {
  const view = await viewOf(rulesetOf("ssl"), request("/a"), rulesetOf("not ssl or ssl"));
  expect(view.custom?.rules).toMatchObject([{ result: "matched", leaves: [] }]);
});

test("a zone without rulesets has no custom part", async () => {
  const zone = await compileZone({ configs, rules: [] });
  const verdict = await zone.evaluate(request("/a"));
  expect("custom" in viewOfVerdict(verdict, request("/a"), names)).toBe(false);
});

test("no operation is missing where a custom rule was evaluated, and its result is open", () => {
  const rules = [{ ruleset: "z", rule: "r0", action: "log", result: "undecided" }];
  const verdict = (custom: object | undefined) =>
    ({
      action: "allow",
      outcome: "no_rule",
      rules: [],
      trace: { tokens: [], expressions: [] },
      claims: {},
      ...(custom && { custom }),
    }) as unknown as PlainVerdict;
  const custom = {
    action: "allow",
    rules,
    expressions: [],
    logged: [],
    needs: [],
    skipped: { phases: [], products: [] },
  };
  const missingOf = (plain: PlainVerdict) => viewOfPlainVerdict(plain, names, () => ({})).missing;
  expect(missingOf(verdict(undefined))).toBe("rule");
  expect(missingOf(verdict(custom))).toBeUndefined();
});
