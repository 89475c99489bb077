/** Expressions of phases that are not evaluated have the words of their phase in editors. */
import { expect, test } from "vitest";
import { readDocument } from "../../src/editor/document.ts";
import { expressionFindings } from "../../src/editor/findings.ts";

const languages = (name: string, text: string) =>
  readDocument(name, text).expressions.map(({ language }) => language);

const blocks = (phase: string, rule: string) =>
  `resource "cloudflare_ruleset" "r" {\n  phase = "${phase}"\n  ${rule}\n}\n`;

test.each([
  [
    'rules = [{ expression = "ssl", ratelimit = { counting_expression = "ssl" } }]',
    "http_ratelimit",
    ["http_ratelimit", "counting expressions of http_ratelimit"],
  ],
  [
    'rules = [{ expression = "ssl", action_parameters = { uri = { path = { expression = "http.host" } } } }]',
    "http_request_transform",
    ["http_request_transform", "values of http_request_transform"],
  ],
  [
    'rules {\n expression = "ssl"\n action_parameters {\n headers {\n expression = "http.host"\n }\n }\n }',
    "http_request_late_transform",
    ["http_request_late_transform", "values of http_request_late_transform"],
  ],
  ['rules = [{ expression = "ssl" }]', "http_request_firewall_custom", ["custom"]],
  ['rules = [{ expression = "ssl" }]', "ddos_l4", [undefined]],
])("%s of %s", (rule, phase, expected) => {
  expect(languages("main.tf", blocks(phase, rule))).toEqual(expected);
});

test("a wrong value of a world has a finding with a fix", () => {
  const action_parameters = { from_value: { target_url: { expression: 'concat("a", http.hots)' } } };
  const rules = [{ action: "redirect", expression: "ssl", action_parameters }];
  const rulesets = [{ kind: "zone", phase: "http_request_dynamic_redirect", rules }];
  const text = JSON.stringify({ zones: [{ id: "z", rulesets }] });
  const [finding, ...more] = expressionFindings(readDocument("world.json", text));
  expect(more).toEqual([]);
  expect(finding).toMatchObject({
    rule: "invalid",
    fixes: [{ title: "Replace `http.hots` by `http.host`" }],
  });
});
